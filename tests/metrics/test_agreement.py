"""Accuracy, kappa, Matthews and kin: scikit-learn's figures and the degenerate cases."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn import metrics as peers
from sklearn.exceptions import UndefinedMetricWarning

from learnable import metrics
from learnable.core import ParameterError
from tests.metrics.draws import labels, quietly, same

NAMES = [
    "accuracy_score", "zero_one_loss", "hamming_loss", "balanced_accuracy_score",
    "matthews_corrcoef", "cohen_kappa_score",
]  # fmt: skip
TRUE, PREDICTED = [1] * 6 + [0] * 4, [1, 1, 1, 1, 0, 0, 1, 0, 0, 0]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("k", [2, 3, 5])
@pytest.mark.parametrize("kind", [int, str])
def test_scikit_learns_figures(name, k, kind):
    actual, predicted, weight = labels(120, k, k, kind)
    for options in ({}, {"sample_weight": weight}):
        same(getattr(metrics, name), getattr(peers, name), actual, predicted, **options)


@pytest.mark.parametrize("name", ["accuracy_score", "zero_one_loss"])
def test_sums_instead_of_shares(name):
    actual, predicted, weight = labels(50, 3, 1)
    for options in ({}, {"sample_weight": weight}):
        pair = getattr(metrics, name), getattr(peers, name)
        same(*pair, actual, predicted, normalize=False, **options)


@pytest.mark.parametrize("name", ["accuracy_score", "zero_one_loss", "hamming_loss"])
def test_several_labels_a_row(name):
    rng = np.random.default_rng(3)
    actual, predicted = (rng.random((2, 40, 2)) < 0.4).astype(int)
    for options in ({}, {"sample_weight": rng.random(40)}):
        same(getattr(metrics, name), getattr(peers, name), actual, predicted, **options)


@pytest.mark.parametrize("weights", [None, "linear", "quadratic"])
@pytest.mark.parametrize("chosen", [None, [2, 0, 1], [1, 2]])
def test_kappa_with_costs(weights, chosen):
    actual, predicted, weight = labels(80, 4, 6)
    options = {"weights": weights, "labels": chosen, "sample_weight": weight}
    same(metrics.cohen_kappa_score, peers.cohen_kappa_score, actual, predicted, **options)


@pytest.mark.parametrize(
    ("actual", "predicted"),
    [([0, 0], [0, 1]), ([0, 1], [0, 0]), ([0, 1, 2], [0, 1, 1]), ([0, 1], [1, 0])],
)
@pytest.mark.parametrize("name", NAMES)
def test_degenerate_answers(name, actual, predicted):
    same(getattr(metrics, name), getattr(peers, name), actual, predicted)


def test_adjusted_for_chance():
    actual, predicted, weight = labels(80, 4, 6)
    options = {"adjusted": True, "sample_weight": weight}
    pair = metrics.balanced_accuracy_score, peers.balanced_accuracy_score
    same(*pair, actual, predicted, **options)


def test_undefined_values_are_named():
    with pytest.warns(UndefinedMetricWarning, match="one side is constant"):
        assert metrics.matthews_corrcoef([0, 1], [1, 1]) == 0.0
    with pytest.warns(UndefinedMetricWarning, match="set to 0.5"):
        assert metrics.cohen_kappa_score([1, 1], [1, 1], replace_undefined_by=0.5) == 0.5
    with pytest.warns(UserWarning, match="classes not in y_true"):
        metrics.balanced_accuracy_score([0, 0], [0, 1])
    with pytest.warns(UndefinedMetricWarning, match="single class"):
        assert np.isnan(metrics.balanced_accuracy_score([0, 0], [0, 0], adjusted=True))
    with pytest.warns(UndefinedMetricWarning, match="no row is 1"):
        assert np.isnan(metrics.rebalanced_accuracy([0, 0], [0, 1]))


def test_rebalanced_accuracy_is_accuracy_with_heavier_positives():
    weight = np.where(np.array(TRUE) == 1, 4 / 6, 1.0)
    expected = peers.accuracy_score(TRUE, PREDICTED, sample_weight=weight)
    assert metrics.rebalanced_accuracy(TRUE, PREDICTED) == pytest.approx(expected)
    assert expected == pytest.approx(0.7083, abs=5e-5)
    assert metrics.balanced_accuracy_score(TRUE, PREDICTED) == pytest.approx(expected)


def test_kappa_refuses_unknown_costs():
    with pytest.raises(ParameterError, match="weights must be"):
        metrics.cohen_kappa_score([0, 1], [0, 1], weights="cubic")


def test_numbers_of_rows_do_not_overflow():
    actual, predicted = np.repeat([0, 1, 1], 70_000), np.repeat([0, 1, 0], 70_000)
    same(metrics.matthews_corrcoef, peers.matthews_corrcoef, actual, predicted)
    assert quietly(metrics.matthews_corrcoef, actual, predicted) > 0.4
