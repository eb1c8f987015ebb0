"""Cells among edges, against NumPy's search."""

from __future__ import annotations

import numpy as np
import pytest

from learnable.loops.binning import count_cells, lay_columns, number_cells, place_cells
from learnable.stats.arrays import frozen

RANDOM = np.random.default_rng(0)


def drawn(edges, dtype):
    inner = np.sort(RANDOM.integers(0, 50, (3, edges)) / 2.0, axis=1)
    inner[1, edges // 2 :] = np.inf
    X = (RANDOM.integers(-4, 104, (700, 3)) / 4.0).astype(dtype)
    X[RANDOM.random(X.shape) < 0.1] = np.nan
    places = np.column_stack(
        [np.searchsorted(inner[j], X[:, j].astype(float), side="right") for j in range(3)]
    )
    return frozen(inner), frozen(X), np.where(np.isnan(X), -1, places)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("edges", [0, 1, 9, 64, 65, 200])
def test_the_intervals_are_those_of_a_search(edges, dtype):
    inner, X, expected = drawn(edges, dtype)
    offsets = frozen(np.arange(4) * (edges + 1))
    out, numbers = np.empty_like(X), np.empty(X.shape, np.int32)
    place_cells(X, inner, out)
    number_cells(X, inner, offsets, numbers)
    np.testing.assert_array_equal(out, np.where(expected < 0, np.nan, expected))
    shifted = np.where(expected < 0, -1, expected + offsets[:-1])
    np.testing.assert_array_equal(numbers, shifted)
    counts = np.bincount(shifted[expected >= 0], minlength=offsets[-1])
    np.testing.assert_array_equal(count_cells(X, inner, offsets), counts)


def test_columns_are_laid_end_to_end_and_gaps_counted():
    X = RANDOM.normal(size=(150, 4))
    X[RANDOM.random(X.shape) < 0.1] = np.nan
    out, gaps = np.empty((4, 150)), np.zeros(4, np.int64)
    assert not lay_columns(frozen(X[:100]), out, 0, gaps)
    assert not lay_columns(frozen(X[100:]), out, 100, gaps)
    np.testing.assert_array_equal(out, X.T)
    assert gaps.tolist() == np.isnan(X).sum(axis=0).tolist()
    X[7, 2] = -np.inf
    assert lay_columns(frozen(X), out, 0, gaps)
