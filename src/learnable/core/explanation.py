"""Why this answer: the reasons for one prediction in the model's own terms."""

from __future__ import annotations

import html
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from learnable.core.errors import ParameterError
from learnable.core.frames import as_frame

KINDS = ("path", "rule", "contributions", "neighbours", "prototype", "states")


class Part(NamedTuple):
    """One reason: what (a column, a rule, a neighbour), its value, what it shows, its weight.

    Examples
    --------
    >>> from learnable.core import Part
    >>> Part("wind", "Strong", "speaks for No", 0.59).label
    'wind'
    """

    label: str
    value: Any
    evidence: str
    weight: float


@dataclass(frozen=True)
class Explanation:
    """Why a model answers so for one row.

    Attributes
    ----------
    prediction : object
        The answer.
    kind : {"path", "rule", "contributions", "neighbours", "prototype", "states"}
        In which terms the model reasons.
    parts : tuple of Part
        ``(label, value, evidence, weight)``; contributions sum to the score.
    score : float
        What decided, in the unit that ``unit`` names.
    unit : str
        Such as ``"log odds of yes against no"``.
    summary : str
        One sentence.

    Examples
    --------
    >>> import learnable
    >>> from learnable.dummy import DummyClassifier
    >>> model = DummyClassifier().fit([[0], [0], [0]], ["no", "no", "yes"])
    >>> print(learnable.explain(model, [[0]])[0].summary)
    Always no: the most frequent of 2 classes, 66.7% of the weight.
    """

    prediction: Any
    kind: str
    parts: tuple[Part, ...]
    score: float
    unit: str
    summary: str

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            msg = f"kind must be one of {', '.join(KINDS)}, not {self.kind!r}"
            raise ParameterError(msg)

    def text(self) -> str:
        """Return the summary and a line a part, the heaviest first."""
        ordered = list(self.parts)
        if self.kind not in {"path", "rule"}:  # whose parts follow one another
            ordered.sort(key=lambda part: -abs(part.weight))
        width = max((len(f"{p.label} = {_short(p.value)}") for p in ordered), default=0)
        lines = [
            f"  {f'{p.label} = {_short(p.value)}':{width}}  {p.weight:+10.4f}  {p.evidence}"
            for p in ordered
        ]
        total = f"  {'sum':{width}}  {self.score:+10.4f}  {self.unit}"
        return "\n".join([self.summary, *lines, *([total] if self.kind == "contributions" else [])])

    def to_frame(self) -> Any:
        """Return a data frame with a line a part."""
        return as_frame(
            {name: [getattr(part, name) for part in self.parts] for name in Part._fields}
        )

    def to_html(self) -> str:
        """Return a table; everything that comes from the data is escaped."""
        rows = "".join(
            f"<tr><td>{html.escape(str(p.label))}</td><td>{html.escape(_short(p.value))}</td>"
            f"<td>{html.escape(p.evidence)}</td><td>{p.weight:+.4g}</td></tr>"
            for p in self.parts
        )
        head = "<thead><tr><th>part</th><th>value</th><th>evidence</th><th>weight</th></tr></thead>"
        table = f'<table class="learnable-explanation">{head}<tbody>{rows}</tbody></table>'
        return f"<p>{html.escape(self.summary)}</p>{table}"

    __str__ = text
    _repr_html_ = to_html

    def relabelled(self, change: Callable[[Part], Part]) -> Explanation:
        """Return the same explanation with each part changed, such as into another's names."""
        return replace(self, parts=tuple(change(part) for part in self.parts))


def _short(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)
