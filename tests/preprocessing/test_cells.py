"""Columns of any kind, and their different values."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest

from learnable.core import DataError
from learnable.data import Table
from learnable.preprocessing.cells import counted, factorised, read_cells

RANDOM = np.random.default_rng(0)
COLUMNS = {
    "near": RANDOM.integers(-5, 5, 9000),
    "far": RANDOM.integers(-(2**62), 2**62, 40)[RANDOM.integers(0, 40, 9000)],
    "unsigned": RANDOM.integers(2**63, 2**64 - 1, 30, dtype=np.uint64)[
        RANDOM.integers(0, 30, 9000)
    ],
    "booleans": RANDOM.random(9000) < 0.5,
    "floats": RANDOM.normal(size=20)[RANDOM.integers(0, 20, 9000)],
    "float32": RANDOM.normal(size=20).astype(np.float32)[RANDOM.integers(0, 20, 9000)],
    "strings": RANDOM.choice(["a", "bc", "äö", ""], 9000),
    "big-endian strings": RANDOM.choice(["a", "bc"], 9000).astype(">U2"),
    "objects of their own": RANDOM.choice(["a", "bc"], 9000).astype(object),
    "shared objects": np.array(["a", "bc", 7], dtype=object)[RANDOM.integers(0, 3, 9000)],
}


@pytest.mark.parametrize("column", COLUMNS.values(), ids=COLUMNS)
@pytest.mark.parametrize("step", [1, 2, -1])
def test_values_and_places_give_the_column_back(column, step):
    part = column[::step]
    values, codes = factorised(part)
    assert len(set(values.tolist())) == len(values)
    assert values.dtype == column.dtype.newbyteorder("=")
    assert (values[codes] == part).all()
    found, counts = counted(part)
    assert dict(zip(found.tolist(), counts.tolist(), strict=True)) == dict(
        zip(values.tolist(), np.bincount(codes).tolist(), strict=True)
    )


@pytest.mark.parametrize("times", [1, 5000])
def test_every_nan_is_one_value_and_none_another(times):
    column = np.array([np.nan, None, float("nan"), "a", pd.NA] * times, dtype=object)
    values, codes = factorised(column)
    assert len(values) == 3
    assert len(set(codes[[0, 2, 4]])) == 1
    found, counts = counted(column)
    assert sorted(counts.tolist()) == [times, times, 3 * times]
    assert len(found) == 3


def test_zeros_of_both_signs_are_one_value():
    assert len(factorised(np.array([0.0, -0.0, np.nan, np.nan]))[0]) == 2


def test_frames_keep_the_kind_of_each_column():
    for make in (pd.DataFrame, pl.DataFrame):
        cells = read_cells(make({"a": [1, 2], "b": ["x", None], "c": [True, False]}), "it")
        assert [column.dtype.kind for column in cells.columns] == ["i", "O", "b"]
        assert cells.names == ("a", "b", "c")


def test_tables_keep_their_codes():
    cells = read_cells(Table.of({"w": ["b", "a", None]}), "it")
    values, codes = factorised(cells.columns[0])
    assert values.tolist()[:2] == ["a", "b"]
    assert codes.tolist() == [1, 0, 2]


@pytest.mark.parametrize("X", [[["a"], ["b", "c"]], np.array(["a"]), np.empty((0, 2), object),
                               np.zeros((2, 2), "M8[D]")])  # fmt: skip
def test_what_is_no_table_is_refused(X):
    with pytest.raises(DataError):
        read_cells(X, "it")


def test_cells_that_are_no_values_are_refused():
    with pytest.raises(TypeError, match="a string or a number"):
        factorised(np.array([{"a": 1}], dtype=object))
