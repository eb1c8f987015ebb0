from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from learnable.loops.counting import count_bins, count_codes, extremes
from learnable.stats.arrays import NO_CODES, NO_WEIGHTS, frozen
from tests.loops.drawn_blocks import blocks, classes_and_weights


@given(arrays(np.int32, (9, 2), elements=st.integers(-2, 4)), blocks(most=9))
def test_counts_are_those_of_add_at(codes, block):
    _, classes, weight, k = block
    codes = frozen(codes[: max(len(classes), len(weight)) or len(codes)])
    if 0 < len(classes) != len(codes) or 0 < len(weight) != len(codes):
        return
    offsets = np.array([0, 3, 5])
    total, table = count_codes(codes, classes, weight, k, offsets)
    labels, w = classes_and_weights(codes, classes, weight)
    expected = np.zeros((k, 5))
    for j in range(2):
        size = offsets[j + 1] - offsets[j]
        kept = (labels >= 0) & (codes[:, j] >= 0) & (codes[:, j] < size)
        np.add.at(expected, (labels[kept], offsets[j] + codes[kept, j]), w[kept])
    np.testing.assert_array_equal(table, expected)
    np.testing.assert_array_equal(
        total, np.bincount(labels[labels >= 0], weights=w[labels >= 0], minlength=k)
    )


@given(
    blocks(finite=False),
    st.lists(st.integers(-20, 20), min_size=2, max_size=6, unique=True).map(sorted),
)
def test_bins_are_those_of_numpy_and_nothing_is_lost(block, edges):
    X, codes, weight, k = block
    d = X.shape[1]
    edges = np.array(edges, dtype=np.float64)
    found = count_bins(X, codes, weight, k, frozen(np.tile(edges, (d, 1))))
    labels, w = classes_and_weights(X, codes, weight)
    for c in range(k):
        for j in range(d):
            v, rows = X[labels == c, j].astype(np.float64), w[labels == c]
            inside = np.histogram(v[~np.isnan(v)], edges, weights=rows[~np.isnan(v)])[0]
            np.testing.assert_array_equal(found[c, j, 2:-1], inside)
            ends = [rows[np.isnan(v)].sum(), rows[v < edges[0]].sum(), rows[v > edges[-1]].sum()]
            np.testing.assert_array_equal(found[c, j, [0, 1, -1]], ends)
            assert found[c, j].sum() == rows.sum()


@given(blocks())
def test_extremes_are_those_of_numpy(block):
    X, _, weight, _ = block
    low, high = extremes(X, weight)
    kept = X[classes_and_weights(X, NO_CODES, weight)[1] != 0.0].astype(np.float64)
    np.testing.assert_array_equal(low, kept.min(axis=0, initial=np.inf))
    np.testing.assert_array_equal(high, kept.max(axis=0, initial=-np.inf))


def test_a_missing_cell_is_no_extreme():
    X = frozen(np.array([[np.nan, np.nan], [2.0, np.nan], [np.nan, np.nan], [1.0, np.nan]]))
    low, high = extremes(X, NO_WEIGHTS)
    assert (low[0], high[0]) == (1.0, 2.0)
    assert (low[1], high[1]) == (np.inf, -np.inf)
