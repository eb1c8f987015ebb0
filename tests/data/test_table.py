from __future__ import annotations

import datetime as dt

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse as sp

from learnable.core import DataError, SchemaError
from learnable.data import Column, Schema, Table
from learnable.data.columns import typed
from learnable.data.texts import Texts

COLUMNS = {
    "size": [1.5, None, 3.0, 4.0],
    "count": [1, 2, 3, 4],
    "colour": ["red", None, "blue", "red"],
    "sold": [True, False, True, True],
    "day": [dt.date(2026, 1, 31), None, dt.date(2026, 2, 1), dt.date(1969, 7, 20)],
}
KINDS = {
    "size": "numeric",
    "count": "numeric",
    "colour": "nominal",
    "sold": "boolean",
    "day": "date",
}
FORMS = {
    "mapping": dict,
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "pyarrow": pa.table,
}


@pytest.mark.parametrize("form", FORMS)
def test_columns_become_what_they_are(form):
    table = Table.of(FORMS[form](COLUMNS))
    assert {column.name: column.kind for column in table.schema} == KINDS
    np.testing.assert_array_equal(table["size"], [1.5, np.nan, 3.0, 4.0])
    assert table["colour"].tolist() == [1, -1, 0, 1]
    assert table.schema["colour"].values == ("blue", "red")
    assert table.labels("colour").tolist() == ["red", None, "blue", "red"]
    assert table["sold"].tolist() == [1, 0, 1, 1]
    expected = np.array(["2026-01-31", "NaT", "2026-02-01", "1969-07-20"], "datetime64[us]")
    np.testing.assert_array_equal(table["day"], expected)
    assert not any(array.flags.writeable for array in table.arrays)
    assert [int(table.missing(name).sum()) for name in table] == [1, 0, 1, 0, 1]


@pytest.mark.parametrize("form", FORMS)
def test_every_form_gives_the_same_table(form):
    assert Table.of(FORMS[form](COLUMNS)).equals(Table.of(COLUMNS))


def test_arrays_lists_and_sparse_matrices():
    X = np.array([[0.0, 1.0], [2.0, 0.0]])
    expected = Table.of({"x0": X[:, 0], "x1": X[:, 1]})
    for form in (X, X.tolist(), sp.csr_array(X), sp.coo_matrix(X)):
        assert Table.of(form).equals(expected)
    mixed = Table.of([[1, "a"], [2, "b"]])
    assert [column.kind for column in mixed.schema] == ["numeric", "nominal"]


def test_categories_of_a_frame_are_read_by_their_texts():
    frame = pd.DataFrame({"size": pd.Categorical(["s", "l", None], ["s", "m", "l"], ordered=True)})
    assert Table.of(frame).labels("size").tolist() == ["s", "l", None]


def test_a_kind_can_be_stated():
    table = Table.of(COLUMNS, kinds={"count": "nominal", "colour": "ordinal: red, green, blue"})
    assert table.schema["count"].values == ("1", "2", "3", "4")
    assert table["colour"].tolist() == [0, -1, 2, 0]
    assert table.changed({"colour": "text"})["colour"].tolist() == ["red", None, "blue", "red"]
    back = table.changed({"count": "numeric"})
    np.testing.assert_array_equal(back["count"], [1.0, 2.0, 3.0, 4.0])


@pytest.mark.parametrize(
    ("kind", "cells", "row", "value"),
    [
        ("numeric", ["1", None, "1,5"], 2, "1,5"),
        ("numeric", ["1_000"], 0, "1_000"),
        ("date", ["2026-01-31", "31.1.2026"], 1, "31.1.2026"),
        ("nominal: a, b", ["a", "b", "c", "c"], 2, "c"),
    ],
)
def test_a_cell_that_does_not_fit_is_named(kind, cells, row, value):
    with pytest.raises(DataError) as caught:
        Table.of({"x": cells}, kinds={"x": kind})
    assert (caught.value.column, caught.value.row, caught.value.value) == ("x", row, value)
    assert caught.value.remedy


def test_numbers_are_parsed_to_the_nearest_double():
    cells = ["0.1", "1e23", "9007199254740993", "2.2250738585072011e-308", "-0"]
    found = typed(Texts.of(cells), Column("x", "numeric"))
    assert found.tolist() == [float(cell) for cell in cells]


