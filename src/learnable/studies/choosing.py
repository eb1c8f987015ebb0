"""Which model to take: the simplest that is not credibly worse than the best.

Baselines gate, they do not compete: a model has to beat the best of them beyond doubt, or it is
shown as unproven. Among the others the least complex one is taken, in bits, whose probability of
being worse than the best by more than the margin is below 5%.

References
----------
.. [1] A. Benavoli, G. Corani, J. Demsar, M. Zaffalon: Time for a change: a tutorial for comparing
   multiple classifiers through Bayesian analysis. Journal of Machine Learning Research 18, 2017.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from learnable.evaluation import correlated_t
from learnable.studies.contenders import Contender
from learnable.studies.plan import Plan
from learnable.studies.running import Outcome, chance_of_more
from learnable.studies.sentences import listed

WORSE = 0.05


class Line(NamedTuple):
    """One learner in the table of results.

    Attributes
    ----------
    name, title : str
        Its class, and what it is called.
    mean, low, high : float
        Its mean score with an interval (approximate: corrected for folds that share rows).
    bits : float
        Mean complexity of its models.
    fit_seconds, ask_seconds : float
        Mean time of a fold.
    worse : float
        Probability that it is worse than the best by more than the margin.
    beats : float
        Probability that it is better than the best baseline.
    remark : str
        Why it was left out of the choice, if it was.
    baseline, readable : bool
        As the learner says.
    """

    name: str
    title: str
    mean: float
    low: float
    high: float
    bits: float
    fit_seconds: float
    ask_seconds: float
    worse: float
    beats: float
    remark: str
    baseline: bool
    readable: bool


class Choice(NamedTuple):
    """What was chosen, and why.

    Attributes
    ----------
    name : str
        The learner.
    best : str
        The one with the best mean score.
    proven : bool
        Whether it beats every baseline beyond doubt.
    why : str
        The reason, in words.
    lines : tuple of Line
        All learners, best first.

    Examples
    --------
    >>> from learnable.studies import Choice
    >>> Choice("GaussianNB", "GaussianNB", True, "It scores best.", ()).proven
    True
    """

    name: str
    best: str
    proven: bool
    why: str
    lines: tuple[Line, ...]

    def line(self, name: str) -> Line:
        """Return the line of a learner."""
        return next(line for line in self.lines if line.name == name)


def choose(plan: Plan, outcome: Outcome, taking_part: Sequence[Contender]) -> Choice | None:
    """Choose by what the folds said; None where no learner came through.

    Parameters
    ----------
    plan : Plan
        With confidence and margin.
    outcome : Outcome
        The scores.
    taking_part : sequence of Contender
        Who took part.
    """
    lines = _lines(plan, outcome, taking_part)
    running = [line for line in lines if not line.remark]
    models = [line for line in running if not line.baseline] or running
    if not models:
        return None
    best = models[0]
    if best.baseline:
        why = "Only baselines came through, so there is nothing to choose among."
        return Choice(best.name, best.name, False, why, lines)
    near = [line for line in models if line.worse < WORSE]
    chosen = min(near, key=lambda line: (line.bits, -line.mean, line.name))
    proven = chosen.beats >= plan.confidence
    return Choice(chosen.name, best.name, proven, _why(plan, lines, chosen, best, near), lines)


def _lines(plan: Plan, outcome: Outcome, taking_part: Sequence[Contender]) -> tuple[Line, ...]:
    by_name = {contender.name: contender for contender in taking_part}
    sound = [name for name in outcome.scores if name not in outcome.failed]
    order = sorted(sound, key=lambda name: -float(np.mean(outcome.scores[name])))
    standing = [name for name in order if name not in outcome.dropped]
    models = [name for name in standing if not by_name[name].joining.baseline]
    bases = [name for name in standing if by_name[name].joining.baseline]
    lines = []
    for name in [*order, *outcome.failed]:
        joining, remark = by_name[name].joining, ""
        if name in outcome.failed:
            remark = f"its fit failed: {outcome.failed[name]}"
        elif name in outcome.dropped:
            repeat, chance = outcome.dropped[name]
            remark = f"dropped after repeat {repeat}: worse with probability {chance:.4f}"
        low, high = _interval(outcome.scores[name], outcome.ratio, plan.confidence)
        high = min(high, _most(plan.metric))
        entries = outcome.entries[name]
        lines.append(
            Line(
                name, joining.title, float(np.mean(outcome.scores[name])), low, high,
                float(np.mean([entry.bits for entry in entries])),
                float(np.mean([entry.fit_seconds for entry in entries])),
                float(np.mean([entry.ask_seconds for entry in entries])),
                _chance(outcome, models[0] if models else name, name, plan.margin),
                _chance(outcome, name, bases[0] if bases else name, 0.0),
                remark, joining.baseline, joining.readable,
            )
        )  # fmt: skip
    return tuple(lines)


def _chance(outcome: Outcome, first: str, second: str, margin: float) -> float:
    """Return the probability that the first is better, on the folds that both saw."""
    if first == second:
        return 0.0
    one, other = outcome.scores[first], outcome.scores[second]
    n = min(len(one), len(other))
    if not np.isfinite(one[:n]).all() or not np.isfinite(other[:n]).all():
        return float("nan")
    return chance_of_more(one[:n], other[:n], outcome.ratio, margin)


def _most(metric: str) -> float:
    """Return the largest score there is."""
    return 0.0 if metric.startswith("neg_") or metric == "cost" else 1.0


def _interval(scores: np.ndarray, ratio: float, confidence: float) -> tuple[float, float]:
    if len(scores) < 2 or not np.isfinite(scores).all():
        return float("nan"), float("nan")
    if np.ptp(scores) == 0.0:
        return float(scores[0]), float(scores[0])
    found = correlated_t(scores, ratio=ratio, rope=0.0, confidence=confidence)
    return found.low, found.high


def _why(plan: Plan, lines: tuple[Line, ...], chosen: Line, best: Line, near: list[Line]) -> str:
    base = next((line for line in lines if line.baseline), None)
    told = []
    if chosen.name == best.name:
        told.append(f"{_capital(best.title)} scores best ({best.mean:.4g})")
        others = [line.title for line in near if line is not chosen]
        told.append(
            f"none of {listed(others)}, which may be as good, is simpler"
            if others
            else "no other learner comes within the margin of it"
        )
    else:
        told.append(
            f"{_capital(chosen.title)} takes {chosen.bits:.0f} bits and scores {chosen.mean:.4g}; "
            f"{best.title} scores best ({best.mean:.4g}), but takes {best.bits:.0f} bits"
        )
        told.append(
            f"that the simpler one is worse by more than {plan.margin:g} has a probability of "
            f"{chosen.worse:.3f} only"
        )
    if base is not None:
        sure = chosen.beats >= plan.confidence
        verb = "beats" if sure else "does not beat"
        told.append(f"it {verb} {base.title} beyond doubt (probability {chosen.beats:.4f})")
    return "; ".join(told) + "."


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
