"""Intervals for a proportion: SciPy's figures, and coverage by counting every outcome."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom, binomtest

from learnable.metrics.intervals import clopper_pearson, upper_bound

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
