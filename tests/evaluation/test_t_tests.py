"""Student's tests: SciPy's figures, the factors of the correction, and what cannot be tested."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from learnable.core import DataError, ParameterError
from learnable.evaluation import (
    corrected_resampled_t,
    one_sample_t,
    paired_t,
    sign_test,
    welch_t,
    wilcoxon,
)

ALTERNATIVES = ("two-sided", "less", "greater")
RANDOM = np.random.default_rng(5)
A, B = RANDOM.normal(0.8, 0.05, 12), RANDOM.normal(0.77, 0.08, 12)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("confidence", [0.9, 0.99])
def test_scipys_figures(alternative, confidence):
    pairs = [
        (one_sample_t, (A, 0.79), stats.ttest_1samp(A, 0.79, alternative=alternative), 0.79),
        (paired_t, (A, B), stats.ttest_rel(A, B, alternative=alternative), 0.0),
        (
            welch_t,
            (A, B[:7]),
            stats.ttest_ind(A, B[:7], equal_var=False, alternative=alternative),
            0.0,
        ),
    ]
    for test, arguments, wanted, null in pairs:
        found = test(*arguments, alternative=alternative, confidence=confidence)
        interval = wanted.confidence_interval(confidence)
        assert found.statistic == pytest.approx(wanted.statistic, rel=1e-9)
        assert found.p == pytest.approx(wanted.pvalue, rel=1e-9)
        assert found.df[0] == pytest.approx(wanted.df, rel=1e-12)
        bounds = (found.low + null, found.high + null)
        assert bounds == pytest.approx((interval.low, interval.high), rel=1e-9)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_verdict_critical_region_and_interval_agree(alternative):
    for shift in np.linspace(-0.2, 0.2, 41):
        found = paired_t(A + shift, B, alternative=alternative)
        inside = found.critical[0] < found.statistic < found.critical[1]
        assert found.told_apart != inside
        assert found.told_apart != (found.low < 0.0 < found.high)
        assert ("cannot be told apart" in found.text) != found.told_apart


@pytest.mark.parametrize(("folds", "repeats", "factor"), [(10, 1, 1.453), (10, 10, 3.480)])
def test_the_factor_of_the_correction(folds, repeats, factor):
    gaps = np.random.default_rng(0).normal(0.02, 0.03, folds * repeats)
    naive, corrected = paired_t(gaps), corrected_resampled_t(gaps, ratio=1 / (folds - 1))
    assert round(naive.statistic / corrected.statistic, 3) == factor
    assert round((corrected.high - corrected.low) / (naive.high - naive.low), 3) == factor


def test_no_difference_at_all_is_no_difference():
    for test in (paired_t, lambda a, b: corrected_resampled_t(a, b, ratio=0.1), welch_t):
        found = test([0.5] * 4, [0.5] * 4)
        assert (found.statistic, found.p, found.low, found.high) == (0.0, 1.0, 0.0, 0.0)
        assert "cannot be told apart" in found.text


def test_the_same_difference_everywhere_has_no_spread():
    first, second = np.array([0.9, 0.8, 0.7, 0.6]), np.array([0.8, 0.7, 0.6, 0.5])
    for test in (paired_t, lambda a, b: corrected_resampled_t(a, b, ratio=0.1)):
        with pytest.raises(DataError, match=r"all the same.*sign_test or wilcoxon"):
            test(first, second)
    with pytest.raises(DataError, match="all the same"):
        welch_t([0.1] * 3, [0.2] * 5)
    with pytest.raises(DataError, match="all the same"):
        one_sample_t([0.1] * 3, 0.2)


TESTS = [paired_t, welch_t, sign_test, wilcoxon, lambda a, b: corrected_resampled_t(a, b, ratio=1)]


@pytest.mark.parametrize("test", TESTS)
def test_bad_input_is_refused(test):
    with pytest.raises(DataError, match=r"not finite. \(row 1"):
        test([0.1, math.nan, 0.3], [0.1, 0.2, 0.4])
    with pytest.raises(DataError, match="not all numbers"):
        test(["a", "b"], [1, 2])
    with pytest.raises(DataError, match="2 dimensions"):
        test([[1, 2], [3, 4]], [1, 2])
    with pytest.raises(DataError, match="too few"):
        test([], [])


@pytest.mark.parametrize("test", [paired_t, welch_t, sign_test, wilcoxon])
def test_confidence_is_checked(test):
    with pytest.raises(ParameterError, match="confidence"):
        test([1, 2], [1, 3], confidence=1.0)


@pytest.mark.parametrize("test", [TESTS[0], *TESTS[2:]])
def test_pairs_need_partners(test):
    with pytest.raises(DataError, match="3 first scores and 2 second"):
        test([1, 2, 3], [1, 2])


def test_parameters_are_checked():
    with pytest.raises(ParameterError, match="alternative must be"):
        paired_t(A, B, alternative="more")
    for ratio in (0.0, -1.0, math.nan, math.inf):
        with pytest.raises(ParameterError, match="ratio must be positive"):
            corrected_resampled_t(A, B, ratio=ratio)
    with pytest.raises(DataError, match="too few"):
        paired_t([1.0], [2.0])


@given(st.lists(st.floats(-1, 1), min_size=3, max_size=20))
def test_turning_the_pair_turns_the_finding(values):
    gaps = np.array(values)
    try:
        there = paired_t(gaps)
    except DataError:
        assert np.ptp(gaps) < 1e-9
        return
    back = paired_t(-gaps)
    assert back.statistic == pytest.approx(-there.statistic)
    assert back.p == pytest.approx(there.p)
    assert (back.low, back.high) == pytest.approx((-there.high, -there.low))
