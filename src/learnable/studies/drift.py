"""Whether new rows are like those that were learned from, column by column.

The training rows of a study are summarised: numbers in intervals of equal frequency, names by their
counts, missing cells apart. New rows are counted into the same cells and tested for homogeneity:

    X^2 = sum over cells (n_ij - n_i n_j / n)^2 / (n_i n_j / n),   cells - 1 degrees of freedom

with p-values adjusted by Holm, and the population stability index as the size of the difference.

Cost: one pass over the new rows.

References
----------
.. [1] K. Pearson: On the criterion that a given system of deviations ... Philosophical Magazine 50,
   1900.
.. [2] S. Holm: A simple sequentially rejective multiple test procedure. Scandinavian Journal of
   Statistics 6, 1979.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from learnable.core.errors import DataError
from learnable.data import Table
from learnable.data.schema import Column
from learnable.data.texts import Texts

BINS = 10
MOST_VALUES = 50
FEWEST = 5.0
LARGE = 0.2
OTHERS = "(others)"


class ColumnDrift(NamedTuple):
    """How a column differs: adjusted p, stability index, and where most.

    Attributes
    ----------
    name : str
        The column.
    p : float
        Chance of so much difference if nothing had changed, adjusted for all columns.
    index : float
        Population stability index; 0 is no difference, above 0.2 is large.
    most : str
        The cell whose share changed most, with both shares.
    """

    name: str
    p: float
    index: float
    most: str


class Drift(NamedTuple):
    """What :func:`drift` found.

    Attributes
    ----------
    columns : tuple of ColumnDrift
        All columns, the largest difference first.
    lost, new : tuple of str
        Columns that are missing, and columns that were not there.
    rows : int
        New rows.
    level : float
        Level of the tests taken together.
    """

    columns: tuple[ColumnDrift, ...]
    lost: tuple[str, ...]
    new: tuple[str, ...]
    rows: int
    level: float

    @property
    def drifted(self) -> list[str]:
        """Columns that differ beyond chance."""
        return [column.name for column in self.columns if column.p <= self.level]

    def __str__(self) -> str:
        found = self.drifted
        verb = "differs" if len(found) == 1 else "differ"
        head = (
            f"{len(found)} of {len(self.columns)} columns {verb} beyond chance in {self.rows:,} "
            "new rows."
            if found
            else f"No column differs beyond chance in {self.rows:,} new rows."
        )
        lines = [head]
        for column in self.columns:
            if column.p <= self.level:
                size = "large" if column.index > LARGE else "small"
                lines.append(
                    f"  {column.name}: {column.most} (index {column.index:.3f}, {size}; "
                    f"p = {column.p:.2g})"
                )
        lines += [f"  {name}: the column is missing" for name in self.lost]
        lines += [f"  {name}: the column is new" for name in self.new]
        return "\n".join(lines)


def summaries(table: Table) -> list[dict[str, Any]]:
    """Return the cells of each column as plain values, with how many rows lie in each.

    Examples
    --------
    >>> from learnable.data import Table
    >>> from learnable.studies.drift import summaries
    >>> summaries(Table.of({"wind": ["Weak", "Strong", None]}))[0]["cells"]
    ['Strong', 'Weak']
    """
    found = []
    for column, array in zip(table.schema, table.arrays, strict=True):
        cells: list[Any]
        if column.kind == "numeric":
            known = array[np.isfinite(array)]
            inner = np.linspace(0.0, 1.0, BINS + 1)[1:-1]
            cells = np.unique(np.quantile(known, inner)).tolist() if len(known) else []
        elif column.coded:
            cells = list(column.values)[:MOST_VALUES]
        else:
            continue
        one = {"name": column.name, "kind": column.kind, "cells": cells}
        found.append({**one, "counts": _counts(column.kind, cells, column, array).tolist()})
    return found


def drift(learned: Sequence[Mapping[str, Any]], table: Table, *, level: float = 0.05) -> Drift:
    """Compare new rows with what was learned from.

    Parameters
    ----------
    learned : sequence of mappings
        What :func:`summaries` said of the training rows.
    table : Table
        New rows.
    level : float, default=0.05
        Chance of any false alarm among all columns, if nothing has changed.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.data import Table
    >>> from learnable.studies.drift import drift, summaries
    >>> old = Table.of({"a": np.arange(200.0)})
    >>> print(drift(summaries(old), Table.of({"a": np.arange(200.0) + 50.0})))
    1 of 1 columns differs beyond chance in 200 new rows.
      a: 179.1 and more: 10.0% became 35.0% (index 1.067, large; p = 9.2e-12)
    """
    if not len(table):
        raise DataError("There are no new rows.", remedy="Give at least one.")
    known = {str(one["name"]): one for one in learned}
    here = [name for name in known if name in table.columns]
    tests = [_tested(known[name], table.schema[name], table[name]) for name in here]
    order = np.argsort([p for p, _, _ in tests], kind="stable")
    adjusted, worst = np.ones(len(tests)), 0.0
    for rank, place in enumerate(order.tolist()):
        worst = max(worst, min(tests[place][0] * (len(tests) - rank), 1.0))
        adjusted[place] = worst
    columns = [
        ColumnDrift(name, float(p), index, most)
        for name, p, (_, index, most) in zip(here, adjusted, tests, strict=True)
    ]
    columns.sort(key=lambda column: -column.index)
    lost = tuple(name for name in known if name not in table.columns)
    new = tuple(name for name in table.columns if name not in known)
    return Drift(tuple(columns), lost, new, len(table), level)


def _counts(kind: str, cells: Sequence[Any], column: Column, array: NDArray[Any]) -> NDArray[Any]:
    """Count rows into the cells; others come next to last, missing ones last."""
    if kind == "numeric":
        numbers = _as_numbers(column, array)
        missing = np.isnan(numbers)
        places = np.searchsorted(np.asarray(cells, dtype=float), numbers[~missing], side="right")
        counted = np.bincount(places, minlength=len(cells) + 1)
        return np.concatenate([counted, [0, int(missing.sum())]])
    labels = _as_labels(column, array)
    place = {label: number for number, label in enumerate(cells)}
    counted = np.zeros(len(cells) + 2, np.int64)
    for label, n in labels.items():
        counted[len(cells) + 1 if label is None else place.get(label, len(cells))] += n
    return counted


def _as_numbers(column: Column, array: NDArray[Any]) -> NDArray[np.float64]:
    if column.kind == "numeric":
        return np.asarray(array, dtype=np.float64)
    texts = np.array([*column.values, "nan"] if column.coded else [str(v) for v in array])
    numbers = np.full(len(texts), np.nan)
    for i, text in enumerate(texts.tolist()):
        try:
            numbers[i] = float(text)
        except ValueError:
            continue
    return numbers[array] if column.coded else numbers


def _as_labels(column: Column, array: NDArray[Any]) -> dict[str | None, int]:
    if column.coded:
        counted = np.bincount(array + 1, minlength=len(column.values) + 1)
        return {
            None: int(counted[0]),
            **dict(zip(column.values, counted[1:].tolist(), strict=True)),
        }
    cells = [None if v is None or v != v else f"{v:g}" if column.kind == "numeric" else str(v)  # noqa: PLR0124 (NaN)
             for v in array.tolist()]  # fmt: skip
    texts = Texts.of(cells)
    found: dict[str | None, int] = dict(zip(texts.values, texts.counts().tolist(), strict=True))
    return {**found, None: sum(cell is None for cell in cells)}


def _tested(
    one: Mapping[str, Any], column: Column, array: NDArray[Any]
) -> tuple[float, float, str]:
    """Return p, the stability index, and the cell that changed most."""
    from scipy.special import chdtrc

    old = np.asarray(one["counts"], dtype=float)
    new = _counts(str(one["kind"]), one["cells"], column, array).astype(float)
    names = _names(str(one["kind"]), one["cells"])
    first, second = old / max(old.sum(), 1.0), new / max(new.sum(), 1.0)
    most = int(np.abs(second - first).argmax())
    told = f"{names[most]}: {first[most]:.1%} became {second[most]:.1%}"
    least = 0.5 / max(new.sum(), 1.0)
    a, b = np.maximum(first, least), np.maximum(second, least)
    index = float(((b - a) * np.log(b / a))[(old + new) > 0].sum())
    pooled = _pooled(np.vstack([old, new]))
    if pooled.shape[1] < 2:
        return 1.0, index, told
    expected = np.outer(pooled.sum(axis=1), pooled.sum(axis=0)) / pooled.sum()
    statistic = float(((pooled - expected) ** 2 / expected).sum())
    return float(chdtrc(pooled.shape[1] - 1, statistic)), index, told


def _pooled(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Join cells with fewer than five expected rows, so that the law of the statistic holds."""
    n = counts.sum()
    share = counts.sum(axis=1).min() / max(n, 1.0)
    small = counts.sum(axis=0) * share < FEWEST
    kept = [counts[:, ~small]]
    if small.any() and counts[:, small].sum() > 0.0:
        kept.append(counts[:, small].sum(axis=1, keepdims=True))
    return np.hstack(kept)


def _names(kind: str, cells: Sequence[Any]) -> list[str]:
    if kind != "numeric":
        return [*map(str, cells), OTHERS, "missing"]
    if not cells:
        return ["any number", OTHERS, "missing"]
    inner = [f"{low:.4g} to {high:.4g}" for low, high in pairwise(cells)]
    return [f"below {cells[0]:.4g}", *inner, f"{cells[-1]:.4g} and more", OTHERS, "missing"]
