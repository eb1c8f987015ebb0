"""Reading whatever it is: the extension of a file names its format."""

from __future__ import annotations

from collections.abc import Callable
from os import PathLike
from pathlib import Path
from typing import Any

from learnable.core.errors import ParameterError
from learnable.data.files.arff import read_arff, scan_arff
from learnable.data.files.delimited import read_csv, scan_csv
from learnable.data.files.excel import read_excel
from learnable.data.files.json_lines import read_jsonl, scan_jsonl
from learnable.data.files.libsvm import read_libsvm
from learnable.data.files.parquet import read_parquet, scan_parquet
from learnable.data.files.stream import Stream
from learnable.data.schema import Schema

_DELIMITED = (".csv", ".tsv", ".tab", ".txt", ".data", ".dat")
_READERS: dict[str, Callable[..., Any]] = {
    **dict.fromkeys(_DELIMITED, read_csv),
    **dict.fromkeys((".parquet", ".pq"), read_parquet),
    **dict.fromkeys((".jsonl", ".ndjson"), read_jsonl),
    **dict.fromkeys((".libsvm", ".svm", ".svmlight"), read_libsvm),
    ".arff": read_arff,
    ".xlsx": read_excel,
}
_STREAMS = {read_csv: scan_csv, read_parquet: scan_parquet, read_jsonl: scan_jsonl,
            read_arff: scan_arff}  # fmt: skip
_COMPRESSED = (".gz", ".bz2", ".xz", ".zip")


def _reader(source: Any) -> Callable[..., Any]:
    if isinstance(source, bytes):
        return read_csv
    if not isinstance(source, (str, PathLike)):
        msg = f"a file is given by its path or its bytes, not by a {type(source).__name__}"
        raise ParameterError(msg)
    path = Path(source)
    suffix = path.with_suffix("").suffix if path.suffix.lower() in _COMPRESSED else path.suffix
    if suffix.lower() not in _READERS:
        msg = f"{path.name}: its extension names no format; there are {', '.join(_READERS)}"
        raise ParameterError(msg)
    return _READERS[suffix.lower()]


def read(source: Any, schema: Schema | None = None, **options: Any) -> Any:
    r"""Read a file into memory, by its extension; :func:`scan` streams it.

    Parameters
    ----------
    source : path or bytes
        The file; bytes are taken as delimited text. Behind ``.gz``, ``.bz2``, ``.xz`` and
        ``.zip`` the extension before counts.
    schema : Schema, optional
        What the columns are; found by default.
    **options : object
        What the reader of the format takes (:func:`read_csv` and its kin).

    Returns
    -------
    Table
        The rows (for LIBSVM files sparse numbers and the target, :func:`read_libsvm`).

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from learnable.data import read
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "n.csv"
    >>> _ = file.write_text("a,b\n1,x\n")
    >>> read(file)
    <Table: 1 rows, 2 columns>
    """
    reader = _reader(source)
    return reader(source, **options) if schema is None else reader(source, schema, **options)


def scan(source: Any, schema: Schema | None = None, **options: Any) -> Stream:
    r"""Stream a file, by its extension: CSV, Parquet, JSON lines and ARFF do.

    Parameters
    ----------
    source : path or bytes
        The file, as for :func:`read`.
    schema : Schema, optional
        What the columns are; found by a first pass by default.
    **options : object
        What the reader of the format takes (:func:`scan_csv` and its kin).

    Examples
    --------
    >>> from learnable.data import scan
    >>> [len(table) for table in scan(b"a\n1\n2\n3\n", rows=2)]
    [2, 1]
    """
    reader = _reader(source)
    if reader not in _STREAMS:
        msg = f"{source}: this format does not stream; read(...) reads it into memory"
        raise ParameterError(msg)
    return _STREAMS[reader](source, schema, **options)
