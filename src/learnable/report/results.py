"""The findings of a study as plain values, for other programs: ``results.json``."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

import numpy as np

from learnable.report.figures import Figure
from learnable.studies.drift import summaries
from learnable.studies.sentences import headline

if TYPE_CHECKING:
    from learnable.studies.study import Study

SCHEMA_VERSION = 1


def results(study: Study, drawn: list[Figure], model_hash: str) -> str:
    """Return everything that was found as the text of a JSON file.

    Parameters
    ----------
    study : Study
        What was found.
    drawn : list of Figure
        Its figures, whose numbers go in.
    model_hash : str
        Hash of the model file.
    """
    choice, verdict = study.choice, study.verdict
    facts = {
        "schema_version": SCHEMA_VERSION,
        "headline": headline(study),
        "ended": study.ended,
        "plan": {"hash": study.plan.hash, "toml": study.plan.to_toml()},
        "task": study.problem.task,
        "target": study.problem.wishes.target,
        "classes": study.problem.classes,
        "rows": study.problem.n,
        "columns": [column.name for column in study.problem.table.schema],
        "findings": [finding._asdict() for finding in study.problem.findings],
        "scores": {name: scores.tolist() for name, scores in study.outcome.scores.items()},
        "dropped": study.outcome.dropped,
        "failed": study.outcome.failed,
        "learners": [line._asdict() for line in choice.lines] if choice else [],
        "choice": {
            "name": choice.name, "best": choice.best, "proven": choice.proven, "why": choice.why,
        } if choice else None,
        "comparisons": [
            {"text": pair.text, "p": pair.p, "effect": pair.effect, "low": pair.low,
             "high": pair.high}
            for pair in study.comparisons.pairs
        ] if study.comparisons else [],
        "test": {
            "rows": len(verdict.truth),
            "score": verdict.score,
            "certificate": [one.text for one in verdict.certificate.statements]
            if verdict.certificate else [],
            "confusion": verdict.confusion.matrix.tolist() if verdict.confusion else None,
        } if verdict else None,
        "figures": {figure.name: figure.data for figure in drawn},
        "summaries": summaries(study.problem.table),
        "model": model_hash,
        "warnings": study.warnings,
        "seconds": study.seconds,
    }  # fmt: skip
    return json.dumps(_plain(facts), indent=1, allow_nan=False) + "\n"


def _plain(value: Any) -> Any:
    """Return plain values; what is not finite is null."""
    if isinstance(value, dict):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in value]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
