"""The page: one offline file that says what was found, to anybody, on any screen and on paper.

Names and values from the data are escaped by the template; there is no script, and a content
security policy forbids everything but the page's own style.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import numpy as np

from learnable.core.explanation import Explanation
from learnable.metrics.intervals import clopper_pearson
from learnable.report.figures import Figure
from learnable.studies.sentences import headline, points
from learnable.theory.statements import percent

if TYPE_CHECKING:
    from learnable.studies.study import Study
    from learnable.studies.verdict import Shown

MOST_COLUMNS = 200
MOST_CLASSES = 20
MOST_PARTS = 12
MOST_CHARACTERS = 60


def page(study: Study, drawn: list[Figure]) -> str:
    """Return the report as the text of one HTML file.

    Parameters
    ----------
    study : Study
        What was found.
    drawn : list of Figure
        Its figures.
    """
    choice, verdict, problem = study.choice, study.verdict, study.problem
    facts = {
        "title": f"What can be learned about {short(problem.wishes.target)}",
        "sections": _sections(study),
        "headline": headline(study),
        "question": question(study),
        "findings": problem.findings,
        "balance": _balance(study),
        "columns": problem.description.columns[:MOST_COLUMNS],
        "columns_total": len(problem.description.columns),
        "plan": _plan(study),
        "why": choice.why if choice else "",
        "figures": {figure.name: figure for figure in drawn},
        "figure": _figure,
        "folds_done": study.outcome.repeats * study.plan.folds,
        "metric": study.plan.metric.replace("_", " "),
        "lines": _lines(study),
        "margin": f"{study.plan.margin:g}",
        "pairs": [pair.text for pair in study.comparisons.pairs] if study.comparisons else [],
        "pairs_method": study.comparisons.method if study.comparisons else "",
        "pairs_why": study.comparisons.why if study.comparisons else "",
        "verdict": verdict is not None,
        "shown": _shown(study),
        "readable": _readable(study),
        "certificate": _certificate(study),
        "confusion": _confusion(study),
        "notes": verdict.notes if verdict else (),
        "commands": commands(study),
        "warnings": [short(text, 300) for text in study.warnings[:MOST_CLASSES]],
        "footer": footer(study),
    }
    return str(_template().render(facts))


@cache
def _template() -> Any:
    from jinja2 import Environment, StrictUndefined

    text = files("learnable.report").joinpath("templates/report.html").read_text(encoding="utf-8")
    made = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True)
    return made.from_string(text)


def _figure(drawn: dict[str, Figure], name: str) -> Any:
    """Return a figure with its sentence and its numbers, as markup."""
    from markupsafe import Markup, escape

    figure = drawn.get(name)
    if figure is None:
        return ""
    head = "".join(f'<th scope="col">{escape(column)}</th>' for column in figure.data)
    rows = "".join(
        "<tr>" + "".join(f"<td>{escape(_number(cell))}</td>" for cell in cells) + "</tr>"
        for cells in zip(*figure.data.values(), strict=True)
    )
    label = escape(f"{figure.title}. {figure.sentence}")
    svg = figure.svg.replace("<svg", f'<svg role="img" aria-label="{label}"', 1)
    title, told = escape(figure.title), escape(figure.sentence)
    numbers = (
        f'<div class="wide" tabindex="0" role="region" aria-label="{title}, numbers"><table><thead>'
        f"<tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>"
    )
    return Markup(  # noqa: S704 (every part is escaped or drawn by us)
        f'<figure><h3>{title}</h3><div class="wide" tabindex="0">{svg}</div>'
        f"<figcaption>{told}</figcaption><details><summary>The numbers</summary>{numbers}"
        "</details></figure>"
    )


def _number(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else short(str(value))


def short(text: str, most: int = MOST_CHARACTERS) -> str:
    r"""Return text of bounded length.

    Examples
    --------
    >>> from learnable.report.page import short
    >>> short("abcdef", 4)
    'abc…'
    """
    return text if len(text) <= most else text[: most - 1] + "\u2026"


def question(study: Study) -> str:
    """Return what is asked, in a sentence."""
    problem = study.problem
    what = f"one of {len(problem.classes)} classes" if problem.classes else "an amount"
    return (
        f"From {len(problem.table.schema)} columns of {problem.n:,} rows "
        f"({short(study.plan.source)}), predict {problem.wishes.target!r}, which is {what}."
    )


def _sections(study: Study) -> list[tuple[str, str]]:
    found = [("data", "Data"), ("plan", "Plan"), ("learners", "Learners")]
    if study.verdict is not None:
        found += [("model", "Model and reasons"), ("sure", "How sure")]
    return [*found, ("again", "Again")]


def _balance(study: Study) -> list[tuple[str, str, str]]:
    if not study.problem.classes:
        return []
    counts = {
        str(k): int(n) for k, n in zip(*np.unique(study.problem.y, return_counts=True), strict=True)
    }
    total = sum(counts.values())
    return [
        (short(name), f"{counts[name]:,}", percent(counts[name] / total))
        for name in study.problem.classes[:MOST_CLASSES]
    ]


def _plan(study: Study) -> list[tuple[str, str, str]]:
    return [(line[:10].strip(), *_told(line[11:])) for line in study.plan.lines()]


def _told(text: str) -> tuple[str, str]:
    """Split what was decided from the reason in brackets at its end."""
    if not text.endswith(")"):
        return text, ""
    cut = text.rfind(" (")
    return text[:cut], text[cut + 2 : -1]


def _lines(study: Study) -> list[dict[str, Any]]:
    if study.choice is None:
        return []
    return [
        {
            "title": line.title,
            "mean": points(study, line.mean),
            "interval": f"{points(study, line.low)} to {points(study, line.high)}"
            if np.isfinite(line.low) and line.low != line.high
            else "",
            "worse": "" if line.name == study.choice.best else f"{line.worse:.3f}",
            "bits": f"{line.bits:,.0f}",
            "fit": f"{1000.0 * line.fit_seconds:.3g} ms",
            "remark": short(line.remark or ("baseline" if line.baseline else ""), 200),
            "chosen": line.name == study.choice.name,
        }
        for line in study.choice.lines
    ]


def _shown(study: Study) -> list[tuple[str, list[dict[str, Any]]]]:
    if study.verdict is None:
        return []
    return [
        ("Typical rows", [_one(row) for row in study.verdict.typical]),
        ("Rows answered worst", [_one(row) for row in study.verdict.worst]),
    ]


def _one(row: Shown) -> dict[str, Any]:
    right = "right" if row.truth == row.answer else f"the truth is {_number(row.truth)}"
    told = {"summary": f"Row {row.row}: answered {_number(row.answer)} ({right})", "parts": []}
    if row.why is None:
        return {**told, "told": "The model gives no reasons."}
    return {**told, "parts": _parts(row.why), "told": short(row.why.summary, 300)}


def _parts(why: Explanation) -> list[dict[str, str]]:
    ordered = sorted(why.parts, key=lambda part: -abs(part.weight))
    made = [
        {
            "label": short(str(part.label)),
            "value": _number(part.value) if part.value is not None else "missing",
            "evidence": short(str(part.evidence), 120),
            "weight": f"{part.weight:+.3g}",
        }
        for part in ordered[:MOST_PARTS]
    ]
    rest = ordered[MOST_PARTS:]
    if rest:
        weight = sum(part.weight for part in rest)
        made.append({"label": f"{len(rest)} others", "value": "", "evidence": "",
                     "weight": f"{weight:+.3g}"})  # fmt: skip
    return made


def _readable(study: Study) -> dict[str, str] | None:
    if study.readable is None:
        return None
    steps = getattr(study.readable, "steps", None)
    learner = study.readable if steps is None else steps[-1][1]
    told = getattr(learner, "describe", None) or getattr(learner, "summary", None)
    text = str(told()) if callable(told) else repr(learner)
    return {"title": study.readable_title, "text": short(text, 4000)}


def _certificate(study: Study) -> list[tuple[str, str]]:
    found = study.verdict.certificate if study.verdict else None
    if found is None:
        return []
    return [(one.text, one.basis) for one in found.statements] + [(n, "") for n in found.notes]


def _confusion(study: Study) -> dict[str, Any] | None:
    found = study.verdict.confusion if study.verdict else None
    if found is None or len(found.labels) > MOST_CLASSES:
        return None
    rows = []
    for place, label in enumerate(found.labels):
        cells, total = found.matrix[place], found.matrix[place].sum()
        shares = cells / total if total else cells
        low, high = clopper_pearson(cells[place], total, study.plan.confidence) if total else (0, 1)
        rows.append(
            {
                "name": short(str(label)),
                "cells": [
                    {"n": f"{n:,.0f}", "share": round(60.0 * s)}
                    for n, s in zip(cells, shares, strict=True)
                ],
                "found": percent(shares[place]) if total else "",
                "interval": f"{percent(low)} to {percent(high)}",
            }
        )
    return {"names": [short(str(label)) for label in found.labels], "rows": rows}


def commands(study: Study) -> str:
    """Return the commands that go on from here."""
    source, target = _quoted(study.plan.source), _quoted(study.problem.wishes.target)
    lines = [
        f"learnable study {source} --plan plan.toml --out again   # the same again",
        "learnable predict model.learnable new.csv --out answers.csv",
        "learnable explain model.learnable new.csv --row 1",
        f"learnable certify model.learnable new.csv --target {target}",
    ]
    return "\n".join(lines)


def _quoted(text: str) -> str:
    from shlex import quote

    return quote(text)


def footer(study: Study) -> str:
    """Return by what, on what and how long."""
    import platform

    from learnable import __version__

    return (
        f"learnable {__version__}, Python {platform.python_version()}, NumPy {np.__version__}; "
        f"plan {study.plan.hash[:12]}, seed {study.plan.seed}; {study.seconds:.0f} seconds."
    )
