"""Whole files as tables: blocks are kept column by column and joined once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from learnable.data.columns import Cells, as_texts
from learnable.data.files.stream import Contradiction, Reader, Stream, surveyed, table_of
from learnable.data.rows import block_rows
from learnable.data.schema import Schema
from learnable.data.table import Table
from learnable.data.texts import MISSING, Texts


class Kept:
    """The blocks of a file, column by column.

    Parameters
    ----------
    width : int
        How many columns.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.data.files.gathering import Kept
    >>> kept = Kept(1)
    >>> kept.add([np.array([1.0])])
    >>> kept.add([np.array([2.0])])
    >>> kept.joined()
    [array([1., 2.])]
    """

    def __init__(self, width: int) -> None:
        self._width = width
        self.clear()

    def clear(self) -> None:
        """Forget all blocks."""
        self._parts: list[list[Cells]] = [[] for _ in range(self._width)]

    def add(self, block: list[Cells]) -> None:
        """Keep one more block."""
        for parts, cells in zip(self._parts, block, strict=True):
            parts.append(cells)

    def joined(self) -> list[Cells]:
        """Return the columns of all blocks; the blocks are forgotten one by one."""
        return [joined(self._parts.pop(0)) for _ in range(self._width)]


def joined(parts: list[Cells]) -> Cells:
    """Return cells one after the other: numbers if all are, texts otherwise.

    Parameters
    ----------
    parts : list
        The cells.

    Examples
    --------
    >>> from learnable.data.files.gathering import joined
    >>> from learnable.data.texts import Texts
    >>> joined([Texts.of(["a"]), Texts.of(["b", "a"])]).codes
    array([0, 1, 0], dtype=int32)
    """
    kinds = {"t" if isinstance(part, Texts) else part.dtype.kind for part in parts}
    if not kinds:
        return Texts.of([])
    if len(kinds) == 1 and "t" not in kinds:
        return np.concatenate(parts)  # type: ignore[arg-type]
    places: dict[str, int] = {}
    codes = [_codes(as_texts(part), places) for part in parts]
    return Texts(np.concatenate(codes), list(places))


def _codes(texts: Texts, places: dict[str, int]) -> Any:
    new = [places.setdefault(text, len(places)) for text in texts.values]
    return texts.take(np.array(new, dtype=np.int32), MISSING)


def gathered(
    reader: Reader, schema: Schema | None = None, kinds: Mapping[str, Any] | str | None = None
) -> Table:
    """Read a whole file in one pass, or two where a column turns out to be of a wider kind.

    Parameters
    ----------
    reader : Reader
        The file.
    schema : Schema, optional
        What the columns are; found by default.
    kinds : mapping or path, optional
        What to change in the schema that is found.
    """
    stream = Stream(reader, schema, kinds=kinds)
    kept, rows = Kept(len(reader.names)), block_rows(len(reader.names))
    if stream.stated is not None and stream.settled:
        _keep_all(reader, rows, kept, stream.stated)
        return _table(reader, stream.stated, kept, set())
    survey = surveyed(reader, rows, stream.stated, kinds, kept)
    return _table(reader, survey.schema(stream.stated, kinds), kept, survey.doubtful)


def _keep_all(reader: Reader, rows: int, kept: Kept, schema: Schema) -> None:
    numbers = {column.name for column in schema if column.kind == "numeric"}
    while True:
        try:
            for block in reader.blocks(rows, numbers):
                kept.add(block)
        except Contradiction as found:
            numbers = numbers - {found.name}
            kept.clear()
        else:
            return


def _table(reader: Reader, schema: Schema, kept: Kept, doubtful: set[str]) -> Table:
    cells = dict(zip(reader.names, kept.joined(), strict=True))
    return table_of(reader, schema, cells, 0, doubtful)


def regridded(rows: Iterable[list[Any]], size: int) -> Any:
    """Yield lists of so many rows, the last one of those that are left.

    Parameters
    ----------
    rows : iterable
        Rows.
    size : int
        How many at a time.

    Examples
    --------
    >>> from learnable.data.files.gathering import regridded
    >>> list(regridded([[1], [2], [3]], 2))
    [[[1], [2]], [[3]]]
    """
    held: list[list[Any]] = []
    for row in rows:
        held.append(row)
        if len(held) == size:
            yield held
            held = []
    if held:
        yield held
