from __future__ import annotations

import operator
import subprocess
import sys

import numpy as np
import pytest

from learnable.core import DataError, fold
from learnable.data import Column, Schema, Table, read_csv, scan_csv, scan_parquet, write_parquet
from learnable.data.files import fast_delimited
from learnable.data.files.delimited import FAST_BYTES, Delimited
from learnable.data.files.opening import File
from learnable.data.files.stream import Stream
from learnable.stats import Moments


def content(rows=5000):
    draw = np.random.default_rng(0)
    lines = [f"{a!r},{'xyz'[i % 3]}\n" for i, a in enumerate(draw.normal(size=rows).tolist())]
    return ("a,b\n" + "".join(lines)).encode()


def moments(table):
    return Moments.of(np.ascontiguousarray(table["a"])[:, None])


def test_a_stream_is_the_table_in_blocks_and_can_be_read_again():
    whole = read_csv(content())
    stream = scan_csv(content(), rows=512)
    for _ in range(2):
        parts = list(stream)
        assert [len(part) for part in parts] == [512] * 9 + [392]
        assert np.concatenate([part["a"] for part in parts]).tolist() == whole["a"].tolist()
        assert all(part.schema == whole.schema for part in parts)


def test_the_grid_does_not_depend_on_how_the_file_is_read(monkeypatch):
    folded = []
    for fast, size in ((False, 0), (True, 1 << 10), (True, 1 << 20)):
        monkeypatch.setattr(fast_delimited, "BLOCK", size)
        stream = Stream(Delimited(File(content()), fast=fast), rows=256)
        folded.append(fold(moments, Moments.merge, stream))
    assert folded[0].mean.tobytes() == folded[1].mean.tobytes() == folded[2].mean.tobytes()
    assert folded[0].scatter.tobytes() == folded[2].scatter.tobytes()


def test_reading_goes_on_where_the_fast_reader_stops(monkeypatch):
    monkeypatch.setattr(fast_delimited, "BLOCK", 1 << 10)
    schema = Schema((Column("a", "numeric"), Column("b", "text")))
    rows = [f"{i},x" for i in range(2000)]
    rows[1500] = '+7,ab"c'
    data = ("a,b\n" + "\n".join(rows)).encode()
    stream = Stream(Delimited(File(data), fast=True), schema, rows=64)
    cells = np.concatenate([part["a"] for part in stream])
    wanted = np.arange(2000.0)
    wanted[1500] = 7
    np.testing.assert_array_equal(cells, wanted)
    assert list(stream)[1500 // 64]["b"][1500 % 64] == 'ab"c'


def test_reading_goes_on_where_a_number_is_written_oddly(monkeypatch):
    monkeypatch.setattr(fast_delimited, "BLOCK", 1 << 10)
    schema = Schema((Column("a", "numeric"), Column("b", "text")))
    rows = [f"{i},x" for i in range(2000)]
    rows[1500] = "1e999,x"
    data = ("a,b\n" + "\n".join(rows)).encode()
    stream = Stream(Delimited(File(data), fast=True), schema, rows=64)
    for _ in range(2):
        cells = np.concatenate([part["a"] for part in stream])
        assert cells[1500] == np.inf
        assert np.delete(cells, 1500).tolist() == [i for i in range(2000) if i != 1500]


def test_a_cell_that_contradicts_a_stated_schema_is_named_by_its_row():
    schema = Schema((Column("a", "numeric"), Column("b", "nominal", ("x", "y", "z"))))
    data = content() + b"oops,x\n"
    with pytest.raises(DataError, match=r"column 'a', row 5000, value 'oops'"):
        fold(len, operator.add, scan_csv(data, schema, rows=256))


def test_values_that_are_not_stated_are_found_by_a_first_pass():
    schema = Schema((Column("a", "numeric"), Column("b", "nominal")))
    assert scan_csv(content(), schema).schema["b"].values == ("x", "y", "z")
    assert scan_csv(content(), kinds={"b": "nominal: z, y, x"}).schema["b"].values[0] == "z"


def test_parquet_streams_on_the_same_grid(tmp_path):
    table = Table.of({"a": np.arange(1000.0), "b": [f"t{i % 7}" for i in range(1000)]})
    write_parquet(table, tmp_path / "t.parquet")
    parts = list(scan_parquet(tmp_path / "t.parquet", rows=64))
    assert [len(part) for part in parts] == [64] * 15 + [40]
    assert all(part.equals(table.rows(i * 64, i * 64 + 64)) for i, part in enumerate(parts))


def test_small_files_do_without_pyarrow():
    code = (
        "import sys; sys.modules['pyarrow'] = None\n"
        "from learnable.data import read_csv\n"
        "print(read_csv(b'a,b\\n1,x\\n'))"
    )
    made = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert made.stdout == "<Table: 1 rows, 2 columns>\n"


@pytest.mark.alone
@pytest.mark.slow
def test_a_fold_over_a_stream_takes_constant_memory(tmp_path):
    path = tmp_path / "numbers.csv"
    block = "".join(f"{i / 7!r},{i / 3!r},{i}\n" for i in range(20_000))
    peaks = []
    for times in (100, 300):
        path.write_text("a,b,c\n" + block * times)
        code = (
            "import operator, pathlib\n"
            "from learnable.core import fold\n"
            "from learnable.data import scan_csv\n"
            f"fold(len, operator.add, scan_csv({str(path)!r}))\n"
            "status = pathlib.Path('/proc/self/status').read_text()\n"
            "print(status.split('VmHWM:')[1].split()[0])"
        )
        made = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)
        peaks.append(int(made.stdout))
    assert path.stat().st_size > max(200_000_000, FAST_BYTES)
    assert peaks[1] - peaks[0] < 60_000
