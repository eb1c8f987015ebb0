"""Signed ranks: SciPy's figures, all signs counted one by one, Demsar's sums."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy import stats

from learnable.core import DataError, ParameterError
from learnable.evaluation import signed_ranks, wilcoxon
from learnable.evaluation.signed_ranks import signed
from tests.evaluation.demsar import PRINTED

ALTERNATIVES = ("two-sided", "less", "greater")


def test_demsars_sums():
    found = wilcoxon(PRINTED[:, 1], PRINTED[:, 0])
    assert found.statistic == 93.0
    assert "Sums of ranks: 93 for, 12 against." in found.notes
    assert "zeros split" in found.method
    assert found.told_apart
    # (12 - 52.5) / sqrt(14 * 15 * 29 / 24) = -2.54 as printed, without a correction for ties.
    assert round((12 - 52.5) / np.sqrt(14 * 15 * 29 / 24), 2) == -2.54


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("n", [1, 5, 12, 40])
def test_scipys_exact_figures(n, alternative):
    gaps = np.random.default_rng(n).normal(0.2, 1.0, n)
    wanted = stats.wilcoxon(gaps, alternative=alternative, method="exact")
    assert wilcoxon(gaps, alternative=alternative).p == pytest.approx(wanted.pvalue, rel=1e-10)


@pytest.mark.parametrize("zero_method", ["wilcox", "pratt", "zsplit"])
def test_every_sign_counted_one_by_one(zero_method):
    gaps = np.array([0.0, 1.0, -1.0, 2.0, 2.0, 3.0, 0.0, -2.0, 4.0])
    ranks = signed(gaps, zero_method)
    doubled = ranks.doubled
    sums = [np.dot(doubled, signs) + ranks.split for signs in product([0, 1], repeat=len(doubled))]
    above = np.mean(np.array(sums) >= ranks.plus)
    below = np.mean(np.array(sums) <= ranks.plus)
    found = wilcoxon(gaps, zero_method=zero_method)
    assert found.p == pytest.approx(min(2 * min(above, below), 1.0))
    assert found.kind == "guaranteed"


@pytest.mark.parametrize("zero_method", ["wilcox", "pratt"])
def test_scipys_normal_figures(zero_method):
    gaps = np.round(np.random.default_rng(1).normal(0.5, 2.0, 60))
    wanted = stats.wilcoxon(gaps, zero_method=zero_method, method="asymptotic")
    found = wilcoxon(gaps, zero_method=zero_method, method="normal")
    assert found.p == pytest.approx(wanted.pvalue, rel=1e-9)
    assert found.kind == "approximate"


def test_split_zeros_add_no_variance():
    """Half of a zero's rank goes to either side: there is nothing to draw."""
    gaps = np.round(np.random.default_rng(1).normal(0.5, 2.0, 60))
    exact = wilcoxon(gaps, method="exact").p
    normal = wilcoxon(gaps, method="normal").p
    assert normal == pytest.approx(exact, rel=0.05)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("n", [6, 15, 33])
def test_the_interval_inverts_the_test(n, alternative):
    gaps = np.random.default_rng(n).normal(0.3, 1.0, n)
    found = wilcoxon(gaps, alternative=alternative, confidence=0.9)
    step = 1e-7
    for end, inward in ((found.low, step), (found.high, -step)):
        if np.isfinite(end):
            assert wilcoxon(gaps - end - inward, alternative=alternative).p > 0.1
            assert wilcoxon(gaps - end + inward, alternative=alternative).p <= 0.1 + 1e-12


def test_averages_by_bisection_are_those_by_sorting(monkeypatch):
    gaps = np.sort(np.round(np.random.default_rng(2).normal(size=50), 1))
    places = [1, 7, 600, 638, 1275]
    sorted_ones = [signed_ranks._average(gaps, place) for place in places]
    monkeypatch.setattr(signed_ranks, "EXACT_UP_TO", 10)
    assert [signed_ranks._average(gaps, p) for p in places] == pytest.approx(sorted_ones, abs=1e-12)


def test_ties_everywhere():
    assert wilcoxon([0.0] * 6).p == 1.0
    assert wilcoxon([0.0] * 6, zero_method="wilcox").p == 1.0
    assert wilcoxon([0.1] * 6).p == 2 / 2**6
    found = wilcoxon(np.arange(10) / 10 + 0.1, np.arange(10) / 10)
    assert found.p == 2 / 2**10
    assert found.effect == pytest.approx(0.1)


def test_few_pairs_have_no_interval():
    found = wilcoxon([1.0, 2.0, 3.0])
    assert (found.low, found.high) == (-np.inf, np.inf)
    assert "no bound" in found.text


def test_parameters_are_checked():
    with pytest.raises(ParameterError, match="zero_method"):
        wilcoxon([1, 2], zero_method="split")
    with pytest.raises(ParameterError, match="method must be"):
        wilcoxon([1, 2], method="asymptotic")
    with pytest.raises(DataError, match="too few"):
        wilcoxon([])
