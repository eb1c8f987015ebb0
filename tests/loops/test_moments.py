from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from learnable.loops import moments as loops
from learnable.stats.arrays import NO_CODES, NO_WEIGHTS, frozen
from tests.loops.drawn_blocks import KINDS, blocks, classes_and_weights


def plain_moments(X, codes, weight, k):
    """Weight, mean and centred scatter in exact fractions of the same cells, class by class."""
    codes, weight = classes_and_weights(X, codes, weight)
    total, mean = np.zeros(k), np.zeros((k, X.shape[1]))
    scatter = np.zeros((k, X.shape[1]))
    for c in range(k):
        rows, w = X[codes == c].astype(np.longdouble), weight[codes == c].astype(np.longdouble)
        total[c] = w.sum()
        if total[c] > 0:
            centre = (w[:, None] * rows).sum(axis=0) / w.sum()
            mean[c] = centre
            scatter[c] = (w[:, None] * (rows - centre) ** 2).sum(axis=0)
    return total, mean, scatter


@given(blocks())
def test_moments_are_those_of_exact_sums(block):
    X, codes, weight, k = block
    total, mean, rough, lost = loops.first_moments(X, codes, weight, k)
    scatter = loops.squares(X, codes, weight, mean)
    expected = plain_moments(X, codes, weight, k)
    size = np.abs(X.astype(np.float64)).max(axis=0, initial=0.0)
    np.testing.assert_array_equal(total, expected[0])
    assert (np.abs(mean - expected[1]) <= 1e-14 * size).all()
    assert (np.abs(scatter - expected[2]) <= 1e-13 * expected[2] + 1e-27 * size**2).all()
    if lost < 2.0**40:
        allowed = 1e-14 * (1.0 + lost) * expected[2] + 1e-27 * size**2
        assert (np.abs(rough - expected[2]) <= allowed).all()


def test_a_first_row_far_out_is_noticed():
    X = np.random.default_rng(0).normal(size=(100, 2))
    X[0, 1] = 1e5
    near, far = (
        loops.first_moments(frozen(np.ascontiguousarray(block)), NO_CODES, NO_WEIGHTS, 1)[3]
        for block in (X[:, :1], X[1:, :1] + 1e9)
    )
    assert near < 10.0
    assert far < 10.0
    X[1:, 1] = X[1:, 1] * 1e-3
    assert loops.first_moments(frozen(X), NO_CODES, NO_WEIGHTS, 1)[3] > 50.0
    constant = frozen(np.full((5, 1), 0.1))
    assert loops.first_moments(constant, NO_CODES, NO_WEIGHTS, 1)[3] == 0.0


@given(blocks(), st.data())
def test_scatter_of_one_column_in_its_unit(block, data):
    X, codes, weight, k = block
    j = data.draw(st.integers(0, X.shape[1] - 1))
    _, mean, _, _ = loops.first_moments(X, codes, weight, k)
    largest = loops.largest_deviation(X, codes, weight, mean, j)
    labels, w = classes_and_weights(X, codes, weight)
    kept = (labels >= 0) & (w > 0)
    deviations = np.abs(X[kept, j] - mean[labels[kept], j])
    assert largest == deviations.max(initial=0.0)
    found = loops.column_squares(X, codes, weight, mean, j, 2.0)
    plain = [(w[kept] * (labels[kept] == c) * (deviations / 2.0) ** 2).sum() for c in range(k)]
    np.testing.assert_allclose(found, plain, rtol=1e-12)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("wrong", [np.nan, np.inf, -np.inf])
def test_a_cell_that_is_not_finite_spoils_its_own_class_and_column_alone(kind, wrong):
    X = np.arange(12, dtype=kind).reshape(6, 2)
    X[3, 1] = wrong
    codes = np.array([0, 0, 0, 1, 1, 1], np.int32)
    total, mean, _, _ = loops.first_moments(frozen(X), frozen(codes), NO_WEIGHTS, 2)
    scatter = loops.squares(frozen(X), frozen(codes), NO_WEIGHTS, mean)
    assert np.isfinite(mean).tolist() == [[True, True], [True, False]]
    assert np.isfinite(scatter[0]).all()
    assert np.isfinite(scatter[1, 0])
    assert not np.isfinite(scatter[1, 1])
    assert total.tolist() == [3.0, 3.0]