def test_rows_and_columns_are_taken_without_copies():
    table = Table.of(COLUMNS)
    part = table[1:3].only(["colour", "size"])
    assert part.columns == ["colour", "size"]
    assert np.shares_memory(part["size"], table["size"])
    assert table[["size", "day"]].columns == ["size", "day"]
    assert table[np.array([3, 0])].labels("colour").tolist() == ["red", "red"]
    assert table[np.array([True, False, False, True])].shape == (2, 5)
    assert [table.cell(i, 2) for i in range(4)] == ["red", None, "blue", "red"]


def test_a_model_sees_its_own_columns_in_its_order_by_its_codes():
    learned = Table.of(COLUMNS).schema
    later = {name: COLUMNS[name] for name in reversed(COLUMNS)}
    later["colour"] = ["blue", "pink", "red", "pink"]
    with pytest.warns(UserWarning, match="'pink' of column 'colour' was never seen; 2 cells"):
        table = Table.conforming(later, learned)
    assert table.columns == list(COLUMNS)
    assert table["colour"].tolist() == [0, -1, 1, -1]
    with pytest.raises(DataError, match=r"no value of this nominal column.*row 1, value 'pink'"):
        Table.of(later, learned)


def test_missing_and_superfluous_columns_are_refused():
    schema = Table.of(COLUMNS).schema
    with pytest.raises(SchemaError, match=r"1 column\(s\) are missing: size. Is it 'sizes'"):
        Table.of({"sizes" if n == "size" else n: c for n, c in COLUMNS.items()}, schema)
    with pytest.raises(SchemaError, match=r"1 column\(s\) are not in the schema: more"):
        Table.of({**COLUMNS, "more": [1, 2, 3, 4]}, schema)
    with pytest.raises(DataError, match=r"no number.*column 'count', row 0, value 'one'"):
        Table.of({**COLUMNS, "count": ["one", "2", "3", "4"]}, schema)


def test_the_target_stands_apart():
    table = Table.of(COLUMNS).changed({"colour": {"role": "target"}, "count": {"role": "ignored"}})
    assert table.features().columns == ["size", "sold", "day"]
    assert table.target().tolist() == ["red", None, "blue", "red"]
    with pytest.raises(SchemaError, match="0 target columns"):
        Table.of(COLUMNS).target()


def test_columns_of_different_lengths_are_refused():
    with pytest.raises(DataError, match="different lengths"):
        Table.of({"a": [1, 2], "b": [1]})


def test_tables_of_no_rows_and_no_columns():
    assert Table.of({}).shape == (0, 0)
    empty = Table.of({"a": [], "b": np.empty(0)})
    assert empty.shape == (0, 2)
    assert Table.of(empty, empty.schema).equals(empty)


def test_numbers_and_codes_are_for_learners_that_take_nothing_else():
    table = Table.of(COLUMNS)
    with pytest.raises(DataError, match=r"KMeans takes numbers, and a column is nominal.*'colour'"):
        table.numbers("KMeans")
    rows = table.only(["size", "sold"]).numbers()
    np.testing.assert_array_equal(rows.array()[:, 1], [1.0, 0.0, 1.0, 1.0])
    with pytest.raises(DataError, match="takes nominal columns, and a column is numeric"):
        table.codes()


def test_frames_come_back():
    frame = Table.of(COLUMNS).to_frame()
    assert frame["colour"].dropna().tolist() == ["red", "blue", "red"]
    assert list(frame.columns) == list(COLUMNS)


def test_schemas_are_values():
    table = Table.of(COLUMNS)
    assert table.schema == Schema(tuple(table.schema))
    assert table.equals(Table.of(table.to_frame(), table.schema))
    assert not table.equals(table[:3])
    assert not table.equals(table.changed({"count": "nominal"}))


def test_labels_keep_zeros_at_their_end():
    table = Table.of({"key": ["a\0", "a", "b"]}, kinds={"key": "nominal"})
    assert table.labels("key").tolist() == ["a\0", "a", "b"]
    assert table.schema["key"].values == ("a", "a\0", "b")
    assert table.changed({"key": {"role": "target"}}).target().tolist() == ["a\0", "a", "b"]
