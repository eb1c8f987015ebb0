"""How sure: a statement that holds, with its kind, its confidence and its assumptions."""

from __future__ import annotations

import html
from dataclasses import dataclass, replace
from numbers import Real
from typing import Any

from learnable.core.errors import ParameterError
from learnable.core.frames import as_frame

KINDS = ("guaranteed", "approximate", "in expectation")


@dataclass(frozen=True)
class Certificate:
    """What can be promised.

    Attributes
    ----------
    kind : {"guaranteed", "approximate", "in expectation"}
        Guaranteed statements hold under their assumptions whatever the data; approximate ones
        carry the level that was measured for them; the third kind holds on average only.
    quantity : str
        What the statement is about, such as ``"accuracy on new rows"``.
    value : float or None
        Its estimate.
    low, high : float
        Its bounds; infinite where there is none.
    confidence : float
        How often, at least, statements made this way are true.
    method : str
        The theorem or the interval by name.
    n : int
        Rows it rests on.
    assumptions : tuple of str
        What must be so for it to hold.
    text : str
        The sentence a person reads.
    further : tuple of Certificate
        Statements beside the first one. Each holds with its own confidence; only the first one
        was fixed before the data were seen.
    notes : tuple of str
        What was noticed about the evidence, such as rows shared with the training rows.

    Examples
    --------
    >>> from learnable.core import Certificate
    >>> c = Certificate("guaranteed", "accuracy on new rows", 0.9, 0.68, 0.99, 0.95,
    ...                 "Clopper-Pearson", 20, ("the rows are independent",), "18 of 20 right.")
    >>> c.low, c.high
    (0.68, 0.99)
    """

    kind: str
    quantity: str
    value: float | None
    low: float
    high: float
    confidence: float
    method: str
    n: int
    assumptions: tuple[str, ...]
    text: str
    further: tuple[Certificate, ...] = ()
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            msg = f"kind must be one of {', '.join(KINDS)}, not {self.kind!r}"
            raise ParameterError(msg)

    @property
    def statements(self) -> tuple[Certificate, ...]:
        """The first statement and the further ones, in order."""
        return (replace(self, further=()), *self.further)

    def to_frame(self) -> Any:
        """Return a data frame with a line a statement."""
        names = ("kind", "quantity", "value", "low", "high", "confidence", "method", "n", "text")
        return as_frame({name: [getattr(s, name) for s in self.statements] for name in names})

    @property
    def basis(self) -> str:
        """What the statement rests on: its kind, its method and what must be so."""
        provided = " and ".join(self.assumptions) or "nothing"
        return f"{self.kind.capitalize()} by the {self.method}, provided that {provided}."

    def to_html(self) -> str:
        """Return the statements as lists; everything that comes from the data is escaped."""
        groups = "".join(
            "<ul>"
            + "".join(f"<li>{html.escape(text)}</li>" for text in texts)
            + f"</ul><p><small>{html.escape(basis)}</small></p>"
            for basis, texts in self._groups().items()
        )
        notes = "".join(f"<p>{html.escape(note)}</p>" for note in self.notes)
        return f'<div class="learnable-certificate">{groups}{notes}</div>'

    _repr_html_ = to_html

    def _groups(self) -> dict[str, list[str]]:
        """Return the statements by what they rest on."""
        groups: dict[str, list[str]] = {}
        for statement in self.statements:
            groups.setdefault(statement.basis, []).append(statement.text)
        return groups

    def __str__(self) -> str:
        groups = ["\n".join([*texts, f"  {basis}"]) for basis, texts in self._groups().items()]
        return "\n".join([*groups, *self.notes])


def check_confidence(confidence: float) -> float:
    """Return the confidence as a float, or refuse it.

    Examples
    --------
    >>> from learnable.core.certificate import check_confidence
    >>> check_confidence(0.9)
    0.9
    """
    if not (isinstance(confidence, Real) and 0.0 < confidence < 1.0):
        msg = f"confidence must lie strictly between 0 and 1, not {confidence!r}"
        raise ParameterError(msg)
    return float(confidence)
