from __future__ import annotations

import datetime as dt
import io
import sqlite3
import sys
from contextlib import closing
from decimal import Decimal

import numpy as np
import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from learnable.core import DataError, MissingDependencyError, ParameterError, SchemaError
from learnable.data import (
    read_excel,
    read_jsonl,
    read_parquet,
    read_sql,
    scan_jsonl,
    scan_sql,
    write_parquet,
)

NAN = float("nan")


def test_json_lines_by_the_types_of_their_cells():
    found = read_jsonl(
        b'{"n": 1, "w": "a", "t": true}\n\n{"w": null, "n": 2.5, "t": false}\r\n{"n": null}\n'
    )
    np.testing.assert_array_equal(found["n"], [1, 2.5, NAN])
    assert found.labels("w").tolist() == ["a", None, None]
    assert found.schema["t"].values == ("false", "true")
    assert "1 of 3 lines do not have it" in found.schema["w"].notes[-1]


def test_json_lines_widen_where_types_differ():
    lines = b"".join(b'{"a": %d}\n' % i for i in range(100)) + b'{"a": "x"}\n'
    assert read_jsonl(lines).labels("a")[[7, 100]].tolist() == ["7", "x"]
    assert [len(part) for part in scan_jsonl(lines, rows=64)] == [64, 37]
    found = read_jsonl(lines).schema["a"]
    assert "numbers until row 100, which holds 'x'" in " ".join(found.notes)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "there is nothing in it"),
        (b"{}\n", "there is nothing in it"),
        (b'{"a": 1}\n[1]\n', r"line 2: is no JSON object.*row 1"),
        (b'{"a": 1}\n{"a": }\n', "line 2: is no JSON object"),
        (b'{"a": [1]}\n', r"a cell is a list or an object.*column 'a'"),
        (b'{"a": 1, "a": 2}\n', "a key stands twice"),
        (b'{"a": NaN}\n', "NaN is no number of JSON"),
    ],
)
def test_json_lines_that_do_not_fit_are_named(content, told):
    with pytest.raises(DataError, match=told):
        read_jsonl(content)


def test_parquet_of_others_by_its_types(tmp_path):
    made = pa.table(
        {
            "i": pa.array([1, None, 3], pa.int64()),
            "b": [True, False, None],
            "d": [dt.date(2026, 1, 31), None, dt.date(2026, 2, 1)],
            "s": ["x", None, "y"],
            "c": pa.array([Decimal("1.50"), None, Decimal("2.25")]),
            "nothing": pa.nulls(3),
            "numbers": pa.array([1, 2, 1]).dictionary_encode(),
        }
    )
    pq.write_table(made, tmp_path / "t.parquet")
    found = read_parquet(tmp_path / "t.parquet")
    kinds = [column.kind for column in found.schema]
    assert kinds == ["numeric", "boolean", "date", "nominal", "numeric", "nominal", "numeric"]
    np.testing.assert_array_equal(found["i"], [1, NAN, 3])
    np.testing.assert_array_equal(found["c"], [1.5, NAN, 2.25])
    assert found["b"].tolist() == [1, 0, -1]
    assert read_parquet((tmp_path / "t.parquet").read_bytes()).equals(found)


def test_parquet_that_is_none_or_nested_is_refused(tmp_path):
    with pytest.raises(DataError, match="is no Parquet file"):
        read_parquet(b"PAR1 and nothing else PAR1")
    with pytest.raises(ParameterError, match="cannot be read"):
        read_parquet(tmp_path / "none.parquet")
    with pytest.raises(ParameterError, match="cannot be written"):
        write_parquet({"a": [1.0]}, tmp_path / "no" / "t.parquet")
    pq.write_table(pa.table({"a": [[1]]}), tmp_path / "t.parquet")
    with pytest.raises(DataError, match=r"list.*column 'a'"):
        read_parquet(tmp_path / "t.parquet")


