"""Areas under curves: scikit-learn's figures with ties, weights and several classes."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn import metrics as peers
from sklearn.exceptions import UndefinedMetricWarning

from learnable import metrics
from learnable.core import DataError, ParameterError
from tests.metrics.draws import NAMES, quietly, same

AUC = metrics.roc_auc_score, peers.roc_auc_score
AP = metrics.average_precision_score, peers.average_precision_score


def drawn(n, seed, *, ties=True):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    score = np.round(rng.normal(size=n) + y, 1 if ties else 9)
    return y, score, rng.random(n) * (rng.random(n) > 0.2)


def classes(n, k, seed):
    rng = np.random.default_rng(seed)
    y = np.concatenate([np.arange(k), rng.integers(0, k, n - k)])
    proba = rng.dirichlet(np.ones(k), n) + 0.5 * np.eye(k)[y]
    return y, proba / proba.sum(axis=1, keepdims=True), rng.random(n)


@pytest.mark.parametrize("ties", [True, False])
@pytest.mark.parametrize("pair", [AUC, AP])
def test_two_classes(pair, ties):
    for n in (3, 10, 300):
        y, score, weight = drawn(n, n, ties=ties)
        y[:2] = 0, 1
        for options in ({}, {"sample_weight": weight + 0.01}, {"sample_weight": (weight > 0) + 0}):
            same(*pair, y, score, **options)
            same(*pair, 2.0 * y - 1.0, score.astype(np.float32), **options)


@pytest.mark.parametrize("max_fpr", [0.05, 0.3, 0.77, 1.0])
def test_a_part_of_the_curve(max_fpr):
    y, score, weight = drawn(200, 5)
    same(*AUC, y, score, max_fpr=max_fpr)
    same(*AUC, y, score, max_fpr=max_fpr, sample_weight=weight)


def test_text_labels():
    y, score, _ = drawn(50, 5)
    same(*AUC, NAMES[y], score)
    same(*AP, NAMES[y], score, pos_label="ash")


@pytest.mark.parametrize("multi_class", ["ovr", "ovo"])
@pytest.mark.parametrize("average", ["macro", "weighted"])
def test_several_classes(multi_class, average):
    y, proba, weight = classes(90, 4, 2)
    options = {"multi_class": multi_class, "average": average}
    same(*AUC, y, proba, **options)
    same(*AUC, y, proba.round(1) / proba.round(1).sum(1, keepdims=True), **options)
    if multi_class == "ovr":
        same(*AUC, y, proba, sample_weight=weight, **options)
    few = np.where(y == 1, 2, y)
    named = {"labels": [0, 1, 2, 3], **options}
    assert np.isnan(quietly(metrics.roc_auc_score, few, proba, **named))


@pytest.mark.parametrize("average", [None, "micro", "macro", "weighted"])
def test_averages(average):
    y, proba, weight = classes(90, 4, 2)
    for options in ({}, {"sample_weight": weight}):
        same(*AUC, y, proba, multi_class="ovr", average=average, **options)
        same(*AP, y, proba, average=average, **options)


@pytest.mark.parametrize("average", [None, "micro", "macro", "weighted", "samples"])
@pytest.mark.parametrize("pair", [AUC, AP])
def test_several_labels_a_row(pair, average):
    rng = np.random.default_rng(8)
    y = (rng.random((40, 3)) < 0.5).astype(int)
    y[:, 0] = [0, 1] * 20
    y[(y.min(1) == y.max(1))] = [1, 0, 1]
    score = rng.random((40, 3)).round(1)
    for options in ({}, {"sample_weight": rng.random(40)}):
        same(*pair, y, score, average=average, **options)


def test_a_constant_score_gives_the_share_of_positives():
    y = np.array([1] + [0] * 9)
    assert metrics.average_precision_score(y, np.ones(10)) == pytest.approx(0.1)
    assert metrics.roc_auc_score(y, np.ones(10)) == 0.5


def test_what_is_undefined_is_named():
    with pytest.warns(UndefinedMetricWarning, match="Only one class"):
        assert np.isnan(metrics.roc_auc_score([1, 1], [0.1, 0.2]))
    with pytest.warns(UserWarning, match="No positive class"):
        assert metrics.average_precision_score([0, 0], [0.1, 0.2]) == 0.0


def test_what_is_refused():
    y, proba, weight = classes(20, 3, 1)
    with pytest.raises(ParameterError, match="must be in"):
        metrics.roc_auc_score(y, proba)
    with pytest.raises(DataError, match="sum up to"):
        metrics.roc_auc_score(y, 2 * proba, multi_class="ovr")
    with pytest.raises(DataError, match="3 classes"):
        metrics.roc_auc_score(y, proba[:, :2], multi_class="ovr")
    with pytest.raises(ParameterError, match="not supported"):
        metrics.roc_auc_score(y, proba, multi_class="ovo", sample_weight=weight)
    with pytest.raises(ParameterError, match="'macro' or 'weighted'"):
        metrics.roc_auc_score(y, proba, multi_class="ovo", average=None)
    with pytest.raises(ParameterError, match="unique and ordered"):
        metrics.roc_auc_score(y, proba, multi_class="ovr", labels=[1, 0, 2])
    with pytest.raises(DataError, match="not in parameter"):
        metrics.roc_auc_score(y, proba, multi_class="ovr", labels=[0, 1, 3])
    with pytest.raises(ParameterError, match="Partial"):
        metrics.roc_auc_score(y, proba, multi_class="ovr", max_fpr=0.5)
    with pytest.raises(ParameterError, match="max_fpr"):
        metrics.roc_auc_score([0, 1], [0, 1], max_fpr=0.0)
    with pytest.raises(ParameterError, match="average must be"):
        metrics.roc_auc_score(y, proba, multi_class="ovr", average="mean")
    with pytest.raises(DataError, match="NaN or infinity"):
        metrics.roc_auc_score([0, 1], [0.1, np.nan])
    with pytest.raises(DataError, match="y_score has 3"):
        metrics.roc_auc_score([0, 1], [0.1, 0.2, 0.3])
    with pytest.raises(DataError, match="1d array"):
        metrics.roc_auc_score([0, 1], [[0.1, 0.2], [0.3, 0.4]])
    with pytest.raises(ParameterError, match="pos_label stays"):
        metrics.average_precision_score(y, proba, pos_label=2)
    with pytest.raises(DataError, match="multioutput"):
        metrics.roc_auc_score([[0, 2], [1, 0]], [[0, 2], [1, 0]])
