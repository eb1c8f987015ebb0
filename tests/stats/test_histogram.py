from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from learnable.checks import check_statistic
from learnable.core import ParameterError
from learnable.stats import Histogram

EDGES = np.array([[-1.0, 0.0, 0.5, 2.0], [0.0, 1.0, 2.0, 3.0]])


def drawn(n, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2)) * 2
    X[rng.random((n, 2)) < 0.1] = np.nan
    return X, rng.integers(-1, 2, n).astype(np.int32), rng.integers(0, 3, n).astype(float)


def together(one, other):
    return tuple(np.concatenate(pair) for pair in zip(one, other, strict=True))


def test_laws():
    check_statistic(
        lambda block: Histogram.of(block[0], EDGES, block[1], 2, block[2]),
        [drawn(n, seed=n) for n in (9, 20, 33)],
        together,
        zero=Histogram.zero(EDGES, 2),
        tolerance=0.0,
    )


@pytest.mark.parametrize("kind", [np.float64, np.float32])
@given(
    X=arrays(np.float64, (9, 2), elements=st.sampled_from([-1.5, -1, 0, 0.5, 1, 2, 3, np.inf, 9]))
)
def test_bins_are_those_of_numpy(kind, X):
    found = Histogram.of(X.astype(kind), EDGES)
    for j in range(2):
        expected, _ = np.histogram(X[:, j], EDGES[j])
        np.testing.assert_array_equal(found.inside[0, j], expected)
        assert found.table[0, j].sum() == len(X)


def test_what_lies_outside_and_what_is_missing_is_told_apart():
    X = np.array([[-np.inf, np.nan], [-1.001, 3.0], [2.0, 3.001], [np.inf, np.nan]])
    found = Histogram.of(X, EDGES).table[0]
    assert found[0].tolist() == [0, 2, 0, 0, 1, 1]
    assert found[1].tolist() == [2, 0, 0, 0, 1, 1]


@pytest.mark.parametrize(
    "edges",
    [
        [[0.0, 0.0]],
        [[1.0, 0.0]],
        [[0.0]],
        [0.0, 1.0],
        [[0.0, np.nan]],
    ],
)
def test_edges_that_do_not_rise_are_refused(edges):
    with pytest.raises(ParameterError, match="rising edges"):
        Histogram.of(np.zeros((1, 1)), np.array(edges))


def test_edges_of_another_number_of_columns_are_refused():
    with pytest.raises(ParameterError, match="3 columns"):
        Histogram.of(np.zeros((1, 3)), EDGES)


def test_histograms_on_different_edges_do_not_merge():
    one = Histogram.of(np.zeros((1, 2)), EDGES)
    other = Histogram.of(np.zeros((1, 2)), EDGES + 1.0)
    for act in (one.merge, one.minus):
        with pytest.raises(ParameterError, match="different edges"):
            act(other)
