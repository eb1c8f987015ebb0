"""Several learners, pair by pair: what was found of each pair, and of all of them together."""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from typing import Any

import numpy as np

from learnable.core.errors import ParameterError
from learnable.core.frames import as_frame
from learnable.evaluation.comparison import INFINITE, Comparison, chance, percent, sentence


@dataclass(frozen=True)
class Comparisons:
    """What was found of several learners; p-values and intervals hold for all pairs at once.

    Attributes
    ----------
    method : str
        The test of the pairs, and what was done about there being several.
    why : str
        Why this test was chosen.
    names : tuple of str
        The learners.
    values : tuple of float
        A figure a learner: its average score, or its mean rank, as ``quantity`` says.
    quantity : str
        What ``values`` are, ``"mean rank"`` or ``"mean score"``, ``"accuracy"``, ...
    places : tuple of (int, int)
        Which learners the pairs are of.
    pairs : tuple of Comparison
        What was found of each pair; p is adjusted, and its unadjusted value is in the notes.
    confidence : float
        One minus the chance of any false difference among all pairs.
    n : int
        Folds, rows or data sets they rest on.
    overall : Comparison or None
        The test of all at once, such as Friedman's.
    critical_difference : float or None
        Difference of mean ranks from which on two learners are told apart.
    control : str or None
        The learner all others are compared with; None if all are with all.
    notes : tuple of str
        What was noticed about the data.

    Examples
    --------
    >>> from learnable.evaluation import nemenyi
    >>> scores = {"a": [.9, .8, .7, .9, .8], "b": [.8, .7, .6, .7, .7], "c": [.7, .6, .5, .6, .6]}
    >>> found = nemenyi(scores)
    >>> print(found.text)
    a, b and c, best first; a is told apart from c.
    >>> found.groups()
    [('a', 'b'), ('b', 'c')]
    """

    method: str
    why: str
    names: tuple[str, ...]
    values: tuple[float, ...]
    quantity: str
    places: tuple[tuple[int, int], ...]
    pairs: tuple[Comparison, ...]
    confidence: float
    n: int
    overall: Comparison | None = None
    critical_difference: float | None = None
    control: str | None = None
    lower_is_better: bool = False
    notes: tuple[str, ...] = ()

    def between(self, first: str, second: str) -> Comparison:
        """Return what was found of two learners, in the order in which they were compared."""
        for (i, j), pair in zip(self.places, self.pairs, strict=True):
            if {self.names[i], self.names[j]} == {first, second}:
                return pair
        msg = f"{first!r} and {second!r} were not compared"
        raise ParameterError(msg)

    def order(self) -> list[int]:
        """Return the learners by their values, best first."""
        sign = 1.0 if self.lower_is_better else -1.0
        return [int(i) for i in np.argsort(sign * np.asarray(self.values), kind="stable")]

    def groups(self) -> list[tuple[str, ...]]:
        """Return the largest runs of learners, in order, no two of which are told apart."""
        order = self.order()
        apart = {
            frozenset(place)
            for place, pair in zip(self.places, self.pairs, strict=True)
            if pair.told_apart
        }
        ends = [
            max(
                end
                for end in range(start, len(order))
                if not any(
                    frozenset(two) in apart for two in combinations(order[start : end + 1], 2)
                )
            )
            for start in range(len(order))
        ]
        first = [0, *(start for start, (a, b) in enumerate(pairwise(ends), 1) if b > a)]
        return [tuple(self.names[i] for i in order[s : ends[s] + 1]) for s in first]

    @property
    def text(self) -> str:
        """The finding in one sentence."""
        names = [self.names[i] for i in self.order()]
        rank = {name: place for place, name in enumerate(names)}
        found = [
            " is told apart from ".join(sorted((self.names[i], self.names[j]), key=rank.get))
            for (i, j), pair in zip(self.places, self.pairs, strict=True)
            if pair.told_apart
        ]
        listed = f"{', '.join(names[:-1])} and {names[-1]}"
        rest = "; ".join(found) if found else "none is told apart from another"
        return f"{listed}, best first; {rest}."

    @property
    def basis(self) -> str:
        """What the verdicts rest on."""
        provided = " and ".join(self.pairs[0].assumptions)
        return (
            f"{self.pairs[0].kind.capitalize()} by the {self.method}, at {percent(self.confidence)}"
            f" for all pairs together, provided that {provided}."
        )

    def to_frame(self) -> Any:
        """Return a data frame with a line a pair."""
        ends = [(self.names[i], self.names[j]) for i, j in self.places]
        columns = ("statistic", "p", "effect", "low", "high", "told_apart", "text")
        return as_frame(
            {"first": [one for one, _ in ends], "second": [two for _, two in ends]}
            | {name: [getattr(pair, name) for pair in self.pairs] for name in columns}
        )

    def _lines(self) -> list[str]:
        figures = [f"{self.names[i]}: {self.quantity} {self.values[i]:.4g}" for i in self.order()]
        overall = [] if self.overall is None else [self.overall.text]
        return [*figures, *overall, *(pair.text for pair in self.pairs)]

    def to_html(self) -> str:
        """Return all of it as a list; everything that comes from the data is escaped."""
        lines = "".join(f"<li>{html.escape(line)}</li>" for line in self._lines())
        notes = "".join(f"<p>{html.escape(note)}</p>" for note in self.notes)
        return (
            f'<div class="learnable-comparisons"><p>{html.escape(self.text)}</p><ul>{lines}</ul>'
            f"<p><small>{html.escape(self.basis)} {html.escape(self.why)}</small></p>{notes}</div>"
        )

    _repr_html_ = to_html

    def __str__(self) -> str:
        lines = [f"  {line}" for line in (*self._lines(), self.basis, self.why, *self.notes)]
        return "\n".join([self.text, *lines])


