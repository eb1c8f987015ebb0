from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from learnable.loops.gaussians import joint_log_densities
from learnable.stats.arrays import frozen
from tests.loops.drawn_blocks import KINDS, blocks


def plain(X, mean, inverse, constant):
    z = (X[:, None, :].astype(np.longdouble) - mean) * inverse
    return constant - (z * z).sum(axis=2) / 2


@given(blocks(), st.integers(0, 1000))
def test_densities_are_those_of_numpy(block, seed):
    X, _, _, k = block
    rng = np.random.default_rng(seed)
    mean, inverse = rng.normal(size=(2, k, X.shape[1]))
    constant = rng.normal(size=k)
    found = joint_log_densities(X, frozen(mean), frozen(inverse), frozen(constant))
    np.testing.assert_allclose(
        found, plain(X, mean, inverse, constant).astype(float), rtol=1e-13, atol=1e-14
    )


@pytest.mark.parametrize("kind", KINDS)
def test_an_inverse_of_zero_leaves_a_finite_column_out_and_lets_nothing_else_through(kind):
    X = frozen(np.array([[1.0, 1e30], [1.0, np.nan], [np.inf, 0.0]], kind))
    mean, inverse = frozen(np.zeros((1, 2))), frozen(np.array([[1.0, 0.0]]))
    found = joint_log_densities(X, mean, inverse, frozen(np.zeros(1)))
    assert found[0, 0] == -0.5
    assert np.isnan(found[1, 0])
    assert found[2, 0] == -np.inf


def test_an_impossible_class_stays_impossible():
    X = frozen(np.zeros((1, 1)))
    one = frozen(np.ones((2, 1)))
    found = joint_log_densities(X, one, one, frozen(np.array([-np.inf, 0.0])))
    assert found.tolist() == [[-np.inf, -0.5]]


def test_no_rows_have_no_densities():
    one = frozen(np.ones((2, 3)))
    found = joint_log_densities(frozen(np.empty((0, 3))), one, one, frozen(np.zeros(2)))
    assert found.shape == (0, 2)
