"""The loop over residuals, beside a plain twin."""

from __future__ import annotations

import numpy as np
import pytest

from learnable.loops.residuals import residual_moments
from learnable.stats.arrays import NO_WEIGHTS, frozen


@pytest.mark.parametrize("weighted", [True, False])
@pytest.mark.parametrize("n", [1, 2, 50, 3000])
def test_plain_twin(n, weighted):
    rng = np.random.default_rng(n)
    true, predicted = rng.normal(size=(2, n))
    w = rng.random(n) if weighted else np.ones(n)
    made = residual_moments(
        frozen(true), frozen(predicted), frozen(w) if weighted else NO_WEIGHTS, 0.1
    )
    residual = true - predicted
    means = [w @ part / w.sum() for part in (true, predicted, residual)]
    t, p, r = (part - m for part, m in zip((true, predicted, residual), means, strict=True))
    expected = (
        w.sum(),
        *means,
        *(w @ (a * b) for a, b in ((t, t), (p, p), (r, r), (t, p))),
        w @ np.abs(residual),
        w @ (np.abs(residual) / np.maximum(np.abs(true), 0.1)),
        np.abs(residual).max(),
    )
    for one, other in zip(made, expected, strict=True):
        assert one == pytest.approx(other, rel=1e-12, abs=1e-14)


def test_no_weight_at_all():
    made = residual_moments(*(frozen(np.ones(2)) for _ in range(2)), frozen(np.zeros(2)), 0.1)
    assert not made.any()
