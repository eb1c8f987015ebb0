"""What is in a table: every column in a line, and what to beware of before anything is learned.

A column *gives the target away* if a rule on it alone, learned on every second row, answers nearly
all of the other rows: such a column was often made from the target, or after it.

Cost: one pass a column, one sort a numeric column.

References
----------
.. [1] R. C. Holte: Very simple classification rules perform well on most commonly used datasets.
   Machine Learning 11, 1993.
.. [2] S. Kaufman, S. Rosset, C. Perlich: Leakage in data mining. KDD 2011.
"""

from __future__ import annotations

import html
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from learnable.core.frames import as_frame
from learnable.data.schema import Column
from learnable.data.table import Table
from learnable.data.texts import MISSING, Texts
from learnable.stats.fingerprint import row_hashes

SHOWN = 3
FAR = 5.0
"""A number is odd when it lies so many robust standard deviations from the median."""
RARE = 0.005
"""A value is odd when a smaller share of the cells has it."""
GIVEN_AWAY = 0.98
BINS = 32
PAIRS = 10_000_000
LEARN, ASK = slice(0, None, 2), slice(1, None, 2)
_ROBUST = 1.4826


class ColumnLine(NamedTuple):
    """One column: kind, share missing, different values, typical and odd ones, remarks."""

    name: str
    kind: str
    missing: float
    distinct: int
    typical: str
    odd: str
    remarks: tuple[str, ...]


class Description(NamedTuple):
    """What :func:`describe` found.

    Attributes
    ----------
    rows : int
        Rows of the table.
    columns : tuple of ColumnLine
        A line a column.
    target : str or None
        The column to predict.
    balance : dict
        Rows of each class, most frequent first.
    warnings : tuple of str
        What to beware of, one sentence each.

    Examples
    --------
    >>> from learnable.data import Table, describe
    >>> found = describe(Table.of({"a": [1.0, 2.0, None], "b": ["x", "x", "x"]}))
    >>> found.warnings
    ("column 'b' is constant: nothing can be learned from it",)
    """

    rows: int
    columns: tuple[ColumnLine, ...]
    target: str | None
    balance: dict[str, int]
    warnings: tuple[str, ...]

    def to_frame(self) -> Any:
        """Return a data frame with a line a column."""
        names = [name for name in ColumnLine._fields if name != "remarks"]
        return as_frame({name: [getattr(c, name) for c in self.columns] for name in names})

    def text(self) -> str:
        """Return the lines of the columns, the class balance and the warnings."""
        head = ("column", "kind", "missing", "distinct", "typical", "odd")
        body = [
            (
                c.name,
                c.kind,
                f"{c.missing:.1%}" if c.missing else "",
                f"{c.distinct:,}",
                c.typical,
                c.odd,
            )
            for c in self.columns
        ]
        widths = [min(max(len(row[j]) for row in [head, *body]), 40) for j in range(len(head))]
        lines = [f"{self.rows:,} rows, {len(self.columns)} columns", ""]
        for row, remarks in zip(
            [head, *body], [(), *[c.remarks for c in self.columns]], strict=True
        ):
            cells = (f"{cell[:width]:<{width}}" for cell, width in zip(row, widths, strict=True))
            lines += ["  ".join(cells).rstrip(), *[f"    {remark}" for remark in remarks]]
        if self.balance:
            lines += ["", f"Classes of {self.target}:"]
            total = sum(self.balance.values())
            lines += [f"  {label}: {n:,} ({n / total:.1%})" for label, n in self.balance.items()]
        if self.warnings:
            lines += ["", "Beware:", *[f"  - {warning}" for warning in self.warnings]]
        return "\n".join(lines)

    __str__ = text

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(self.text())}</pre>"


