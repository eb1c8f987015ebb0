"""The loops of the scalers against plain NumPy."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from learnable.loops import scaling
from learnable.stats.arrays import frozen

RANDOM = np.random.default_rng(11)
DTYPES = [np.float64, np.float32]


def plain_map(X, origin, width, new_width, new_origin):
    return (X.astype(float) - origin) / width * new_width + new_origin


def plain_norm(x, kind):
    if kind == scaling.L1:
        return np.abs(x).sum()
    return np.linalg.norm(x) if kind == scaling.L2 else np.abs(x).max(initial=0.0)


def plain_moments(cells, weight):
    total = weight.sum()
    mean = (weight * cells).sum() / total
    return total, mean, (weight * (cells - mean) ** 2).sum()


def numbers(n, d, dtype):
    return frozen(RANDOM.normal(size=(n, d)).astype(dtype))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(1, 1), (7, 3), (40, 33)])
def test_columns_are_mapped(shape, dtype):
    X, vectors = numbers(*shape, dtype), [frozen(v) for v in RANDOM.uniform(1, 2, (4, shape[1]))]
    out = np.empty(shape, dtype)
    assert not scaling.map_columns(X, *vectors, out)
    assert np.allclose(out, plain_map(X, *vectors), rtol=1e-14 if dtype is np.float64 else 1e-6)


@pytest.mark.parametrize(("cell", "infinite"), [(np.nan, False), (np.inf, True), (-np.inf, True)])
def test_infinite_cells_are_told_and_missing_ones_are_not(cell, infinite):
    X = RANDOM.normal(size=(9, 5))
    X[4, 3] = cell
    ones = frozen(np.ones(5))
    assert scaling.map_columns(frozen(X), ones, ones, ones, ones, np.empty((9, 5))) is infinite
    stored = frozen(X.ravel()), frozen(np.tile(np.arange(5), 9))
    assert scaling.map_stored(*stored, ones, ones, np.empty(45)) is infinite


def test_cells_are_clipped_and_missing_ones_stay():
    out = np.array([[-2.0, np.nan], [0.5, 7.0]])
    scaling.clip_cells(out, -1.0, 1.0)
    assert np.array_equal(out, [[-1.0, np.nan], [0.5, 1.0]], equal_nan=True)


@pytest.mark.parametrize("kind", [scaling.L1, scaling.L2, scaling.LARGEST])
@pytest.mark.parametrize("scale", [1e-320, 1e-200, 1.0, 1e160, 1e300])
def test_norms_at_any_scale(kind, scale):
    x = RANDOM.normal(size=23)
    expected = plain_norm(x, kind) * scale
    tolerance = 1e-2 if scale < 1e-300 else 1e-13  # few digits are left of subnormal numbers
    assert scaling.norm_of(frozen(x * scale), kind) == pytest.approx(
        expected, rel=tolerance, abs=0.0
    )


@pytest.mark.parametrize("kind", [scaling.L1, scaling.L2, scaling.LARGEST])
def test_norms_of_rows_that_are_not_ordinary(kind):
    assert scaling.norm_of(frozen(np.zeros(3)), kind) == 0.0
    assert scaling.norm_of(frozen(np.array([1.0, -np.inf])), kind) == np.inf
    assert np.isnan(scaling.norm_of(frozen(np.array([1.0, np.nan, 2.0])), kind))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("kind", [scaling.L1, scaling.L2, scaling.LARGEST])
def test_rows_are_normalised(kind, dtype):
    X = numbers(12, 5, dtype).copy()
    X[3] = 0.0
    X[4] *= dtype(1e-30)
    norms = np.array([plain_norm(row.astype(float), kind) or 1.0 for row in X])
    out, stored = np.empty_like(X), np.empty(X.size, dtype)
    starts = frozen(np.arange(0, 61, 5))
    assert scaling.normalise_rows(frozen(X), kind, out)
    assert scaling.normalise_stored(frozen(X.ravel()), starts, kind, stored)
    assert np.allclose(out, X / norms[:, None], rtol=1e-13 if dtype is np.float64 else 1e-6)
    assert np.allclose(stored.reshape(X.shape), out, rtol=1e-15 if dtype is np.float64 else 1e-6)
    X[7, 2] = np.nan
    assert not scaling.normalise_rows(frozen(X), kind, out)
    assert not scaling.normalise_stored(frozen(X.ravel()), starts, kind, stored)


def test_stored_cells_are_mapped():
    X = sp.random_array((30, 8), density=0.3, rng=RANDOM, format="csr")
    width, new_width = RANDOM.uniform(1, 2, (2, 8))
    out = np.empty_like(X.data)
    columns = frozen(X.indices.astype(np.int64))
    scaling.map_stored(frozen(X.data), columns, frozen(width), frozen(new_width), out)
    assert np.allclose(out, X.data / width[X.indices] * new_width[X.indices], rtol=1e-15)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("scale", [1.0, 1e-30])
def test_moments_of_stored_cells(dtype, scale):
    data = (RANDOM.normal(size=200) * scale).astype(dtype)
    columns, weight = RANDOM.integers(0, 4, 200), RANDOM.uniform(0.5, 2, 200)
    columns[columns == 2] = 3
    cells = frozen(data), frozen(columns), frozen(weight)
    total, mean = scaling.stored_means(*cells, 4)
    scatter, unit = scaling.stored_scatter(*cells, frozen(total), frozen(mean))
    for j in (0, 1, 3):
        mine = columns == j
        expected = plain_moments(data[mine].astype(float), weight[mine])
        found = total[j], mean[j], scatter[j] * unit[j] ** 2
        assert np.allclose(found, expected, rtol=1e-11, atol=0.0)
    assert (total[2], mean[2], scatter[2], unit[2]) == (0.0, 0.0, 0.0, 0.0)


def test_moments_of_columns_merge():
    X, weight = RANDOM.normal(size=(50, 3)), RANDOM.uniform(0.5, 2, 50)
    halves = []
    for rows in (slice(0, 20), slice(20, 50)):
        found = np.array([plain_moments(x, weight[rows]) for x in X[rows].T]).T
        halves += [*found, np.ones(3)]
    total, mean, scatter, unit = scaling.merge_columns(*halves)
    expected = np.array([plain_moments(x, weight) for x in X.T]).T
    assert np.allclose([total, mean, scatter], expected, rtol=1e-13)
    assert unit.tolist() == [1.0, 1.0, 1.0]


def test_merging_with_nothing_changes_nothing():
    some = [np.array([3.0]), np.array([2.0]), np.array([5.0]), np.array([1.0])]
    none = [np.zeros(1)] * 4
    for found in (scaling.merge_columns(*some, *none), scaling.merge_columns(*none, *some)):
        assert [part[0] for part in found] == [3.0, 2.0, 5.0, 1.0]


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("dtype", DTYPES)
def test_moments_of_the_cells_that_are_there(dtype, weighted):
    X = RANDOM.normal(5.0, 2.0, (60, 4)).astype(dtype)
    X[RANDOM.random(X.shape) < 0.3] = np.nan
    X[:, 3] = np.nan
    weight = RANDOM.integers(0, 3, 60).astype(float)
    given = frozen(weight if weighted else np.empty(0))
    total, mean = scaling.gapped_means(frozen(X), given)
    scatter, unit = scaling.gapped_scatter(frozen(X), given, frozen(total), frozen(mean))
    for j in range(3):
        there = ~np.isnan(X[:, j])
        each = weight[there] if weighted else np.ones(there.sum())
        expected = plain_moments(X[there, j].astype(float), each)
        found = total[j], mean[j], scatter[j] * unit[j] ** 2
        assert np.allclose(found, expected, rtol=1e-12 if dtype is np.float64 else 1e-5)
    assert (total[3], mean[3], scatter[3], unit[3]) == (0.0, 0.0, 0.0, 0.0)
