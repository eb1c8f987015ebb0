"""Measures of order: scikit-learn's and SciPy's figures."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from sklearn import metrics as peers
from sklearn.exceptions import UndefinedMetricWarning

from learnable import metrics
from learnable.core import DataError, ParameterError
from tests.metrics.draws import same

RNG = np.random.default_rng(1)
GAIN, SCORE = RNG.integers(0, 4, (40, 6)).astype(float), np.round(RNG.normal(size=(40, 6)), 1)
LABELS, WEIGHT = RNG.random((40, 6)) < 0.3, RNG.random(40)


@pytest.mark.parametrize("ties", [True, False])
@pytest.mark.parametrize("k", [None, 1, 3, 9])
@pytest.mark.parametrize("name", ["dcg_score", "ndcg_score"])
def test_gains(name, k, ties):
    one, other = getattr(metrics, name), getattr(peers, name)
    same(one, other, GAIN, SCORE, k=k, ignore_ties=ties, sample_weight=WEIGHT)


@pytest.mark.parametrize(
    "name", ["label_ranking_average_precision_score", "label_ranking_loss", "coverage_error"]
)
def test_label_ranking(name):
    one, other = getattr(metrics, name), getattr(peers, name)
    same(one, other, LABELS, SCORE, sample_weight=WEIGHT)
    empty = LABELS.copy()
    empty[:3], empty[3:6] = False, True
    same(one, other, empty, np.ones_like(SCORE))


@pytest.mark.parametrize("k", [1, 2, 6])
def test_top_k(k):
    y = np.append(np.arange(6), RNG.integers(0, 6, 34))
    same(metrics.top_k_accuracy_score, peers.top_k_accuracy_score, y, SCORE, k=k)
    options = {"k": k, "normalize": False, "sample_weight": WEIGHT}
    same(metrics.top_k_accuracy_score, peers.top_k_accuracy_score, y, SCORE, **options)
    few = {"k": k, "labels": np.arange(6)}
    same(metrics.top_k_accuracy_score, peers.top_k_accuracy_score, y % 3, SCORE, **few)
    for score in (SCORE[:, 0], RNG.random(40)):
        same(metrics.top_k_accuracy_score, peers.top_k_accuracy_score, y % 2, score, k=k)


def test_correlations_of_ranks():
    one, other = SCORE[:, 0], SCORE[:, 1]
    assert metrics.spearman(one, other) == pytest.approx(stats.spearmanr(one, other).statistic)
    assert metrics.kendall_tau(one, other) == pytest.approx(stats.kendalltau(one, other).statistic)
    for measure in (metrics.spearman, metrics.kendall_tau):
        with pytest.warns(UndefinedMetricWarning, match="does not vary"):
            assert np.isnan(measure(one, np.ones(40)))


def test_what_is_refused():
    with pytest.raises(DataError, match="negative"):
        metrics.ndcg_score(-GAIN, SCORE)
    with pytest.raises(DataError, match="more than 1"):
        metrics.ndcg_score(GAIN[:, :1], SCORE[:, :1])
    with pytest.raises(DataError, match="shape"):
        metrics.dcg_score(GAIN[:3], SCORE)
    with pytest.raises(DataError, match="shape"):
        metrics.coverage_error(LABELS[:, :3], SCORE)
    with pytest.raises(DataError, match="one answer a row"):
        metrics.label_ranking_loss(LABELS[:, 0], SCORE[:, 0])
    with pytest.raises(DataError, match="NaN"):
        metrics.dcg_score(np.where(GAIN > 2, np.nan, GAIN), SCORE)
    with pytest.raises(DataError, match="Number of classes"):
        metrics.top_k_accuracy_score([0, 1, 2], SCORE[:3])
    with pytest.raises(DataError, match="not in parameter"):
        metrics.top_k_accuracy_score([0, 9], SCORE[:2], labels=np.arange(6))
    with pytest.raises(ParameterError, match="k must be"):
        metrics.dcg_score(GAIN, SCORE, k=0)
    with pytest.raises(DataError, match="outputs"):
        metrics.kendall_tau(GAIN, SCORE)
    with pytest.raises(DataError, match="negative"):
        metrics.dcg_score(GAIN, SCORE, sample_weight=-WEIGHT)