def describe(data: Any, target: str | None = None) -> Description:
    """Describe a table: every column in a line, and what to beware of.

    Parameters
    ----------
    data : Table, or whatever a table can be made of
        The table.
    target : str, optional
        The column to predict; by default the one whose role says so.

    Examples
    --------
    >>> from learnable.data import describe
    >>> from learnable.datasets import load_play_tennis
    >>> print(describe(load_play_tennis(as_frame=True).frame, target="play").balance)
    {'Yes': 9, 'No': 5}
    """
    table = Table.of(data)
    if target is None:
        stated = table.schema.of_role("target")
        target = stated[0] if stated else None
    pairs = list(zip(table.schema, table.arrays, strict=True))
    lines = tuple(_line(column, array, table) for column, array in pairs)
    warnings = [*_of_rows(table), *_of_columns(lines, table)]
    balance: dict[str, int] = {}
    if target is not None:
        if table.schema[target].kind != "numeric":
            balance = _balance(table, target)
            warnings += _of_classes(balance, target)
        warnings += _leaks(table, target)
    return Description(table.n, lines, target, balance, tuple(warnings))


def _line(column: Column, array: NDArray[Any], table: Table) -> ColumnLine:
    known = ~table.missing(column.name)
    cells = array[known]
    missing = 1.0 - known.mean() if table.n else 0.0
    if column.kind == "numeric":
        return _of_numbers(column, cells, missing)
    texts = Texts(cells, list(column.values)) if column.coded else Texts.of(cells.tolist())
    counts = texts.counts()
    order = np.argsort(-counts, kind="stable")
    shown = [f"{texts.values[code]} ({counts[code]:,})" for code in order[:SHOWN] if counts[code]]
    rare = [texts.values[c] for c in order[::-1] if 0 < counts[c] < RARE * len(cells)]
    odd = ", ".join(rare[:SHOWN]) if column.coded else ""
    distinct = int((counts > 0).sum())
    return ColumnLine(
        column.name, column.kind, missing, distinct, ", ".join(shown), odd, column.notes
    )


def _of_numbers(column: Column, cells: NDArray[Any], missing: float) -> ColumnLine:
    values, counts = np.unique(cells, return_counts=True)
    if not len(cells):
        return ColumnLine(column.name, column.kind, missing, 0, "", "", column.notes)
    low, middle, high = np.quantile(cells, [0.25, 0.5, 0.75])
    typical = f"{low:.6g} .. {middle:.6g} .. {high:.6g}"
    if counts.max() > len(cells) / 2:
        typical = f"{values[counts.argmax()]:.6g} ({counts.max() / len(cells):.1%})"
    spread = _ROBUST * np.median(np.abs(cells - middle))
    far = values[np.abs(values - middle) > FAR * spread]
    odd = ", ".join(f"{value:.6g}" for value in [*far[:1], *far[1:][-1:]])
    if len(far) > 2:
        odd += f" and {len(far) - 2:,} more"
    return ColumnLine(column.name, column.kind, missing, len(values), typical, odd, column.notes)


def _of_rows(table: Table) -> list[str]:
    if table.n < 2 or not table.arrays:
        return []
    _, counts = np.unique(row_hashes(_as_numbers(table)), return_counts=True)
    double = int(counts[counts > 1].sum())
    if not double:
        return []
    copies = int((counts - 1).sum())
    told = "1 copy" if copies == 1 else f"{copies:,} copies"
    return [f"{double:,} rows have an equal among them ({told}): keep copies in one fold"]


def _as_numbers(table: Table) -> NDArray[np.float64]:
    """Return a number for each cell, equal for equal cells."""
    columns = []
    for array in table.arrays:
        if array.dtype.kind == "O":
            columns.append(Texts.of(array.tolist()).codes.astype(np.float64))
        elif array.dtype.kind == "M":
            columns.append(array.view(np.int64).astype(np.float64))
        else:
            columns.append(np.nan_to_num(array.astype(np.float64), nan=-1.7e308))
    return np.column_stack(columns)


def _of_columns(lines: tuple[ColumnLine, ...], table: Table) -> list[str]:
    found = []
    for line in lines:
        if line.distinct == 0:
            found.append(f"column {line.name!r} is empty")
        elif line.distinct == 1 and not line.missing:
            found.append(f"column {line.name!r} is constant: nothing can be learned from it")
        elif line.kind == "identifier" or _counts_rows(table[line.name]):
            found.append(f"column {line.name!r} names the rows: it cannot help with new ones")
    return found


def _counts_rows(array: NDArray[Any]) -> bool:
    return bool(array.dtype.kind == "f" and len(array) > SHOWN and (np.diff(array) == 1.0).all())


