from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from learnable.checks import check_statistic
from learnable.stats import Extent


def drawn(n, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, 3)), rng.integers(0, 3, n).astype(float)


def test_laws():
    check_statistic(
        lambda block: Extent.of(*block),
        [drawn(n, seed=n) for n in (5, 9, 20)],
        lambda one, other: tuple(np.concatenate(pair) for pair in zip(one, other, strict=True)),
        zero=Extent.zero(3),
        tolerance=0.0,
    )


@pytest.mark.parametrize("kind", [np.float64, np.float32])
@given(
    X=arrays(np.float64, (6, 2), elements=st.floats(allow_nan=False, width=32)),
    cut=st.integers(0, 6),
)
def test_extremes_are_those_of_numpy_however_the_rows_are_cut(kind, X, cut):
    X = X.astype(kind)
    found = Extent.of(X[:cut]).merge(Extent.of(X[cut:]))
    np.testing.assert_array_equal(found.low, X.min(axis=0))
    np.testing.assert_array_equal(found.high, X.max(axis=0))
    assert found.n == 6


def test_rows_of_weight_zero_do_not_count():
    X, weight = np.array([[9.0], [1.0], [-9.0]]), np.array([0.0, 2.0, 0.0])
    assert Extent.of(X, weight) == Extent(1, np.array([1.0]), np.array([1.0]))


def test_infinite_cells_are_extremes_and_missing_ones_are_not():
    found = Extent.of(np.array([[np.inf, np.nan], [0.0, 5.0], [-np.inf, np.nan]]))
    assert (found.low.tolist(), found.high.tolist()) == ([-np.inf, 5.0], [np.inf, 5.0])