@pytest.mark.parametrize("kind", KINDS)
def test_rows_of_weight_zero_or_negative_class_are_not_there_whatever_they_hold(kind):
    X = np.array([[1.0], [np.nan], [3.0], [np.inf]], dtype=kind)
    codes = np.array([0, -1, 0, 0], np.int32)
    weight = np.array([1.0, 1.0, 2.0, 0.0])
    total, mean, _, _ = loops.first_moments(frozen(X), frozen(codes), frozen(weight), 1)
    scatter = loops.squares(frozen(X), frozen(codes), frozen(weight), mean)
    assert total[0] == 3.0
    assert mean[0, 0] == pytest.approx(7 / 3, rel=1e-15)
    np.testing.assert_allclose(scatter, [[4 / 9 * 2 + 16 / 9]], rtol=1e-15)
    assert loops.largest_deviation(frozen(X), frozen(codes), frozen(weight), mean, 0) < 2


@given(st.floats(0.0, allow_infinity=False), st.integers(-1000, 900))
def test_the_unit_is_a_power_of_two_whose_squares_hold_the_deviation(mantissa, exponent):
    largest = math.ldexp(math.frexp(mantissa)[0], exponent)
    unit = loops.unit_of(largest)
    if largest == 0.0:
        assert unit == 0.0
        return
    assert math.frexp(unit)[0] == 0.5
    ratio = largest / unit
    assert 2.0**-800 < ratio * ratio < 2.0**800
    if not 2.0**-400 < largest < 2.0**400:
        assert 1.0 <= ratio < 2.0


def test_the_unit_of_what_is_no_number():
    assert loops.unit_of(math.inf) == math.inf
    assert loops.unit_of(math.nan) == 0.0


@given(blocks(most=8), blocks(most=8))
def test_merging_is_chans_rule(one, other):
    k, d = 3, 2
    parts = []
    for cells, codes, weight, _ in (one, other):
        X = np.resize(cells, (len(cells), d)).astype(np.float64)
        total, mean, _, _ = loops.first_moments(frozen(X), codes, weight, k)
        scatter = loops.squares(frozen(X), codes, weight, mean)
        parts.append((total, mean, scatter, np.ones(d)))
    (wa, ma, sa, _), (wb, mb, sb, _) = parts
    weight, mean, scatter, unit = loops.merge_moments(*parts[0], *parts[1])
    w = wa + wb
    safe = np.where(w > 0, w, 1.0)[:, None]
    plain_mean = (wa[:, None] * ma + wb[:, None] * mb) / safe
    plain_scatter = sa + sb + (ma - mb) ** 2 * (wa * wb)[:, None] / safe
    size = np.maximum(np.abs(ma), np.abs(mb))
    np.testing.assert_array_equal(weight, w)
    assert (np.abs(mean - plain_mean) <= 4e-16 * size + 1e-300).all()
    np.testing.assert_allclose(scatter, plain_scatter, rtol=1e-14, atol=1e-300)
    assert unit.tolist() == [1.0, 1.0]


def test_merging_with_nothing_changes_no_bit():
    some = (np.array([2.0]), np.array([[0.1]]), np.array([[0.3]]), np.array([1.0]))
    none = (np.zeros(1), np.zeros((1, 1)), np.zeros((1, 1)), np.zeros(1))
    for pair in ((some, none), (none, some)):
        found = loops.merge_moments(*pair[0], *pair[1])
        for left, right in zip(found, some, strict=True):
            np.testing.assert_array_equal(left, right)


def test_no_rows_have_no_moments():
    X = frozen(np.empty((0, 2)))
    total, mean, scatter, lost = loops.first_moments(X, NO_CODES, NO_WEIGHTS, 2)
    assert lost == 0.0
    assert not scatter.any()
    assert not total.any()
    assert not mean.any()
    assert not loops.squares(X, NO_CODES, NO_WEIGHTS, mean).any()
