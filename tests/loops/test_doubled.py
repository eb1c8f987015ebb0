"""Pairs of floats against exact fractions."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from learnable.loops import doubled

NUMBERS = st.floats(-1e6, 1e6, allow_subnormal=False).filter(lambda x: x == 0 or abs(x) > 1e-6)
PAIRS = st.builds(lambda a, b: doubled.two_sum(a, b * 1e-17), NUMBERS, NUMBERS)


def exact(pair):
    return Fraction(float(pair[0])) + Fraction(float(pair[1]))


@given(NUMBERS, NUMBERS)
def test_nothing_is_lost_in_sums_and_products_of_floats(a, b):
    assert exact(doubled.two_sum(a, b)) == Fraction(a) + Fraction(b)
    assert exact(doubled.two_product(a, b)) == Fraction(a) * Fraction(b)


@given(PAIRS, PAIRS)
def test_arithmetic_of_pairs(a, b):
    bound = Fraction(1, 2**100)
    for found, true, size in (
        (doubled.add(*a, *b), exact(a) + exact(b), abs(exact(a)) + abs(exact(b))),
        (doubled.multiply(*a, *b), exact(a) * exact(b), abs(exact(a) * exact(b))),
    ):
        assert abs(exact(found) - true) <= bound * size
    if exact(b):
        quotient = exact(a) / exact(b)
        assert abs(exact(doubled.divide(*a, *b)) - quotient) <= bound * abs(quotient)


@given(PAIRS)
def test_square_roots(a):
    a = a if exact(a) >= 0 else (-a[0], -a[1])
    root = exact(doubled.root(*a))
    assert abs(root**2 - exact(a)) <= Fraction(1, 2**98) * exact(a)


def fractions(X, weight, origin, unit):
    rows = [
        [
            (Fraction(x) - Fraction(o)) / Fraction(u)
            for x, o, u in zip(row, origin, unit, strict=True)
        ]
        for row in X.tolist()
    ]
    return rows, [Fraction(w) for w in weight.tolist()]


@pytest.mark.parametrize("ones", [False, True])
def test_products_and_gradients_are_right_to_thirty_digits(ones):
    rng = np.random.default_rng(0)
    X, weight = rng.normal(size=(9, 3)), rng.integers(0, 3, 9).astype(float)
    origin, unit = rng.normal(size=3), np.array([1.0, 2.0, 0.5])
    rows, weights = fractions(X, weight, origin.tolist(), unit.tolist())
    rows = [[Fraction(1), *row] if ones else row for row in rows]
    found = doubled.gram(X, weight, origin, unit, ones)
    for j in range(len(rows[0])):
        for k in range(j, len(rows[0])):
            true = sum(w * row[j] * row[k] for w, row in zip(weights, rows, strict=True))
            assert abs(exact(found[:, j, k]) - true) < Fraction(1, 10**29)
    Y, beta = rng.normal(size=(9, 1)), np.zeros((2, 4, 1))
    beta[0], beta[1] = rng.normal(size=(4, 1)), 1e-18 * rng.normal(size=(4, 1))
    found = doubled.gradient(X, Y, weight, origin, unit, beta)
    rows, _ = fractions(X, weight, origin.tolist(), unit.tolist())
    left = [
        Fraction(y) - sum(exact(beta[:, j, 0]) * cell for j, cell in enumerate([1, *row]))
        for y, row in zip(Y[:, 0].tolist(), rows, strict=True)
    ]
    true = sum(w * e * row[1] for w, e, row in zip(weights, left, rows, strict=True))
    assert abs(exact(found[:, 2, 0]) - true) < Fraction(1, 10**28)
    squares = sum(w * e * e for w, e in zip(weights, left, strict=True))
    assert abs(exact(found[:, 4, 0]) - squares) < Fraction(1, 10**28)


def test_solving_by_the_triangle():
    A = np.array([[4.0, 2.0, 6.0], [2.0, 5.0, 7.0], [6.0, 7.0, 0.0]])
    G = np.stack([A, np.zeros_like(A)])
    sound, U = doubled.cholesky(G, 2, 1e-27)
    assert sound
    Z = doubled.back_substitute(U, 2)
    np.testing.assert_allclose(Z[0, :, 0], np.linalg.solve(A[:2, :2], A[:2, 2]), rtol=1e-15)
    G[0, 1, 1] = 1.0
    assert not doubled.cholesky(G, 2, 1e-27)[0]
