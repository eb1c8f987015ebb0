"""Products and splines, against NumPy and SciPy."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.interpolate import BSpline

from learnable.loops.expansions import FLAT, ON, STRAIGHT, write_products, write_splines
from learnable.stats.arrays import frozen

RANDOM = np.random.default_rng(0)
KNOTS = np.array([0.0, 0.5, 1.0, 2.5, 3.0])


def padded(degree):
    low, high = KNOTS[1] - KNOTS[0], KNOTS[-1] - KNOTS[-2]
    steps = np.arange(1, degree + 1)
    return np.concatenate([KNOTS[0] - low * steps[::-1], KNOTS, KNOTS[-1] + high * steps])


def splines(x, degree, beyond):
    count = len(KNOTS) + degree - 1
    out = np.zeros((len(x), count))
    write_splines(frozen(x), frozen(padded(degree)), degree, beyond, count, 0, out)
    return out


@pytest.mark.parametrize("degree", [0, 1, 2, 3, 5])
def test_splines_are_scipys(degree):
    x = RANDOM.uniform(-1.0, 4.0, 300)
    spline = BSpline(padded(degree), np.eye(len(KNOTS) + degree - 1), degree)
    inside = x.clip(KNOTS[0], KNOTS[-1])
    assert np.allclose(splines(x, degree, FLAT), spline(inside), atol=1e-12)
    assert np.allclose(splines(x, degree, ON), spline(x), rtol=1e-9, atol=1e-9)
    tangent = spline(inside)
    if degree:
        tangent = tangent + (x - inside)[:, None] * spline(inside, nu=1)
    assert np.allclose(splines(x, degree, STRAIGHT), tangent, rtol=1e-9, atol=1e-9)


def test_a_missing_cell_has_no_spline():
    assert splines(np.array([np.nan, 1.0]), 2, FLAT)[0].tolist() == [0.0] * 6


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_products_continue_earlier_ones(dtype):
    X = RANDOM.normal(size=(40, 3)).astype(dtype)
    before = np.array([-1, -1, 0, 0, 2])
    columns = np.array([0, 2, 0, 1, 2])
    out = np.empty((40, 4), dtype)
    assert write_products(frozen(X), frozen(before), frozen(columns), 1, out) == (-1, -1)
    a, b, c = X.T
    expected = np.column_stack([c, a * a, a * b, a * a * c])
    assert np.allclose(out, expected, rtol=1e-6)


def test_the_first_product_that_overflows_is_told():
    X = np.array([[1.0, 1.0], [1.0, 1e200]])
    out = np.empty((2, 4))
    before, columns = np.array([-1, -1, 0, 1]), np.array([0, 1, 1, 1])
    assert write_products(frozen(X), frozen(before), frozen(columns), 0, out) == (1, 1)
