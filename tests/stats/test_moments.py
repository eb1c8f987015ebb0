from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from learnable.checks import check_statistic, close
from learnable.stats import Moments

FULL = pytest.mark.parametrize("full", [False, True])


def drawn(n, d=3, k=2, seed=0, scale=1.0, shift=0.0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) * scale + shift
    return X, rng.integers(-1, k, n).astype(np.int32), rng.integers(0, 3, n).astype(float)


def together(one, other):
    return tuple(np.concatenate(pair) for pair in zip(one, other, strict=True))


@FULL
@pytest.mark.parametrize(("scale", "shift"), [(1, 0), (1, 1e6), (1e-200, 0), (1e150, 0), (0, 7)])
def test_laws(full, scale, shift):
    blocks = [drawn(n, seed=n, scale=scale, shift=shift) for n in (9, 20, 33)]
    check_statistic(
        lambda block: Moments.of(block[0], block[1], 2, block[2], full=full),
        blocks,
        together,
        zero=Moments.zero(2, 3, full=full),
        view=lambda moments: moments.in_units(np.full(3, scale or 1.0)),
    )


@FULL
def test_moments_are_those_of_numpy(full):
    X, codes, weight = drawn(200)
    found = Moments.of(X, codes, 2, weight, full=full)
    for c in range(2):
        rows, w = X[codes == c], weight[codes == c]
        mean = np.average(rows, axis=0, weights=w)
        expected = np.cov(rows.T, aweights=w, ddof=0)
        assert found.weight[c] == w.sum()
        np.testing.assert_allclose(found.mean[c], mean, rtol=1e-13)
        np.testing.assert_allclose(found.variance()[c], np.diag(expected), rtol=1e-12)
        if full:
            np.testing.assert_allclose(found.covariance()[c], expected, rtol=1e-11)


def test_a_constant_column_has_scatter_zero_and_unit_zero():
    found = Moments.of(np.full((7, 1), 0.1))
    assert found.scatter[0, 0] == 0.0
    assert found.unit[0] == 0.0
    merged = found.merge(Moments.of(np.full((5, 1), 0.1)))
    assert merged.scatter[0, 0] == 0.0
    assert merged.mean[0, 0] == 0.1


@pytest.mark.parametrize("exponent", [-900, -600, -300, 0, 300, 600, 900])
def test_no_square_leaves_the_range_of_floats(exponent):
    X, _, _ = drawn(50)
    plain, scaled = Moments.of(X), Moments.of(np.ldexp(X, exponent))
    np.testing.assert_allclose(scaled.spread(), np.ldexp(plain.spread(), exponent), rtol=1e-12)


def test_rows_far_from_zero_lose_nothing():
    X, _, _ = drawn(500)
    shifted = X + 1e9
    np.testing.assert_allclose(
        Moments.of(shifted).variance(),
        (shifted - shifted.mean(axis=0)).var(axis=0)[None],
        rtol=1e-9,
    )


def test_a_cell_that_is_not_finite_is_noticed():
    for wrong in (np.nan, np.inf, -np.inf):
        X, _, _ = drawn(10)
        X[4, 1] = wrong
        assert not Moments.of(X).is_finite
        assert not Moments.of(X, full=True).is_finite


def test_pooled_and_within():
    X, codes, _ = drawn(100)
    codes = np.abs(codes)
    by_class = Moments.of(X, codes, 2)
    close(by_class.pooled(), Moments.of(X), 1e-12, "pooled")
    centred = X - by_class.mean[codes]
    np.testing.assert_allclose(by_class.within().scatter[0], (centred**2).sum(axis=0), rtol=1e-12)


@given(
    arrays(np.float64, (12, 2), elements=st.floats(-1e12, 1e12, width=64)),
    st.integers(1, 11),
)
def test_any_cut_gives_the_same_moments(X, cut):
    whole = Moments.of(X)
    merged = Moments.of(X[:cut]).merge(Moments.of(X[cut:]))
    size = np.abs(X).max(initial=1e-300)
    np.testing.assert_allclose(merged.mean, whole.mean, atol=1e-14 * size)
    np.testing.assert_allclose(merged.spread(), whole.spread(), atol=1e-11 * size)


def test_float32_rows_are_summed_in_float64():
    X = np.random.default_rng(0).normal(1000.0, 1e-1, size=(5000, 2)).astype(np.float32)
    exact = X.astype(np.float64).var(axis=0)
    np.testing.assert_allclose(Moments.of(X).variance()[0], exact, rtol=1e-12)


@pytest.mark.parametrize("scale", [1.0, 1e-200, 1e150])
def test_moments_by_products_are_the_same(scale):
    X, _, weight = drawn(1500, scale=scale, shift=2.0 * scale)
    for each in (np.array([]), weight):
        found, expected = Moments.by_products(X, each), Moments.of(X, weight=each, full=True)
        close(found.in_units(expected.unit), expected, 1e-11, "by products")
    assert not Moments.by_products(np.array([[1.0], [np.inf]])).is_finite


def test_products_that_cancel_are_not_taken():
    """The first rows lie a billion away from the others: sums about them would lose all digits."""
    X = np.random.default_rng(0).normal(size=(100, 2))
    X[:16] += 1e9
    close(Moments.by_products(X), Moments.of(X, full=True), 1e-12, "by products")
