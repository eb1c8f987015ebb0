"""What a test found: one value for every test, with the sentence a person reads."""

from __future__ import annotations

import html
import math
from dataclasses import dataclass
from typing import Any

from learnable.core.errors import ParameterError
from learnable.core.frames import as_frame

KINDS = ("guaranteed", "approximate", "posterior")
ALTERNATIVES = ("two-sided", "less", "greater")
INFINITE = (-math.inf, math.inf)


@dataclass(frozen=True)
class Comparison:
    """What a test found.

    Attributes
    ----------
    kind : {"guaranteed", "approximate", "posterior"}
        The level of a guaranteed test is never above what it says, under its assumptions; an
        approximate one carries what was measured for it; a posterior rests on its prior.
    method : str
        The test by name, with the convention for ties, zeros or corrections it used.
    statistic : float
        Its statistic.
    p : float or None
        Chance of a statistic at least as far out if there were no difference; None of a posterior.
    effect : float
        How large the difference is: first minus second, unless the test says otherwise.
    low, high : float
        Interval of the effect at ``confidence``; infinite on the side that an alternative leaves
        open, NaN where the test has none.
    confidence : float
        One minus the level of the test, and the confidence of the interval.
    n : int
        Pairs, rows or data sets it rests on.
    assumptions : tuple of str
        What must be so for it to hold.
    text : str
        The sentence a person reads.
    df : tuple of float
        Degrees of freedom, where there are any.
    alternative : {"two-sided", "less", "greater"}
        What was looked for.
    critical : tuple of float
        The null hypothesis is kept while the statistic lies between these two.
    probabilities : tuple of float or None
        Of a posterior: that the first is higher, that both are practically equal, that the second
        is higher.
    further : tuple of Comparison
        The same question by other conventions, each under its own name.
    notes : tuple of str
        What was noticed about the data, and what was measured for the method.

    Examples
    --------
    >>> from learnable.evaluation import paired_t
    >>> found = paired_t([0.82, 0.86, 0.84], [0.71, 0.74, 0.72], names=("tree", "stump"))
    >>> print(found.text)
    tree scores higher than stump by 0.1167 (95% interval 0.1023 to 0.131; p = 0.00082).
    >>> found.told_apart
    True
    """

    kind: str
    method: str
    statistic: float
    p: float | None
    effect: float
    low: float
    high: float
    confidence: float
    n: int
    assumptions: tuple[str, ...]
    text: str
    df: tuple[float, ...] = ()
    alternative: str = "two-sided"
    critical: tuple[float, float] = INFINITE
    probabilities: tuple[float, float, float] | None = None
    further: tuple[Comparison, ...] = ()
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            msg = f"kind must be one of {', '.join(KINDS)}, not {self.kind!r}"
            raise ParameterError(msg)

    @property
    def told_apart(self) -> bool:
        """Whether there is a difference at the level (of a posterior: one that matters)."""
        if self.p is not None:
            return self.p <= 1.0 - self.confidence
        first, _, second = self.probabilities or (0.0, 1.0, 0.0)
        return max(first, second) >= self.confidence

    @property
    def basis(self) -> str:
        """What it rests on: its kind, its method and what must be so."""
        provided = " and ".join(self.assumptions) or "nothing"
        return f"{self.kind.capitalize()} by the {self.method}, provided that {provided}."

    def to_frame(self) -> Any:
        """Return a data frame with a line for this and each further comparison."""
        names = ("kind", "method", "statistic", "p", "effect", "low", "high", "confidence", "n")
        lines = (self, *self.further)
        return as_frame({name: [getattr(line, name) for line in lines] for name in names})

    def to_html(self) -> str:
        """Return the sentence and what it rests on; everything that comes from data is escaped."""
        notes = "".join(f"<p>{html.escape(note)}</p>" for note in self.notes)
        return (
            f'<div class="learnable-comparison"><p>{html.escape(self.text)}</p>'
            f"<p><small>{html.escape(self.basis)}</small></p>{notes}</div>"
        )

    _repr_html_ = to_html

    def __str__(self) -> str:
        return "\n".join([self.text, f"  {self.basis}", *(f"  {note}" for note in self.notes)])


def check_alternative(alternative: str) -> str:
    """Return the alternative, or refuse it.

    Examples
    --------
    >>> from learnable.evaluation.comparison import check_alternative
    >>> check_alternative("less")
    'less'
    """
    if alternative not in ALTERNATIVES:
        msg = f"alternative must be one of {', '.join(ALTERNATIVES)}, not {alternative!r}"
        raise ParameterError(msg)
    return alternative


def chance(p: float) -> str:
    """Return a p-value as people write it.

    Examples
    --------
    >>> from learnable.evaluation.comparison import chance
    >>> chance(0.04321), chance(1e-9)
    ('p = 0.043', 'p < 0.00001')
    """
    least = 1e-5
    return "p < 0.00001" if p < least else f"p = {p:.2g}"


def percent(confidence: float) -> str:
    """Return a confidence as a percentage.

    Examples
    --------
    >>> from learnable.evaluation.comparison import percent
    >>> percent(0.95)
    '95%'
    """
    return f"{100.0 * confidence:g}%"


def interval_text(low: float, high: float, confidence: float) -> str:
    """Return an interval in words.

    Examples
    --------
    >>> from learnable.evaluation.comparison import interval_text
    >>> interval_text(0.1, 0.3, 0.9), interval_text(0.1, float("inf"), 0.9)
    ('90% interval 0.1 to 0.3', '90% sure of at least 0.1')
    """
    if math.isnan(low):
        return f"no {percent(confidence)} interval"
    if low == -math.inf and high == math.inf:
        return f"no bound at {percent(confidence)}"
    if high == math.inf:
        return f"{percent(confidence)} sure of at least {low:.4g}"
    if low == -math.inf:
        return f"{percent(confidence)} sure of at most {high:.4g}"
    return f"{percent(confidence)} interval {low:.4g} to {high:.4g}"


def sentence(
    names: tuple[str, str],
    effect: float,
    bounds: tuple[float, float],
    p: float,
    confidence: float,
    verb: str = "scores",
) -> str:
    """Return the sentence of a comparison of two; the verdict is that of ``p``.

    A difference found is told with the sign that its words give it, and so is its interval.

    Examples
    --------
    >>> from learnable.evaluation.comparison import sentence
    >>> sentence(("a", "b"), 0.01, (-0.02, 0.04), 0.41, 0.95)
    'a and b cannot be told apart: a difference of 0.01 (95% interval -0.02 to 0.04; p = 0.41).'
    """
    rest = f"({interval_text(*bounds, confidence)}; {chance(p)})."
    if p > 1.0 - confidence:
        return (
            f"{names[0]} and {names[1]} cannot be told apart: a difference of {effect:.4g} {rest}"
        )
    way = "higher" if effect > 0.0 else "lower"
    if effect < 0.0:
        bounds = (-bounds[1], -bounds[0])
    rest = f"({interval_text(*bounds, confidence)}; {chance(p)})."
    return f"{names[0]} {verb} {way} than {names[1]} by {abs(effect):.4g} {rest}"