def _balance(table: Table, target: str) -> dict[str, int]:
    labels = table.labels(target)
    texts = Texts.of(labels.tolist())
    counts = texts.counts()
    order = np.argsort(-counts, kind="stable")
    return {texts.values[code]: int(counts[code]) for code in order}


def _of_classes(balance: dict[str, int], target: str) -> list[str]:
    few = [label for label, n in balance.items() if n < 10]
    if few:
        names = ", ".join(few[:SHOWN])
        return [f"{len(few)} class(es) of {target!r} have fewer than 10 rows: {names}"]
    return []


def _leaks(table: Table, target: str) -> list[str]:
    """Name the columns whose rule alone answers nearly all rows that it was not learned from."""
    known = ~table.missing(target)
    numeric = table.schema[target].kind == "numeric"
    truth = (
        table[target][known] if numeric else Texts.of(table.labels(target)[known].tolist()).codes
    )
    found = []
    for column, array in zip(table.schema, table.arrays, strict=True):
        if (
            column.name == target
            or column.kind in {"text", "identifier"}
            or column.role != "feature"
        ):
            continue
        codes = _binned(column, array[known])
        score = _explained(codes, truth) if numeric else _answered(codes, truth)
        few = not numeric and len(truth) * (truth.max(initial=0) + 1) <= PAIRS
        if few and not column.coded:
            score = max(score, _answered(_nearest(array[known]), truth))
        if score >= GIVEN_AWAY:
            what = "of its variance" if numeric else "of the rows it was not learned from"
            found.append(
                f"column {column.name!r} gives {target!r} away: alone it answers {score:.1%} {what}"
            )
    return found


def _binned(column: Column, array: NDArray[Any]) -> NDArray[np.int64]:
    """Return bins of equal frequency of numbers and dates; -1 becomes a bin of its own."""
    if column.coded:
        return array.astype(np.int64) + 1
    cells = array.astype(np.float64)
    known = np.isfinite(cells)
    if not known.any():
        return np.zeros(len(cells), np.int64)
    edges = np.unique(np.quantile(cells[known], np.linspace(0.0, 1.0, BINS + 1)[1:-1]))
    return np.where(known, np.searchsorted(edges, cells, side="right") + 1, MISSING + 1)


def _nearest(array: NDArray[Any]) -> NDArray[np.int64]:
    """Return cells of either half that lie next to each other under one number.

    Where a column gives the classes away by a threshold, few bins of rows lie across it.
    """
    cells = array.astype(np.float64)
    marks = np.unique(cells[LEARN][np.isfinite(cells[LEARN])])
    between = (marks[1:] + marks[:-1]) / 2.0
    return np.where(np.isfinite(cells), np.searchsorted(between, cells) + 1, MISSING + 1)


def _answered(codes: NDArray[np.int64], truth: NDArray[Any]) -> float:
    """Return how many of the other half a rule by majority answers beyond the frequent class."""
    if len(codes) < 2 * SHOWN:
        return 0.0
    table = np.zeros((codes.max() + 1, truth.max() + 1))
    np.add.at(table, (codes[LEARN], truth[LEARN]), 1.0)
    right = (table.argmax(axis=1)[codes[ASK]] == truth[ASK]).mean()
    always = (truth[ASK] == table.sum(axis=0).argmax()).mean()
    return float(right) if right - always > (1.0 - always) / 2.0 else 0.0


def _explained(codes: NDArray[np.int64], truth: NDArray[Any]) -> float:
    """Return the share of the variance of the other half that the means of the bins explain."""
    if len(codes) < 2 * SHOWN:
        return 0.0
    count = np.bincount(codes[LEARN], minlength=codes.max() + 1)
    total = np.bincount(codes[LEARN], weights=truth[LEARN], minlength=codes.max() + 1)
    mean = np.where(count > 0, total / np.maximum(count, 1), truth[LEARN].mean())
    spread = ((truth[ASK] - truth[LEARN].mean()) ** 2).sum()
    return float(1.0 - ((truth[ASK] - mean[codes[ASK]]) ** 2).sum() / spread) if spread else 0.0
