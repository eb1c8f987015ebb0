"""Everything that a study leaves behind, in one folder and nowhere else."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from learnable.core.errors import LearnableError
from learnable.report.figures import figures
from learnable.report.page import page
from learnable.report.results import results
from learnable.report.texts import MODEL, PREDICT, card, markdown

if TYPE_CHECKING:
    from learnable.studies.study import Study

PLAN = "plan.toml"


def write_report(study: Study, folder: str | Path) -> Path:
    """Write report, results, model, card and plan; return the path of the report.

    Parameters
    ----------
    study : Study
        What was found.
    folder : path
        Where to; it is made if it is not there.

    Examples
    --------
    >>> import tempfile
    >>> from learnable.datasets import load_iris
    >>> from learnable.report import write_report
    >>> from learnable.studies import Options, Wishes, follow
    >>> found = follow(load_iris(as_frame=True).frame, Wishes("species"), Options(budget=10.0))
    >>> path = write_report(found, tempfile.mkdtemp())
    >>> path.name, (path.parent / "model.learnable").exists()
    ('report.html', True)
    """
    into = Path(folder)
    into.mkdir(parents=True, exist_ok=True)
    model_hash = _save_model(study, into / MODEL)
    drawn = figures(study)
    written = {
        "report.html": page(study, drawn),
        "report.md": markdown(study, drawn),
        "results.json": results(study, drawn, model_hash),
        "card.md": card(study),
        PLAN: study.plan.to_toml(),
    }
    if model_hash:
        written["predict.py"] = PREDICT
    for name, text in written.items():
        (into / name).write_text(text, encoding="utf-8")
    return into / "report.html"


def _save_model(study: Study, path: Path) -> str:
    """Save the model and return the hash of its file; empty if there is none that can be saved."""
    from learnable.estimator import save

    if study.model is None:
        return ""
    try:
        save(study.model, path)
    except LearnableError:
        return ""
    return sha256(path.read_bytes()).hexdigest()
