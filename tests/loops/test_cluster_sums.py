from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from learnable.core import EventBuffer
from learnable.loops import cluster_sums as loops
from learnable.stats.arrays import NO_WEIGHTS, frozen

SMALL = st.floats(-8, 8, width=32)


@st.composite
def blocks(draw):
    kind = draw(st.sampled_from([np.float64, np.float32]))
    n, d, k = draw(st.integers(0, 9)), draw(st.integers(1, 3)), draw(st.integers(1, 4))
    X = draw(arrays(kind, (n, d), elements=SMALL))
    weight = draw(st.just(NO_WEIGHTS) | arrays(float, n, elements=st.sampled_from([0.0, 0.5, 2.0])))
    centres = draw(arrays(float, (k, d), elements=SMALL))
    labels = draw(arrays(np.int32, n, elements=st.integers(0, k - 1)))
    return frozen(X), frozen(weight), frozen(centres), frozen(labels)


def in_frame(X, origin, scale):
    return (X.astype(np.float64) - origin) * scale


@given(blocks(), st.data())
def test_settled_rows_leave_the_old_sums_and_enter_the_new(block, data):
    X, weight, centres, old = block
    (n, d), k = X.shape, len(centres)
    new = data.draw(arrays(np.int32, n, elements=st.integers(0, k - 1)))
    origin, scale = np.full(d, 0.5), 2.0
    w = weight if len(weight) else np.ones(n)
    labels, count, mass = old.copy(), np.zeros(k, np.int64), np.zeros(k)
    sums = np.zeros((k, d))
    rows = frozen(np.arange(n, dtype=np.int32))
    moves = EventBuffer.of(n, 3)
    changed = loops.settle(
        X, weight, frozen(origin), scale, rows, frozen(new), labels, count, mass, sums, 100, moves
    )
    np.testing.assert_array_equal(labels, new)
    moved = (old != new) & (w > 0.0)
    assert changed == moved.sum()
    noted = np.flatnonzero(moved & (old >= 0))
    expected = np.column_stack([noted + 100, old[noted], new[noted]])
    np.testing.assert_array_equal(moves.kept, expected)
    for c in range(k):
        sign = np.where(moved, (new == c).astype(float) - (old == c), 0.0)
        assert count[c] == sign.sum()
        np.testing.assert_allclose(mass[c], (sign * w).sum(), atol=1e-12)
        expected = (sign * w) @ in_frame(X, origin, scale)
        np.testing.assert_allclose(sums[c], expected, atol=1e-10)


@given(blocks())
def test_distances_are_sums_of_squared_differences(block):
    X, _, centres, labels = block
    origin, scale = np.full(X.shape[1], -1.5), 0.25
    expected = ((in_frame(X, origin, scale)[:, None] - centres) ** 2).sum(axis=2)
    every = loops.squares_to_all(X, frozen(origin), scale, centres)
    np.testing.assert_allclose(every, expected, rtol=1e-12, atol=1e-300)
    own = loops.squares_to_own(X, frozen(origin), scale, centres, labels)
    np.testing.assert_allclose(own, every[np.arange(len(X)), labels], rtol=1e-12, atol=1e-300)


@pytest.mark.parametrize("kind", [np.float64, np.float32])
@given(n=st.integers(0, 600), d=st.integers(1, 9), k=st.integers(1, 9), seed=st.integers(0, 99))
def test_distances_of_many_rows_are_those_of_numpy(kind, n, d, k, seed):
    rng = np.random.default_rng(seed)
    X, centres = frozen(rng.normal(size=(n, d)).astype(kind)), frozen(rng.normal(size=(k, d)))
    expected = ((X.astype(float)[:, None] - centres) ** 2).sum(axis=2)
    found = loops.squares_to_all(X, frozen(np.zeros(d)), 1.0, centres)
    np.testing.assert_allclose(found, expected, rtol=1e-12)


@given(blocks(), st.data())
def test_rows_that_bounds_let_go_have_kept_their_nearest_centre(block, data):
    X, _, centres, _ = block
    (n, d), k = X.shape, len(centres)
    step = data.draw(arrays(float, (k, d), elements=st.floats(-1, 1)))
    before = np.sqrt(((X.astype(float)[:, None] - centres) ** 2).sum(axis=2))
    labels = before.argmin(axis=1).astype(np.int32)
    upper = before.min(axis=1) * (1 + 1e-9)
    others = np.where(np.arange(k) == labels[:, None], np.inf, before)
    lower = others.min(axis=1) * (1 - 1e-9)
    after = centres + step
    moved = np.sqrt(((after - centres) ** 2).sum(axis=1)) * (1 + 1e-12)
    apart = np.sqrt(((after[:, None] - after) ** 2).sum(axis=2)) + np.diag(np.full(k, np.inf))
    gap = apart.min(axis=1) / 2 * (1 - 1e-12)
    left = loops.undecided(
        X, frozen(np.zeros(d)), 1.0, frozen(after), frozen(moved), frozen(gap), frozen(labels),
        upper, lower,
    )  # fmt: skip
    now = np.sqrt(((X.astype(float)[:, None] - after) ** 2).sum(axis=2))
    kept = np.setdiff1d(np.arange(n), left)
    np.testing.assert_array_equal(now[kept].argmin(axis=1), labels[kept])
    assert (upper >= now[np.arange(n), labels] * (1 - 1e-9)).all()
    rest = np.where(np.arange(k) == labels[:, None], np.inf, now)
    assert (lower <= rest.min(axis=1) * (1 + 1e-9) + 1e-12).all()


@pytest.mark.parametrize("kind", [np.float64, np.float32])
def test_equal_rows_are_exactly_0_apart(kind):
    X = frozen(np.random.default_rng(0).normal(1e5, 1.0, size=(40, 3)).astype(kind))
    origin, scale = frozen(np.full(3, 1e5)), 0.125
    centres = frozen(in_frame(X[:5], origin, scale))
    squares = loops.squares_to_all(X, origin, scale, centres)
    assert (np.diag(squares[:5]) == 0.0).all()
