"""A survey of a file: the facts of each column, block by block, and the schema they speak for.

Beside the texts as they stand, those of a column are judged as numbers: with the decimal mark of
the file, and with dashes and the like (``DOUBTFUL``) as missing cells. Where that makes a column
numeric it is taken so, and the schema says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from learnable.data.columns import Cells, as_texts
from learnable.data.inference import COUNTED, Facts, infer
from learnable.data.schema import Column, Schema
from learnable.data.texts import MISSING, Texts, text_of

DOUBTFUL = ("-", "--", ".", "*", "None", "none", "missing", "unknown")
"""Missing in a column that is numbers or dates otherwise, values in any other."""
SWAPPED = str.maketrans(".,", ",.")
"""Points as commas, commas as points."""


def pointed(texts: Texts) -> Texts:
    """Return texts with decimal commas as points, and points as commas.

    Examples
    --------
    >>> from learnable.data.files.survey import pointed
    >>> from learnable.data.texts import Texts
    >>> pointed(Texts.of(["1,5"])).values
    ['1.5']
    """
    return Texts(texts.codes, [text.translate(SWAPPED) for text in texts.values])


def without_doubtful(texts: Texts) -> Texts:
    """Return texts with dashes and the like as missing cells.

    Examples
    --------
    >>> from learnable.data.files.survey import without_doubtful
    >>> from learnable.data.texts import Texts
    >>> without_doubtful(Texts.of(["1", "-"])).codes
    array([ 0, -1], dtype=int32)
    """
    kept = [text for text in texts.values if text not in DOUBTFUL]
    if len(kept) == len(texts.values):
        return texts
    places = {text: code for code, text in enumerate(kept)}
    new = np.array([places.get(text, MISSING) for text in texts.values], dtype=np.int32)
    return Texts(texts.take(new, MISSING), kept)


def adapted(cells: Cells, column: Column, decimal: str, doubtful: bool) -> Cells:
    """Return the cells as the kind of the column wants them.

    Examples
    --------
    >>> from learnable.data import Column
    >>> from learnable.data.files.survey import adapted
    >>> from learnable.data.texts import Texts
    >>> adapted(Texts.of(["1,5"]), Column("km", "numeric"), ",", False).values
    ['1.5']
    """
    if not isinstance(cells, Texts) or column.kind not in {"numeric", "date"}:
        return cells
    if doubtful:
        cells = without_doubtful(cells)
    return pointed(cells) if decimal == "," and column.kind == "numeric" else cells


def number_facts(values: NDArray[Any], before: Facts | None) -> Facts:
    """Return the facts of numbers; different ones are counted while there are few.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.data.files.survey import number_facts
    >>> number_facts(np.array([1.0, np.nan]), None).missing
    1
    """
    missing = int(np.isnan(values).sum()) if values.dtype.kind == "f" else 0
    known = len(values) - missing
    if before is not None and before.crowded:
        whole = before.whole and bool((values == np.floor(values)).sum() == known)
        return Facts(known, missing, {}, True, 0, True, whole, False, before.padded)
    different, times = np.unique(values, return_counts=True)
    if missing:
        different, times = different[:-1], times[:-1]
    whole = bool((different == np.floor(different)).all())
    crowded = len(different) > COUNTED
    texts = [] if crowded else [str(text_of(value)) for value in different.tolist()]
    counts = dict(zip(texts, times.tolist(), strict=False))
    return Facts(known, missing, counts, crowded, 0, True, whole, False, False)


def date_facts(cells: NDArray[Any]) -> Facts:
    """Return the facts of dates.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.data.files.survey import date_facts
    >>> date_facts(np.array(["2026-01-31"], "datetime64[us]")).dates
    True
    """
    missing = int(np.isnat(cells).sum())
    return Facts(len(cells) - missing, missing, {}, True, 0, False, False, True, False)


class Survey:
    """The facts of all columns of a file.

    Parameters
    ----------
    reader : Reader
        The file.
    numbers : set of str
        Columns that are read as numbers at once.
    coded : set of str, optional
        Columns of which all values are wanted.

    Examples
    --------
    >>> import numpy as np
    >>> from types import SimpleNamespace
    >>> from learnable.data.files.survey import Survey
    >>> survey = Survey(SimpleNamespace(names=["a"], decimal=".", notes={}), set())
    >>> survey.add([np.array([1.0, 2.5])])
    >>> survey.schema()["a"].kind
    'numeric'
    """

    def __init__(
        self, reader: Any, numbers: set[str], coded: set[str] | frozenset[str] = frozenset()
    ) -> None:
        self.reader, self.numbers = reader, numbers
        self.doubtful: set[str] = set()
        self.n = 0
        self._facts: dict[str, tuple[Facts, Facts]] = {}
        self._broken: dict[str, tuple[int, str]] = {}
        self._values: dict[str, set[str]] = {name: set() for name in coded}

    def add(self, block: list[Cells]) -> None:
        """Take the facts of one more block."""
        for name, cells in zip(self.reader.names, block, strict=True):
            before = self._facts.get(name)
            if name in self._values:
                self._values[name].update(as_texts(cells).present())
            made = self._of(name, cells, before)
            if before is not None:
                made = before[0].merge(made[0]), before[1].merge(made[1])
            self._facts[name] = made
        self.n += len(block[0]) if block else 0

    def _of(
        self, name: str, cells: Cells, before: tuple[Facts, Facts] | None
    ) -> tuple[Facts, Facts]:
        if not isinstance(cells, Texts) and cells.dtype.kind == "M":
            facts = date_facts(cells)
            return facts, facts
        if isinstance(cells, Texts) or cells.dtype.kind not in "iuf":
            return self._of_texts(name, as_texts(cells), before)
        facts = number_facts(cells, None if before is None else before[1])
        return facts, facts

    def _of_texts(
        self, name: str, texts: Texts, before: tuple[Facts, Facts] | None
    ) -> tuple[Facts, Facts]:
        plain = Facts.of(texts)
        if plain.numeric and self.reader.decimal == ".":
            return plain, plain
        adapted = without_doubtful(texts)
        adapted = pointed(adapted) if self.reader.decimal == "," else adapted
        numbers = Facts.of(adapted)
        if not numbers.numeric and (before is None or before[1].numeric):
            self._note_break(name, adapted, before)
        return plain, numbers

    def _note_break(self, name: str, texts: Texts, before: Any) -> None:
        """Remember the first cell that is no number, where numbers come before it."""
        for code, text in enumerate(texts.values):
            if not Facts.of(Texts(np.zeros(1, np.int32), [text])).numeric:
                row = self.n + texts.first(code)
                if code > 0 or (before is not None and before[1].known):
                    self._broken[name] = row, text
                return

    def schema(
        self, stated: Schema | None = None, kinds: Mapping[str, Any] | str | None = None
    ) -> Schema:
        """Return the schema that was stated, or the one found with its changes, with all values.

        Parameters
        ----------
        stated : Schema, optional
            What the columns are, without the values of some coded ones.
        kinds : mapping or path, optional
            What to change in the schema that is found.
        """
        found = stated
        if found is None:
            found = Schema(tuple(self._column(name) for name in self.reader.names))
            if kinds is not None:
                found = found.changed(kinds)
        return Schema(tuple(map(self._settled, found)))

    def _settled(self, column: Column) -> Column:
        """Fill in the values of a coded column that does not state them."""
        if not column.coded or column.values:
            return column
        return replace(column, values=tuple(sorted(self._values.get(column.name, ()))))

    def _column(self, name: str) -> Column:
        nothing = Facts(0, 0, {}, False, 0, True, True, True, False)
        plain, numbers = self._facts.get(name, (nothing, nothing))
        if self.reader.decimal == ",":
            plain = plain._replace(numeric=False)
        column = infer(name, plain)
        notes = [*self.reader.notes.get(name, ())]
        if column.kind not in {"numeric", "date"} and numbers.known:
            other = infer(name, numbers)
            if other.kind in {"numeric", "date"}:
                column = other
                if numbers.missing > plain.missing:
                    self.doubtful.add(name)
                    notes.append(_of_doubtful(plain, numbers))
        if name in self._broken and column.kind != "numeric":
            row, text = self._broken[name]
            notes.append(
                f"numbers until row {row:,}, which holds {text!r}, so it was read again as text"
            )
        return replace(column, notes=(*column.notes, *notes))


def _of_doubtful(plain: Facts, numbers: Facts) -> str:
    found = " or ".join(repr(text) for text in DOUBTFUL if text in plain.counts)
    return f"{numbers.missing - plain.missing:,} cells hold {found}, taken as missing"
