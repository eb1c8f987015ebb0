from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from learnable.loops.scanning import (
    all_finite,
    any_infinite,
    first_not_finite,
    hash_rows,
    look_up,
    present,
)
from learnable.stats.arrays import frozen
from learnable.stats.fingerprint import row_hashes
from tests.loops.drawn_blocks import KINDS, blocks


@given(blocks(finite=False))
def test_what_is_not_finite_is_seen_and_placed(block):
    X = block[0]
    bad = np.argwhere(~np.isfinite(X))
    assert all_finite(X) == (len(bad) == 0)
    assert first_not_finite(X) == (tuple(bad[0]) if len(bad) else (-1, -1))


@pytest.mark.parametrize("kind", KINDS)
def test_the_largest_numbers_are_finite_and_infinities_do_not_cancel(kind):
    top = np.finfo(kind).max
    assert all_finite(frozen(np.full((5, 3), top, kind)))
    assert all_finite(frozen(np.full((5, 3), np.finfo(kind).smallest_subnormal, kind)))
    both = np.array([[np.inf, -np.inf]], kind)
    assert not all_finite(frozen(both))
    assert first_not_finite(frozen(both)) == (0, 0)


@given(arrays(np.float64, (8, 3), elements=st.sampled_from([0.0, -0.0, 1.0, 2.0, np.nan, -1e300])))
def test_rows_hash_equally_when_and_only_when_they_are_equal(X):
    hashes = row_hashes(frozen(X))
    assert hashes.dtype == np.uint64
    assert (hashes < np.uint64(1 << 63)).all()
    for i in range(len(X)):
        for j in range(len(X)):
            equal = np.array_equal(X[i], X[j], equal_nan=True)
            assert (hashes[i] == hashes[j]) == equal


@pytest.mark.parametrize("value", [1.0, 2.0, 2.0**-1022, 255.0, float(np.float32(0.1))])
def test_rows_of_two_values_do_not_collide(value):
    # Codes 0 and 2 differ in one bit of 64: the few bits that vary must reach the whole hash.
    rng = np.random.default_rng(0)
    found = [row_hashes(rng.integers(0, 2, (100_000, 60)) * value) for _ in range(8)]
    assert len(np.unique(np.concatenate(found))) == 800_000


def test_hashes_are_spread_evenly():
    hashes = row_hashes(np.random.default_rng(1).integers(0, 5, (100_000, 12)).astype(float))
    hashes = np.unique(hashes)
    shares = np.bincount((hashes >> np.uint64(57)).astype(np.int64), minlength=64) / len(hashes)
    assert np.abs(shares - 1 / 64).max() < 6 * np.sqrt(1 / 64 / len(hashes))


def test_the_order_of_the_cells_counts():
    keys = frozen(np.array([3, 5], np.uint64))
    one = hash_rows(frozen(np.array([[1, 2]], np.uint64)), keys)
    other = hash_rows(frozen(np.array([[2, 1]], np.uint64)), keys)
    assert one[0] != other[0]


@given(
    arrays(np.int64, st.integers(1, 20), elements=st.integers(-5, 5)),
    st.sampled_from([0, 2**62, -(2**62)]),
)
def test_present_and_look_up_are_unique_and_inverse(values, shift):
    values = values + shift
    low, high = int(values.min()), int(values.max())
    seen = present(frozen(values), low, high - low + 1)
    classes, codes = np.unique(values, return_inverse=True)
    np.testing.assert_array_equal(np.flatnonzero(seen) + low, classes)
    place = (np.cumsum(seen) - 1).astype(np.int32)
    np.testing.assert_array_equal(look_up(frozen(values), low, frozen(place)), codes)


@given(blocks(finite=False))
def test_infinite_cells_are_seen_among_missing_ones(block):
    assert any_infinite(block[0]) == np.isinf(block[0]).any()
