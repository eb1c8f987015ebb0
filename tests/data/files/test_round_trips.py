from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array

from learnable.core import DataError
from learnable.data import (
    Table,
    read_arff,
    read_csv,
    read_libsvm,
    read_parquet,
    write_arff,
    write_csv,
    write_libsvm,
    write_parquet,
)
from learnable.data.files.delimited import Delimited
from learnable.data.files.gathering import gathered
from learnable.data.files.opening import File
from tests.data.files.drawn_tables import tables


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("files")


@settings(max_examples=300)
@given(table=tables())
def test_csv_gives_the_same_table_again(folder, table):
    write_csv(table, folder / "t.csv")
    assert read_csv(folder / "t.csv", table.schema, header=True, delimiter=",").equals(table)


@settings(max_examples=150)
@given(table=tables())
def test_the_fast_reader_gives_the_same_table(folder, table):
    write_csv(table, folder / "f.csv")
    file = File(folder / "f.csv")
    reader = Delimited(file, fast=True, header=True, delimiter=",")
    assert gathered(reader, table.schema).equals(table)


@settings(max_examples=150)
@given(table=tables())
def test_what_is_found_does_not_depend_on_the_reader(folder, table):
    write_csv(table, folder / "g.csv")
    fast, plain = (found(File(folder / "g.csv"), fast=fast) for fast in (True, False))
    assert fast == plain if isinstance(fast, str) else fast.equals(plain)


def found(file, *, fast):
    """The table, or why there is none: odd names alone do not tell what the delimiter is."""
    try:
        return gathered(Delimited(file, fast=fast))
    except DataError as error:
        return str(error)


@settings(max_examples=300)
@given(table=tables())
def test_arff_gives_the_same_table_again(folder, table):
    write_arff(table, folder / "t.arff", relation="a b")
    assert read_arff(folder / "t.arff", table.schema).equals(table)


@settings(max_examples=150)
@given(table=tables())
def test_parquet_gives_the_same_table_and_schema_again(folder, table):
    write_parquet(table, folder / "t.parquet")
    assert read_parquet(folder / "t.parquet").equals(table)


@given(
    cells=st.lists(
        st.lists(st.floats(allow_nan=False) | st.just(0.0), min_size=3, max_size=3), min_size=1
    ),
    from_zero=st.booleans(),
)
def test_libsvm_gives_the_same_numbers_again(folder, cells, from_zero):
    X = np.array(cells)
    write_libsvm(csr_array(X), X[:, 0], folder / "t.svm", from_zero=from_zero)
    back = read_libsvm(folder / "t.svm", d=3, from_zero=from_zero)
    np.testing.assert_array_equal(back.X.toarray(), X)
    np.testing.assert_array_equal(back.y, X[:, 0])


def test_float32_stays_float32_in_parquet(tmp_path):
    table = Table.of({"a": np.array([0.1, np.nan], dtype=np.float32)})
    write_parquet(table, tmp_path / "t.parquet")
    assert read_parquet(tmp_path / "t.parquet").equals(table)


@pytest.mark.parametrize("suffix", ["csv", "csv.gz", "arff", "arff.gz"])
def test_half_a_surrogate_pair_is_refused(tmp_path, suffix):
    write = write_csv if "csv" in suffix else write_arff
    with pytest.raises(DataError, match="surrogate"):
        write({"a": ["\ud800"]}, tmp_path / f"t.{suffix}")
    with pytest.raises(DataError, match="surrogate"):
        write({"\ud800": [1.0]}, tmp_path / f"t.{suffix}")
