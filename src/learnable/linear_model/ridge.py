"""Ridge regression: least squares with a penalty on the squares of the coefficients.

    minimise  sum_i w_i (y_i - b - x_i' beta)**2  +  alpha sum_j f_j beta_j**2

The penalty counts against the *sum* of squares, not the mean, and never applies to the constant.

Cost: 2 n d**2 (n**2 d where there are fewer rows than columns), and once for all penalties.

References
----------
.. [1] A. E. Hoerl, R. W. Kennard: Ridge regression: biased estimation for nonorthogonal problems.
   Technometrics 12, 1970.
.. [2] T. Hastie, R. Tibshirani, J. Friedman: The Elements of Statistical Learning. Springer 2009,
   section 3.4.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from learnable.core.errors import DataError, ParameterError
from learnable.core.trace import emit
from learnable.data import Rows
from learnable.data.summaries import fold_fingerprint
from learnable.estimator.learner import fitting
from learnable.estimator.params import ArrayLike, Choice, Either, Flag, Integer, Number, Seed
from learnable.estimator.schema_state import Columns
from learnable.estimator.state import Count, Floats, Names, Text
from learnable.estimator.state import Either as StoredEither
from learnable.estimator.state import Number as StoredNumber
from learnable.estimator.statistic_state import FINGERPRINT, TRIANGLE
from learnable.linear_model.base import LinearRegressor
from learnable.linear_model.design import References
from learnable.linear_model.least_squares import (
    GRAM,
    factor_of,
    fold_triangle,
    triangle_by_products,
)
from learnable.linear_model.pairs import Pair, pairs
from learnable.linear_model.shrinkage import Spectrum, spectrum
from learnable.stats import Fingerprint, Triangle
from learnable.stats.arrays import Floats as FloatArray

SOLVERS = ("auto", "svd", "cholesky", "lsqr", "sparse_cg", "sag", "saga", "lbfgs")

RIDGE_STATE = {
    "n_features_in_": Count("d", low=1),
    "feature_names_in_": Names("d", optional=True),
    "schema_": Columns("d", optional=True),
    "statistic_": TRIANGLE,
    "coef_": StoredEither(Floats("e"), Floats("m", "e")),
    "intercept_": StoredEither(StoredNumber(), Floats("m")),
    "factors_": Floats("e", low=0.0),
    "fingerprint_": FINGERPRINT,
}


class RidgePath(NamedTuple):
    """All that one factorisation says of some penalties.

    Attributes
    ----------
    alphas : array (L,)
        The penalties.
    coefs : array (L, m, e)
        Coefficients.
    degrees : array (L,)
        Effective number of coefficients.
    squares : array (L, m)
        Sums of squared residuals.
    gcv : array (L,)
        Scores of generalised cross-validation.
    evidence : array (L,)
        Log evidence.

    Examples
    --------
    >>> from learnable.linear_model import Ridge
    >>> path = Ridge().fit([[-1.0], [1.0]], [-2.0, 2.0]).path([0.0, 2.0])
    >>> path.coefs[:, 0, 0].round(12), path.degrees.round(12)
    (array([2., 1.]), array([2. , 1.5]))
    """

    alphas: FloatArray
    coefs: FloatArray
    degrees: FloatArray
    squares: FloatArray
    gcv: FloatArray
    evidence: FloatArray


class Shrinking(LinearRegressor):
    """What the ridge learners share: one triangle, and every penalty from it."""

    fit_intercept: bool
    standardize: bool
    penalty_factor: Any
    statistic_: Triangle
    factors_: FloatArray
    fingerprint_: Fingerprint
    multi_output = True
    takes_sparse = True

    def _task(
        self, X: Any, y: Any, sample_weight: Any, *, reset: bool = True
    ) -> tuple[list[Pair], int, bool]:
        rows: Rows = self._read(X, reset=reset)
        fingerprint = fold_fingerprint(rows)
        self.fingerprint_ = fingerprint if reset else self.fingerprint_.merge(fingerprint)
        answers = self._read_answers(y, rows)
        weight = self._given_weights(sample_weight, rows)
        single = answers.ndim == 1
        return pairs(rows, answers.reshape(rows.n, -1), weight), rows.d, single

    def _summed(self, task: list[Pair], d: int) -> Triangle:
        """Return the triangle, by products of columns where these lose nothing."""
        n = sum(pair.block.n for pair in task)
        found = triangle_by_products(task, d) if n * (d + 1.0) ** 2 > GRAM and n > 4 * d else None
        return fold_triangle(task) if found is None else found

    def _settle_factors(self, d: int) -> None:
        """Learn how much each column is penalised, relative to the others."""
        factors = np.ones(d)
        if self.penalty_factor is not None:
            stated = np.asarray(self.penalty_factor, dtype=np.float64)
            if stated.shape != (d,) or not np.isfinite(stated).all() or (stated < 0).any():
                raise ParameterError(
                    f"penalty_factor must hold {d} numbers of at least 0, one a coefficient"
                )
            factors = stated
        if self.standardize:
            columns, _, unit = factor_of(self.statistic_, d, ones=True)
            spread = np.sqrt((columns**2).sum(axis=0) / self.statistic_.weight[0]) * unit[:d]
            factors = factors * np.where(spread > 0.0, spread, 1.0) ** 2
        self.factors_ = factors

    def _spectrum(self) -> Spectrum:
        d = len(self.factors_)
        return spectrum(self.statistic_, d, ones=self.fit_intercept, factors=self.factors_)

    def _keep(self, coef: FloatArray, intercept: FloatArray, *, single: bool) -> None:
        self.coef_ = coef[0].copy() if single else np.ascontiguousarray(coef)
        self.intercept_ = float(intercept[0]) if single else intercept
        if not self.fit_intercept:
            self.intercept_ = 0.0

    def path(self, alphas: Any) -> RidgePath:
        """Return coefficients, degrees of freedom, GCV and evidence for any penalties.

        Parameters
        ----------
        alphas : array (L,)
            Penalties.
        """
        self._check_fitted()
        found = self._spectrum()
        given = np.asarray(alphas, dtype=np.float64)
        return RidgePath(
            given,
            np.array([found.coef(alpha)[0] for alpha in given]),
            np.array([found.degrees(alpha) for alpha in given]),
            np.array([found.squares(alpha) for alpha in given]),
            np.array([found.gcv(alpha) for alpha in given]),
            np.array([found.evidence(alpha) for alpha in given]),
        )

    def _origin(self) -> FloatArray:
        d = self._lines()[0].shape[1]
        return self.statistic_.mean[:d] if self.fit_intercept else np.zeros(d)

    def _check_state(self) -> None:
        coef = self._lines()[0]
        if len(self.statistic_.mean) != coef.shape[1] + len(coef):
            msg = "the statistic has another number of columns than the coefficients"
            raise DataError(msg)
        super()._check_state()


class Ridge(Shrinking):
    """Least squares with a penalty on the squares of the coefficients.

    Parameters
    ----------
    alpha : float or array (m,), default=1.0
        The penalty, against the sum of squares; one for each answer, if several are given.
    fit_intercept : bool, default=True
        Whether there is a constant; it is not penalised.
    copy_X, max_iter, tol, random_state
        Without effect: nothing is changed, and the solution is exact.
    solver : str, default="auto"
        scikit-learn's names; all are the one exact solution.
    positive : bool, default=False
        Whether no coefficient may be negative.
    standardize : bool, default=False
        Whether the penalty counts coefficients of columns divided by their standard deviation (by
        N), so that units decide nothing.
    penalty_factor : array (e,), optional
        How much each coefficient is penalised, relative to the others; 0 for not at all.
    reference : dict, optional
        Which value of a nominal column the others are compared with; the first by default.

    Attributes
    ----------
    coef_ : array (e,) or (m, e)
        Coefficients.
    intercept_ : float or array (m,)
        The constant.
    solver_ : {"primal", "dual"}
        The form that was solved: as many unknowns as columns, or as rows.
    n_iter_ : None
        There are no iterations.
    statistic_ : Triangle
        What was learned from.
    factors_ : array (e,)
        The factors of the penalty.
    fingerprint_ : Fingerprint
        Which rows were learned from.
    schema_ : Schema
        The columns of a table with nominal ones.
    n_features_in_, feature_names_in_
        Number and names of the columns.

    Notes
    -----
    A penalised coefficient is biased on purpose, so it has no standard error or p value here.
    :meth:`path` gives every other penalty without looking at the rows again.

    References
    ----------
    A. E. Hoerl, R. W. Kennard: Ridge regression. Technometrics 12, 1970.

    Examples
    --------
    >>> from learnable.linear_model import Ridge
    >>> model = Ridge(alpha=2.0).fit([[-1.0], [1.0]], [-2.0, 2.0])
    >>> model.coef_.round(12), model.df_
    (array([1.]), 1.5)
    """

    exempt = {"units_do_not_matter": "a column in other units is penalised otherwise"}
    parameters = {
        "alpha": Either(Number(low=0.0), ArrayLike()),
        "fit_intercept": Flag(),
        "copy_X": Flag(),
        "max_iter": Integer(low=1, none=True),
        "tol": Number(low=0.0),
        "solver": Choice(*SOLVERS),
        "positive": Flag(),
        "random_state": Seed(),
        "standardize": Flag(),
        "penalty_factor": ArrayLike(),
        "reference": References(),
    }
    fitted_state = {**RIDGE_STATE, "solver_": Text("primal", "dual")}
    n_iter_ = None

    def __init__(
        self,
        alpha: Any = 1.0,
        *,
        fit_intercept: bool = True,
        copy_X: bool = True,
        max_iter: int | None = None,
        tol: float = 1e-4,
        solver: str = "auto",
        positive: bool = False,
        random_state: Any = None,
        standardize: bool = False,
        penalty_factor: Any = None,
        reference: Any = None,
    ) -> None:
        self.alpha = alpha
        self.fit_intercept = fit_intercept
        self.copy_X = copy_X
        self.max_iter = max_iter
        self.tol = tol
        self.solver = solver
        self.positive = positive
        self.random_state = random_state
        self.standardize = standardize
        self.penalty_factor = penalty_factor
        self.reference = reference

    @fitting
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Ridge:
        """Learn the coefficients.

        Parameters
        ----------
        X : array (n, d), data frame, sparse matrix or Table
            Finite numbers; of a Table also nominal columns.
        y : array (n,) or (n, m)
            The answers.
        sample_weight : array (n,), optional
            A weight of 2 is the row twice.
        """
        task, d, single = self._task(X, y, sample_weight)
        self.statistic_ = self._summed(task, d)
        self._settle_factors(d)
        m = task[0].answers.shape[1]
        alphas = self._penalties(m)
        self.solver_ = "primal" if sum(pair.block.n for pair in task) >= d else "dual"
        if self.positive:
            self._keep(*self._not_negative(alphas, d), single=single)
        else:
            found = self._spectrum()
            solved = [found.coef(alpha) for alpha in alphas]
            places = range(m) if len(alphas) == m else [slice(None)]
            coef = np.vstack(
                [np.atleast_2d(c[k]) for (c, _), k in zip(solved, places, strict=True)]
            )
            base = np.hstack(
                [np.atleast_1d(b[k]) for (_, b), k in zip(solved, places, strict=True)]
            )
            self._keep(coef, base, single=single)
        emit("solve", 1, form=self.solver_, alpha=alphas.tolist(), coef=self._lines()[0].tolist())
        return self

    def _penalties(self, m: int) -> FloatArray:
        try:
            alphas = np.atleast_1d(np.asarray(self.alpha, dtype=np.float64)).ravel()
        except (TypeError, ValueError) as error:
            raise ParameterError("alpha must be a number, or one for each answer") from error
        if len(alphas) not in {1, m}:
            raise ParameterError(
                f"Number of targets and number of penalties do not correspond: {m} and "
                f"{len(alphas)}"
            )
        if not np.isfinite(alphas).all() or (alphas < 0.0).any():
            raise ParameterError(f"alpha must be at least 0, not {self.alpha!r}")
        return alphas

    def _not_negative(self, alphas: FloatArray, d: int) -> tuple[FloatArray, FloatArray]:
        from scipy.optimize import nnls

        columns, answers, unit = factor_of(self.statistic_, d, ones=self.fit_intercept)
        columns, answers = columns * unit[:d], (answers * unit[d:])[: len(columns)]
        coef = []
        for k in range(answers.shape[1]):
            penalty = np.diag(np.sqrt(alphas[k % len(alphas)] * self.factors_))
            right = np.concatenate([answers[:, k], np.zeros(d)])
            coef.append(nnls(np.vstack([columns, penalty]), right)[0])
        found = np.array(coef)
        return found, self.statistic_.mean[d:] - found @ self.statistic_.mean[:d]

    @property
    def df_(self) -> Any:
        """Effective number of coefficients, the constant counted."""
        found = self._spectrum()
        each = np.array([found.degrees(a) for a in self._penalties(len(self._lines()[0]))])
        return float(each[0]) if len(each) == 1 else each
