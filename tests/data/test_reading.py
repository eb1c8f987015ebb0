from __future__ import annotations

import datetime as dt
import decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse as sp

from learnable.core import DataError, SchemaError
from learnable.data import read_rows

NAN = float("nan")


def column(values, dtype):
    return pd.DataFrame({"a": pd.array(values, dtype=dtype)})


MISSING = {
    "pandas Int64": (column([1, None, 3], "Int64"), np.float64),
    "pandas UInt8": (column([1, None, 3], "UInt8"), np.float64),
    "pandas Float64": (column([1, None, 3], "Float64"), np.float64),
    "pandas Float32": (column([1, None, 3], "Float32"), np.float32),
    "pandas int64[pyarrow]": (column([1, None, 3], "int64[pyarrow]"), np.float64),
    "pandas double[pyarrow]": (column([1, None, 3], "double[pyarrow]"), np.float64),
    "pandas objects": (pd.DataFrame({"a": pd.Series([1, None, 3.0], dtype=object)}), np.float64),
    "pandas objects, NA": (pd.DataFrame({"a": pd.Series([1, pd.NA, 3], dtype=object)}), np.float64),
    "polars integers": (pl.DataFrame({"a": [1, None, 3]}), np.float64),
    "polars Float32": (pl.DataFrame({"a": pl.Series([1, None, 3], dtype=pl.Float32)}), np.float32),
    "polars decimals": (
        pl.DataFrame({"a": [decimal.Decimal(1), None, decimal.Decimal(3)]}),
        np.float64,
    ),
    "pyarrow integers": (pa.table({"a": [1, None, 3]}), np.float64),
    "pyarrow floats": (pa.table({"a": [1.0, None, 3.0]}), np.float64),
    "lists": ([[1], [None], [3]], np.float64),
    "objects": (np.array([[1], [pd.NA], [3]], dtype=object), np.float64),
    "masked": (np.ma.array([[1], [2], [3]], mask=[[0], [1], [0]]), np.float64),
}


@pytest.mark.parametrize("form", MISSING)
def test_a_missing_cell_is_nan_in_every_form(form):
    table, dtype = MISSING[form]
    X = read_rows(table).array()
    assert X.dtype == dtype
    np.testing.assert_array_equal(X, [[1.0], [NAN], [3.0]])


@pytest.mark.parametrize(
    "table",
    [
        column([True, None, False], "boolean"),
        column([True, None, False], "bool[pyarrow]"),
        pl.DataFrame({"a": [True, None, False]}),
        pa.table({"a": [True, None, False]}),
    ],
)
def test_a_missing_truth_value_is_nan(table):
    np.testing.assert_array_equal(read_rows(table).array(), [[1.0], [NAN], [0.0]])


def test_numbers_of_other_kinds_are_read():
    for table in (
        np.array([[True], [False]]),
        np.array([["1"], [0]], dtype=object),
        pd.DataFrame({"a": pd.arrays.SparseArray([1.0, 0.0])}),
        pd.DataFrame({"a": pd.Categorical([1, 0])}),
        pd.DataFrame({"a": [1.0, 0.0]}, index=["same", "same"]),
        pd.DataFrame({"columns": [1, 0]}),
        np.array([[1], [0]], dtype=np.longdouble),
    ):
        np.testing.assert_array_equal(read_rows(table).array(), [[1.0], [0.0]])


TWO = np.arange(4.0).reshape(2, 2)


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["a", "b"], ("a", "b")),
        ([0, 1], None),
        (pd.MultiIndex.from_tuples([("a", "x"), ("a", "y")]), None),
        (pd.to_datetime(["2020-01-01", "2020-01-02"]), None),
        (["column_names", "columns"], ("column_names", "columns")),
    ],
)
def test_names_are_kept_where_all_are_strings(names, expected):
    rows = read_rows(pd.DataFrame(TWO, columns=names))
    assert rows.names == expected
    np.testing.assert_array_equal(rows.array(), TWO)


def test_names_of_two_kinds_are_refused():
    with pytest.raises(TypeError, match=r"string names.*\['int', 'str'\]"):
        read_rows(pd.DataFrame(TWO, columns=["a", 1]))


@pytest.mark.parametrize(
    "table",
    [
        pd.DataFrame(TWO, columns=["a", "a"]),
        pa.table([pa.array([1]), pa.array([2])], names=["a", "a"]),
    ],
)
def test_a_name_that_occurs_twice_is_named(table):
    with pytest.raises(SchemaError, match="same name") as caught:
        read_rows(table)
    assert caught.value.column == "a"
    assert caught.value.remedy
    with pytest.raises(SchemaError, match="column 0"):
        read_rows(pd.DataFrame(TWO, columns=[0, 0]))


TEXT = {
    "pandas": (pd.DataFrame({"a": [1.0, 2.0], "b": ["1", "x"]}), "b"),
    "pandas categories": (pd.DataFrame({"b": pd.Categorical(["1", "x"])}), "b"),
    "pandas objects": (pd.DataFrame({"b": pd.Series([1, "x"], dtype=object)}), "b"),
    "polars": (pl.DataFrame({"b": ["1", "x"]}), "b"),
    "pyarrow": (pa.table({"b": ["1", "x"]}), "b"),
    "objects": (np.array([[0, 1], [2, "x"]], dtype=object), 1),
}


