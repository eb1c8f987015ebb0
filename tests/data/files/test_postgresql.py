"""Queries of a real PostgreSQL server (Debian's package ``postgresql``), started for the test."""

from __future__ import annotations

import getpass
import shutil
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import psycopg
import pytest

from learnable.core import DataError
from learnable.data import read_sql, scan_sql

pytestmark = pytest.mark.full
NAN = float("nan")


def programs():
    """The folder of the server's programs, on the path or where Debian keeps them."""
    found = shutil.which("initdb")
    return Path(found).parent if found else max(Path("/usr/lib/postgresql").glob("*/bin"))


@pytest.fixture(scope="module")
def server():
    folder = Path(tempfile.mkdtemp(prefix="pg"))
    as_other = ["runuser", "-u", "postgres", "--"] if getpass.getuser() == "root" else []
    if as_other:
        shutil.chown(folder, "postgres")

    def run(program, *words):
        command = [*as_other, str(programs() / program), "-D", str(folder / "data"), *words]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=folder)

    run("initdb", "-A", "trust", "-U", "postgres", "-E", "UTF8")
    run("pg_ctl", "-w", "-l", str(folder / "log"), "-o", f"-k {folder} -h ''", "start")
    try:
        yield f"postgresql://postgres@/postgres?host={folder}&options=-c%20timezone%3DAsia/Tokyo"
    finally:
        run("pg_ctl", "-w", "-m", "immediate", "stop")
        shutil.rmtree(folder)


@pytest.fixture(scope="module")
def days(server):
    with psycopg.connect(server) as connection:
        connection.execute(
            "create table day (n int, degrees numeric, wind text, sunny bool, day date,"
            " moment timestamptz, parts int[])"
        )
        connection.execute(
            "insert into day select i, case when i % 3 > 0 then i * 0.5 end, 'w' || i % 4,"
            " i % 2 = 0, date '2026-01-31' + i, timestamptz '2026-01-31 12:00+02', array[i]"
            " from generate_series(0, 9999) i"
        )
    return server


def test_rows_of_every_kind(days):
    found = read_sql(
        days, "select n, degrees, wind, sunny, day, moment from day where n < %s order by n", [4]
    )
    np.testing.assert_array_equal(found["degrees"], [NAN, 0.5, 1, NAN])
    assert found.labels("wind").tolist() == ["w0", "w1", "w2", "w3"]
    assert found["sunny"].tolist() == [1, 0, 1, 0]
    assert str(found["day"][1]) == "2026-02-01T00:00:00.000000"
    assert str(found["moment"][0]) == "2026-01-31T10:00:00.000000"


def test_queries_stream_on_the_grid(days):
    stream = scan_sql(days, "select n from day order by n", rows=4096)
    parts = list(stream)
    assert [len(part) for part in parts] == [4096, 4096, 1808]
    assert np.concatenate([part["n"] for part in parts]).tolist() == list(range(10_000))


@pytest.mark.parametrize(
    ("query", "told"),
    [("select nothing from day", "the query fails"), ("select parts from day", "is a list")],
)
def test_queries_that_do_not_fit_are_refused(days, query, told):
    with pytest.raises(DataError, match=told):
        read_sql(days, query)
