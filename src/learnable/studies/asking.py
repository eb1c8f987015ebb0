"""What is asked of a table: its target, its columns and rows, and what speaks against learning it.

Everything that is left out is said; what cannot be learned at all is refused with a remedy.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from learnable.core.errors import DataError
from learnable.data import Table, describe
from learnable.data.description import Description
from learnable.data.texts import Texts

FEW_VALUES = 12
"""A target of whole numbers with at most so many different values is taken as classes."""
FEWEST = 4
"""Rows that a class needs: two to learn from and to ask inside, two to set aside."""
FEWEST_ROWS = 10
UNEVEN = 0.2
MANY_COPIES = 0.1
_LIKE_GROUPS = ("patient", "person", "subject", "user", "customer", "speaker", "household", "group")


class Finding(NamedTuple):
    """Something noticed about the data: how much it matters, what it is, what can be done.

    Examples
    --------
    >>> from learnable.studies import Finding
    >>> Finding("beware", "column 'a' gives 'y' away", "Drop it.").weight
    'beware'
    """

    weight: str
    text: str
    remedy: str = ""


class Wishes(NamedTuple):
    """What a person states about the columns.

    Attributes
    ----------
    target : str
        The column to predict.
    positive : str
        The class that matters most; empty if none does.
    group, order, weights : str
        Columns of groups that stay together, of time, and of weights; empty for none.
    ids : str
        A column that names the rows.
    drop : tuple of str
        Columns to leave out.
    task : str
        "classification" or "regression"; empty to find it.

    Examples
    --------
    >>> from learnable.studies import Wishes
    >>> Wishes("species", drop=("island",)).target
    'species'
    """

    target: str
    positive: str = ""
    group: str = ""
    order: str = ""
    weights: str = ""
    ids: str = ""
    drop: tuple[str, ...] = ()
    task: str = ""


@dataclass(frozen=True)
class Problem:
    """A table with a question.

    Attributes
    ----------
    table : Table
        The columns to learn from, of the rows whose target is known.
    y : array (n,)
        Labels by their text, or numbers.
    task : {"classification", "regression"}
        What is asked.
    classes : tuple of str
        The classes, most frequent first; none of a regression.
    groups, order, weights : array (n,) or None
        What was stated about the rows.
    rows : array (n,) of int
        Where the rows stand in the file.
    wishes : Wishes
        What was stated.
    description : Description
        Every column in a line.
    findings : tuple of Finding
        What was noticed.

    Examples
    --------
    >>> from learnable.datasets import load_iris
    >>> from learnable.data import Table
    >>> from learnable.studies import Wishes
    >>> from learnable.studies.asking import ask
    >>> problem = ask(Table.of(load_iris(as_frame=True).frame), Wishes("species"))
    >>> problem.n, problem.task
    (150, 'classification')
    """

    table: Table
    y: NDArray[Any]
    task: str
    classes: tuple[str, ...]
    groups: NDArray[Any] | None
    order: NDArray[Any] | None
    weights: NDArray[np.float64] | None
    rows: NDArray[np.int64]
    wishes: Wishes
    description: Description
    findings: tuple[Finding, ...]

    @property
    def n(self) -> int:
        """Number of rows."""
        return len(self.y)

    def take(self, places: Any) -> Problem:
        """Return the problem of some of the rows."""
        parts = {
            name: None if getattr(self, name) is None else getattr(self, name)[places]
            for name in ("y", "groups", "order", "weights", "rows")
        }
        return Problem(
            self.table.take(places), task=self.task, classes=self.classes, wishes=self.wishes,
            description=self.description, findings=self.findings, **parts,
        )  # fmt: skip


def ask(table: Table, wishes: Wishes) -> Problem:
    """Turn a table and what was stated about it into a problem.

    Parameters
    ----------
    table : Table
        The data.
    wishes : Wishes
        What a person states.

    Returns
    -------
    Problem

    Examples
    --------
    >>> from learnable.data import Table
    >>> from learnable.datasets import load_play_tennis
    >>> from learnable.studies.asking import Wishes, ask
    >>> days = Table.of(load_play_tennis(as_frame=True).frame)
    >>> problem = ask(days, Wishes("play"))
    >>> problem.task, problem.classes, problem.n
    ('classification', ('Yes', 'No'), 14)
    """
    special = [wishes.target, wishes.group, wishes.order, wishes.weights, wishes.ids]
    for name in filter(None, [*special, *wishes.drop]):
        table.schema.place(name)
    findings: list[Finding] = []
    task = wishes.task or _task(table, wishes.target, findings)
    kept = np.flatnonzero(~table.missing(wishes.target))
    if len(kept) < len(table):
        told = f"{len(table) - len(kept):,} rows have no {wishes.target!r} and are left out"
        findings.append(Finding("beware", told))
    y = _answers(table.take(kept), wishes.target, task)
    if task == "classification":
        enough = _of_classes_with_rows(y, findings)
        kept, y = kept[enough], y[enough]
    _refuse_hopeless(y, task, wishes.target)
    whole = table.take(kept)
    description = describe(whole.only(_described(whole, wishes)), wishes.target)
    features = _features(whole, wishes, description, findings)
    _question(whole, wishes, description, findings)
    return Problem(
        whole.only(features),
        y,
        task,
        _classes(y, task, wishes, findings),
        _column(whole, wishes.group),
        _ranks(whole, wishes.order),
        _weights(whole, wishes.weights),
        kept,
        wishes,
        description,
        tuple(findings),
    )


def _task(table: Table, target: str, findings: list[Finding]) -> str:
    column, cells = table.schema[target], table[target]
    if column.kind != "numeric":
        return "classification"
    values = np.unique(cells[~np.isnan(cells)])
    if len(values) <= FEW_VALUES and (values == np.floor(values)).all():
        told = f"{target!r} holds {len(values)} different whole numbers, taken as classes"
        findings.append(Finding("note", told, 'State task = "regression" if they are amounts.'))
        return "classification"
    return "regression"


def _answers(table: Table, target: str, task: str) -> NDArray[Any]:
    cells = table.labels(target)
    if task == "regression":
        if table.schema[target].kind != "numeric":
            raise DataError("An amount is to be predicted, but the target holds names.",
                            column=target, remedy="State a numeric target.")  # fmt: skip
        numbers = np.asarray(cells, dtype=np.float64)
        if not np.isfinite(numbers).all():
            row = int(np.argmin(np.isfinite(numbers)))
            raise DataError("The target holds an infinite number.", column=target, row=row,
                            value=numbers[row], remedy="Correct the cell.")  # fmt: skip
        return numbers
    if table.schema[target].kind == "numeric":
        return np.array([f"{value:g}" for value in cells.tolist()])
    return np.array([str(value) for value in cells.tolist()])


def _of_classes_with_rows(y: NDArray[Any], findings: list[Finding]) -> NDArray[np.int64]:
    """Return the rows whose class has rows enough to be learned and asked."""
    classes, codes, counts = np.unique(y, return_inverse=True, return_counts=True)
    rare = counts < FEWEST
    if rare.any():
        names = ", ".join(repr(str(name)) for name in classes[rare][:5])
        told = (
            f"{int(counts[rare].sum())} rows are left out: their classes ({names}) have fewer than "
            f"{FEWEST} rows, too few to learn from and to ask"
        )
        findings.append(Finding("beware", told, "Join them with other classes, or add rows."))
    return np.flatnonzero(~rare[codes])


def _refuse_hopeless(y: NDArray[Any], task: str, target: str) -> None:
    if len(y) < FEWEST_ROWS:
        raise DataError(
            f"Only {len(y)} rows can be learned from.",
            column=target,
            remedy=f"Give {FEWEST_ROWS} rows or more whose target is known.",
        )
    if len(np.unique(y)) < 2:
        what = "class" if task == "classification" else "value"
        raise DataError(
            f"The target has a single {what} in the rows that can be learned from.",
            column=target,
            value=y[0].item(),
            remedy="State another target, or add rows of other kinds.",
        )


def _described(table: Table, wishes: Wishes) -> list[str]:
    return [name for name in table.columns if name not in wishes.drop]


def _features(
    table: Table, wishes: Wishes, description: Description, findings: list[Finding]
) -> list[str]:
    """Return the columns to learn from; why others are left out goes to the findings."""
    stated = {wishes.target, wishes.group, wishes.order, wishes.weights, wishes.ids, *wishes.drop}
    lines = {line.name: line for line in description.columns}
    named = {text.split("'")[1] for text in description.warnings if "names the rows" in text}
    chosen = []
    for column in table.schema:
        if column.name in stated or column.role == "ignored":
            continue
        line = lines[column.name]
        if line.distinct == 0:
            why = "it is empty"
        elif line.distinct == 1 and not line.missing:
            why = "it is constant"
        elif column.kind == "identifier" or column.name in named:
            why = "it names the rows, which says nothing about new ones"
        else:
            chosen.append(column.name)
            continue
        findings.append(Finding("note", f"column {column.name!r} is left out: {why}"))
    if not chosen:
        raise DataError("No column is left to learn from.", remedy="Drop fewer columns.")
    return chosen


def _question(
    table: Table, wishes: Wishes, description: Description, findings: list[Finding]
) -> None:
    """Note what casts doubt on a figure: leaks, copies, groups, time."""
    for text in description.warnings:
        if "gives" in text and "away" in text:
            name = text.split("'")[1]
            findings.append(Finding("beware", text, f"If it is not known in time: --drop {name}."))
        elif "have an equal among them" in text and not wishes.group:
            copies = int(text.split()[0].replace(",", ""))
            weight = "beware" if copies > MANY_COPIES * len(table) else "note"
            findings.append(Finding(weight, text, "Name a column of groups with --group."))
    lines = {line.name: line for line in description.columns}
    for column in table.schema:
        if column.name in {wishes.target, wishes.group, wishes.order, *wishes.drop}:
            continue
        words, times = column.name.lower(), lines[column.name].distinct
        many = FEWEST_ROWS <= times < len(table) / 2
        if not wishes.group and many and any(word in words for word in _LIKE_GROUPS):
            told = f"column {column.name!r} may tell rows apart that belong together"
            findings.append(Finding("beware", told, f"If so: --group {column.name}."))
        if not wishes.order and column.kind == "date":
            told = f"column {column.name!r} holds dates: the past may have to predict the future"
            findings.append(Finding("beware", told, f"If so: --order {column.name}."))


def _classes(
    y: NDArray[Any], task: str, wishes: Wishes, findings: list[Finding]
) -> tuple[str, ...]:
    if task == "regression":
        return ()
    texts = Texts.of(y.tolist())
    counts = texts.counts()
    names = [texts.values[code] for code in np.argsort(-counts, kind="stable")]
    if wishes.positive and wishes.positive not in names:
        raise DataError(
            f"There is no class {wishes.positive!r}.",
            column=wishes.target,
            remedy=f"Take one of {', '.join(names[:10])}.",
        )
    rarest = counts.min() / len(y)
    if rarest < UNEVEN / len(names) * 2:
        told = f"the classes are uneven: {names[-1]!r} has {rarest:.1%} of the rows"
        findings.append(Finding("beware", told, "So every class is weighed alike in the score."))
    return tuple(names)


def _column(table: Table, name: str) -> NDArray[Any] | None:
    if not name:
        return None
    if table.missing(name).any():
        row = int(np.argmax(table.missing(name)))
        raise DataError("A row belongs to no group.", column=name, row=row,
                        remedy="Fill the cell.")  # fmt: skip
    return np.array([str(value) for value in table.labels(name).tolist()])


def _ranks(table: Table, name: str) -> NDArray[Any] | None:
    if not name:
        return None
    if table.missing(name).any() or table.schema[name].kind not in {"numeric", "date", "ordinal"}:
        raise DataError(
            "The order of the rows is not known.",
            column=name,
            remedy="State a column of numbers or dates without gaps.",
        )
    return np.asarray(table[name])


def _weights(table: Table, name: str) -> NDArray[np.float64] | None:
    if not name:
        return None
    if table.schema[name].kind != "numeric":
        raise DataError("Weights are numbers.", column=name, remedy="State a numeric column.")
    weights = np.asarray(table[name], dtype=np.float64)
    wrong = ~(np.isfinite(weights) & (weights >= 0.0))
    if wrong.any():
        row = int(np.argmax(wrong))
        raise DataError("A weight is negative, infinite or missing.", column=name, row=row,
                        value=weights[row], remedy="Correct the cell.")  # fmt: skip
    return weights


def told(findings: Sequence[Finding]) -> str:
    """Return the findings as lines.

    Examples
    --------
    >>> from learnable.studies.asking import Finding, told
    >>> told([Finding("beware", "column 'a' is odd", "Drop it.")])
    "  - column 'a' is odd. Drop it."
    """
    return "\n".join(f"  - {one.text}. {one.remedy}".rstrip() for one in findings)
