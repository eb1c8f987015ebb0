from __future__ import annotations

import tracemalloc

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse as sp

from learnable.checks import same_bits
from learnable.core import DataError
from learnable.data import Rows, block_rows, read_rows
from learnable.data.rows import BLOCK_BYTES, other_grid
from learnable.data.summaries import fold_moments

WIDE = np.arange(42.0).reshape(7, 6)[:, :3]


def backed(tmp_path):
    np.save(tmp_path / "rows.npy", WIDE)
    return np.load(tmp_path / "rows.npy", mmap_mode="r")


FORMS = {
    "C": lambda _: np.ascontiguousarray(WIDE),
    "Fortran": lambda _: np.asfortranarray(WIDE),
    "strided": lambda _: WIDE,
    "backwards": lambda _: WIDE[::-1, ::-1].copy()[::-1, ::-1],
    "memory-mapped": backed,
    "big-endian": lambda _: WIDE.astype(">f8"),
    "int64": lambda _: WIDE.astype(np.int64),
    "uint8": lambda _: WIDE.astype(np.uint8),
    "objects": lambda _: WIDE.astype(object),
    "lists": lambda _: WIDE.tolist(),
    "tuples": lambda _: tuple(map(tuple, WIDE.tolist())),
    "pandas": lambda _: pd.DataFrame(WIDE),
    "pandas, a column a block": lambda _: pd.DataFrame({str(j): WIDE[:, j] for j in range(3)}),
    "polars": lambda _: pl.DataFrame(WIDE),
    "pyarrow": lambda _: pa.table({str(j): WIDE[:, j] for j in range(3)}),
    "pyarrow in chunks": lambda _: pa.concat_tables(
        [pa.table({str(j): part[:, j] for j in range(3)}) for part in (WIDE[:2], WIDE[2:])]
    ),
    "csr": lambda _: sp.csr_array(WIDE),
    "csc": lambda _: sp.csc_matrix(WIDE),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("step", [1, 2, 7, 100])
def test_every_form_becomes_the_same_read_only_c_blocks(form, step, tmp_path):
    rows = read_rows(FORMS[form](tmp_path), sparse=True)
    assert (rows.n, rows.d) == WIDE.shape
    with other_grid(step):
        blocks = rows.blocks()
    assert [block.start for block in blocks] == list(range(0, 7, step))
    for block in blocks:
        X = block.array()
        assert X.flags.c_contiguous
        assert not X.flags.writeable
        assert X.dtype == np.float64
        assert X.dtype.isnative
        np.testing.assert_array_equal(X, WIDE[block.start : block.start + step])
    same_bits(np.array(rows.row(4)), np.array(WIDE[4]), "one row")
    same_bits(np.array(rows.array()), np.array(WIDE), "all rows")


def test_a_read_only_view_leaves_the_callers_array_writable():
    X = np.zeros((3, 2))
    Rows(X).array()
    X[0, 0] = 1.0
    assert X.flags.writeable


@pytest.mark.parametrize("kind", [np.float16, np.float32])
def test_narrow_floats_are_read_as_float32(kind):
    for given in (WIDE.astype(kind), pd.DataFrame(WIDE.astype(kind)), sp.csr_array(WIDE[:2])):
        if not sp.issparse(given):
            assert read_rows(given).array().dtype == np.float32
    mixed = pd.DataFrame({"a": np.ones(2, kind), "b": np.ones(2)})
    assert read_rows(mixed).array().dtype == np.float64


def test_classes_and_weights_are_cut_like_the_rows():
    codes, weight = np.arange(7, dtype=np.int32), np.arange(7.0)
    for block in Rows(WIDE).blocks(codes, weight, rows=3):
        part = slice(block.start, block.start + 3)
        np.testing.assert_array_equal(block.codes, codes[part])
        np.testing.assert_array_equal(block.weight, weight[part])


@pytest.mark.parametrize("d", [1, 2, 50, 10**4, 10**7])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_blocks_are_a_power_of_two_of_bounded_size(d, dtype):
    rows = block_rows(d, dtype)
    assert rows & (rows - 1) == 0
    assert rows == 16 or rows * d * np.dtype(dtype).itemsize <= BLOCK_BYTES
    assert 16 <= rows <= 65536


@pytest.mark.parametrize("wrong", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("names", [None, ("a", "b", "c")])
def test_a_cell_that_is_not_finite_is_named_by_its_place_in_the_table(wrong, names):
    X = np.zeros((100, 3))
    X[77, 1] = X[90, 0] = wrong
    with other_grid(16):
        blocks = Rows(X, names).blocks()
    with pytest.raises(DataError) as caught:
        [block.finite_array() for block in blocks]
    error = caught.value
    assert (error.row, error.column) == (77, "b" if names else 1)
    assert error.remedy
    assert np.array_equal(error.value, wrong, equal_nan=True)


LARGE = {
    "Fortran": np.asfortranarray,
    "pandas": lambda X: pd.DataFrame({f"x{j}": X[:, j].copy() for j in range(X.shape[1])}),
    "polars": lambda X: pl.DataFrame({f"x{j}": X[:, j].copy() for j in range(X.shape[1])}),
    "pyarrow": lambda X: pa.table({f"x{j}": X[:, j].copy() for j in range(X.shape[1])}),
    "float16": lambda X: X.astype(np.float16),
    "integers": lambda X: X.astype(np.int32),
    "csr": lambda X: sp.csr_array(np.where(X > 0.5, X, 0.0)),
}


@pytest.mark.alone
@pytest.mark.parametrize("form", LARGE)
def test_no_table_is_copied_as_a_whole(form):
    table = LARGE[form](np.random.default_rng(0).normal(size=(500_000, 50)))
    fold_moments(read_rows(table, sparse=True))  # imports and compiles
    tracemalloc.start()
    moments = fold_moments(read_rows(table, sparse=True))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert moments.weight[0] == 500_000
    assert peak < 8 * BLOCK_BYTES  # 32 MB; the table takes 50 to 200 MB
