from __future__ import annotations

import numpy as np
import pytest

from learnable.checks import check_statistic
from learnable.stats import Residuals


def drawn(n, seed):
    rng = np.random.default_rng(seed)
    return rng.normal(3, 2, (n, 2)), rng.normal(size=(n, 2)), rng.random(n)


def together(one, other):
    return tuple(np.concatenate(pair) for pair in zip(one, other, strict=True))


def test_laws():
    blocks = [drawn(n, n) for n in (20, 1, 33)]
    check_statistic(lambda b: Residuals.of(*b), blocks, together, zero=Residuals.zero(2))


def test_rows_without_weight_say_nothing():
    true, predicted, _ = drawn(3, 0)
    none = Residuals.of(true, predicted, np.zeros(3))
    some = Residuals.of(*drawn(5, 1))
    merged = none.merge(some)
    assert merged.n == 8
    for a, b in zip(merged[1:], some[1:], strict=True):
        assert np.array_equal(a, b)


def test_a_great_shift_costs_no_digits():
    true, predicted, weight = drawn(500, 2)
    near, far = (
        Residuals.of(true, predicted, weight),
        Residuals.of(true + 2.0**20, predicted + 2.0**20, weight),
    )
    assert far.scatter_true == pytest.approx(near.scatter_true, rel=1e-9)
    assert far.product == pytest.approx(near.product, rel=1e-8)
    assert far.squared() == pytest.approx(near.squared(), rel=1e-9)
