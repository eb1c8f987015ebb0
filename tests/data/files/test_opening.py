from __future__ import annotations

import bz2
import gzip
import io
import lzma
import zipfile

import pytest

from learnable.core import DataError, ParameterError
from learnable.data import (
    Table,
    read,
    read_csv,
    scan,
    write_arff,
    write_csv,
    write_libsvm,
    write_parquet,
)
from learnable.data.files.opening import File

CONTENT = b"a,b\n1,x\n2,y\n"


def zipped(**members):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return file.getvalue()


PACKED = {
    "gz": gzip.compress(CONTENT),
    "bz2": bz2.compress(CONTENT),
    "xz": lzma.compress(CONTENT),
    "zip": zipped(data=CONTENT),
}
each_way = pytest.mark.parametrize("suffix", PACKED)


@each_way
def test_compressed_files_are_opened_whatever_they_are_called(suffix, tmp_path):
    assert read_csv(PACKED[suffix]).equals(read_csv(CONTENT))
    path = tmp_path / f"data.csv.{suffix}"
    path.write_bytes(PACKED[suffix])
    assert read(path).equals(read_csv(CONTENT))
    assert [len(table) for table in scan(path, rows=1)] == [1, 1]


@each_way
def test_damaged_compression_is_refused(suffix):
    packed = PACKED[suffix]
    with pytest.raises(DataError, match="damaged"):
        read_csv(packed[: len(packed) - 12])
    at = 36 if suffix == "zip" else 12
    broken = packed[:at] + b"\xff\x00\xff" + packed[at + 3 :]
    with pytest.raises(DataError):
        read_csv(broken)


def test_the_extension_names_the_format(tmp_path):
    table = Table.of({"a": [1.0, 2.0], "b": ["x", "y"]})
    write_csv(table, tmp_path / "t.tsv", delimiter="\t")
    write_arff(table, tmp_path / "t.arff.gz")
    write_parquet(table, tmp_path / "t.parquet")
    (tmp_path / "t.JSONL").write_text('{"a": 1, "b": "x"}\n{"a": 2, "b": "y"}\n')
    write_libsvm([[1.0]], [2.0], tmp_path / "t.svm")
    for name in ("t.tsv", "t.arff.gz", "t.parquet", "t.JSONL"):
        assert read(tmp_path / name).equals(table), name
        (part,) = scan(tmp_path / name, table.schema)
        assert part.equals(table), name
    assert read(tmp_path / "t.svm").y.tolist() == [2]


def test_an_archive_of_several_files_is_refused():
    with pytest.raises(DataError, match="2 files: a, b"):
        read_csv(zipped(a=CONTENT, b=CONTENT))


def test_files_that_are_not_there_and_what_is_no_file(tmp_path):
    with pytest.raises(ParameterError, match="cannot be read"):
        read_csv(tmp_path / "none.csv")
    with pytest.raises(ParameterError, match="cannot be read"):
        read_csv(tmp_path)
    with pytest.raises(ParameterError, match="by its path or its bytes"):
        read_csv(3)
    with pytest.raises(ParameterError, match="by its path or its bytes"):
        read(3)
    with pytest.raises(ParameterError, match="names no format"):
        read("data.unknown")
    with pytest.raises(ParameterError, match="does not stream"):
        scan("data.libsvm")


def test_a_stated_encoding_that_is_wrong_is_refused():
    with pytest.raises(DataError, match="is not encoded in utf-8"):
        read_csv("a\né\n".encode("latin-1"), encoding="utf-8")


def test_bytes_that_windows_does_not_know_are_latin_1():
    assert File(b"a\n\x81\xe9\n").encoding == "latin-1"