def holm_adjusted(p: Sequence[float]) -> tuple[float, ...]:
    """Return p-values adjusted by Holm: the i-th smallest of m times ``m - i + 1``, not falling.

    Whatever the dependence between the tests, the chance of any false difference among those with
    an adjusted value of at most ``alpha`` is at most ``alpha``.

    Parameters
    ----------
    p : sequence of float
        The p-values.

    Returns
    -------
    tuple of float
        The adjusted ones, in the same order. Cost: O(m log m).

    References
    ----------
    S. Holm: A simple sequentially rejective multiple test procedure. Scandinavian Journal of
    Statistics 6, 1979.

    Examples
    --------
    >>> from learnable.evaluation import holm_adjusted
    >>> holm_adjusted([0.01, 0.04, 0.03])
    (0.03, 0.06, 0.06)
    """
    values = np.asarray(p, dtype=np.float64)
    if values.ndim != 1 or not ((values >= 0.0) & (values <= 1.0)).all():
        msg = "p-values are a sequence of numbers between 0 and 1"
        raise ParameterError(msg)
    order = np.argsort(values, kind="stable")
    adjusted = np.empty_like(values)
    factors = np.arange(len(values), 0, -1)
    adjusted[order] = np.minimum(np.maximum.accumulate(values[order] * factors), 1.0)
    return tuple(adjusted.tolist())


def pairs_of(names: tuple[str, ...], control: str | None) -> tuple[tuple[int, int], ...]:
    """Return which learners to compare: all pairs, or the control with each other one.

    Examples
    --------
    >>> from learnable.evaluation.comparisons import pairs_of
    >>> pairs_of(("a", "b", "c"), None), pairs_of(("a", "b", "c"), "b")
    (((0, 1), (0, 2), (1, 2)), ((1, 0), (1, 2)))
    """
    if control is None:
        return tuple(combinations(range(len(names)), 2))
    if control not in names:
        msg = f"control must be one of {', '.join(names)}, not {control!r}"
        raise ParameterError(msg)
    place = names.index(control)
    return tuple((place, other) for other in range(len(names)) if other != place)


def by_holm(
    test: Callable[[int, int, float], Comparison],
    names: tuple[str, ...],
    places: tuple[tuple[int, int], ...],
    confidence: float,
    verb: str = "scores",
) -> tuple[Comparison, ...]:
    """Test all pairs, adjust p by Holm and widen the intervals so that all hold together.

    Examples
    --------
    >>> from learnable.evaluation import paired_t
    >>> from learnable.evaluation.comparisons import by_holm
    >>> scores = [[0.9, 0.8, 0.85, 0.9], [0.8, 0.75, 0.7, 0.85], [0.5, 0.6, 0.4, 0.4]]
    >>> found = by_holm(
    ...     lambda i, j, confidence: paired_t(scores[i], scores[j], confidence=confidence),
    ...     ("a", "b", "c"), ((0, 1), (0, 2), (1, 2)), 0.95,
    ... )
    >>> [pair.told_apart for pair in found]
    [True, True, True]
    """
    each = 1.0 - (1.0 - confidence) / len(places)
    raw = [test(i, j, each) for i, j in places]
    adjusted = holm_adjusted([pair.p for pair in raw])

    def alone(pair: Comparison) -> tuple[str, ...]:
        return (f"Alone it would be {chance(pair.p)}.",) if len(raw) > 1 else ()

    return tuple(
        replace(
            pair,
            p=p,
            confidence=confidence,
            critical=INFINITE if len(raw) > 1 else pair.critical,
            text=sentence(
                (names[i], names[j]), pair.effect, (pair.low, pair.high), p, confidence, verb
            ),
            notes=(*pair.notes, *alone(pair)),
        )
        for (i, j), pair, p in zip(places, raw, adjusted, strict=True)
    )
