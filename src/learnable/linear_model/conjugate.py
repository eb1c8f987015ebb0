"""Bayesian linear regression with a stated prior: the whole posterior, as rows come in.

    y ~ N(b + x' beta, s2),   beta ~ N(m0, S0)                  if the noise s2 is known
                              beta ~ N(m0, s2 S0), s2 ~ InverseGamma(a0, b0)      otherwise

with a flat prior on the constant. The prior enters as rows above the triangle of the data; the
posterior of more rows is that of all rows at once.

Cost: one triangle, then 2 d**3.

References
----------
.. [1] C. M. Bishop: Pattern Recognition and Machine Learning. Springer 2006, sections 3.3 and 3.5.
.. [2] A. Gelman et al.: Bayesian Data Analysis. 3rd edition, CRC Press 2013, chapter 14.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from scipy.linalg import LinAlgError, cholesky, solve_triangular

from learnable.core.certificate import check_confidence
from learnable.core.errors import DataError, ParameterError
from learnable.core.fold import runner
from learnable.core.trace import emit
from learnable.data import Block
from learnable.estimator.learner import answering, fitting
from learnable.estimator.params import ArrayLike, Flag, Number
from learnable.estimator.state import Count
from learnable.linear_model.base import scores
from learnable.linear_model.design import References
from learnable.linear_model.inference import student_bound
from learnable.linear_model.least_squares import factor_of, fold_triangle
from learnable.linear_model.ridge import RIDGE_STATE, Shrinking
from learnable.stats import Triangle
from learnable.stats.arrays import Floats as FloatArray

_NO_VARIANCE = 2.0


class Posterior(NamedTuple):
    """The posterior of the coefficients.

    Attributes
    ----------
    mean : array (e,)
        Means.
    root : array (e, e)
        A root of the covariance, without the factor of the noise where that is unknown.
    shape, rate : float
        Of the inverse Gamma of the variance of the noise; infinite shape where it is known.
    evidence : float
        Log of the density of all answers.

    Examples
    --------
    >>> from learnable.linear_model import BayesianLinearRegression
    >>> model = BayesianLinearRegression(fit_intercept=False).fit([[1.0], [1.0]], [3.0, 3.0])
    >>> model.posterior().mean.round(12), model.posterior().shape
    (array([2.]), 2.0)
    """

    mean: FloatArray
    root: FloatArray
    shape: float
    rate: float
    evidence: float


class Prior(NamedTuple):
    """What is stated beforehand, ready for use."""

    mean: FloatArray
    precision: FloatArray  # an upper triangle: precision'precision is the inverse of S0
    noise: float | None
    shape: float
    rate: float


def posterior(triangle: Triangle, d: int, prior: Prior, *, ones: bool) -> Posterior:
    """Combine prior and rows.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.linear_model.conjugate import Prior, posterior
    >>> from learnable.stats import Triangle
    >>> rows = np.array([[1.0, 2.0]])
    >>> prior = Prior(np.zeros(1), np.eye(1), 1.0, 0.0, 0.0)
    >>> posterior(Triangle.of(rows), 1, prior, ones=False).mean.round(12)
    array([1.])
    """
    columns, answers, unit = factor_of(triangle, d, ones=ones)
    columns, answers = columns * unit[:d], (answers * unit[d:])[:, 0]
    noise = 1.0 if prior.noise is None else math.sqrt(prior.noise)
    rows = np.zeros((d + len(answers), d + 1))
    rows[:d, :d], rows[:d, d] = prior.precision, prior.precision @ prior.mean
    rows[d : d + len(columns), :d] = columns / noise
    rows[d:, d] = answers / noise
    factor = np.linalg.qr(rows, mode="r")
    mean = solve_triangular(factor[:d, :d], factor[:d, d])
    root = solve_triangular(factor[:d, :d], np.eye(d))
    squares = float((factor[d:, d] ** 2).sum())
    n = float(triangle.weight[0]) - float(ones)
    logs = np.log(np.abs(np.diagonal(prior.precision))).sum()
    logs -= np.log(np.abs(np.diagonal(factor[:d, :d]))).sum()
    flat = 0.5 * math.log(float(triangle.weight[0])) if ones else 0.0
    base = float(logs) - flat - 0.5 * n * math.log(2.0 * math.pi)
    if prior.noise is not None:
        evidence = base - n * math.log(noise) - 0.5 * squares
        return Posterior(mean, root, math.inf, prior.noise, evidence)
    shape, rate = prior.shape + n / 2.0, prior.rate + squares / 2.0
    evidence = base + prior.shape * math.log(prior.rate) - shape * math.log(rate)
    evidence += math.lgamma(shape) - math.lgamma(prior.shape)
    return Posterior(mean, root, shape, rate, evidence)


class BayesianLinearRegression(Shrinking):
    """Linear regression with a stated normal prior, and the noise known or not.

    Parameters
    ----------
    prior_mean : float or array (e,), default=0.0
        Means of the coefficients beforehand.
    prior_variance : float, array (e,) or array (e, e), default=1.0
        Their variances or covariance beforehand; in units of the noise where that is unknown.
    noise_variance : float, optional
        Variance of the noise, if it is known.
    noise_shape, noise_rate : float, default=1.0
        Of the inverse Gamma prior of the variance of the noise, if it is unknown.
    fit_intercept : bool, default=True
        Whether there is a constant; its prior is flat.
    reference : dict, optional
        Which value of a nominal column the others are compared with; the first by default.

    Attributes
    ----------
    coef_, intercept_
        Mean of the coefficients, and the constant.
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
    With ``prior_mean=0``, a known noise and one variance the mean is ridge regression with the
    penalty ``noise_variance / prior_variance``.

    References
    ----------
    C. M. Bishop: Pattern Recognition and Machine Learning. Springer 2006, section 3.3.

    Examples
    --------
    >>> from learnable.linear_model import BayesianLinearRegression
    >>> model = BayesianLinearRegression(noise_variance=1.0, fit_intercept=False)
    >>> model.fit([[1.0], [1.0]], [3.0, 3.0]).coef_.round(12)
    array([2.])
    >>> model.partial_fit([[1.0]], [3.0]).coef_.round(12)
    array([2.25])
    """

    exempt = {"units_do_not_matter": "a column in other units has another prior"}
    multi_output = False
    standardize = False
    penalty_factor = None
    parameters = {
        "prior_mean": ArrayLike(scalar=True),
        "prior_variance": ArrayLike(scalar=True),
        "noise_variance": Number(low=0.0, open=True, none=True),
        "noise_shape": Number(low=0.0, open=True),
        "noise_rate": Number(low=0.0, open=True),
        "fit_intercept": Flag(),
        "reference": References(),
    }
    # What follows from the priors holds a covariance of all columns, which no file holds.
    fitted_state = {**RIDGE_STATE, "n_features_in_": Count("d", low=1, high=1000)}

    def __init__(
        self,
        *,
        prior_mean: Any = 0.0,
        prior_variance: Any = 1.0,
        noise_variance: float | None = None,
        noise_shape: float = 1.0,
        noise_rate: float = 1.0,
        fit_intercept: bool = True,
        reference: Any = None,
    ) -> None:
        self.prior_mean = prior_mean
        self.prior_variance = prior_variance
        self.noise_variance = noise_variance
        self.noise_shape = noise_shape
        self.noise_rate = noise_rate
        self.fit_intercept = fit_intercept
        self.reference = reference

    @fitting
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> BayesianLinearRegression:
        """Combine the prior with rows.

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
        return self._learn(fold_triangle(task), d)

    @fitting
    def partial_fit(self, X: Any, y: Any, sample_weight: Any = None) -> BayesianLinearRegression:
        """Combine what is known with more rows.

        Parameters
        ----------
        X, y, sample_weight
            As in :meth:`fit`.
        """
        first = not self.__sklearn_is_fitted__()
        task, d, _ = self._task(X, self._one_answer(y), sample_weight, reset=first)
        triangle = fold_triangle(task)
        return self._learn(triangle if first else self.statistic_.merge(triangle), d)

    def _learn(self, triangle: Triangle, d: int) -> BayesianLinearRegression:
        self.statistic_ = triangle
        self._settle_factors(d)
        found = self.posterior()
        coef = found.mean[None]
        self._keep(coef, triangle.mean[d:] - coef @ triangle.mean[:d], single=True)
        emit("posterior", 1, mean=found.mean.tolist(), evidence=found.evidence)
        return self

    def _prior(self, d: int) -> Prior:
        try:
            mean = np.broadcast_to(np.asarray(self.prior_mean, dtype=np.float64), d)
            stated = np.asarray(self.prior_variance, dtype=np.float64)
            covariance = stated if stated.ndim == 2 else np.diag(np.broadcast_to(stated, d))
            lower = cholesky(covariance, lower=True)
            precision = solve_triangular(lower, np.eye(d), lower=True)
        except (ValueError, TypeError, LinAlgError) as error:
            raise ParameterError(
                f"the prior must hold means and positive variances of {d} coefficients"
            ) from error
        if precision.shape != (d, d):
            raise ParameterError(f"prior_variance must be ({d}, {d}), not {stated.shape}")
        return Prior(mean, precision, self.noise_variance, self.noise_shape, self.noise_rate)

    def posterior(self) -> Posterior:
        """Return the posterior of the coefficients, and the log evidence.

        Examples
        --------
        >>> from learnable.linear_model import BayesianLinearRegression
        >>> model = BayesianLinearRegression(noise_variance=1.0, fit_intercept=False)
        >>> round(model.fit([[1.0], [1.0]], [3.0, 3.0]).posterior().evidence, 4)
        -5.3872
        """
        self._check_fitted()
        d = len(self.factors_)
        return posterior(self.statistic_, d, self._prior(d), ones=self.fit_intercept)

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
        scale, df = self._spread(rows)
        if math.isfinite(df) and df <= _NO_VARIANCE:
            raise DataError("The predictive distribution has no variance yet.", remedy="Give rows.")
        return answer, scale * (math.sqrt(df / (df - 2.0)) if math.isfinite(df) else 1.0)

    def _spread(self, rows: Any) -> tuple[FloatArray, float]:
        """Return the scale of Student's t (or the normal) of a new answer, and its freedom."""
        found = self.posterior()
        noise = found.rate / found.shape if math.isfinite(found.shape) else found.rate
        inner = noise if math.isfinite(found.shape) else 1.0
        d = len(found.mean)
        ones = self.fit_intercept
        origin = self.statistic_.mean[:d] if ones else np.zeros(d)
        flat = noise / self.statistic_.weight[0] if ones else 0.0

        def scale(block: Block) -> FloatArray:
            q = (block.finite_array() - origin) @ found.root
            return np.sqrt(noise + flat + inner * (q**2).sum(axis=1))

        return np.concatenate(list(runner()(scale, rows.blocks()))), 2.0 * found.shape

    @answering
    def predict_interval(self, X: Any, confidence: float = 0.95) -> tuple[FloatArray, FloatArray]:
        """Return central intervals of the predictive distribution of a new answer.

        Parameters
        ----------
        X : array (n, d), data frame or Table
            Rows.
        confidence : float
            Share of the distribution inside.
        """
        rows = self._read(X)
        answer = scores(rows, *self._lines())[:, 0]
        scale, df = self._spread(rows)
        reach = student_bound(df, check_confidence(confidence)) * scale
        return answer - reach, answer + reach

    def _check_state(self) -> None:
        super()._check_state()
        self.posterior()