@pytest.fixture
def database(tmp_path):
    path = tmp_path / "days.db"
    with closing(sqlite3.connect(path)) as made, made:
        made.execute("create table day (wind text, degrees real, day text, pic blob)")
        rows = [("Weak", 21.5, "2026-01-31", None), ("Strong", None, None, None)] * 3
        made.executemany("insert into day values (?, ?, ?, ?)", rows)
    return path


def test_the_rows_of_a_query(database):
    found = read_sql(database, "select wind, degrees, day from day")
    np.testing.assert_array_equal(found["degrees"], [21.5, NAN] * 3)
    assert [column.kind for column in found.schema] == ["nominal", "numeric", "date"]
    stream = scan_sql(f"sqlite:///{database}", "select wind from day", rows=4)
    assert [len(part) for part in stream] == [4, 2]
    assert read_sql(database, "select wind from day where degrees > ?", [99]).shape == (0, 1)


@pytest.mark.parametrize(
    ("query", "error", "told"),
    [
        ("select nothing from day", DataError, "the query fails"),
        ("delete from day", DataError, "the query fails|gives no rows"),
        ("select wind, wind from day", SchemaError, "same name"),
        ("select x'00' as a from day", DataError, r"a cell is a bytes.*column 'a', row 0"),
    ],
)
def test_queries_that_do_not_fit_are_refused(database, query, error, told):
    with pytest.raises(error, match=told):
        read_sql(database, query)


def test_a_database_that_is_not_there(tmp_path):
    with pytest.raises(ParameterError, match="no such file"):
        read_sql(tmp_path / "none.db", "select 1")
    (tmp_path / "other.db").write_bytes(b"no database at all, only a text" * 9)
    with pytest.raises(DataError, match="the query fails"):
        read_sql(tmp_path / "other.db", "select 1 from a")
    with pytest.raises(DataError, match="the query fails"):
        read_sql("postgresql://nobody@127.0.0.1:1/none", "select 1")


def workbook(*sheets):
    book, file = openpyxl.Workbook(), io.BytesIO()
    book.remove(book.active)
    for name, rows in sheets:
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    book.save(file)
    return file.getvalue()


def test_a_sheet_of_a_workbook(tmp_path):
    day = dt.datetime(2026, 1, 31)  # noqa: DTZ001 (a workbook knows no zones)
    rows = [["n", "w", None, "d"], [1.5, "a", True, day], [], [None, "b", False, None]]
    content = workbook(("one", rows), ("two", [["z"], [1]]))
    found = read_excel(content)
    assert found.columns == ["n", "w", "column_3", "d"]
    np.testing.assert_array_equal(found["n"], [1.5, NAN])
    assert found["d"].tolist() == [day, None]
    assert "no name" in found.schema["column_3"].notes[-1]
    (tmp_path / "t.xlsx").write_bytes(content)
    assert read_excel(tmp_path / "t.xlsx", sheet="two")["z"].tolist() == [1]
    with pytest.raises(ParameterError, match="no sheet 'three', but one, two"):
        read_excel(content, sheet="three")


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"no workbook", "is no workbook"),
        (workbook(("one", [])), "there is nothing in it"),
        (workbook(("one", [["a", "a"]])), "same name"),
        (workbook(("one", [["a"], [1, 2]])), r"row 2: a cell stands beside.*row 0, value '2'"),
    ],
)
def test_workbooks_that_do_not_fit_are_refused(content, told):
    with pytest.raises(DataError, match=told):
        read_excel(content)


@pytest.mark.parametrize(
    ("library", "read"),
    [
        ("openpyxl", lambda: read_excel(b"")),
        ("pyarrow", lambda: read_parquet(b"")),
        ("psycopg", lambda: read_sql("postgresql://x", "select 1")),
    ],
)
def test_what_is_not_installed_is_said(library, read, monkeypatch):
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(MissingDependencyError, match="pip install"):
        read()
