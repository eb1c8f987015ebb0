from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from learnable.cluster.frame import Frame, Targets
from learnable.loops.clusters import lines
from learnable.stats.arrays import frozen


def drawn(n, d, k, kind, seed):
    rng = np.random.default_rng(seed)
    return frozen(rng.normal(size=(n, d)).astype(kind)), rng.normal(size=(k, d))


def targets(centres, kind, origin=None, scale=1.0):
    origin = np.zeros(centres.shape[1]) if origin is None else origin
    return Targets.of(Frame(frozen(origin), scale), centres, np.dtype(kind))


def plain_squares(X, centres):
    """Squared distances by differences, in float64."""
    return ((X.astype(np.float64)[:, None] - centres) ** 2).sum(axis=2)


@pytest.mark.parametrize("kind", [np.float64, np.float32])
@given(
    n=st.integers(0, 700),
    d=st.integers(1, 9),
    k=st.integers(1, 11),
    seed=st.integers(0, 99),
    share=st.floats(0, 1),
)
def test_the_nearest_centre_and_its_bounds_are_those_of_plain_differences(
    kind, n, d, k, seed, share
):
    X, centres = drawn(n, d, k, kind, seed)
    chosen = np.random.default_rng(seed).random(n) <= share
    rows = frozen(np.flatnonzero(chosen).astype(np.int32))
    squares = plain_squares(X, centres)[chosen]
    made = targets(centres, kind)
    label, upper, lower = made.nearest_with_bounds(X, rows)
    np.testing.assert_array_equal(made.nearest(X, rows), label)
    near = squares[np.arange(len(rows)), label]
    doubt = 50 * np.finfo(kind).eps * (1.0 + squares.max(initial=0.0)) * d
    assert (near <= squares.min(axis=1) + doubt).all()
    assert (upper >= np.sqrt(near)).all()
    assert (upper <= np.sqrt(near + 10 * doubt)).all()
    others = squares.copy()
    others[np.arange(len(rows)), label] = np.inf
    second = np.sqrt(others.min(axis=1, initial=np.inf))
    assert (lower <= second).all()
    assert (lower >= np.sqrt(np.maximum(second**2 - 10 * doubt, 0.0))).all()


def test_the_first_of_equal_centres_wins():
    X = frozen(np.array([[0.0, 0.0], [3.0, 1.0]]))
    centres = np.array([[5.0, 5.0], [1.0, 0.0], [-1.0, 0.0], [1.0, 0.0], [3.0, 1.0], [3.0, 1.0]])
    made = targets(centres, np.float64)
    both = frozen(np.arange(2, dtype=np.int32))
    assert made.nearest(X, both).tolist() == [1, 4]
    assert made.nearest_with_bounds(X, both)[0].tolist() == [1, 4]


def test_a_row_is_scored_alike_wherever_it_stands_in_a_tile():
    X, centres = drawn(1, 7, 9, np.float64, 3)
    many = frozen(np.repeat(X, 1100, axis=0))
    made = targets(centres, np.float64)
    _, upper, lower = made.nearest_with_bounds(many, frozen(np.arange(1100, dtype=np.int32)))
    assert len(np.unique(upper)) == len(np.unique(lower)) == 1
    alone = made.nearest_with_bounds(X, frozen(np.zeros(1, np.int32)))
    assert (alone[1][0], alone[2][0]) == (upper[0], lower[0])


def test_rows_are_centred_and_scaled_on_the_way():
    X, centres = drawn(500, 3, 5, np.float64, 1)
    rows = frozen(np.arange(500, dtype=np.int32))
    expected = targets(centres, np.float64).nearest(X, rows)
    far = frozen(np.ldexp(X + 2.0**20, 300))
    moved = targets(centres, np.float64, np.full(3, np.ldexp(1.0, 320)), 2.0**-300)
    np.testing.assert_array_equal(moved.nearest(far, rows), expected)


@pytest.mark.parametrize("kind", [np.float64, np.float32, np.int32])
def test_lines_begin_at_lines_of_the_cache(kind):
    for count, width in ((1, 1), (5, 67), (33, 528)):
        found = lines(count, width, np.empty(0, kind))
        assert found.shape[0] == count
        assert found.shape[1] >= width
        assert {line.ctypes.data % 64 for line in found} == {0}
        assert not found.any()
