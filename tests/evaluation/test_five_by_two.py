"""Five repeats of two folds: the formulas written out, and folds that show no spread."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from learnable.core import DataError
from learnable.evaluation import five_by_two_f, five_by_two_t

GAPS = np.random.default_rng(3).normal(0.03, 0.03, (5, 2))


def test_the_formulas_written_out():
    s2 = ((GAPS - GAPS.mean(1, keepdims=True)) ** 2).sum(1)
    t = GAPS[0, 0] / np.sqrt(s2.mean())
    f = (GAPS**2).sum() / (2 * s2.sum())
    found = five_by_two_t(GAPS)
    assert found.statistic == pytest.approx(t)
    assert found.p == pytest.approx(2 * stats.t.sf(abs(t), 5))
    found = five_by_two_f(GAPS)
    assert found.statistic == pytest.approx(f)
    assert found.p == pytest.approx(stats.f.sf(f, 10, 5))


def test_the_interval_of_f_holds_what_the_test_keeps():
    found = five_by_two_f(GAPS)
    for end in (found.low, found.high):
        assert five_by_two_f(GAPS - end).p == pytest.approx(0.05, rel=1e-9)


def test_scores_of_two_learners_and_flat_scores_do_as_well():
    first = np.full((5, 2), 0.5)
    assert five_by_two_f(first + GAPS, first).p == pytest.approx(five_by_two_f(GAPS.ravel()).p)


def test_f_does_not_hang_on_the_order_of_repeats_and_t_does():
    turned = GAPS[::-1]
    assert five_by_two_f(turned).p == pytest.approx(five_by_two_f(GAPS).p)
    assert five_by_two_t(turned).p != pytest.approx(five_by_two_t(GAPS).p)
    assert "order of the folds" in str(five_by_two_t(GAPS))


def test_no_interval_where_repeats_contradict_each_other():
    gaps = np.repeat([[0.1], [-0.1], [0.1], [-0.1], [0.1]], 2, axis=1)
    found = five_by_two_f(gaps + np.array([0.001, -0.001]))
    assert np.isnan(found.low)
    assert "No difference at all agrees" in str(found)


@pytest.mark.parametrize("test", [five_by_two_t, five_by_two_f])
def test_no_spread(test):
    assert test(np.zeros((5, 2))).p == 1.0
    with pytest.raises(DataError, match="cannot be estimated"):
        test(np.full((5, 2), 0.1))
    with pytest.raises(DataError, match=r"shape \(5, 2\), not \(10, 1\)"):
        test(np.zeros((10, 1)))
