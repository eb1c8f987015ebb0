"""Bayesian ridge regression: noise and penalty are learned by maximising the evidence.

    y ~ N(b + x' beta, 1 / alpha),   beta ~ N(0, 1 / lambda),   alpha, lambda ~ Gamma

with a flat prior on the constant. One factorisation of the rows is made; every turn is a sum over
its singular values:

    gamma = sum_i alpha s_i**2 / (lambda + alpha s_i**2)
    lambda <- (gamma + 2 lambda_1) / (|m|**2 + 2 lambda_2)
    alpha <- (n - gamma + 2 alpha_1) / (RSS + 2 alpha_2)

Cost: that of ridge regression, then d a turn.

References
----------
.. [1] D. J. C. MacKay: Bayesian interpolation. Neural Computation 4, 1992.
.. [2] M. E. Tipping: Sparse Bayesian learning and the relevance vector machine. Journal of Machine
   Learning Research 1, 2001.
"""

from __future__ import annotations

import math
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from learnable.core.fold import runner
from learnable.core.iterate import Info, iterate
from learnable.data import Block
from learnable.estimator.learner import answering, fitting
from learnable.estimator.params import Flag, Integer, Number
from learnable.estimator.state import Floats
from learnable.estimator.state import Integer as StoredInteger
from learnable.estimator.state import Number as StoredNumber
from learnable.linear_model.base import scores
from learnable.linear_model.design import References
from learnable.linear_model.ridge import RIDGE_STATE, Shrinking
from learnable.linear_model.shrinkage import Spectrum
from learnable.stats.arrays import Floats as FloatArray


class Precisions(NamedTuple):
    """Precisions of noise and coefficients, and the log evidence there."""

    alpha: float
    lam: float
    evidence: float


class Priors(NamedTuple):
    """The Gamma priors of both precisions: shapes and rates."""

    alpha_1: float
    alpha_2: float
    lambda_1: float
    lambda_2: float


def evidence(found: Spectrum, priors: Priors, alpha: float, lam: float) -> float:
    """Return the log evidence of two precisions, with their priors.

    Directions in which the rows do not vary count too: there the coefficients keep their prior.
    """
    n, d = found.weight, len(found.scale)
    coef, squares = posterior_mean(found, alpha, lam)
    shape = np.log(lam + alpha * found.values**2).sum() + (d - len(found.values)) * math.log(lam)
    own = d * math.log(lam) + n * math.log(alpha) - alpha * squares - lam * float(coef @ coef)
    prior = priors.lambda_1 * math.log(lam) - priors.lambda_2 * lam
    prior += priors.alpha_1 * math.log(alpha) - priors.alpha_2 * alpha
    return float(prior + 0.5 * (own - shape - n * math.log(2.0 * math.pi)))


def posterior_mean(found: Spectrum, alpha: float, lam: float) -> tuple[FloatArray, float]:
    """Return the mean of the coefficients along the singular vectors, and the squared residuals."""
    kept = found.shrunken(lam / alpha)
    coef = kept * found.targets[:, 0]
    return coef, float(found.squares(lam / alpha)[0])


def maximise(found: Spectrum, priors: Priors, state: Precisions) -> tuple[Precisions, Info]:
    """Take one turn of MacKay's."""
    coef, squares = posterior_mean(found, state.alpha, state.lam)
    gamma = float(found.kept(state.lam / state.alpha).sum())
    lam = (gamma + 2.0 * priors.lambda_1) / (float(coef @ coef) + 2.0 * priors.lambda_2)
    alpha = (found.weight - gamma + 2.0 * priors.alpha_1) / (squares + 2.0 * priors.alpha_2)
    lam, alpha = float(np.clip(lam, 1e-150, 1e150)), float(np.clip(alpha, 1e-150, 1e150))
    change = abs(math.log(lam / state.lam)) + abs(math.log(alpha / state.alpha))
    made = Precisions(alpha, lam, evidence(found, priors, alpha, lam))
    return made, {"change": change, "evidence": made.evidence, "gamma": gamma}


