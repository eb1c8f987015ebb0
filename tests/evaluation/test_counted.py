"""Tests that count: published figures, and levels by adding up every outcome."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from learnable.core import DataError, ParameterError
from learnable.evaluation import mcnemar, sign_test
from learnable.evaluation.counted import binomial_p

# By statsmodels 0.15.0: exact, corrected, uncorrected.
STATSMODELS = {
    (25, 15): (0.1538599441628321, 0.15472892348537437, 0.11384629800665763),
    (11, 1): (0.00634765625, 0.0093747684594349, 0.003892417122778637),
    (3, 9): (0.14599609375, 0.14891467317876161, 0.08326451666355042),
    (0, 7): (0.015625, 0.02334220201289086, 0.008150971593502705),
}


def test_published_figures():
    assert mcnemar(25, 15, method="corrected").statistic == pytest.approx(2.025)
    assert round(mcnemar(25, 15, method="corrected").p, 5) == 0.15473
    assert round(mcnemar(25, 15, method="exact").p, 5) == 0.15386
    assert round(mcnemar(11, 1, method="exact").p, 7) == 0.0063477
    assert round(mcnemar(11, 1).p, 7) == 0.0034180


@pytest.mark.parametrize("counts", STATSMODELS)
def test_the_figures_of_statsmodels(counts):
    methods = ("exact", "corrected", "uncorrected")
    found = [mcnemar(*counts, method=method).p for method in methods]
    assert found == pytest.approx(STATSMODELS[counts], rel=1e-10)


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_scipys_binomial(alternative):
    for n in (1, 6, 25, 200):
        for x in {0, n // 3, n // 2, n}:
            wanted = stats.binomtest(x, n, alternative=alternative).pvalue
            assert binomial_p(x, n, alternative) == pytest.approx(wanted, rel=1e-9)


def level(m, method, alpha):
    """Chance of p at most alpha under the null, given m disagreements: every outcome counted."""
    p = np.array([mcnemar(b, m - b, method=method).p for b in range(m + 1)])
    return stats.binom.pmf(np.arange(m + 1), m, 0.5)[p <= alpha + 1e-12].sum()


def test_the_exact_test_is_never_above_its_level(record_property):
    alphas = (0.01, 0.05, 0.1)
    exact = {a: max(level(m, "exact", a) for m in range(1, 80)) for a in alphas}
    mid = max(level(m, "mid-p", 0.05) for m in range(1, 80))
    for alpha in alphas:
        assert 0.5 * alpha < exact[alpha] <= alpha
    assert 0.05 < mid < 0.08
    record_property("exact, largest level at .05", f"{exact[0.05]:.4f}")
    record_property("mid-p, largest level at .05 given the disagreements", f"{mid:.4f}")


def test_swapping_the_models_swaps_the_finding():
    there, back = mcnemar(9, 3, 50), mcnemar(3, 9, 50)
    assert there.p == back.p
    assert (there.effect, there.low, there.high) == (-back.effect, -back.high, -back.low)
    assert mcnemar(9, 3, alternative="greater").p < 0.1 < mcnemar(9, 3, alternative="less").p


def test_p_is_at_most_one_and_nothing_is_no_difference():
    for method in ("mid-p", "exact", "corrected", "uncorrected"):
        assert mcnemar(5, 5, method=method).p <= 1.0
        assert mcnemar(0, 0, method=method).p == pytest.approx(1.0)
    found = mcnemar(0, 0, 10)
    assert found.effect == 0.0
    assert found.low < 0.0 < found.high


def test_counts_are_checked():
    for wrong in (-1, 2.5, True):
        with pytest.raises(DataError, match="b is no number of rows"):
            mcnemar(wrong, 3)
    with pytest.raises(DataError, match="out of 5"):
        mcnemar(3, 4, 5)
    with pytest.raises(ParameterError, match="method must be"):
        mcnemar(3, 4, method="chi2")
    with pytest.raises(ParameterError, match="two-sided"):
        mcnemar(3, 4, method="corrected", alternative="less")


def test_the_sign_test_leaves_zeros_out():
    gaps = [1, 2, 0, 3, -1, 0, 2, 5]
    found = sign_test(gaps)
    assert found.p == pytest.approx(stats.binomtest(5, 6).pvalue)
    assert found.effect == np.median(gaps)
    assert sign_test([0.0, 0.0]).p == 1.0
    assert sign_test([1.0]).low == -np.inf


@pytest.mark.parametrize("n", [6, 9, 20])
def test_the_sign_interval_inverts_the_test(n):
    gaps = np.sort(np.random.default_rng(n).normal(size=n))
    found = sign_test(gaps, confidence=0.9)
    for inside in (found.low + 1e-9, found.effect, found.high - 1e-9):
        assert sign_test(gaps - inside).p > 0.1
    for outside in (found.low - 1e-9, found.high + 1e-9):
        assert sign_test(gaps - outside).p <= 0.1
