"""Thresholds: every measure at every one of them, and the best."""

from __future__ import annotations

import numpy as np
import pytest

from learnable import metrics
from learnable.core import DataError, ParameterError
from learnable.metrics import choose_threshold, expected_cost, threshold_curve
from learnable.metrics.thresholds import MEASURES
from tests.metrics.draws import quietly

RNG = np.random.default_rng(3)
Y = RNG.integers(0, 2, 80)
SCORE = np.round(RNG.normal(size=80) + Y, 1)
WEIGHT = RNG.random(80)


@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["plain", "weighted"])
@pytest.mark.parametrize("name", MEASURES)
def test_every_measure_at_every_threshold(name, weight):
    thresholds, values = threshold_curve(Y, SCORE, name, sample_weight=weight)
    assert np.array_equal(np.sort(np.unique(SCORE))[::-1], thresholds[1:])
    for threshold, value in zip(thresholds, values, strict=True):
        if np.isfinite(value):
            called = (threshold <= SCORE).astype(int)
            expected = quietly(getattr(metrics, name), Y, called, sample_weight=weight)
            assert value == pytest.approx(expected, abs=1e-12)


def test_functions_of_ones_own_agree_with_names():
    def f1(y_true, y_pred):
        return quietly(metrics.f1_score, y_true, y_pred)

    assert choose_threshold(Y, SCORE, f1)[:2] == pytest.approx(choose_threshold(Y, SCORE)[:2])
    fine = RNG.normal(size=5000)
    thresholds, values = threshold_curve(np.arange(5000) % 2, fine, f1)
    assert len(thresholds) == len(values) == 200


def test_the_best_is_the_best():
    found = choose_threshold(Y, SCORE, metrics.balanced_accuracy_score)
    assert found.value == np.nanmax(found.values)
    called = (found.threshold <= SCORE).astype(int)
    assert metrics.balanced_accuracy_score(Y, called) == pytest.approx(found.value)
    assert "judge it on others" in found.text


def test_costs():
    cost = np.array([[0.0, 1.0], [8.0, -1.0]])
    found = choose_threshold(Y, SCORE, cost=cost)
    each = [expected_cost(Y, (t <= SCORE).astype(int), cost) for t in found.thresholds]
    assert found.values == pytest.approx(each)
    assert found.value == min(each)
    # Calibrated probabilities: the threshold tends to Elkan's cost ratio, 1 / (1 + 4).
    p = RNG.random(40_000)
    y = (RNG.random(40_000) < p).astype(int)
    assert choose_threshold(y, p, cost=[[0, 1], [4, 0]]).threshold == pytest.approx(0.2, abs=0.05)


def test_cost_of_several_classes():
    cost = np.arange(9.0).reshape(3, 3)
    y, p = np.array(["b", "a", "c", "a"]), np.array(["b", "c", "a", "a"])
    expected = (cost[1, 1] + cost[0, 2] + cost[2, 0] + cost[0, 0]) / 4
    assert expected_cost(y, p, cost) == expected
    turned = expected_cost(y, p, cost[::-1, ::-1], labels=["c", "b", "a"])
    assert turned == expected
    assert expected_cost(y, p, cost, sample_weight=[0, 0, 1, 0]) == cost[2, 0]


def test_losses_words_and_constant_scores():
    words = np.where(Y == 1, "yes", "no")
    found = choose_threshold(words, SCORE, pos_label="yes")
    assert found.threshold == choose_threshold(Y, SCORE).threshold
    flat = choose_threshold(Y, np.ones(80), "accuracy_score")
    assert flat.value == max(Y.mean(), 1 - Y.mean())

    def wrong(y_true, y_pred):
        return float(np.mean(y_true != y_pred))

    least = choose_threshold(Y, SCORE, wrong, greater_is_better=False)
    assert least.value == pytest.approx(1 - choose_threshold(Y, SCORE, "accuracy_score").value)


def test_what_is_refused():
    with pytest.raises(DataError, match="Only one class"):
        choose_threshold(np.ones(3, int), [1, 2, 3])
    with pytest.raises(DataError, match="NaN"):
        choose_threshold(Y, np.where(SCORE > 1, np.nan, SCORE))
    with pytest.raises(DataError, match="shape"):
        choose_threshold(Y, SCORE, cost=[1, 2])
    with pytest.raises(ParameterError, match="metric must be"):
        choose_threshold(Y, SCORE, "f2")
    with pytest.raises(ParameterError, match="weights are for"):
        choose_threshold(Y, SCORE, lambda _, __: 1.0, sample_weight=WEIGHT)
    with pytest.raises(DataError, match="do not speak of"):
        expected_cost([0, 1], [2, 1], [[0, 1], [1, 0]], labels=[0, 1])
    with pytest.raises(DataError, match="weight is zero"):
        expected_cost([0, 1], [1, 1], [[0, 1], [1, 0]], sample_weight=[0, 0])
    with pytest.raises(DataError, match="defined at no threshold"):
        choose_threshold(Y, SCORE, lambda _, __: float("nan"))
