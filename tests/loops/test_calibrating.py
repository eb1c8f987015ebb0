"""Loops of calibration beside plain twins."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import expit, log_softmax, logsumexp
from sklearn.isotonic import IsotonicRegression

from learnable.loops.calibrating import rising_steps, sigmoid_sums, temperature_sums
from learnable.stats.arrays import frozen

RNG = np.random.default_rng(0)


def given(*arrays):
    return tuple(frozen(np.ascontiguousarray(array)) for array in arrays)


def test_sigmoid_sums():
    score, target, weight = RNG.normal(size=40) * 5, RNG.random(40), RNG.random(40)
    z = 1.5 * score - 0.3
    p = expit(-z)
    loss = -weight @ (target * np.log(p) + (1 - target) * np.log1p(-p))
    g, h = weight * (target - p), weight * p * (1 - p)
    expected = loss, g @ score, g.sum(), h @ score**2, h @ score, h.sum()
    made = sigmoid_sums(*given(score, target, weight), 1.5, -0.3)
    assert made == pytest.approx(expected, rel=1e-11)


def test_temperature_sums():
    logits, codes = RNG.normal(size=(30, 4)), RNG.integers(0, 4, 30).astype(np.int32)
    weight, rows = RNG.random(30), np.arange(30)

    def loss(b):
        return -weight @ log_softmax(b * logits, axis=1)[rows, codes]

    p = np.exp(0.7 * logits - logsumexp(0.7 * logits, axis=1, keepdims=True))
    mean = (p * logits).sum(axis=1)
    slope = weight @ (mean - logits[rows, codes])
    curve = weight @ ((p * logits**2).sum(axis=1) - mean**2)
    made = temperature_sums(*given(logits, codes, weight), 0.7)
    assert made == pytest.approx((loss(0.7), slope, curve), rel=1e-11)


@pytest.mark.parametrize("n", [1, 2, 30])
def test_rising_steps(n):
    values, weight = RNG.normal(size=n), RNG.random(n) + 0.1
    rows = np.arange(n)
    theirs = IsotonicRegression().fit(rows, values, weight).predict(rows)
    assert rising_steps(*given(values, weight)) == pytest.approx(theirs, abs=1e-12)
