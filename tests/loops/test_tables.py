from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from learnable.loops.tables import joint_log_tables, whole_codes
from learnable.stats.arrays import frozen
from tests.loops.drawn_blocks import KINDS

CELLS = [0.0, -0.0, 1.0, 2.0, 5.0, np.nan]
MOST = 5


@given(st.sampled_from(KINDS), st.data())
def test_whole_numbers_are_codes_and_nan_is_missing(kind, data):
    X = data.draw(arrays(kind, (6, 2), elements=st.sampled_from(CELLS)))
    codes = np.full(X.shape, 99, np.int32)
    assert whole_codes(frozen(X), codes, MOST) == (-1, -1)
    np.testing.assert_array_equal(codes, np.where(np.isnan(X), -1, X).astype(np.int32))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("wrong", [-1.0, 0.5, 6.0, np.inf, -np.inf, 1e30])
def test_the_first_cell_that_is_no_code_is_placed(kind, wrong):
    X = np.zeros((4, 3), kind)
    X[2, 1] = X[3, 0] = wrong
    assert whole_codes(frozen(X), np.empty(X.shape, np.int32), MOST) == (2, 1)


@given(arrays(np.int32, (5, 2), elements=st.integers(-2, 4)), st.integers(0, 1000))
def test_sums_of_table_entries_are_those_of_numpy(codes, seed):
    offsets, k = np.array([0, 3, 5]), 2
    logs = np.random.default_rng(seed).normal(size=(5, k))
    constant = np.array([0.5, -np.inf])
    found = joint_log_tables(frozen(codes), frozen(offsets), frozen(logs), frozen(constant))
    expected = np.tile(constant, (5, 1))
    for j in range(2):
        known = (codes[:, j] >= 0) & (codes[:, j] < offsets[j + 1] - offsets[j])
        expected[known] += logs[offsets[j] + codes[known, j]]
    np.testing.assert_allclose(found, expected, rtol=1e-14, atol=1e-15)


def test_no_rows_have_no_sums():
    nothing = frozen(np.empty((0, 1), np.int32))
    found = joint_log_tables(
        nothing, frozen(np.array([0, 1])), frozen(np.zeros((1, 3))), frozen(np.zeros(3))
    )
    assert found.shape == (0, 3)