@pytest.mark.parametrize("form", TEXT)
def test_text_is_named_by_row_column_and_value(form):
    table, name = TEXT[form]
    with pytest.raises(DataError) as caught:
        read_rows(table)
    error = caught.value
    assert (error.row, error.column, error.value) == (1, name, "x")
    assert "Encode" in error.remedy


TEMPORAL = [
    pd.DataFrame({"a": pd.to_datetime(["2020-01-01"])}),
    pd.DataFrame({"a": pd.to_timedelta([1])}),
    pl.DataFrame({"a": [dt.date(2020, 1, 1)]}),
    pl.DataFrame({"a": [dt.timedelta(1)]}),
    pa.table({"a": [dt.datetime(2020, 1, 1)]}),  # noqa: DTZ001
    pl.DataFrame({"a": [[1.0, 2.0]]}),
]


@pytest.mark.parametrize("table", TEMPORAL, ids=range(len(TEMPORAL)))
def test_dates_spans_of_time_and_lists_are_no_numbers(table):
    with pytest.raises(DataError, match="cannot be read as numbers") as caught:
        read_rows(table)
    assert caught.value.column == "a"


@pytest.mark.parametrize("cell", [{}, dt.date(2020, 1, 1), object()])
def test_what_is_no_number_at_all_is_a_type_error_as_in_scikit_learn(cell):
    with pytest.raises(TypeError, match=r"row 0, column 1.*must be a string or a number"):
        read_rows(np.array([[1, cell]], dtype=object))


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (np.zeros(3), r"Expected 2D array, got 1D array instead: shape=\(3,\)"),
        (np.zeros((1, 2, 3)), "got 3D array"),
        (3.0, "got scalar array"),
        (None, "got NoneType instead"),
        ({"a": [1]}, "got dict instead"),
        ((row for row in [[1]]), "got generator instead"),
        (pd.Series([1.0]), "got 1D array"),
        (pl.Series([1.0]), "got 1D array"),
        (np.zeros((0, 2)), r"0 sample\(s\)"),
        (np.zeros((2, 0)), r"0 feature\(s\)"),
        (pd.DataFrame(index=[0, 1]), r"0 feature\(s\)"),
        (pd.DataFrame({"a": []}), r"0 sample\(s\)"),
        ([[1, 2], [3]], "different lengths"),
        ([["a", 1]], "dtype='numeric' is not compatible"),
        (np.array([["1"]]), "dtype='numeric' is not compatible"),
        (np.array([["2020-01-01"]], dtype="M8[D]"), "dtype='numeric' is not compatible"),
        (np.array([[(1, 2.0)]], dtype=[("a", int), ("b", float)]), "dtype='numeric'"),
        (np.array([[1j]]), "Complex data not supported"),
        (np.array([[1j]], dtype=object), "Complex data not supported"),
        (pd.DataFrame({"a": [1j]}), "Complex data not supported"),
        (sp.csr_array(np.array([[1j]])), "Complex data not supported"),
        ([[10**400]], "number too large"),
        (sp.coo_array(np.ones(2)), "got 1D sparse array"),
        (sp.csr_array((0, 3)), r"0 sample\(s\)"),
        (pl.LazyFrame({"a": [1]}), "LazyFrame cannot be read.*Collect"),
        (pa.record_batch({"a": [1]}), "RecordBatch cannot be read"),
    ],
)
def test_what_cannot_be_read_is_refused_with_a_remedy(table, message):
    with pytest.raises(DataError, match=message) as caught:
        read_rows(table, sparse=True)
    assert caught.value.remedy


def dense(table):
    return read_rows(table, sparse=True).array()


def test_sparse_containers_of_every_kind_are_read():
    X = np.array([[1.0, 0.0], [0.0, 2.0]])
    for kind in ("csr", "csc", "coo", "lil", "dok", "bsr", "dia"):
        for make in (f"{kind}_matrix", f"{kind}_array"):
            np.testing.assert_array_equal(dense(getattr(sp, make)(X)), X)
    assert dense(sp.csr_array(X.astype(np.float32))).dtype == np.float32
    np.testing.assert_array_equal(dense(sp.csr_array(X > 0)), X > 0)


def test_repeated_entries_are_summed_and_wide_indices_taken():
    places = ([0, 0, 1], [1, 1, 0])
    twice = sp.coo_array(([1.0, 2.0, 3.0], places), shape=(2, 2))
    np.testing.assert_array_equal(dense(twice), [[0.0, 3.0], [3.0, 0.0]])
    wide = sp.csr_array(np.eye(2))
    wide.indices, wide.indptr = wide.indices.astype(np.int64), wide.indptr.astype(np.int64)
    np.testing.assert_array_equal(dense(wide), np.eye(2))


def test_a_sparse_matrix_out_of_order_is_read_and_left_as_it_was():
    places, values = np.array([1, 0, 1]), np.array([1.0, 2.0, 3.0])
    given = sp.csr_array((values, places, np.array([0, 3])), shape=(1, 2))
    np.testing.assert_array_equal(dense(given), [[2.0, 4.0]])
    assert given.indices.tolist() == [1, 0, 1]
    assert given.data.tolist() == [1.0, 2.0, 3.0]


def test_a_learner_of_dense_rows_refuses_sparse_ones_by_name():
    with pytest.raises(TypeError, match=r"required by Toy.*toarray"):
        read_rows(sp.eye_array(2), learner="Toy")
