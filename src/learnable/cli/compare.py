"""``learnable compare``: models made elsewhere, by their answers or their scores."""

from __future__ import annotations

from typing import Any

import numpy as np

from learnable.core.errors import DataError
from learnable.data import Table, read
from learnable.evaluation import Comparisons
from learnable.evaluation import compare as compare_all
from learnable.evaluation.comparison import Comparison, chance, interval_text
from learnable.resampling import FoldPlan


def compare(
    file: str,
    *,
    truth: str | None,
    models: list[str] | None,
    task: str | None,
    rows: int | None,
    folds: int | None,
    repeats: int,
    lower_is_better: bool,
    confidence: float,
) -> None:
    """Read the table, choose the test, and print what it found."""
    table = read(file)
    if truth is not None:
        names = _models(table, models, truth)
        found = compare_all(
            {name: _labels(table, name, task) for name in names},
            truth=_labels(table, truth, task), task=task, confidence=confidence,
        )  # fmt: skip
    else:
        scores = {name: _scores(table, name) for name in _models(table, models, None)}
        options = {"lower_is_better": lower_is_better, "confidence": confidence}
        if rows is not None:
            plan = FoldPlan("k-fold", rows, folds=folds or len(table), repeats=repeats)
            found = compare_all(scores, plan=plan, **options)
        else:
            named = {
                name: {f"row {row}": value for row, value in enumerate(values)}
                for name, values in scores.items()
            }
            found = compare_all(named, **options)
    print(told(found))


def _models(table: Table, stated: list[str] | None, truth: str | None) -> list[str]:
    columns = list(table.columns)
    for name in [*(stated or []), *([truth] if truth else [])]:
        if name not in columns:
            raise DataError(
                f"The table has no column {name!r}.", column=name,
                remedy=f"It has {', '.join(columns)}.",
            )  # fmt: skip
    if stated:
        return stated
    rest = [name for name in columns if name != truth]
    if truth is None and len(rest) > 2 and not _numeric(table, rest[0]):
        return rest[1:]
    return rest


def _numeric(table: Table, name: str) -> bool:
    return table.schema[name].kind in ("numeric", "boolean")


def _labels(table: Table, name: str, task: str | None) -> Any:
    """Return a column of answers; numbers stay numbers."""
    if task == "regression" or (_numeric(table, name) and task is None):
        return _scores(table, name)
    cells = np.asarray(table.labels(name), dtype=object)
    gaps = [row for row, cell in enumerate(cells) if cell is None or str(cell) == "nan"]
    if gaps:
        raise DataError(
            "An answer is missing.", column=name, row=gaps[0],
            remedy="Fill it in, or leave the row out of the file.",
        )  # fmt: skip
    return cells.astype(str)


def _scores(table: Table, name: str) -> Any:
    if not _numeric(table, name):
        raise DataError(
            f"The column holds {table.schema[name].kind} values, and scores are numbers.",
            column=name, remedy="Name the columns of scores with --models, or the truth.",
        )  # fmt: skip
    values = np.asarray(table.labels(name), dtype=np.float64)
    if not np.isfinite(values).all():
        row = int(np.argmin(np.isfinite(values)))
        raise DataError(
            "A number is missing.", column=name, row=row,
            remedy="Find out why; leaving it out for one model alone would break the pairs.",
        )  # fmt: skip
    return values


def told(found: Comparisons) -> str:
    """Return all that a person needs: the verdict, the test, why, and each pair in figures."""
    lines = [found.text, "", f"Test: {found.method}.", f"Why: {found.why}", ""]
    width = max(len(name) for name in found.names)
    lines.append(f"{found.quantity.capitalize()}, best first:")
    lines += [f"  {found.names[i]:<{width}}  {found.values[i]:.6g}" for i in found.order()]
    if found.overall is not None:
        lines += ["", "All at once:", *_figures(found.overall)]
    for (i, j), pair in zip(found.places, found.pairs, strict=True):
        lines += ["", f"{found.names[i]} and {found.names[j]}:", *_figures(pair)]
    lines += ["", f"Provided that {' and '.join(found.pairs[0].assumptions)}."]
    lines += [*found.pairs[0].notes, *found.notes]
    return "\n".join(lines)


def _figures(one: Comparison) -> list[str]:
    p = "" if one.p is None else f", {chance(one.p)}"
    ends = interval_text(one.low, one.high, one.confidence)
    figures = f"  statistic {one.statistic:.6g}{p}, effect {one.effect:.6g}, {ends}, n = {one.n}"
    return [figures, f"  {one.text}"]
