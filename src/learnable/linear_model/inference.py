"""How sure coefficients are: records of standard errors, tests and intervals.

For least squares with n rows, p coefficients, residuals e and leverages h, the covariance of the
coefficients is ``s**2 (X'X)^-1`` if all errors have one variance (classical), and otherwise
``(X'X)^-1 M (X'X)^-1`` with ``M = sum_i c_i e_i**2 x_i x_i'`` and

=======  ==============================================================================
HC0      ``c_i = 1``
HC1      ``n / (n - p)``
HC2      ``1 / (1 - h_i)``
HC3      ``1 / (1 - h_i)**2``
cluster  sums of ``e_i x_i`` over each group in place of single rows
=======  ==============================================================================

References
----------
.. [1] J. G. MacKinnon, H. White: Some heteroskedasticity-consistent covariance matrix estimators
   with improved finite sample properties. Journal of Econometrics 29, 1985.
.. [2] N. R. Draper, H. Smith: Applied Regression Analysis. 3rd edition, Wiley 1998.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from learnable.core.frames import as_frame
from learnable.stats.arrays import Floats

_LEAST_P = 2e-16


def student_p(t: Any, df: float) -> Any:
    """Return the two-sided p value of Student's t (normal where ``df`` is infinite).

    Examples
    --------
    >>> from learnable.linear_model.inference import student_p
    >>> round(float(student_p(2.0, 10.0)), 6)
    0.073388
    """
    from scipy.special import ndtr, stdtr

    tail = ndtr(-np.abs(t)) if math.isinf(df) else stdtr(df, -np.abs(t))
    return 2.0 * tail


def student_bound(df: float, confidence: float) -> float:
    """Return how many standard errors an interval reaches to either side.

    Examples
    --------
    >>> from learnable.linear_model.inference import student_bound
    >>> round(student_bound(10.0, 0.95), 6)
    2.228139
    """
    from scipy.special import ndtri, stdtrit

    share = (1.0 + confidence) / 2.0
    return float(ndtri(share) if math.isinf(df) else stdtrit(df, share))


@dataclass(frozen=True)
class Coefficients:
    """Coefficients with standard errors, tests and intervals.

    Attributes
    ----------
    names : list of str
        What each belongs to; ``(Intercept)`` for the constant.
    estimate, std_error, t, p, low, high : array
        Estimate, standard error, their ratio, its p value, and the interval; NaN where the data
        do not determine the coefficient.
    df : float
        Degrees of freedom of the residuals; infinite where the normal distribution is used.
    confidence : float
        Of each interval by itself.
    covariance : str
        How the standard errors were found.

    Examples
    --------
    >>> from learnable.linear_model import LinearRegression
    >>> found = LinearRegression().fit([[0.0], [1.0], [2.0], [3.0]], [0.1, 0.9, 2.1, 2.9])
    >>> table = found.inference()
    >>> table.names, table.std_error.round(4)
    (['(Intercept)', 'x0'], array([0.1058, 0.0566]))
    """

    names: list[str]
    estimate: Floats
    std_error: Floats
    t: Floats
    p: Floats
    low: Floats
    high: Floats
    df: float
    confidence: float
    covariance: str

    @classmethod
    def of(
        cls,
        names: list[str],
        estimate: Floats,
        std_error: Floats,
        df: float,
        confidence: float,
        covariance: str,
    ) -> Coefficients:
        """Complete estimates and standard errors."""
        with np.errstate(all="ignore"):
            t = estimate / std_error
            p = np.asarray(student_p(t, df))
            reach = student_bound(df, confidence) * std_error
        return cls(
            names, estimate, std_error, t, p, estimate - reach, estimate + reach, df, confidence,
            covariance,
        )  # fmt: skip

    def to_frame(self) -> Any:
        """Return a data frame, one row a coefficient."""
        columns = ("estimate", "std_error", "t", "p", "low", "high")
        return as_frame({"name": self.names, **{c: getattr(self, c).tolist() for c in columns}})


class FTest(NamedTuple):
    """An F test: whether some coefficients are all 0.

    Examples
    --------
    >>> from learnable.linear_model.inference import FTest
    >>> FTest("x0", 4.0, 1.0, 10.0).p.round(6)
    np.float64(0.073388)
    """

    term: str
    statistic: float
    df: float
    df_residual: float

    @property
    def p(self) -> Any:
        """Chance of a statistic at least as large where all of them are 0."""
        from scipy.special import fdtrc

        if math.isnan(self.statistic) or self.df <= 0 or self.df_residual <= 0:
            return math.nan
        return fdtrc(self.df, self.df_residual, self.statistic)


def stars(p: float) -> str:
    """Return R's marks of significance.

    Examples
    --------
    >>> from learnable.linear_model.inference import stars
    >>> stars(0.03)
    '*'
    """
    marks = ((0.001, "***"), (0.01, "**"), (0.05, "*"), (0.1, "."))
    return next((mark for limit, mark in marks if p < limit), "")


def shown_p(p: float) -> str:
    """Write a p value as R does.

    Examples
    --------
    >>> from learnable.linear_model.inference import shown_p
    >>> shown_p(1e-20), shown_p(0.0311)
    ('<2e-16', '0.0311')
    """
    return "NA" if math.isnan(p) else "<2e-16" if p < _LEAST_P else f"{p:.3g}"


def coefficient_table(table: Coefficients, statistic: str = "t") -> list[str]:
    """Return the lines of a table of coefficients, as R prints it.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.linear_model.inference import Coefficients, coefficient_table
    >>> one = Coefficients.of(["x"], np.array([2.0]), np.array([0.5]), 10.0, 0.95, "classical")
    >>> print(*coefficient_table(one), sep=chr(10))
      Estimate Std. Error t value Pr(>|t|)
    x        2        0.5       4  0.00252 **
    """
    head = ["", "Estimate", "Std. Error", f"{statistic} value", f"Pr(>|{statistic}|)", ""]
    rows = [
        [
            name,
            *["NA" if math.isnan(v) else f"{v:.5g}" for v in (estimate, error, t)],
            shown_p(p),
            stars(p),
        ]
        for name, estimate, error, t, p in zip(
            table.names, table.estimate, table.std_error, table.t, table.p, strict=True
        )
    ]
    rows = [[row[0], "NA", *row[2:]] if row[2] == "NA" else row for row in rows]
    widths = [max(len(row[j]) for row in [head, *rows]) for j in range(6)]
    return [
        " ".join(
            [row[0].ljust(widths[0]), *[row[j].rjust(widths[j]) for j in range(1, 5)], row[5]]
        ).rstrip()
        for row in [head, *rows]
    ]
