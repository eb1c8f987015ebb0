"""Several learners: Holm's adjustment, groups that cannot be told apart, and the page."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from learnable.core import ParameterError
from learnable.evaluation import holm, holm_adjusted, nemenyi
from tests.evaluation.demsar import NAMES, PRINTED, RANKED


def test_the_figures_of_statsmodels():
    p = [0.011, 0.02, 0.6, 0.001, 0.04, 0.04]
    assert holm_adjusted(p) == pytest.approx((0.055, 0.08, 0.6, 0.006, 0.12, 0.12))


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm_lies_between_none_and_bonferroni(p):
    found = holm_adjusted(p)
    assert all(a <= b <= min(a * len(p), 1.0) + 1e-15 for a, b in zip(p, found, strict=True))
    order = np.argsort(p, kind="stable")
    assert (np.diff(np.array(found)[order]) >= 0.0).all()


@pytest.mark.parametrize("wrong", [[-0.1], [1.1], [float("nan")], [[0.1]]])
def test_p_values_are_checked(wrong):
    with pytest.raises(ParameterError, match="p-values"):
        holm_adjusted(wrong)


def test_groups_are_maximal_and_hold_no_pair_told_apart():
    found = nemenyi(RANKED, names=NAMES, confidence=0.9)
    assert found.groups() == [("C4.5+m+cf", "C4.5+m", "C4.5+cf"), ("C4.5+cf", "C4.5")]
    for group in found.groups():
        for first in group:
            for second in set(group) - {first}:
                assert not found.between(first, second).told_apart


def test_at_095_nothing_is_told_apart():
    found = nemenyi(RANKED, names=NAMES)
    assert len(found.groups()) == 1
    assert "none is told apart" in found.text


def test_a_pair_not_compared_is_refused():
    found = holm(PRINTED, "C4.5", names=NAMES)
    with pytest.raises(ParameterError, match="were not compared"):
        found.between("C4.5+m", "C4.5+cf")


def test_page_and_frame():
    found = replace(nemenyi(PRINTED, names=["<b>", "c", "d", "e"]), notes=("a < b",))
    page = found.to_html()
    assert "<b>" not in page
    assert "a &lt; b" in page
    assert len(found.to_frame()) == 6
    assert found.overall.text in str(found)


def test_text_order_and_verdicts_follow_the_adjusted_p():
    found = holm(PRINTED, names=NAMES)
    for pair in found.pairs:
        assert pair.told_apart == (pair.p <= 0.05)
        assert ("cannot be told apart" in pair.text) != pair.told_apart
        assert "Alone it would be" in pair.notes[-1]