class BayesianRidge(Shrinking):
    """Ridge regression that learns its penalty and its noise from the evidence.

    Parameters
    ----------
    max_iter : int, default=300
        Turns at most.
    tol : float, default=1e-8
        Change of the logs of both precisions that ends it.
    alpha_1, alpha_2 : float, default=1e-6
        Shape and rate of the Gamma prior of the precision of the noise.
    lambda_1, lambda_2 : float, default=1e-6
        The same for the precision of the coefficients.
    alpha_init, lambda_init : float, optional
        Where to begin; one over the variance of the answers, and 1, by default.
    compute_score : bool, default=False
        Whether to keep the log evidence of each turn.
    fit_intercept : bool, default=True
        Whether there is a constant; its prior is flat.
    copy_X, verbose
        Without effect.
    reference : dict, optional
        Which value of a nominal column the others are compared with; the first by default.

    Attributes
    ----------
    coef_, intercept_
        Mean of the coefficients, and the constant.
    alpha_, lambda_ : float
        Precision of the noise, and of the coefficients.
    sigma_ : array (e, e)
        Covariance of the coefficients.
    scores_ : array
        Log evidence of each turn, if it is kept.
    n_iter_ : int
        Turns taken.
    statistic_ : Triangle
        What was learned from.
    factors_ : array (e,)
        1 for every column.
    fingerprint_ : Fingerprint
        Which rows were learned from.
    schema_ : Schema
        The columns of a table with nominal ones.
    n_features_in_, feature_names_in_
        Number and names of the columns.

    Notes
    -----
    The mean is ridge regression with the penalty ``lambda_ / alpha_``.

    References
    ----------
    D. J. C. MacKay: Bayesian interpolation. Neural Computation 4, 1992.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.linear_model import BayesianRidge
    >>> X = np.arange(6.0)[:, None]
    >>> model = BayesianRidge().fit(X, [0.1, 0.9, 2.1, 2.9, 4.1, 4.9])
    >>> answer, spread = model.predict([[2.5], [25.0]], return_std=True)
    >>> answer.round(2), spread.round(2)
    (array([ 2.5, 24.6]), array([0.1 , 0.57]))
    """

    exempt = {"units_do_not_matter": "a column in other units has another prior"}
    multi_output = False
    standardize = False
    penalty_factor = None
    parameters = {
        "max_iter": Integer(low=1),
        "tol": Number(low=0.0, open=True),
        "alpha_1": Number(low=0.0),
        "alpha_2": Number(low=0.0),
        "lambda_1": Number(low=0.0),
        "lambda_2": Number(low=0.0),
        "alpha_init": Number(low=0.0, open=True, none=True),
        "lambda_init": Number(low=0.0, open=True, none=True),
        "compute_score": Flag(),
        "fit_intercept": Flag(),
        "copy_X": Flag(),
        "verbose": Flag(),
        "reference": References(),
    }
    fitted_state = {
        **RIDGE_STATE,
        "alpha_": StoredNumber(low=5e-324),
        "lambda_": StoredNumber(low=5e-324),
        "n_iter_": StoredInteger(low=1),
        "scores_": Floats("?", dtype="float64", optional=True),
    }

    def __init__(
        self,
        *,
        max_iter: int = 300,
        tol: float = 1e-8,
        alpha_1: float = 1e-6,
        alpha_2: float = 1e-6,
        lambda_1: float = 1e-6,
        lambda_2: float = 1e-6,
        alpha_init: float | None = None,
        lambda_init: float | None = None,
        compute_score: bool = False,
        fit_intercept: bool = True,
        copy_X: bool = True,
        verbose: bool = False,
        reference: Any = None,
    ) -> None:
        self.max_iter = max_iter
        self.tol = tol
        self.alpha_1 = alpha_1
        self.alpha_2 = alpha_2
        self.lambda_1 = lambda_1
        self.lambda_2 = lambda_2
        self.alpha_init = alpha_init
        self.lambda_init = lambda_init
        self.compute_score = compute_score
        self.fit_intercept = fit_intercept
        self.copy_X = copy_X
        self.verbose = verbose
        self.reference = reference

    @fitting
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> BayesianRidge:
        """Learn the coefficients and both precisions.

        Parameters
        ----------
        X : array (n, d), data frame, sparse matrix or Table
            Finite numbers; of a Table also nominal columns.
        y : array (n,)
            The answers.
        sample_weight : array (n,), optional
            A weight of 2 is the row twice.
        """
        task, d, _ = self._task(X, self._one_answer(y), sample_weight)
        self.statistic_ = self._summed(task, d)
        self._settle_factors(d)
        found = self._spectrum()
        priors = Priors(self.alpha_1, self.alpha_2, self.lambda_1, self.lambda_2)
        variance = float(found.rest[0] + (found.targets[:, 0] ** 2).sum()) / found.weight
        alpha = self.alpha_init or 1.0 / (variance + np.finfo(float).eps)
        alpha, lam = float(np.clip(alpha, 1e-150, 1e150)), self.lambda_init or 1.0
        start = Precisions(alpha, lam, evidence(found, priors, alpha, lam))
        seen = [start.evidence]
        run = iterate(
            partial(maximise, found, priors), start, tol=self.tol, max_iter=self.max_iter,
            observe=lambda turn: seen.append(turn.state.evidence), name="evidence",
        )  # fmt: skip
        self.alpha_, self.lambda_, self.n_iter_ = run.state.alpha, run.state.lam, run.n_iter
        self._keep(*found.coef(self.lambda_ / self.alpha_), single=True)
        vars(self).pop("scores_", None)
        if self.compute_score:
            self.scores_ = np.array(seen)
        return self

    @property
    def sigma_(self) -> FloatArray:
        """Covariance of the coefficients."""
        found = self._spectrum()
        V = found.vectors
        own = V * self._variances(found) @ V.T
        return np.asarray(own + (np.eye(len(V)) - V @ V.T) / self.lambda_)

    def _variances(self, found: Spectrum) -> FloatArray:
        return 1.0 / (self.lambda_ + self.alpha_ * found.values**2)

    @answering
    def predict(self, X: Any, return_std: bool = False) -> Any:
        """Return the mean of the answer to each row, and its standard deviation if asked.

        Parameters
        ----------
        X : array (n, d), data frame, sparse matrix or Table
            Rows.
        return_std : bool, default=False
            Whether to return the standard deviation of a new answer too.
        """
        rows = self._read(X)
        answer = scores(rows, *self._lines())[:, 0]
        if not return_std:
            return answer
        found = self._spectrum()
        variances, origin = self._variances(found), found.mean[: len(found.scale)]

        def spread(block: Block) -> FloatArray:
            centred = block.finite_array() - origin
            z = centred @ found.vectors
            outside = np.maximum((centred**2).sum(axis=1) - (z**2).sum(axis=1), 0.0)
            return np.sqrt(1.0 / self.alpha_ + z**2 @ variances + outside / self.lambda_)

        return answer, np.concatenate(list(runner()(spread, rows.blocks())))
