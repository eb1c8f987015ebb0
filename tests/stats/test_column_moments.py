"""Moments of columns that miss cells: laws and plain NumPy."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp

from learnable.stats.column_moments import ColumnMoments

RANDOM = np.random.default_rng(3)


def holed(n=60, d=4):
    X = RANDOM.normal(size=(n, d)) * [1.0, 1e-200, 1e150, 5.0] + [1e6, 0.0, 0.0, 0.0]
    X[RANDOM.random((n, d)) < 0.2] = np.nan
    return X


def same(a, b, tolerance=1e-10):
    # Where weight is left the mean must agree on the scale of the spread, and the spread itself.
    size = np.maximum(np.maximum(a.spread(), np.abs(a.mean)), 1e-300)
    assert np.allclose(a.weight, b.weight, rtol=1e-12)
    assert (np.abs(a.mean - b.mean) <= tolerance * size).all()
    assert np.allclose(a.spread(), b.spread(), rtol=1e-8, atol=0.0)
    assert a.even == b.even


@pytest.mark.parametrize("weighted", [False, True])
def test_of_agrees_with_numpy(weighted):
    X = holed()
    weight = RANDOM.uniform(0, 2, 60) if weighted else np.ones(60)
    found = ColumnMoments.of(X, weight if weighted else np.empty(0))
    for j in (0, 3):
        there = ~np.isnan(X[:, j])
        mean = np.average(X[there, j], weights=weight[there])
        spread = np.sqrt(np.average((X[there, j] - mean) ** 2, weights=weight[there]))
        assert found.weight[j] == pytest.approx(weight[there].sum())
        assert found.mean[j] == pytest.approx(mean)
        assert found.spread()[j] == pytest.approx(spread, rel=1e-9, abs=0.0)
        assert found.variance()[j] == pytest.approx(spread**2, rel=1e-9, abs=0.0)
    for j, scale in ((1, 1e-200), (2, 1e150)):
        assert found.spread()[j] == pytest.approx(
            ColumnMoments.of(X[:, [j]] / scale, weight).spread()[0] * scale, rel=1e-12, abs=0.0
        )
    assert found.even is not weighted


@pytest.mark.parametrize("weighted", [False, True])
def test_stored_cells_are_enough(weighted):
    X = sp.random_array((50, 6), density=0.3, rng=RANDOM, format="csr")
    X.data[::7] = np.nan
    X = sp.hstack([X, sp.csr_array(np.ones((50, 1)))]).tocsr()
    weight = RANDOM.uniform(0, 2, 50) if weighted else np.empty(0)
    same(ColumnMoments.of_stored(X, weight), ColumnMoments.of(X.toarray(), weight))


def test_laws():
    X = holed()
    a, b, c = (ColumnMoments.of(X[rows]) for rows in (slice(20), slice(20, 25), slice(25, 60)))
    zero = ColumnMoments.zero(4)
    same(zero.merge(a), a, 0.0)
    same(a.merge(zero), a, 0.0)
    same(a.merge(b), b.merge(a))
    same(a.merge(b).merge(c), a.merge(b.merge(c)))
    same(a.merge(b).merge(c), ColumnMoments.of(X))
    same(a.merge(c).minus(a), c)
    assert (a.minus(a).weight == 0.0).all()


def test_a_constant_column_has_no_spread_at_all():
    X = np.full((1000, 1), 0.1)
    X[::3] = np.nan
    halves = ColumnMoments.of(X[:400]).merge(ColumnMoments.of(X[400:]))
    assert halves.spread()[0] == 0.0
    assert halves.mean[0] == 0.1


def test_a_row_without_weight_counts_nowhere():
    X = holed(30)
    weight = np.r_[np.zeros(10), np.ones(20)]
    weighted, rest = ColumnMoments.of(X, weight), ColumnMoments.of(X[10:])
    same(weighted, rest._replace(even=False))


def test_the_last_digits_of_a_column_far_from_zero_count():
    steps = RANDOM.integers(0, 4, 300)
    column = 1e9 + steps * np.spacing(1e9)
    column[::5] = np.nan
    exact = [Fraction(x) for x in column if x == x]  # noqa: PLR0124
    mean = sum(exact) / len(exact)
    variance = float(sum((x - mean) ** 2 for x in exact) / len(exact))
    assert ColumnMoments.of(column[:, None]).variance()[0] == pytest.approx(
        variance, rel=1e-6, abs=0.0
    )


def test_a_cell_without_weight_does_not_set_the_unit():
    X = np.array([[1e-200], [3e-200], [1e150], [np.nan]])
    found = ColumnMoments.of(X, np.array([1.0, 1.0, 0.0, 1.0]))
    assert found.spread()[0] == pytest.approx(1e-200, rel=1e-12, abs=0.0)


def test_an_infinite_cell_shows():
    assert ColumnMoments.of(holed()).is_finite
    assert not ColumnMoments.of(np.array([[1.0], [np.inf], [np.nan]])).is_finite
