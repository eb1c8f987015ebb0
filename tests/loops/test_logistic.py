"""The compiled losses against plain NumPy."""

from __future__ import annotations

import numpy as np
import pytest

from learnable.loops import logistic


@pytest.mark.parametrize("weighted", [False, True])
def test_the_loss_of_two_classes(weighted):
    rng = np.random.default_rng(0)
    s = np.concatenate([rng.normal(size=50) * 5, [700.0, -700.0, 0.0]])
    y = rng.integers(0, 2, 53).astype(float)
    w = rng.integers(0, 3, 53).astype(float) if weighted else np.empty(0)
    each = w if weighted else np.ones(53)
    residual, bend = np.empty(53), np.empty(53)
    loss = logistic.binary(s.copy(), y, w, residual, bend)
    p = np.where(s > 0, 1 / (1 + np.exp(-np.abs(s))), np.exp(-np.abs(s)) / (1 + np.exp(-np.abs(s))))
    np.testing.assert_allclose(loss, (each * (np.logaddexp(0, s) - y * s)).sum(), rtol=1e-13)
    np.testing.assert_allclose(residual, each * (p - y), rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(
        bend, each * p * np.exp(-np.logaddexp(0, s)), rtol=1e-12, atol=1e-300
    )


@pytest.mark.parametrize("weighted", [False, True])
def test_the_loss_of_many_classes(weighted):
    rng = np.random.default_rng(1)
    s = rng.normal(size=(40, 3)) * 5
    s[0] = [900.0, -900.0, 0.0]
    codes = rng.integers(0, 3, 40).astype(np.int32)
    w = rng.integers(0, 3, 40).astype(float) if weighted else np.empty(0)
    each = w if weighted else np.ones(40)
    shares, residual = s.copy(), np.empty((40, 3))
    loss = logistic.softmax(shares, codes, w, residual)
    top = s.max(axis=1, keepdims=True)
    log = s - top - np.log(np.exp(s - top).sum(axis=1, keepdims=True))
    np.testing.assert_allclose(loss, -(each * log[np.arange(40), codes]).sum(), rtol=1e-13)
    np.testing.assert_allclose(shares, np.exp(log), rtol=1e-12, atol=1e-300)
    own = np.eye(3)[codes]
    np.testing.assert_allclose(residual, each[:, None] * (np.exp(log) - own), atol=1e-14)
