"""Explanations: the heaviest reasons first, and nothing from the data left unescaped."""

from __future__ import annotations

import pickle
from dataclasses import replace

import pytest

from learnable.core import Explanation, ParameterError, Part

PARTS = (
    Part("age", 31.0, "older than most", 0.5),
    Part("smoker", "yes", "raises the odds", -2.25),
    Part("town", None, "is unknown", 0.25),
)
WHY = Explanation("ill", "contributions", PARTS, -1.5, "log odds of ill", "Mostly smoker.")


def test_contributions_are_listed_by_weight_with_their_sum():
    lines = WHY.text().splitlines()
    assert lines[0] == "Mostly smoker."
    assert [line.split()[0] for line in lines[1:]] == ["smoker", "age", "town", "sum"]
    assert "-2.2500" in lines[1]
    assert "-1.5000" in lines[-1]
    assert "log odds of ill" in lines[-1]
    assert str(WHY) == WHY.text()
    assert len({line.index("+" if "+" in line else "-") for line in lines[1:]}) == 1  # in columns


def test_only_contributions_have_a_sum():
    assert "sum" not in replace(WHY, kind="path").text()


def test_no_parts_is_a_summary_alone():
    empty = replace(WHY, kind="rule", parts=())
    assert empty.text() == "Mostly smoker."
    assert empty.to_frame().shape == (0, 4)
    assert replace(empty, kind="contributions").text().splitlines()[0] == "Mostly smoker."


def test_a_frame_has_a_line_a_part():
    frame = WHY.to_frame()
    assert list(frame.columns) == ["label", "value", "evidence", "weight"]
    assert frame["weight"].sum() == WHY.score


EVIL = "<img src=x onerror=alert(1)>&\"'"


@pytest.mark.parametrize("value", [EVIL, [EVIL], {EVIL: 1}])
def test_html_escapes_whatever_comes_from_data(value):
    part = Part(EVIL, value, EVIL, 1.0)
    page = replace(WHY, parts=(part,), summary=EVIL, unit=EVIL, prediction=EVIL).to_html()
    assert "<img" not in page
    assert page.count("&lt;img") == 4
    assert WHY._repr_html_() == WHY.to_html()


def test_columns_without_names_are_labelled_by_number():
    part = Part(0, 1, "first", 1.0)
    why = replace(WHY, parts=(part,))
    assert "0 = 1" in why.text()
    assert "<td>0</td>" in why.to_html()


def test_another_kind_is_refused():
    with pytest.raises(ParameterError, match="kind must be one of path, rule"):
        replace(WHY, kind="magic")


def test_relabelled_leaves_the_rest_alone():
    named = WHY.relabelled(lambda part: part._replace(label=part.label.upper()))
    assert [part.label for part in named.parts] == ["AGE", "SMOKER", "TOWN"]
    assert WHY.parts == PARTS
    assert replace(named, parts=PARTS) == WHY


def test_pickles():
    assert pickle.loads(pickle.dumps(WHY)) == WHY  # noqa: S301
