"""An estimate with its interval, and the sentence a person reads."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Estimate:
    """A value and how far the truth may be from it.

    Attributes
    ----------
    value : float
        What was found on these rows.
    low, high : float
        The interval.
    confidence : float
        How often such intervals hold the truth: at least so often if guaranteed, about so often
        if approximate.
    kind : {"guaranteed", "approximate"}
        Which of the two.
    method : str
        The interval by name.
    n : int
        What it rests on: rows, or the rows in the denominator of a share.
    text : str
        The sentence a person reads.
    measured : str
        Of an approximate method: how often its intervals were found to hold the truth.

    Examples
    --------
    >>> from learnable.metrics import accuracy_score, interval
    >>> found = interval(accuracy_score, [0] * 28 + [1] * 12, [0] * 40)
    >>> found.value, round(found.low, 4), round(found.high, 4), found.kind
    (0.7, 0.5347, 0.8344, 'guaranteed')
    """

    value: float
    low: float
    high: float
    confidence: float
    kind: str
    method: str
    n: int
    text: str
    measured: str = ""

    def __str__(self) -> str:
        return "\n".join(filter(None, [self.text, self.measured]))


def estimate(
    name: str,
    value: float,
    bounds: tuple[float, float],
    *,
    confidence: float,
    kind: str,
    method: str,
    n: int,
    note: str = "",
    measured: str = "",
) -> Estimate:
    """Make an estimate and word it."""
    held = "at least" if kind == "guaranteed" else "about"
    text = (
        f"{name} is {value:.4g}; {held} {confidence:.0%} of such intervals hold the true value: "
        f"{bounds[0]:.4g} to {bounds[1]:.4g} ({kind}, {method}, n = {n})."
    )
    low, high = float(bounds[0]), float(bounds[1])
    return Estimate(float(value), low, high, confidence, kind, method,
                    n, f"{text} {note}".strip(),
                    measured)  # fmt: skip
