"""Critical differences: published quantiles and figures, and tests that agree with them."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from learnable.core import DataError, ParameterError
from learnable.evaluation import bonferroni_dunn, holm, nemenyi, wilcoxon
from tests.evaluation.demsar import NAMES, PRINTED, RANKED


@pytest.mark.parametrize(
    ("k", "quantile"), [(2, 1.960), (3, 2.344), (4, 2.569), (5, 2.728), (6, 2.850)]
)
def test_quantiles_of_nemenyi(k, quantile):
    scores = np.random.default_rng(k).random((10, k))
    found = nemenyi(scores).critical_difference / math.sqrt(k * (k + 1) / 60)
    assert found == pytest.approx(quantile, abs=1e-3)


def test_demsars_figures():
    assert round(nemenyi(RANKED).critical_difference, 2) == 1.25
    assert round(nemenyi(RANKED, confidence=0.9).critical_difference, 2) == 1.12
    assert round(bonferroni_dunn(RANKED, "C4.5", names=NAMES).critical_difference, 3) == 1.168


def test_demsars_verdicts_at_090():
    found = nemenyi(RANKED, names=NAMES, confidence=0.9)
    apart = {pair for pair in NAMES if pair != "C4.5" and found.between("C4.5", pair).told_apart}
    assert apart == {"C4.5+m", "C4.5+m+cf"}


@pytest.mark.parametrize("confidence", [0.9, 0.95])
def test_p_and_the_critical_difference_say_the_same(confidence):
    for seed in range(5):
        scores = np.random.default_rng(seed).random((12, 4)) + np.array([0.0, 0.1, 0.2, 0.5])
        for found in (
            nemenyi(scores, confidence=confidence),
            bonferroni_dunn(scores, "learner 1", confidence=confidence),
        ):
            for pair in found.pairs:
                wide = abs(pair.effect) >= found.critical_difference
                assert pair.told_apart == wide == (not pair.low < 0.0 < pair.high)


def test_p_of_two_is_that_of_the_normal():
    scores = np.random.default_rng(1).random((20, 2))
    pair = nemenyi(scores).pairs[0]
    assert pair.p == pytest.approx(2 * stats.norm.sf(abs(pair.statistic)), rel=1e-6)
    assert nemenyi(scores).overall is None


def test_holm_by_wilcoxon_is_wilcoxon_adjusted():
    found = holm(PRINTED, "C4.5", names=NAMES)
    alone = [wilcoxon(PRINTED[:, 0], PRINTED[:, j]).p for j in (1, 2, 3)]
    order = np.argsort(alone)
    smallest = found.pairs[order[0]]
    assert smallest.p == pytest.approx(3 * alone[order[0]])
    assert found.overall.statistic == pytest.approx(4.586, abs=1e-3)


def test_mean_ranks_change_with_the_company_and_wilcoxon_does_not():
    two = PRINTED[:, :2]
    assert holm(two).pairs[0].p == pytest.approx(
        wilcoxon(PRINTED[:, 0], PRINTED[:, 1]).p, rel=1e-12
    )
    effects = [
        holm(PRINTED[:, :k], test="ranks").between("learner 1", "learner 2").effect for k in (2, 4)
    ]
    assert effects[0] != pytest.approx(effects[1])


def test_parameters_are_checked():
    with pytest.raises(ParameterError, match="control must be"):
        bonferroni_dunn(PRINTED, "J48", names=NAMES)
    with pytest.raises(ParameterError, match="test must be"):
        holm(PRINTED, test="t")
    with pytest.raises(DataError, match="4 learners, 1 of them different"):
        nemenyi(PRINTED, names=["a"] * 4)
    with pytest.raises(DataError, match="One data set"):
        nemenyi(PRINTED[:1])
