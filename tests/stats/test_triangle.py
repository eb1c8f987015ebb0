from __future__ import annotations

import numpy as np
import pytest

from learnable.checks import check_statistic
from learnable.stats import Triangle
from learnable.stats.triangle import reflected


def drawn(n, seed, scale, shift, d=4):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)) * scale + shift, rng.integers(0, 3, n).astype(float)


def together(one, other):
    return tuple(np.concatenate(pair) for pair in zip(one, other, strict=True))


def seen(unit):
    """R itself is not unique where columns depend on each other; its products are."""

    def view(triangle):
        factor = triangle.factor_in(np.full(4, unit))
        return triangle.weight, triangle.mean, factor.T @ factor

    return view


@pytest.mark.parametrize(("scale", "shift"), [(1, 0), (1, 1e6), (1e-200, 0), (1e150, 0), (0, 7)])
@pytest.mark.parametrize("sizes", [(9, 20, 33), (1, 2, 3)])
def test_laws(scale, shift, sizes):
    blocks = [drawn(n, n, scale, shift) for n in sizes]
    blocks = [(X, np.maximum(weight, float(len(X) < 4))) for X, weight in blocks]
    check_statistic(
        lambda block: Triangle.of(*block),
        blocks,
        together,
        zero=Triangle.zero(4),
        view=seen(scale or 1.0),
        tolerance=1e-9,
    )


def test_products_are_those_of_the_centred_rows():
    X, weight = drawn(3000, 0, 1.0, 5.0)
    triangle = Triangle.of(X, weight)
    mean = np.average(X, axis=0, weights=weight)
    centred = X - mean
    np.testing.assert_allclose(triangle.mean, mean, rtol=1e-14)
    np.testing.assert_allclose(triangle.products(), (centred * weight[:, None]).T @ centred)
    assert (np.diagonal(triangle.factor) > 0).all()
    assert np.array_equal(triangle.factor, np.triu(triangle.factor))


def test_a_triangle_keeps_digits_that_products_lose():
    """Two columns a ten-millionth apart: the products of the columns no longer tell them apart."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=500)
    apart = rng.normal(size=500)
    X = np.column_stack([x, x + 1e-9 * apart])
    own = np.linalg.svd(Triangle.of(X).factor, compute_uv=False)
    exact = np.linalg.svd(X - X.mean(axis=0), compute_uv=False)
    unit = Triangle.of(X).unit[0]
    np.testing.assert_allclose(own * unit, exact, rtol=1e-6)


def test_rows_without_weight_are_not_there():
    X, _ = drawn(6, 1, 1.0, 0.0)
    weight = np.array([1.0, 0, 1, 0, 1, 1])
    kept = Triangle.of(X[weight > 0])
    for one, other in zip(Triangle.of(X, weight), kept, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-14)
    assert Triangle.of(X, np.zeros(6)).weight[0] == 0.0


def test_what_is_not_finite_is_told():
    assert not Triangle.of(np.array([[1.0], [np.nan]])).is_finite
    assert not Triangle.of(np.array([[1.7e308], [-1.7e308]])).is_finite


def test_the_uncentred_factor_is_that_of_the_rows():
    X, _ = drawn(50, 2, 1.0, 3.0)
    triangle = Triangle.of(X)
    factor = triangle.uncentred() * triangle.around()
    np.testing.assert_allclose(factor.T @ factor, X.T @ X, rtol=1e-12)


def test_reflecting_in_chunks_is_reflecting_at_once():
    X, _ = drawn(3000, 3, 1.0, 0.0)
    once = np.linalg.qr(X, mode="r")
    np.testing.assert_allclose(reflected(X), once * np.sign(np.diagonal(once))[:, None], rtol=1e-10)


def wide(n=4096, d=60, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)) @ rng.normal(size=(d, d)) * np.geomspace(1e-3, 1e3, d) + 9.0


@pytest.mark.parametrize("weighted", [False, True])
def test_products_of_whitened_rows_are_reflections(weighted, monkeypatch):
    X = wide()
    weight = np.random.default_rng(1).integers(0, 3, len(X)).astype(float) if weighted else []
    fast = Triangle.of(X, np.asarray(weight))
    monkeypatch.setattr("learnable.stats.triangle._NARROW", 10**9)
    plain = Triangle.of(X, np.asarray(weight))
    size = np.sqrt((plain.factor**2).sum(axis=0))
    assert np.abs((fast.factor - plain.factor) / size).max() < 1e-12
    assert not np.array_equal(fast.factor, plain.factor)  # it was another way indeed


@pytest.mark.parametrize("case", ["sorted", "sparse", "collinear", "steep"])
def test_rows_that_the_first_of_them_do_not_speak_for_are_reflected(case):
    """Wherever the short way would lose digits it is not taken, and the factor is still right."""
    X = wide()
    if case == "sorted":
        X[:300] = X[:300] * 1e-7 + 9.0
    elif case == "sparse":
        X[:2000, 5] = 0.0
    elif case == "collinear":
        X[:, 7] = X[:, 6] + 1e-9 * X[:, 7]
    else:
        X[2000:, 3] *= 1e9
    found = Triangle.of(X)
    centred = X - X.mean(axis=0)
    size = np.sqrt((centred**2).sum(axis=0))
    exact = np.linalg.svd(centred / size, compute_uv=False)
    own = np.linalg.svd(found.factor * found.unit / size, compute_uv=False)
    np.testing.assert_allclose(own, exact, rtol=1e-8, atol=1e-13)
