"""Intervals for a proportion: SciPy's figures, and coverage by counting every outcome."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from scipy.stats import beta, binom, binomtest, norm

from learnable.metrics import (
    agresti_coull,
    clopper_pearson,
    hoeffding,
    intervals,
    jeffreys,
    mid_p,
    normal,
    upper_bound,
    wilson,
)

CONFIDENCES = [0.2, 0.5, 0.9, 0.95, 0.999]


def coverage(intervals, n, p):
    """Chance that the interval of a draw from Bin(n, p) holds p."""
    x = np.arange(n + 1)
    holds = np.array([low <= p <= high for low, high in intervals])
    return binom.pmf(x, n, p)[holds].sum()


@pytest.mark.parametrize("confidence", CONFIDENCES)
@pytest.mark.parametrize("n", [1, 2, 7, 40, 1000])
def test_scipys_figures(n, confidence):
    for x in {0, 1, n // 3, n - 1, n}:
        exact = binomtest(x, n).proportion_ci(confidence, method="exact")
        assert clopper_pearson(x, n, confidence) == pytest.approx(
            (exact.low, exact.high), abs=1e-12
        )
        one_sided = binomtest(x, n, alternative="less").proportion_ci(confidence, "exact")
        assert upper_bound(x, n, confidence) == pytest.approx(one_sided.high, abs=1e-12)


@pytest.mark.parametrize("confidence", CONFIDENCES)
@pytest.mark.parametrize("n", [1, 5, 30])
def test_coverage_is_never_below_the_confidence(n, confidence):
    two_sided = [clopper_pearson(x, n, confidence) for x in range(n + 1)]
    one_sided = [(0.0, upper_bound(x, n, confidence)) for x in range(n + 1)]
    # The ends are where coverage drops, so the points right at and beside them are tried too.
    ends = np.unique([*np.ravel(two_sided), *np.ravel(one_sided)])
    points = np.concatenate([np.linspace(0, 1, 201), ends, ends - 1e-9, ends + 1e-9])
    for p in points[(points >= 0.0) & (points <= 1.0)]:
        assert coverage(two_sided, n, p) >= confidence - 1e-9
        assert coverage(one_sided, n, p) >= confidence - 1e-9


def test_nothing_seen_says_nothing():
    assert clopper_pearson(0, 0) == (0.0, 1.0)
    assert upper_bound(0, 0) == 1.0


def test_none_and_all_have_one_open_end():
    assert clopper_pearson(0, 20)[0] == 0.0
    assert clopper_pearson(20, 20)[1] == 1.0
    assert upper_bound(0, 100) == pytest.approx(1.0 - 0.05 ** (1 / 100), rel=1e-12)


def test_the_example_of_12_in_40_and_newcombes():
    assert normal(12, 40) == pytest.approx((0.15799, 0.44201), abs=5e-6)
    assert wilson(12, 40) == pytest.approx((0.18075, 0.45430), abs=5e-6)
    assert wilson(81, 263) == pytest.approx((0.2553, 0.3662), abs=5e-5)
    assert clopper_pearson(81, 263) == pytest.approx((0.2527, 0.3676), abs=5e-5)
    assert wilson(0, 20) == pytest.approx((0.0, 0.1611), abs=5e-5)
    assert mid_p(81, 263) == pytest.approx((0.2544, 0.3658), abs=5e-5)


@pytest.mark.parametrize("confidence", CONFIDENCES)
@pytest.mark.parametrize(("x", "n"), [(0, 5), (3, 7), (7, 7), (12, 40)])
def test_definitions(x, n, confidence):
    tail = (1 - confidence) / 2
    found = binomtest(x, n).proportion_ci(confidence, method="wilson")
    assert wilson(x, n, confidence) == pytest.approx((found.low, found.high), abs=1e-12)
    low, high = mid_p(x, n, confidence)
    if x > 0:
        assert binom.sf(x, n, low) + binom.pmf(x, n, low) / 2 == pytest.approx(tail)
    if x < n:
        assert binom.cdf(x - 1, n, high) + binom.pmf(x, n, high) / 2 == pytest.approx(tail)
    posterior = beta(x + 0.5, n - x + 0.5)
    low, high = jeffreys(x, n, confidence)
    assert low == (pytest.approx(posterior.ppf(tail)) if x else 0.0)
    assert high == (pytest.approx(posterior.ppf(1 - tail)) if x < n else 1.0)
    low, high = hoeffding(x, n, confidence)
    half = np.sqrt(np.log(1 / tail) / (2 * n))
    assert (low, high) == pytest.approx((max(x / n - half, 0), min(x / n + half, 1)))
    z2 = norm.ppf(1 - tail) ** 2
    p = (x + z2 / 2) / (n + z2)
    half = np.sqrt(z2 * p * (1 - p) / (n + z2))
    assert agresti_coull(x, n, confidence) == pytest.approx((max(p - half, 0), min(p + half, 1)))


def test_the_table_of_coverage():
    by = [normal, wilson, mid_p, jeffreys, agresti_coull, clopper_pearson]
    lines = [line for line in intervals.__doc__.splitlines() if line[:2] in {"10", "20", "40"}]
    assert len(lines) == 6
    for line in lines:
        n, p, *shown = line.replace(",", "").split()
        n = int(n)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            made = [coverage([one(x, n) for x in range(n + 1)], n, float(p)) for one in by]
        assert [float(cell) for cell in shown] == pytest.approx(made, abs=5.1e-4)


def test_hoeffding_is_guaranteed():
    found = [hoeffding(x, 12, 0.8) for x in range(13)]
    assert min(coverage(found, 12, p) for p in np.linspace(0, 1, 401)) >= 0.8


def test_the_normal_interval_warns_where_it_fails():
    with pytest.warns(UserWarning, match="not fit for 1 of 40"):
        normal(1, 40)
    with pytest.warns(UserWarning, match="not fit"):
        assert normal(0, 0) == (0.0, 1.0)


def test_no_trials_say_nothing():
    for one in (wilson, mid_p, jeffreys, hoeffding, clopper_pearson, agresti_coull):
        assert one(0, 0) == pytest.approx((0.0, 1.0), abs=0.01)
