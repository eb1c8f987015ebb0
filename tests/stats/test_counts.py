from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from learnable.checks import check_statistic, same_bits
from learnable.core import ParameterError
from learnable.stats import Counts


def drawn(n, most, seed=0, k=3, d=2):
    rng = np.random.default_rng(seed)
    return (
        rng.integers(-1, most, (n, d)).astype(np.int32),
        rng.integers(-1, k, n).astype(np.int32),
        rng.integers(0, 4, n).astype(float),
    )


def counted(block, **options):
    return Counts.of(block[0], block[1], 3, block[2], **options)


def together(one, other):
    return tuple(np.concatenate(pair) for pair in zip(one, other, strict=True))


def padded(counts):
    return counts.resized(np.full(2, 9))


@pytest.mark.parametrize("sizes", [None, [9, 9]])
def test_laws_with_tables_that_grow(sizes):
    blocks = [drawn(n, most, seed=n) for n, most in ((20, 3), (9, 9), (33, 1))]
    check_statistic(
        lambda block: counted(block, sizes=sizes),
        blocks,
        together,
        zero=Counts.zero(3, 2),
        view=padded,
        tolerance=0.0,
    )


def test_a_block_whose_columns_need_tables_of_different_sizes_merges_both_ways():
    left = Counts.of(np.array([[0, 4]], np.int32))
    right = Counts.of(np.array([[2, 1]], np.int32))
    for merged in (left.merge(right), right.merge(left)):
        assert merged.sizes.tolist() == [3, 5]
        assert merged.column(0).tolist() == [[1.0, 0.0, 1.0]]
        assert merged.column(1).tolist() == [[0.0, 1.0, 0.0, 0.0, 1.0]]
    assert left.merge(right).minus(right).column(0).tolist() == [[1.0, 0.0, 0.0]]


@given(
    arrays(np.int32, (7, 2), elements=st.integers(-2, 5)),
    arrays(np.int32, 7, elements=st.integers(-1, 2)),
    arrays(np.float64, 7, elements=st.sampled_from([0.0, 1.0, 2.5])),
)
def test_counts_are_those_of_add_at(codes, classes, weight):
    found = Counts.of(codes, classes, 3, weight)
    for j in range(2):
        expected = np.zeros((3, found.sizes[j]))
        kept = (classes >= 0) & (codes[:, j] >= 0)
        np.add.at(expected, (classes[kept], codes[kept, j]), weight[kept])
        np.testing.assert_array_equal(found.column(j), expected)
    np.testing.assert_array_equal(found.weight, [weight[classes == c].sum() for c in range(3)])


def test_without_classes_and_weights_every_row_counts_once():
    found = Counts.of(np.array([[1], [0], [1], [-1]], np.int32))
    assert found.column(0).tolist() == [[1.0, 2.0]]
    assert found.weight.tolist() == [4.0]


def test_no_rows_have_empty_tables():
    nothing = Counts.of(np.empty((0, 2), np.int32))
    same_bits(nothing, Counts.zero(1, 2), "no rows")


def test_tables_as_wide_as_the_codes_do_not_share_memory():
    counts = Counts.of(np.array([[1]], np.int32))
    larger = counts.resized(np.array([4]))
    larger.table[:] = 7.0
    assert counts.table.tolist() == [[0.0, 1.0]]


def test_sizes_are_one_a_column():
    with pytest.raises(ParameterError, match="one size a column"):
        Counts.of(np.zeros((2, 3), np.int32), sizes=[1, 1])
