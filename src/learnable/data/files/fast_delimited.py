"""Delimited text through pyarrow's block reader: the same cells as the reference parser's, sooner.

Whatever pyarrow would take otherwise than the reference parser, or does not take at all, raises
:class:`Odd` (the reference parser goes on) or, where a column of numbers holds something else,
:class:`learnable.data.files.stream.Contradiction`.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any

import numpy as np

from learnable.core.pool import thread_count
from learnable.data.columns import Cells
from learnable.data.files.layout import Layout
from learnable.data.files.opening import File
from learnable.data.files.stream import Contradiction
from learnable.data.texts import MISSING, Texts

BLOCK = 1 << 21
"""Bytes that pyarrow reads at a time."""

_NO_NUMBER = re.compile(r"In CSV column #(\d+): .*CSV conversion error", re.DOTALL)


class Odd(Exception):  # noqa: N818 (no error: the reference parser goes on)
    """The file holds something that only the reference parser reads."""


def is_fast(layout: Layout) -> bool:
    r"""Whether pyarrow is installed and takes such a layout.

    Examples
    --------
    >>> from learnable.data.files.fast_delimited import is_fast
    >>> from learnable.data.files.layout import Layout
    >>> is_fast(Layout(escape="\\"))
    False
    """
    ascii_only = (layout.delimiter + layout.quote).isascii()
    return not layout.escape and ascii_only and find_spec("pyarrow") is not None


def fast_blocks(
    file: File, skipped: int, names: list[str], layout: Layout, rows: int, numbers: set[str]
) -> Iterator[list[Cells]]:
    """Yield the columns of so many rows at a time.

    Parameters
    ----------
    file : File
        The file.
    skipped : int
        Bytes of the header, in UTF-8.
    names : list of str
        The columns.
    layout : Layout
        How cells are written.
    rows : int
        Rows of a block.
    numbers : set of str
        Columns to read as numbers at once.
    """
    import pyarrow as pa

    with file.reading(), file.utf8() as stream:
        _skip(stream, skipped)
        watched = _Watched(stream, layout)
        try:
            with _opened(watched, names, layout, numbers) as batches:
                for table in _regridded(batches, rows):
                    yield [_cells(table.column(name), name) for name in names]
        except pa.ArrowInvalid as error:
            found = _NO_NUMBER.search(str(error))
            if found is not None:
                raise Contradiction(names[int(found[1])]) from None
            raise Odd from error


def _skip(stream: Any, count: int) -> None:
    while count > 0:
        count -= len(stream.read(count)) or count


def _opened(stream: Any, names: list[str], layout: Layout, numbers: set[str]) -> Any:
    import pyarrow as pa
    from pyarrow import csv

    texts = pa.dictionary(pa.int32(), pa.string())
    read = csv.ReadOptions(
        column_names=names, block_size=BLOCK, use_threads=thread_count() > 1, encoding="utf8"
    )
    parse = csv.ParseOptions(
        delimiter=layout.delimiter,
        quote_char=layout.quote or False,
        double_quote=True,
        escape_char=False,
        newlines_in_values=bool(layout.quote),
    )
    convert = csv.ConvertOptions(
        column_types={name: pa.float64() if name in numbers else texts for name in names},
        null_values=list(layout.missing),
        strings_can_be_null=True,
        quoted_strings_can_be_null=layout.quoted_missing,
        decimal_point=layout.decimal,
    )
    return csv.open_csv(stream, read, parse, convert)


def _regridded(batches: Any, rows: int) -> Iterator[Any]:
    import pyarrow as pa

    held, count = [], 0
    for batch in batches:
        held.append(batch)
        count += batch.num_rows
        if count < rows:
            continue
        table = pa.Table.from_batches(held)
        whole = count - count % rows
        for start in range(0, whole, rows):
            yield table.slice(start, rows)
        rest = table.slice(whole)
        held, count = rest.to_batches(), count - whole
    if count:
        yield pa.Table.from_batches(held)


def _cells(column: Any, name: str) -> Cells:
    import pyarrow as pa

    if pa.types.is_floating(column.type):
        values = column.to_numpy()
        if np.isfinite(values).sum() != len(values) - column.null_count:
            raise Contradiction(name)
        return np.asarray(values)
    return texts_of(column)


def texts_of(column: Any) -> Texts:
    """Return a column of Arrow's dictionary type as texts.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from learnable.data.files.fast_delimited import texts_of
    >>> texts_of(pa.chunked_array([pa.array(["b", None, "a"]).dictionary_encode()])).values
    ['b', 'a']
    """
    whole = column.unify_dictionaries().combine_chunks()
    if not len(whole):
        return Texts.of([])
    codes = whole.indices.fill_null(MISSING).to_numpy(zero_copy_only=False).astype(np.int32)
    used, first = np.unique(codes, return_index=True)
    order = used[np.argsort(first)]
    order = order[order != MISSING]
    places = np.full(len(whole.dictionary) + 1, MISSING, dtype=np.int32)
    places[order] = np.arange(len(order), dtype=np.int32)
    return Texts(places[codes], whole.dictionary.take(order).to_pylist())


class _Watched(io.RawIOBase):
    """A stream that stops at quotes which pyarrow reads otherwise than they must be."""

    def __init__(self, stream: Any, layout: Layout) -> None:
        self._stream, self._before = stream, b"\n"
        self._quote = layout.quote.encode("ascii")
        self._around = f"{layout.delimiter}\r\n".encode("ascii")
        self._allowed = np.frombuffer(self._around + self._quote, dtype=np.uint8)
        self._inside = False

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        chunk: bytes = self._stream.read(size)
        if self._quote:
            closed = self._before == self._quote and not self._inside
            if closed and chunk and chunk[:1] not in self._around + self._quote:
                raise Odd
            if self._quote in chunk:
                self._check(chunk)
            elif not chunk and self._inside:
                raise Odd
            self._before = chunk[-1:] or self._before
        return chunk

    def _check(self, chunk: bytes) -> None:
        """Stop unless every quote stands at the beginning or the end of a cell.

        A quote that stands for itself closes the cell and opens it again at once.
        """
        text = np.frombuffer(self._before + chunk, dtype=np.uint8)
        places = np.flatnonzero(text[1:] == self._quote[0]) + 1
        opening = (np.arange(len(places)) % 2 == 0) != self._inside
        closing = places[~opening]
        beside = [text[places[opening] - 1], text[closing[closing + 1 < len(text)] + 1]]
        if not np.isin(np.concatenate(beside), self._allowed).all():
            raise Odd
        if len(places) % 2:
            self._inside = not self._inside
