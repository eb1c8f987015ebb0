"""The report in Markdown, the model's card, and a program that asks the model."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from learnable.report.figures import Figure
from learnable.report.page import commands, footer, question, short
from learnable.studies.sentences import headline, points

if TYPE_CHECKING:
    from learnable.studies.study import Study

MODEL = "model.learnable"
PREDICT = '''"""Answers of the model beside this file: python predict.py new.csv"""

import sys

from learnable.studies.answering import answers, load_model

for line in answers(load_model(__file__, "model.learnable"), sys.argv[1]):
    print(line)
'''


def markdown(study: Study, drawn: list[Figure]) -> str:
    """Return the report as Markdown.

    Parameters
    ----------
    study : Study
        What was found.
    drawn : list of Figure
        Its figures, of which the sentences go in.
    """
    lines = [f"# What can be learned about {_md(study.problem.wishes.target)}", ""]
    lines += [f"{_md(sentence)}\n" for sentence in headline(study)]
    lines += ["## The question and the data", "", _md(question(study)), ""]
    lines += [f"- {_md(f'{one.text}. {one.remedy}'.strip())}" for one in study.problem.findings]
    lines += ["", "## The plan", "", *[f"- {_md(line)}" for line in study.plan.lines()], ""]
    lines += ["## The learners", "", *_table(study), ""]
    if study.choice is not None:
        lines += [_md(study.choice.why), ""]
    if study.comparisons is not None:
        lines += [f"- {_md(pair.text)}" for pair in study.comparisons.pairs]
    if study.verdict is not None and study.verdict.certificate is not None:
        lines += ["", "## How sure", ""]
        lines += [
            f"- {_md(one.text)} {_md(one.basis)}" for one in study.verdict.certificate.statements
        ]
    lines += [
        "",
        "## Figures",
        "",
        *[f"- {figure.title}: {_md(figure.sentence)}" for figure in drawn],
    ]
    lines += ["", "## Again", "", "```", commands(study), "```", "", _md(footer(study)), ""]
    return "\n".join(lines)


def card(study: Study) -> str:
    """Return the card of the model: what it is for, how good it is, and what it is not for."""
    lines = [f"# Model card: {_md(study.problem.wishes.target)}", ""]
    if study.choice is None or study.verdict is None:
        return "\n".join([*lines, "No learner came through; there is no model.", ""])
    line = study.choice.line(study.choice.name)
    rows, source = study.learned_rows, _md(short(study.plan.source))
    asked = f"{study.plan.metric.replace('_', ' ')}, {len(study.verdict.truth):,} rows, asked once"
    unfit = (
        "rows from elsewhere than those it was certified on, and decisions about people without "
        "a person who answers for them"
    )
    lines += [
        f"- **Model:** {_md(line.title)}, fitted to {rows:,} rows of {source}.",
        f"- **For:** {_md(question(study))}",
        f"- **Proven to beat a baseline:** {'yes' if study.choice.proven else 'no'}.",
        f"- **On rows set aside:** {points(study, study.verdict.score)} ({asked}).",
    ]
    if study.verdict.certificate is not None:
        lines.append(f"- **Certified:** {_md(study.verdict.certificate.text)}")
        provided = "; ".join(study.verdict.certificate.assumptions)
        lines.append(f"- **Provided that:** {_md(provided)}.")
    beware = [one.text for one in study.problem.findings if one.weight == "beware"]
    lines += [f"- **Beware:** {_md(text)}." for text in beware]
    lines += [
        f"- **Not for:** {unfit}.",
        f"- **Made by:** {_md(footer(study))}",
        "",
    ]
    return "\n".join(lines)


def _table(study: Study) -> list[str]:
    if study.choice is None:
        return ["No learner came through."]
    head = ["learner", study.plan.metric, "low", "high", "bits", "remark"]
    rows = [
        [line.title, points(study, line.mean), points(study, line.low), points(study, line.high),
         f"{line.bits:.0f}", line.remark]
        for line in study.choice.lines
    ]  # fmt: skip
    made = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return made + ["| " + " | ".join(_md(short(cell, 200)) for cell in row) + " |" for row in rows]


def _md(text: str) -> str:
    """Return text that Markdown shows as it is."""
    return re.sub(r"([\\`*_{}\[\]<>#|&])", r"\\\1", " ".join(str(text).split()))
