from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from learnable.cluster.answers import assign, distances, labels_of
from learnable.core import DataError
from learnable.data import Rows
from learnable.data.rows import other_grid


def drawn(kind=np.float64, n=200, d=5, k=7):
    rng = np.random.default_rng(0)
    return rng.normal(size=(n, d)).astype(kind), rng.normal(size=(k, d)).astype(kind)


@pytest.mark.parametrize("kind", [np.float64, np.float32])
def test_answers_are_those_of_plain_distances(kind):
    X, centres = drawn(kind)
    expected = cdist(X.astype(float), centres.astype(float))
    weight = np.random.default_rng(1).uniform(size=len(X))
    with other_grid(64):
        found = distances(Rows(X, dtype=kind), centres)
        labels, inertia = assign(Rows(X, dtype=kind), centres, weight)
        np.testing.assert_array_equal(labels_of(Rows(X, dtype=kind), centres), labels)
    assert found.dtype == kind
    np.testing.assert_allclose(found, expected, rtol=1e-12 if kind == np.float64 else 1e-6)
    np.testing.assert_array_equal(labels, expected.argmin(axis=1))
    assert inertia == pytest.approx(weight @ expected.min(axis=1) ** 2, rel=1e-12)


def test_equal_rows_have_distance_0_wherever_they_lie():
    X, _ = drawn()
    for shift in (0.0, 1e6, 1e15):
        found = distances(Rows(X + shift), X[:9] + shift)
        assert (np.diag(found[:9]) == 0.0).all()


@pytest.mark.parametrize("exponent", [-660, -60, 60, 500])
def test_powers_of_two_scale_distances_exactly(exponent):
    X, centres = drawn()
    scaled = distances(Rows(np.ldexp(X, exponent)), np.ldexp(centres, exponent))
    np.testing.assert_array_equal(scaled, np.ldexp(distances(Rows(X), centres), exponent))


def test_distances_reach_as_far_as_floats_do():
    found = distances(Rows(np.array([[3e200, 4e200], [1.0, 0.0]])), np.array([[1.0, 0.0]]))
    np.testing.assert_allclose(found, [[5e200], [0.0]], rtol=1e-15)


def test_squares_beyond_the_range_of_floats_are_refused():
    with pytest.raises(DataError, match="leave the range of floats") as refused:
        assign(Rows(np.array([[0.0], [1e200]])), np.array([[0.0]]))
    assert "Rescale" in str(refused.value)
    assert labels_of(Rows(np.array([[1e200]])), np.array([[0.0], [1e199]])).tolist() == [1]
