"""``learnable demo``: one model through everything, on the 14 days of PlayTennis."""

from __future__ import annotations

import html
from pathlib import Path
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

import learnable
from learnable.core import Certificate, Explanation, Trace
from learnable.datasets import load_play_tennis
from learnable.naive_bayes import CategoricalNB

CASE = {"outlook": "Sunny", "temperature": "Cool", "humidity": "High", "wind": "Strong"}
LEARNED = 10
"""Days to learn from; those that came after are set aside for the certificate."""


def demo(out: str) -> None:
    """Fit, explain, certify and save; print it and write a page."""
    X, y = _data()
    with learnable.tracing() as trace:
        model = CategoricalNB().fit(X[:LEARNED].to_native(), y[:LEARNED])
    case = X.head(1).with_columns(*[nw.lit(value).alias(name) for name, value in CASE.items()])
    why = learnable.explain(model, case.to_native())[0]
    certificate = learnable.certify(model, X[LEARNED:].to_native(), y[LEARNED:])

    folder = Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    learnable.save(model, folder / "play-tennis.model")
    (folder / "index.html").write_text(_page(trace, why, certificate), encoding="utf-8")
    for title, text in _sections(trace, why, certificate):
        print(f"{title}\n{text}\n")
    print(f"The model lies in {folder / 'play-tennis.model'}, a page in {folder / 'index.html'}.")


def _data() -> tuple[Any, Any]:
    """Return the days as a frame, and the answers."""
    days = load_play_tennis(as_frame=True)
    y = np.asarray(nw.from_native(days.target, series_only=True).to_list())
    return nw.from_native(days.data, eager_only=True), y


def _sections(trace: Trace, why: Explanation, certificate: Certificate) -> list[tuple[str, str]]:
    case = ", ".join(f"{name} {value}" for name, value in CASE.items())
    return [
        (
            f"What was learned: naive Bayes on the first {LEARNED} of 14 days",
            _counts(trace),
        ),
        (f"Why this answer? {case}", str(why)),
        (f"How sure? On the {certificate.n} days that came after", str(certificate)),
    ]


def _counts(trace: Trace) -> str:
    """Return the counts of each value within each class, a line a value."""
    priors = trace.only("priors")
    classes = [event.values["label"] for event in priors]
    lines = [f"  {'':24}" + "".join(f"{label:>6}" for label in classes)]
    lines.append(f"  {'days':24}" + "".join(f"{e.values['weight']:6.0f}" for e in priors))
    for event in trace.only("counts"):
        for place, value in enumerate(event.values["values"]):
            cells = "".join(f"{of_class[place]:6.0f}" for of_class in event.values["counts"])
            lines.append(f"  {event.values['column'] + ' = ' + value:24}" + cells)
    return "\n".join(lines)


def _page(trace: Trace, why: Explanation, certificate: Certificate) -> str:
    titles = [title for title, _ in _sections(trace, why, certificate)]
    bodies = [f"<pre>{html.escape(_counts(trace))}</pre>", why.to_html(), certificate.to_html()]
    parts = "".join(
        f"<h2>{html.escape(title)}</h2>{body}" for title, body in zip(titles, bodies, strict=True)
    )
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>PlayTennis</title>'
        '<meta http-equiv="Content-Security-Policy" '
        "content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        "<style>body{font:16px/1.5 system-ui,sans-serif;max-width:52rem;margin:2rem auto;"
        "padding:0 1rem}table{border-collapse:collapse}th,td{text-align:left;padding:.2rem .8rem;"
        "border-bottom:1px solid #ccc}</style>"
        f"<h1>Can one play tennis?</h1>{parts}</html>\n"
    )
