"""Bayesian comparison of two learners, with a region of practical equivalence (ROPE).

References
----------
.. [1] G. Corani, A. Benavoli: A Bayesian approach for comparing cross-validated algorithms on
   multiple data sets. Machine Learning 100, 2015.
.. [2] A. Benavoli, G. Corani, F. Mangili, M. Zaffalon, F. Ruggeri: A Bayesian Wilcoxon signed-rank
   test based on the Dirichlet process. ICML 2014.
.. [3] A. Benavoli, G. Corani, J. Demsar, M. Zaffalon: Time for a change: a tutorial for comparing
   multiple classifiers through Bayesian analysis. Journal of Machine Learning Research 18, 2017.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from learnable.core.certificate import check_confidence
from learnable.core.errors import DataError, ParameterError
from learnable.evaluation.comparison import Comparison, interval_text
from learnable.evaluation.inputs import Floats, differences
from learnable.evaluation.student import PAIR, Student
from learnable.evaluation.t_tests import spread

Three = tuple[float, float, float]
_CELLS = 2_000_000


def correlated_t(
    first: Any,
    second: Any = None,
    *,
    ratio: float,
    rope: float = 0.01,
    confidence: float = 0.95,
    names: tuple[str, str] = PAIR,
) -> Comparison:
    """Return the posterior of the difference of two learners over resampled folds.

    It is Student's t with ``J - 1`` degrees of freedom about the average difference, with scale
    ``sqrt((1/J + ratio) s_d^2)``: the corrected resampled t read as a posterior under the
    noninformative prior.

    Parameters
    ----------
    first, second : array (J,)
        Scores on the same folds; ``first`` alone holds differences.
    ratio : float
        Rows asked by rows learned from; ``1 / (k - 1)`` for k folds.
    rope : float, default=0.01
        Differences up to this size do not matter.
    confidence : float, default=0.95
        Probability that the interval holds.
    names : tuple of str
        What the sentence calls the two.

    Returns
    -------
    Comparison
        With ``probabilities``: first higher, practically equal, second higher. Cost: O(J).

    References
    ----------
    G. Corani, A. Benavoli: A Bayesian approach for comparing cross-validated algorithms on
    multiple data sets. Machine Learning 100, 2015.

    Examples
    --------
    >>> from learnable.evaluation import correlated_t
    >>> found = correlated_t([0.05, 0.04, 0.06, 0.05, 0.03], ratio=1 / 4)
    >>> [round(p, 3) for p in found.probabilities]
    [0.995, 0.004, 0.001]
    """
    from scipy.special import stdtr

    if not (math.isfinite(ratio) and ratio > 0.0):
        msg = f"ratio must be positive: rows asked by rows learned from, not {ratio!r}"
        raise ParameterError(msg)
    _check_rope(rope)
    gaps = differences(first, second)
    mean, error = float(gaps.mean()), math.sqrt(spread(gaps) * (1.0 / len(gaps) + ratio))
    student = Student(mean, 0.0, error, len(gaps) - 1.0, check_confidence(confidence), "two-sided")
    if error == 0.0:
        chances = (0.0, 1.0, 0.0)
    else:
        above = float(stdtr(student.df, (mean - rope) / error))
        below = float(stdtr(student.df, (-rope - mean) / error))
        chances = (above, max(1.0 - above - below, 0.0), below)
    assumptions = (
        "both learners saw the same folds",
        "scores of two folds correlate as the share of rows asked",
        "the differences are nearly normal, under the noninformative prior",
    )
    return posterior(
        "correlated t", chances, (mean, *student.bounds), confidence, rope, len(gaps), names,
        assumptions,
    )  # fmt: skip


def bayesian_signed_rank(
    first: Any,
    second: Any = None,
    *,
    rope: float = 0.01,
    strength: float = 0.5,
    draws: int = 20_000,
    confidence: float = 0.95,
    random_state: int = 0,
    names: tuple[str, str] = PAIR,
) -> Comparison:
    """Return the posterior of Wilcoxon's statistic over data sets, by the Dirichlet process.

    Weights of the n differences and of one prior observation at zero are drawn from
    ``Dirichlet(strength, 1, ..., 1)``. In each draw the average of two differences, drawn by these
    weights, lies above, within or below the region with some chance; a region's probability is how
    often its chance is the largest.

    Parameters
    ----------
    first, second : array (n,)
        Scores in pairs, one pair a data set; ``first`` alone holds differences.
    rope : float, default=0.01
        Differences up to this size do not matter.
    strength : float, default=0.5
        Weight of the prior observation, which is a difference of zero.
    draws : int, default=20000
        Draws from the posterior.
    confidence : float, default=0.95
        Probability that the interval holds.
    random_state : int, default=0
        What the draws begin with.
    names : tuple of str
        What the sentence calls the two.

    Returns
    -------
    Comparison
        Its effect is the average of the differences by weight. Cost: O(draws n^2).

    References
    ----------
    A. Benavoli, G. Corani, F. Mangili, M. Zaffalon, F. Ruggeri: A Bayesian Wilcoxon signed-rank
    test based on the Dirichlet process. ICML 2014.

    Examples
    --------
    >>> from learnable.evaluation import bayesian_signed_rank
    >>> found = bayesian_signed_rank([0.03, 0.05, 0.02, 0.04, 0.001, 0.06], rope=0.01)
    >>> found.probabilities[0] > 0.95
    True
    """
    _check_rope(rope)
    check_confidence(confidence)
    if not strength > 0.0 or draws < 100:
        msg = f"strength must be positive and draws 100 or more, not {strength!r} and {draws!r}"
        raise ParameterError(msg)
    gaps = np.concatenate([[0.0], differences(first, second, 1)])
    prior = np.append(strength, np.ones(len(gaps) - 1))
    wins, effects = _drawn(gaps, prior, rope, draws, np.random.default_rng(random_state))
    tail = (1.0 - confidence) / 2.0
    low, high = np.quantile(effects, [tail, 1.0 - tail])
    chances = tuple((wins / draws).tolist())
    assumptions = (
        "the data sets are independent",
        f"the prior weighs a difference of zero as {strength:g} data sets",
    )
    return posterior(
        "Bayesian signed-rank test", chances, (float(effects.mean()), float(low), float(high)),
        confidence, rope, len(gaps) - 1, names, assumptions,
    )  # fmt: skip


def _drawn(
    gaps: Floats, prior: Floats, rope: float, draws: int, rng: np.random.Generator
) -> tuple[Floats, Floats]:
    """Count how often each region is the likeliest, and return the average of each draw."""
    sums = gaps[:, None] + gaps[None, :]
    regions = [(sums > 2.0 * rope).astype(float), (sums < -2.0 * rope).astype(float)]
    wins, means = np.zeros(3), []
    for size in _portions(draws, len(gaps)):
        weights = rng.dirichlet(prior, size)
        above, below = (((weights @ region) * weights).sum(1) for region in regions)
        wins += np.bincount(np.argmax([above, 1.0 - above - below, below], axis=0), minlength=3)
        means.append(weights @ gaps)
    return wins, np.concatenate(means)


def posterior(
    method: str,
    chances: Three,
    effect: Three,
    confidence: float,
    rope: float,
    n: int,
    names: tuple[str, str],
    assumptions: tuple[str, ...],
    notes: tuple[str, ...] = (),
) -> Comparison:
    """Return a comparison made of three probabilities and an effect with its interval.

    Examples
    --------
    >>> from learnable.evaluation.posteriors import posterior
    >>> found = posterior("t", (0.1, 0.88, 0.02), (0.0, -0.01, 0.01), 0.95, 0.01, 9, ("a", "b"), ())
    >>> print(found.text)
    Undecided between a and b: practically equal (within 0.01) with probability 0.880, a higher
    with 0.100, b higher with 0.020 (a difference of 0; 95% interval -0.01 to 0.01).
    """
    verdicts = (
        f"{names[0]} scores higher than {names[1]}",
        f"{names[0]} and {names[1]} are practically equal",
        f"{names[1]} scores higher than {names[0]}",
    )
    regions = [
        (chances[1], f"practically equal (within {rope:g})"),
        (chances[0], f"{names[0]} higher"),
        (chances[2], f"{names[1]} higher"),
    ]
    regions.sort(key=lambda region: -region[0])
    (top, best), *others = regions
    decided = [text for text, p in zip(verdicts, chances, strict=True) if p >= confidence]
    head = decided[0] if decided else f"Undecided between {names[0]} and {names[1]}"
    told = ", ".join(f"{name} with {p:.3f}" for p, name in others)
    text = (
        f"{head}: {best} with probability {top:.3f}, {told} "
        f"(a difference of {effect[0]:.4g}; {interval_text(effect[1], effect[2], confidence)})."
    )
    return Comparison(
        "posterior", method, effect[0], None, *effect, confidence, n, assumptions, text,
        probabilities=chances, notes=notes,
    )  # fmt: skip


def _check_rope(rope: float) -> None:
    if not (math.isfinite(rope) and rope >= 0.0):
        msg = f"rope must be a size of difference that does not matter, not {rope!r}"
        raise ParameterError(msg)


def _portions(draws: int, width: int) -> list[int]:
    """Cut draws into portions that fit into little memory."""
    if width * width > _CELLS * 10:
        raise DataError(
            f"{width - 1} differences make {width * width} pairs.",
            remedy="With so many, take wilcoxon or paired_t.",
        )
    size = max(_CELLS // width, 1)
    return [min(size, draws - start) for start in range(0, draws, size)]


def check_scores_by_set(scores: Any) -> Floats:
    """Return differences, a row a data set, a column a fold.

    Examples
    --------
    >>> from learnable.evaluation.posteriors import check_scores_by_set
    >>> check_scores_by_set([[0.1, 0.2], [0.0, 0.1]]).shape
    (2, 2)
    """
    found = np.asarray(scores, dtype=np.float64)
    if found.ndim != 2 or min(found.shape) < 2:
        raise DataError(
            f"Differences of shape {found.shape} are not of several data sets and folds.",
            remedy="Give 2 or more rows (data sets) of 2 or more columns (folds).",
        )
    if not np.isfinite(found).all():
        row = int(np.argmin(np.isfinite(found).all(axis=1)))
        raise DataError(
            "A data set has a difference that is not finite.", row=row, remedy="Score it anew."
        )
    return found
