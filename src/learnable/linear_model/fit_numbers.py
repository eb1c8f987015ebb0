"""A least-squares fit in numbers: rank, noise, likelihood, and the digits it determines."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from learnable.core.certificate import check_confidence
from learnable.core.errors import DataError, ParameterError
from learnable.linalg import Ranked
from learnable.linear_model.base import LinearRegressor
from learnable.linear_model.influence import Coordinates, lengths
from learnable.linear_model.least_squares import factor_of, rank_of
from learnable.stats import Triangle
from learnable.stats.arrays import Floats

_ROUNDING = 2.0**-53


def coordinates_of(triangle: Triangle, inverse: Ranked, d: int, *, ones: bool) -> Coordinates:
    """Return the coordinates in which the coefficients vary alike and independently.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.linear_model.fit_numbers import coordinates_of
    >>> from learnable.linear_model.least_squares import rank_of
    >>> from learnable.stats import Triangle
    >>> found = Triangle.of(np.array([[0.0, 0.0], [4.0, 2.0]]))
    >>> inverse = rank_of(found, 1, ones=True, tol=None)
    >>> coordinates_of(found, inverse, 1, ones=True).of(np.array([[2.0]])).round(6) + 0.0
    array([[0.707107, 0.      ]])
    """
    unit = factor_of(triangle, d, ones=ones)[2][:d]
    level = float(1.0 / np.sqrt(triangle.weight[0])) if ones else 0.0
    origin = triangle.mean[:d] if ones else np.zeros(d)
    return Coordinates(origin, inverse.scale * unit, inverse.root, level)


class FitNumbers(LinearRegressor):
    """What a least-squares fit is in numbers."""

    fit_intercept: bool
    positive: bool
    tol: float | None
    covariance: str
    statistic_: Triangle
    residual_length_: Floats

    @property
    def _inverse(self) -> Ranked:
        d = self._lines()[0].shape[1]
        return rank_of(self.statistic_, d, ones=self.fit_intercept, tol=self.tol)

    def _frame(self) -> Coordinates:
        d = self._lines()[0].shape[1]
        return coordinates_of(self.statistic_, self._inverse, d, ones=self.fit_intercept)

    @property
    def rank_(self) -> int:
        """Number of independent columns."""
        return self._inverse.rank

    @property
    def singular_(self) -> Floats:
        """Singular values of the centred rows."""
        d = self._lines()[0].shape[1]
        columns, _, unit = factor_of(self.statistic_, d, ones=self.fit_intercept)
        return np.linalg.svd(columns * unit[:d], compute_uv=False)

    @property
    def condition_(self) -> float:
        """How much rounding of the data can grow, on columns of equal length (estimated)."""
        return self._inverse.condition

    @property
    def dependencies_(self) -> list[tuple[str, list[str]]]:
        """Each column that others determine, with those others; a constant column has none."""
        names = self._coefficient_names()
        found = self._inverse.dependencies()
        return [(names[j], [names[k] for k in others]) for j, others in found]

    @property
    def df_residual_(self) -> float:
        """Rows less coefficients; a row of weight 2 counts twice."""
        return float(self.statistic_.weight[0]) - self.rank_ - float(self.fit_intercept)

    @property
    def noise_variance_(self) -> Any:
        """Unbiased variance of the noise, by the degrees of freedom (NaN if there are none)."""
        df = self.df_residual_
        with np.errstate(over="ignore"):
            found = (
                (self.residual_length_ / math.sqrt(df)) ** 2
                if df > 0
                else np.full_like(self.residual_length_, np.nan)
            )
        return self._per_answer(found)

    @property
    def noise_variance_ml_(self) -> Any:
        """Variance of the noise of maximum likelihood, by the number of rows."""
        with np.errstate(over="ignore"):
            return self._per_answer(self.residual_length_**2 / self.statistic_.weight[0])

    @property
    def r2_(self) -> Any:
        """Share of the variance (about 0, without a constant) explained on the training rows."""
        d = self._lines()[0].shape[1]
        _, answers, unit = factor_of(self.statistic_, d, ones=self.fit_intercept)
        total = np.sqrt((answers**2).sum(axis=0)) * unit[d:]
        with np.errstate(all="ignore"):
            return self._per_answer(1.0 - (self.residual_length_ / total) ** 2)

    @property
    def log_likelihood_(self) -> Any:
        """Log likelihood of the training answers under normal noise."""
        n = self.statistic_.weight[0]
        with np.errstate(divide="ignore"):
            logs = 2.0 * np.log(self.residual_length_) - math.log(n)
        return self._per_answer(-n / 2.0 * (math.log(2.0 * math.pi) + logs + 1.0))

    @property
    def aic_(self) -> Any:
        """Akaike's criterion, the variance of the noise counted as a parameter (as R does)."""
        return 2.0 * (self.rank_ + float(self.fit_intercept) + 1.0) - 2.0 * self.log_likelihood_

    @property
    def bic_(self) -> Any:
        """Schwarz's criterion, the variance of the noise counted as a parameter (as R does)."""
        k = self.rank_ + float(self.fit_intercept) + 1.0
        return k * math.log(self.statistic_.weight[0]) - 2.0 * self.log_likelihood_

    def _per_answer(self, found: Floats) -> Any:
        return float(found[0]) if np.ndim(self.coef_) == 1 else np.asarray(found)

    def noise_variance_interval(self, confidence: float = 0.95) -> Any:
        """Return the interval of the noise variance by the chi-squared distribution.

        Examples
        --------
        >>> from learnable.linear_model import LinearRegression
        >>> found = LinearRegression().fit([[0.0], [1.0], [2.0], [3.0]], [0.1, 0.9, 2.1, 2.9])
        >>> low, high = found.noise_variance_interval()
        >>> round(low, 6), round(high, 6)
        (0.004337, 0.631966)
        """
        from scipy.special import chdtri

        self._needs_inference()
        tail = (1.0 - check_confidence(confidence)) / 2.0
        df = self.df_residual_
        sums = self.residual_length_**2
        low, high = sums / chdtri(df, tail), sums / chdtri(df, 1.0 - tail)
        return self._per_answer(low), self._per_answer(high)

    def _needs_inference(self) -> None:
        self._check_fitted()
        if self.positive:
            raise ParameterError(
                "Standard errors need coefficients that may be of either sign; with positive=True "
                "some lie on the border, where the theory does not hold. Bootstrap the fit instead."
            )
        if not self.df_residual_ > 0:
            raise DataError(
                f"{self.statistic_.weight[0]:g} rows and {self.rank_} independent columns leave no "
                "degree of freedom to estimate the noise from.",
                remedy="Give more rows, or fewer columns.",
            )

    @property
    def _df_tests(self) -> float:
        groups = vars(self).get("n_groups_")
        return self.df_residual_ if groups is None else float(groups - 1)

    def _estimates(self, output: int) -> tuple[list[str], Floats]:
        coef, intercept = self._lines()
        if not self.fit_intercept:
            return self._coefficient_names(), coef[output]
        names = ["(Intercept)", *self._coefficient_names()]
        return names, np.concatenate([[intercept[output]], coef[output]])

    def digits(self, output: int = 0) -> Floats:
        """Return how many digits of each coefficient the data determine.

        If every cell is right to the last bit of a float, more digits than these mean nothing.

        Examples
        --------
        >>> from learnable.linear_model import LinearRegression
        >>> LinearRegression().fit([[0.0], [1.0], [2.0]], [1.0, 3.0, 5.0]).digits().round(1)
        array([15. , 15.4])
        """
        self._check_fitted()
        frame, coef = self._frame(), self._lines()[0][output]
        weight = self.statistic_.weight[0]
        _, estimate = self._estimates(output)
        lines = frame.lines()
        d = len(coef)
        _, answers, unit = factor_of(self.statistic_, d, ones=self.fit_intercept)
        length = lengths(answers[None, :, output])[0] * unit[d + output]
        own = np.hypot(frame.divisor, np.sqrt(weight) * np.abs(self.statistic_.mean[:d]))
        spread = lengths(lines)
        sizes = np.abs(coef) @ own + np.hypot(
            length, np.sqrt(weight) * abs(self.statistic_.mean[d + output])
        )
        tail = np.abs(lines @ lines.T)
        pull = tail[:, -d:] @ own * self.residual_length_[output]
        with np.errstate(all="ignore"):
            lost = _ROUNDING * (spread * sizes + pull) / np.abs(estimate)
            return np.clip(-np.log10(lost), 0.0, 15.9)
