"""Certificates: what they say, in text, in a table, on a page."""

from __future__ import annotations

import pickle
from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest

from learnable.core import Certificate, ParameterError
from learnable.core.certificate import KINDS, check_confidence

FIRST = Certificate(
    "guaranteed",
    "accuracy on new rows",
    0.9,
    0.68,
    0.99,
    0.95,
    "Clopper-Pearson interval",
    20,
    ("the rows are independent", "nobody chose them"),
    "18 of 20 right.",
)
OTHER = replace(FIRST, kind="approximate", quantity="error", text="At most 0.32 wrong.", value=None)


@pytest.mark.parametrize("kind", KINDS)
def test_three_kinds(kind):
    assert replace(FIRST, kind=kind).kind == kind


@pytest.mark.parametrize("kind", ["", "Guaranteed", "certain", None])
def test_no_other_kind(kind):
    with pytest.raises(ParameterError, match="kind must be one of guaranteed, approximate"):
        replace(FIRST, kind=kind)


def test_frozen_equal_and_pickled():
    with pytest.raises(FrozenInstanceError):
        FIRST.low = 0.0
    assert pickle.loads(pickle.dumps(FIRST)) == FIRST  # noqa: S301
    assert FIRST != OTHER


def test_statements_come_in_order_and_stand_alone():
    both = replace(FIRST, further=(OTHER,))
    assert both.statements == (FIRST, OTHER)
    assert FIRST.statements == (FIRST,)


def test_text_holds_every_statement_its_basis_and_the_notes():
    text = str(replace(FIRST, further=(OTHER,), notes=("3 rows were seen in training.",)))
    for part in ("18 of 20 right.", "At most 0.32 wrong.", "3 rows were seen in training."):
        assert part in text
    for part in ("uaranteed", "pproximate", "Clopper-Pearson", *FIRST.assumptions):
        assert part in text


def test_a_frame_has_a_line_a_statement():
    frame = replace(FIRST, further=(OTHER,)).to_frame()
    assert frame["quantity"].tolist() == ["accuracy on new rows", "error"]
    assert frame["low"].tolist() == [0.68, 0.68]


def test_html_escapes_whatever_comes_from_data():
    evil = "<script>alert('&')</script>"
    page = replace(
        FIRST,
        text=evil,
        method=evil,
        assumptions=(evil,),
        notes=(evil,),
        further=(replace(OTHER, text=evil),),
    ).to_html()
    assert "<script" not in page
    assert page.count("&lt;script&gt;") >= 4
    assert FIRST._repr_html_() == FIRST.to_html()


def test_html_holds_the_notes():
    assert "seen in training" in replace(FIRST, notes=("3 rows were seen in training.",)).to_html()


@pytest.mark.parametrize("confidence", [0.5, 0.999, 1e-9, np.float32(0.5)])
def test_a_confidence_lies_inside(confidence):
    assert check_confidence(confidence) == confidence


@pytest.mark.parametrize("confidence", [0, 1, 0.0, 1.0, -0.1, 95, float("nan"), "0.9", None, True])
def test_no_other_confidence(confidence):
    with pytest.raises(ParameterError, match="strictly between 0 and 1"):
        check_confidence(confidence)
