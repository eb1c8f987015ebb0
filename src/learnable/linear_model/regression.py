"""Linear regression by least squares, with all that can be said of its coefficients.

    minimise  sum_i w_i (y_i - b - x_i' beta)**2

By reflections of blocks of rows (:class:`~learnable.stats.Triangle`), which keep all digits, or,
where the condition of the columns allows it, by products of columns. Small problems, and badly
conditioned ones, are finished in doubled precision. A weight of 2 is the row twice.

Cost: 2 n d**2 by reflections, n d**2 by products; d**2 / 2 numbers.

References
----------
.. [1] A. Bjorck: Numerical Methods for Least Squares Problems. SIAM 1996.
.. [2] N. R. Draper, H. Smith: Applied Regression Analysis. 3rd edition, Wiley 1998.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from learnable.core.errors import DataError, ParameterError
from learnable.core.trace import emit
from learnable.core.warning import warn
from learnable.data import Rows
from learnable.data.summaries import fold_fingerprint
from learnable.estimator.learner import fitting
from learnable.estimator.params import Choice, Flag, Integer, Number
from learnable.estimator.schema_state import Columns
from learnable.estimator.state import Count, Either, Floats, Names, Text
from learnable.estimator.state import Integer as StoredInteger
from learnable.estimator.state import Number as StoredNumber
from learnable.estimator.statistic_state import FINGERPRINT, TRIANGLE
from learnable.linear_model.design import References
from learnable.linear_model.inferring import Inferring
from learnable.linear_model.influence import Fit, clustered_meat, robust_meat
from learnable.linear_model.least_squares import (
    GRAM,
    Solution,
    factor_of,
    finished,
    fold_triangle,
    solve,
    triangle_by_products,
)
from learnable.linear_model.pairs import Pair, pairs
from learnable.stats import Triangle
from learnable.stats.arrays import Floats as FloatArray

_POWER = {"HC0": 0, "HC1": 0, "HC2": 1, "HC3": 2}


def not_negative(triangle: Triangle, d: int, *, ones: bool) -> FloatArray:
    """Return the coefficients (m, d) of least squares under the condition that none is negative.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.linear_model.regression import not_negative
    >>> from learnable.stats import Triangle
    >>> rows = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 2.0], [0.0, 1.0, -2.0]])
    >>> not_negative(Triangle.of(rows), 2, ones=False).round(12)
    array([[2., 0.]])
    """
    from scipy.optimize import nnls

    columns, answers, unit = factor_of(triangle, d, ones=ones)
    found = [nnls(columns, answers[: len(columns), k])[0] for k in range(answers.shape[1])]
    return np.array(found) * unit[d:, None] / unit[:d]


class LinearRegression(Inferring):
    """Least squares, with standard errors, tests and intervals.

    Parameters
    ----------
    fit_intercept : bool, default=True
        Whether there is a constant beside the columns.
    copy_X : bool, default=True
        Without effect: what is passed is never changed.
    tol : float, optional
        A column of which less than this part is its own, not a combination of the others, counts
        as dependent; some units of rounding by default.
    n_jobs : int, optional
        Without effect: ``learnable.config(threads=...)`` says how many threads work.
    positive : bool, default=False
        Whether no coefficient may be negative; then there is no inference.
    solver : {"auto", "tsqr", "gram"}, default="auto"
        By reflections of rows, or by products of columns, which takes half the work and is chosen
        only where it loses no digits that matter; ``solver_`` says which was used.
    covariance : {"classical", "HC0", "HC1", "HC2", "HC3", "cluster"}, default="classical"
        How standard errors are found (:mod:`learnable.linear_model.inference`).
    reference : dict, optional
        Which value of a nominal column the others are compared with; the first by default.

    Attributes
    ----------
    coef_ : array (e,) or (m, e)
        Coefficients; e is the number of columns, nominal ones counted by their indicators.
    intercept_ : float or array (m,)
        The constant.
    statistic_ : Triangle
        What was learned from: the columns and the answers beside each other.
    residual_length_ : array (m,)
        Root of the sum of squared residuals.
    sandwich_ : array (m, r, r)
        What standard errors other than classical rest on, over the variance of the noise.
    n_groups_ : int
        Number of groups, with ``covariance="cluster"``.
    solver_ : {"tsqr", "gram"}
        The route that was taken.
    fingerprint_ : Fingerprint
        Which rows were learned from.
    schema_ : Schema
        The columns of a table with nominal ones.
    n_features_in_, feature_names_in_
        Number and names of the columns.

    Notes
    -----
    Where columns depend on each other, the solution is the one of least norm, a warning names the
    columns, and coefficients that the data do not determine have no standard error.

    References
    ----------
    A. Bjorck: Numerical Methods for Least Squares Problems. SIAM 1996.

    Examples
    --------
    >>> from learnable.linear_model import LinearRegression
    >>> model = LinearRegression().fit([[0.0], [1.0], [2.0]], [1.0, 3.0, 5.0])
    >>> model.coef_, model.intercept_, model.predict([[10.0]])
    (array([2.]), 1.0, array([21.]))
    """

    multi_output = True
    takes_sparse = True
    parameters = {
        "fit_intercept": Flag(),
        "copy_X": Flag(),
        "tol": Number(low=0.0, none=True),
        "n_jobs": Integer(none=True),
        "positive": Flag(),
        "solver": Choice("auto", "tsqr", "gram"),
        "covariance": Choice("classical", "HC0", "HC1", "HC2", "HC3", "cluster"),
        "reference": References(),
    }
    fitted_state = {
        "n_features_in_": Count("d", low=1, high=100_000),
        "feature_names_in_": Names("d", optional=True),
        "schema_": Columns("d", optional=True),
        "statistic_": TRIANGLE,
        "coef_": Either(Floats("e"), Floats("m", "e")),
        "intercept_": Either(StoredNumber(), Floats("m")),
        "residual_length_": Floats("m", low=0.0),
        "sandwich_": Floats("m", "r", "r", optional=True),
        "n_groups_": StoredInteger(low=2, optional=True),
        "solver_": Text("tsqr", "gram"),
        "fingerprint_": FINGERPRINT,
    }

    def __init__(
        self,
        *,
        fit_intercept: bool = True,
        copy_X: bool = True,
        tol: float | None = None,
        n_jobs: int | None = None,
        positive: bool = False,
        solver: str = "auto",
        covariance: str = "classical",
        reference: Any = None,
    ) -> None:
        self.fit_intercept = fit_intercept
        self.copy_X = copy_X
        self.tol = tol
        self.n_jobs = n_jobs
        self.positive = positive
        self.solver = solver
        self.covariance = covariance
        self.reference = reference

    @fitting
    def fit(
        self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None, offset: Any = None
    ) -> LinearRegression:
        """Learn the coefficients.

        Parameters
        ----------
        X : array (n, d), data frame, sparse matrix or Table
            Finite numbers; of a Table also nominal columns.
        y : array (n,) or (n, m)
            The answers.
        sample_weight : array (n,), optional
            A weight of 2 is the row twice.
        groups : array (n,), optional
            Group of each row, for ``covariance="cluster"``.
        offset : array (n,), optional
            Part of the answer that is known beforehand; predictions leave it out.
        """
        task, d = self._task(X, y, sample_weight, offset, reset=True)
        self.fingerprint_ = self._fingerprint
        triangle = None
        wide = task[0].answers.shape[1] + d + 1.0
        if self.solver == "gram" or (
            self.solver == "auto" and self._n * wide**2 >= GRAM and self._n > 4 * wide
        ):
            triangle = triangle_by_products(task, d)
        self.solver_ = "tsqr" if triangle is None else "gram"
        self._learn(fold_triangle(task) if triangle is None else triangle, d, task)
        self._add_sandwich(task, groups)
        return self

    @fitting
    def partial_fit(self, X: Any, y: Any, sample_weight: Any = None) -> LinearRegression:
        """Learn from more rows; the result is that of ``fit`` on all of them.

        Parameters
        ----------
        X, y, sample_weight
            As in :meth:`fit`.
        """
        self._only_classical("partial_fit")
        first = not self.__sklearn_is_fitted__()
        task, d = self._task(X, y, sample_weight, None, reset=first)
        triangle = fold_triangle(task)
        fingerprint = self._fingerprint
        if not first:
            self._same_outputs(triangle)
            triangle = self.statistic_.merge(triangle)
            fingerprint = self.fingerprint_.merge(fingerprint)
        self.fingerprint_ = fingerprint
        self.solver_ = "tsqr"
        self._learn(triangle, d, None)
        return self

    @fitting
    def forget(self, X: Any, y: Any, sample_weight: Any = None) -> LinearRegression:
        """Take rows back that were learned from; what remains is as if they had never been.

        Parameters
        ----------
        X, y, sample_weight
            As in :meth:`fit`.

        Examples
        --------
        >>> from learnable.linear_model import LinearRegression
        >>> model = LinearRegression().fit([[0.0], [1.0], [2.0], [9.0]], [1.0, 3.0, 5.0, 0.0])
        >>> model.forget([[9.0]], [0.0]).coef_.round(10)
        array([2.])
        """
        self._only_classical("forget")
        self._check_fitted()
        task, d = self._task(X, y, sample_weight, None, reset=False)
        taken = fold_triangle(task)
        self._same_outputs(taken)
        if not taken.weight[0] < self.statistic_.weight[0]:
            raise DataError("No row would be left.", remedy="Forget fewer rows than were learned.")
        self._learn(self.statistic_.minus(taken), d, None)
        return self

    def _only_classical(self, method: str) -> None:
        if self.covariance != "classical":
            msg = f'{method} keeps no single rows, which covariance="{self.covariance}" needs'
            raise ParameterError(msg)

    def _same_outputs(self, triangle: Triangle) -> None:
        if len(triangle.mean) != len(self.statistic_.mean):
            raise DataError("y has another number of columns than before.")

    def _task(
        self, X: Any, y: Any, sample_weight: Any, offset: Any, *, reset: bool
    ) -> tuple[list[Pair], int]:
        """Check once at the door; return rows beside answers, and the number of coefficients."""
        rows: Rows = self._read(X, reset=reset)
        self._fingerprint = fold_fingerprint(rows)
        answers = self._read_answers(y, rows)
        self._single = answers.ndim == 1
        answers = answers.reshape(rows.n, -1)
        answers = answers - self._read_offset(offset, rows.n, answers.shape[1])
        weight = self._given_weights(sample_weight, rows)
        self._n = rows.n
        return pairs(rows, answers, weight), rows.d

    def _learn(self, triangle: Triangle, d: int, task: list[Pair] | None) -> None:
        """Turn the statistic into the model; with the rows at hand, to the last digits."""
        ones = self.fit_intercept
        found = solve(triangle, d, ones=ones, tol=self.tol)
        if task is not None and not self.positive:
            found = finished(found, task, ones=ones)
        if self.positive:
            found = self._constrained(found, triangle, d)
        self.statistic_, self.residual_length_ = found.triangle, found.length
        single = vars(self).pop("_single")
        vars(self).pop("_n")
        vars(self).pop("_fingerprint")
        self.coef_ = found.coef[0].copy() if single else np.ascontiguousarray(found.coef)
        self.intercept_ = float(found.intercept[0]) if single else found.intercept
        if not ones:
            self.intercept_ = 0.0
        if found.inverse.rank < d and not self.positive:
            self._name_dependent_columns()
        emit(
            "solve", 1, route=self.solver_, rank=found.inverse.rank,
            condition=found.inverse.condition, coef=found.coef.tolist(),
            intercept=found.intercept.tolist(),
        )  # fmt: skip

    def _constrained(self, free: Solution, triangle: Triangle, d: int) -> Solution:
        coef = not_negative(triangle, d, ones=self.fit_intercept)
        middle = triangle.mean[d:] - coef @ triangle.mean[:d]
        columns, answers, unit = factor_of(triangle, d, ones=self.fit_intercept)
        inner = coef.T * unit[:d, None] / unit[d:]
        left = answers.copy()
        left[: len(columns)] -= columns @ inner
        length = np.sqrt((left**2).sum(axis=0)) * unit[d:]
        intercept = middle if self.fit_intercept else np.zeros(len(coef))
        return free._replace(coef=coef, intercept=intercept, length=length)

    def _name_dependent_columns(self) -> None:
        told = [
            f"{name} is a combination of {', '.join(others[:5])}"
            if others
            else f"{name} is constant"
            for name, others in self.dependencies_[:5]
        ]
        more = len(self.dependencies_) - len(told)
        warn(
            f"LinearRegression: rank {self.rank_} of {len(self._coefficient_names())} columns. "
            + "; ".join(told) + (f"; and {more} more" if more else "")
            + ". The solution of least norm is taken."
        )  # fmt: skip

    def _add_sandwich(self, task: list[Pair], groups: Any) -> None:
        """Pass over the rows once more, where standard errors need single rows."""
        vars(self).pop("sandwich_", None)
        vars(self).pop("n_groups_", None)
        if self.covariance == "classical" or self.positive:
            return
        frame, fit = self._frame(), Fit(*self._lines(), self._noise())
        n, p = self.statistic_.weight[0], self.rank_ + float(self.fit_intercept)
        if self.covariance != "cluster":
            meat = robust_meat(task, frame, fit, _POWER[self.covariance])
            if self.covariance == "HC1" and n > p:
                meat *= n / (n - p)
            self.sandwich_ = meat
            return
        if groups is None:
            raise ParameterError(
                'covariance="cluster" needs the groups of the rows: fit(groups=...)'
            )
        labels, codes = np.unique(np.asarray(groups), return_inverse=True)
        if len(codes) != sum(pair.block.n for pair in task):
            raise DataError("groups has another length than the rows.")
        if len(labels) < 2:
            raise DataError("There is one group alone.", remedy="Use covariance='HC3'.")
        meat = clustered_meat(task, frame, fit, codes, len(labels))
        count = len(labels)
        self.sandwich_ = meat * (count / (count - 1.0) * (n - 1.0) / max(n - p, 1.0))
        self.n_groups_ = count

    def _origin(self) -> FloatArray:
        d = self._lines()[0].shape[1]
        return self.statistic_.mean[:d] if self.fit_intercept else np.zeros(d)

    def _check_state(self) -> None:
        coef = self._lines()[0]
        outputs = len(self.residual_length_)
        if len(coef) != outputs or len(self.statistic_.mean) != coef.shape[1] + outputs:
            msg = "the statistic has another number of columns than the coefficients"
            raise DataError(msg)
        meat = vars(self).get("sandwich_")
        if meat is not None and meat.shape[1] != self._frame().lines().shape[1]:
            msg = "the sandwich is of another size than the coefficients"
            raise DataError(msg)
        super()._check_state()
