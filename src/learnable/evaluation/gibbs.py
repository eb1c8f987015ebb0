"""Two learners on several data sets, fold by fold: the hierarchical model, by Gibbs sampling.

Of data set i with J folds, correlated by ``rho = ratio / (1 + ratio)``,

    x_ij ~ N(delta_i, sigma_i^2) with correlation rho,   delta_i ~ t(delta_0, sigma_0, nu)

``sigma_i`` and ``sigma_0`` are uniform up to 1000 times what the data show, ``delta_0`` is uniform
over the span of the differences, ``nu`` is Gamma(a, b) with a uniform on [0.5, 5] and b on [0.05,
0.15]. Each step but that of ``nu`` draws from a known distribution; ``nu`` is drawn on a grid.

References
----------
.. [1] G. Corani, A. Benavoli, J. Demsar, F. Mangili, M. Zaffalon: Statistical comparison of
   classifiers through Bayesian hierarchical modelling. Machine Learning 106, 2017.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from learnable.core.certificate import check_confidence
from learnable.core.errors import DataError, ParameterError
from learnable.evaluation.comparison import Comparison
from learnable.evaluation.inputs import Floats
from learnable.evaluation.posteriors import check_scores_by_set, posterior
from learnable.evaluation.student import PAIR

CHAINS = 8
WARM_UP = 1000
MIXED = 1.05


class _Data(NamedTuple):
    """What the sampler reads, in units of the typical spread."""

    means: Floats
    within: Floats
    share: float
    folds: int
    span: float
    widest: float
    widest_between: float
    prior_of_nu: Floats
    grid: Floats


def hierarchical(
    first: Any,
    second: Any = None,
    *,
    ratio: float,
    rope: float = 0.01,
    draws: int = 8000,
    confidence: float = 0.95,
    random_state: int = 0,
    names: tuple[str, str] = PAIR,
) -> Comparison:
    """Return the posterior of the difference of two learners on a data set not seen yet.

    Parameters
    ----------
    first, second : array (data sets, folds)
        Scores on the same folds of each data set; ``first`` alone holds differences.
    ratio : float
        Rows asked by rows learned from; ``1 / (k - 1)`` for k folds.
    rope : float, default=0.01
        Differences up to this size do not matter.
    draws : int, default=8000
        Draws kept, from 8 chains after their first 1000 turns.
    confidence : float, default=0.95
        Probability that the interval holds.
    random_state : int, default=0
        What the draws begin with.
    names : tuple of str
        What the sentence calls the two.

    Returns
    -------
    Comparison
        Its effect is ``delta_0``; a region's probability is how often a new data set falls into it
        more likely than into the others. A data set whose differences are all the same counts as
        if they were uniform within the region. Cost: O((draws + 8000) data sets).

    References
    ----------
    G. Corani, A. Benavoli, J. Demsar, F. Mangili, M. Zaffalon: Statistical comparison of
    classifiers through Bayesian hierarchical modelling. Machine Learning 106, 2017.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.evaluation import hierarchical
    >>> rng = np.random.default_rng(0)
    >>> gaps = 0.05 + 0.01 * rng.normal(size=(8, 1)) + 0.02 * rng.normal(size=(8, 10))
    >>> hierarchical(gaps, ratio=1 / 9, draws=2000).probabilities[0] > 0.95
    True
    """
    if not (ratio > 0.0 and rope >= 0.0 and math.isfinite(ratio + rope)) or draws < CHAINS:
        msg = f"ratio must be positive, rope not negative and draws at least {CHAINS}"
        raise ParameterError(msg)
    check_confidence(confidence)
    gaps = _gaps(first, second)
    data, unit = _prepared(gaps, ratio, rope)
    centre, scale, nu = _sampled(data, draws, np.random.default_rng(random_state))
    mixing = _mixing(centre)
    chances = _regions(centre.ravel(), scale.ravel(), nu.ravel(), rope / unit)
    wins = np.bincount(np.argmax(chances, axis=0), minlength=3) / centre.size
    tail = (1.0 - confidence) / 2.0
    low, high = np.quantile(centre, [tail, 1.0 - tail]) * unit
    average = ", ".join(f"{chance:.3f}" for chance in chances.mean(axis=1))
    notes = (
        f"A new data set: {names[0]} higher, practically equal, {names[1]} higher with {average}.",
        f"Chains agree to a factor of {mixing:.3f} (1 is perfect).",
        *(("The chains do not agree: take more draws.",) if mixing > MIXED else ()),
    )
    assumptions = (
        "the data sets are independent and of one kind",
        "scores of two folds correlate as the share of rows asked",
        "the priors are as stated",
    )
    return posterior(
        "hierarchical model", tuple(wins.tolist()),
        (float(centre.mean()) * unit, float(low), float(high)), confidence, rope, len(gaps), names,
        assumptions, notes,
    )  # fmt: skip


def _gaps(first: Any, second: Any) -> Floats:
    gaps = check_scores_by_set(first)
    if second is None:
        return gaps
    other = check_scores_by_set(second)
    if other.shape != gaps.shape:
        raise DataError(
            f"The first scores have shape {gaps.shape}, the second {other.shape}.",
            remedy="Score both on the same folds of the same data sets.",
        )
    return gaps - other


def _prepared(gaps: Floats, ratio: float, rope: float) -> tuple[_Data, float]:
    folds = gaps.shape[1]
    rho = ratio / (1.0 + ratio)
    squares = np.where(np.ptp(gaps, axis=1) > 0.0, gaps.var(axis=1, ddof=1), 0.0)
    if (squares == 0.0).any() and rope == 0.0:
        raise DataError(
            "The differences of a data set are all the same: they show no spread.",
            row=int(np.argmin(squares)),
            remedy="Give a rope above 0, within which they then count as uniform.",
        )
    squares = np.where(squares > 0.0, squares, rope**2 / 3.0)
    unit = float(np.sqrt(squares).mean())
    means, squares = gaps.mean(axis=1) / unit, squares / unit**2
    between = float(means.std(ddof=1)) or 1.0
    grid = np.geomspace(0.2, 300.0, 160)
    return _Data(
        means, (folds - 1) * squares / (1.0 - rho), (1.0 + (folds - 1) * rho) / folds, folds,
        float(np.abs(gaps).max()) / unit or 1.0, 1000.0, 1000.0 * between, _log_prior(grid), grid,
    ), unit  # fmt: skip


def _log_prior(grid: Floats) -> Floats:
    """Return the log prior of each nu times the width of its cell, a and b summed out."""
    from scipy.special import gammaln, logsumexp

    a = np.linspace(0.5, 5.0, 46)[:, None, None]
    b = np.linspace(0.05, 0.15, 21)[None, :, None]
    density = a * np.log(b) - gammaln(a) + (a - 1.0) * np.log(grid) - b * grid
    return np.asarray(logsumexp(density, axis=(0, 1)) + np.log(grid))


def _sampled(data: _Data, draws: int, rng: np.random.Generator) -> tuple[Floats, Floats, Floats]:
    """Return delta_0, sigma_0 and nu, a row a turn, a column a chain."""
    turns = math.ceil(draws / CHAINS)
    kept = np.empty((3, turns, CHAINS))
    shape = (CHAINS, len(data.means))
    delta = data.means + 0.1 * rng.normal(size=shape)
    centre, between = np.zeros(CHAINS), np.ones(CHAINS)
    weight = np.ones(shape)
    for turn in range(-WARM_UP, turns):
        total = data.within + (data.means - delta) ** 2 / data.share
        precise = _gamma_above(rng, (data.folds - 1) / 2.0, total / 2.0, data.widest**-2)
        evidence, pull = precise / data.share, weight / between[:, None] ** 2
        where = (evidence * data.means + pull * centre[:, None]) / (evidence + pull)
        delta = where + rng.normal(size=shape) / np.sqrt(evidence + pull)
        mass = weight.sum(axis=1)
        centre = _normal_within(
            rng, (weight * delta).sum(axis=1) / mass, between / np.sqrt(mass), data.span
        )
        off = delta - centre[:, None]
        squares = (weight * off**2).sum(axis=1)
        between = 1.0 / np.sqrt(
            _gamma_above(rng, (shape[1] - 1) / 2.0, squares / 2.0, data.widest_between**-2)
        )
        nu = _nu(rng, data, (off / between[:, None]) ** 2)
        scaled = nu[:, None] + (off / between[:, None]) ** 2
        weight = rng.gamma((nu[:, None] + 1.0) / 2.0, 2.0 / scaled)
        if turn >= 0:
            kept[:, turn] = centre, between, nu
    return kept[0], kept[1], kept[2]


def _nu(rng: np.random.Generator, data: _Data, squares: Floats) -> Floats:
    """Draw the degrees of freedom given squared standardised distances, on the grid."""
    from scipy.special import gammaln

    nu, n = data.grid, squares.shape[1]
    fixed = n * (gammaln((nu + 1) / 2) - gammaln(nu / 2) - np.log(nu) / 2) + data.prior_of_nu
    logs = np.log1p(squares[:, :, None] / nu).sum(axis=1) * (-(nu + 1) / 2) + fixed
    # The largest of logarithm plus Gumbel noise is a draw in proportion.
    return np.asarray(nu[np.argmax(logs + rng.gumbel(size=logs.shape), axis=1)])


def _gamma_above(rng: np.random.Generator, shape: float, rate: Floats, least: float) -> Floats:
    """Draw gammas above a bound, by inverting their upper tail."""
    from scipy.special import gammaincc, gammainccinv

    upper = gammaincc(shape, rate * least)
    return np.asarray(gammainccinv(shape, upper * rng.random(rate.shape)) / rate)


def _normal_within(rng: np.random.Generator, mean: Floats, sd: Floats, span: float) -> Floats:
    """Draw normals between minus and plus ``span``."""
    from scipy.special import ndtr, ndtri

    low, high = ndtr((-span - mean) / sd), ndtr((span - mean) / sd)
    drawn = mean + sd * ndtri(low + (high - low) * rng.random(mean.shape))
    return np.clip(drawn, -span, span)


def _regions(centre: Floats, scale: Floats, nu: Floats, rope: float) -> Floats:
    """Return the chances of a new data set: above, within, below, a column a draw."""
    from scipy.special import stdtr

    above = stdtr(nu, (centre - rope) / scale)
    below = stdtr(nu, (-rope - centre) / scale)
    return np.array([above, 1.0 - above - below, below])


def _mixing(draws: Floats) -> float:
    """Return Gelman and Rubin's factor of the chains."""
    turns = len(draws)
    within = float(draws.var(axis=0, ddof=1).mean()) if turns > 1 else 0.0
    between = float(draws.mean(axis=0).var(ddof=1))
    return math.sqrt((turns - 1) / turns + between / within) if within > 0.0 else 1.0
