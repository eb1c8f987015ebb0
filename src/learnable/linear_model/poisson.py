"""Poisson regression: counts whose logarithm of the mean is a sum of columns times coefficients.

    minimise  sum_i w_i (m_i - y_i log m_i) / sum_i w_i  +  alpha/2 |beta|**2,   log m = b + x' beta

by Newton's steps on standardised columns. Without a penalty, coefficients have Wald's standard
errors; ``dispersion_`` says whether the counts vary as the Poisson distribution says.

Cost: n d**2 a step, of which few are taken.

References
----------
.. [1] P. McCullagh, J. A. Nelder: Generalized Linear Models. 2nd edition, Chapman and Hall 1989.
.. [2] A. C. Cameron, P. K. Trivedi: Regression Analysis of Count Data. Cambridge 2013.
"""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np

from learnable.core.errors import DataError, ParameterError
from learnable.core.explanation import Explanation, Part
from learnable.core.fold import fold
from learnable.core.warning import warn
from learnable.data.summaries import fold_moments
from learnable.estimator.learner import answering, fitting
from learnable.estimator.params import Choice, Flag, Integer, Number
from learnable.estimator.schema_state import Columns
from learnable.estimator.state import Count, Floats, Names
from learnable.estimator.state import Integer as StoredInteger
from learnable.estimator.state import Number as StoredNumber
from learnable.linear_model.base import LinearRegressor, contributions, scores
from learnable.linear_model.descending import newton
from learnable.linear_model.design import References
from learnable.linear_model.inference import Coefficients, coefficient_table
from learnable.linear_model.influence import lengths
from learnable.linear_model.logistic_loss import Loss, Problem
from learnable.linear_model.pairs import Pair, pairs
from learnable.linear_model.summary import CODES, counted
from learnable.loops import logistic as loops
from learnable.stats.arrays import Floats as FloatArray
from learnable.stats.arrays import frozen

_TILE_BYTES = 1 << 19


class Counting(Problem):
    """The loss of counts, with its gradient and curvature."""

    __slots__ = ()

    def at(self, theta: FloatArray, *, curvature: bool, every: int = 1) -> Loss:  # noqa: ARG002
        """Return the loss of coefficients (1, 1 + d)."""
        task = partial(_block_loss, self, theta, curvature)
        found: Loss = fold(task, Loss.__add__, self.blocks)
        return self._penalised(found, theta)


def _block_loss(problem: Problem, theta: FloatArray, curvature: bool, pair: Pair) -> Loss:
    """Return the loss of one block (at module level, so that a cluster can run it)."""
    cells, weight = pair.block.array(), pair.block.weight
    n, d = cells.shape
    p = d + 1
    total = Loss(0.0, np.zeros((1, p)), np.zeros((p, p)) if curvature else None)
    step = max(_TILE_BYTES // (8 * p), 64)
    for start in range(0, n, step):
        some = slice(start, min(start + step, n))
        rows = np.empty((some.stop - start, p))
        rows[:, 0] = 1.0
        np.subtract(cells[some], problem.origin, out=rows[:, 1:])
        rows[:, 1:] /= problem.scale
        residual, bend = np.empty(len(rows)), np.empty(len(rows))
        target = frozen(np.ascontiguousarray(pair.answers[some, 0]))
        with np.errstate(over="ignore"):
            value = loops.poisson(
                frozen(rows @ theta[0]), target, frozen(weight[some]), residual, bend
            )
        if not math.isfinite(value):  # a step too long; it will be halved
            return Loss(math.inf, total.gradient, total.curvature)
        gradient = (residual @ rows)[None]
        if curvature:
            rows *= np.sqrt(bend)[:, None]
        total += Loss(value, gradient, rows.T @ rows if curvature else None)
    return total


class PoissonRegressor(LinearRegressor):
    """Regression of counts, with a penalty or with standard errors.

    Parameters
    ----------
    alpha : float, default=1.0
        The penalty, against the mean of the losses; 0 for none, and standard errors.
    fit_intercept : bool, default=True
        Whether there is a constant; it is not penalised.
    solver : {"lbfgs", "newton-cholesky"}
        scikit-learn's names; all lead to the one solution.
    max_iter : int, default=100
        Steps at most.
    tol : float, default=1e-4
        Without effect: the steps go on to the last digits.
    warm_start, verbose
        Without effect.
    reference : dict, optional
        Which value of a nominal column the others are compared with; the first by default.

    Attributes
    ----------
    coef_ : array (e,)
        Coefficients.
    intercept_ : float
        The constant.
    n_iter_ : int
        Steps taken.
    weight_ : float
        Sum of the weights.
    loss_, null_loss_ : float
        Half the deviance of the training rows, and that of their mean alone.
    pearson_ : float
        Sum of squared residuals over their variances.
    curvature_ : array (1 + e, 1 + e)
        Information of the coefficients in standardised columns, without a penalty.
    origin_, scale_ : array (e,)
        Where 0 lay in the standardised columns, and what 1 was.
    schema_ : Schema
        The columns of a table with nominal ones.
    n_features_in_, feature_names_in_
        Number and names of the columns.

    Notes
    -----
    A penalised fit has no standard errors: its coefficients are biased on purpose.

    References
    ----------
    P. McCullagh, J. A. Nelder: Generalized Linear Models. 2nd edition 1989.

    Examples
    --------
    >>> from learnable.linear_model import PoissonRegressor
    >>> model = PoissonRegressor(alpha=0).fit([[0.0], [1.0], [2.0], [3.0]], [1, 2, 4, 8])
    >>> model.coef_.round(6), model.predict([[4.0]]).round(6)
    (array([0.693147]), array([16.]))
    """

    exempt = {"units_do_not_matter": "a column in other units is penalised otherwise"}
    multi_output = False
    takes_sparse = False
    positive_answers = True
    parameters = {
        "alpha": Number(low=0.0),
        "fit_intercept": Flag(),
        "solver": Choice("lbfgs", "newton-cholesky"),
        "max_iter": Integer(low=1),
        "tol": Number(low=0.0),
        "warm_start": Flag(),
        "verbose": Integer(low=0),
        "reference": References(),
    }
    fitted_state = {
        "n_features_in_": Count("d", low=1),
        "feature_names_in_": Names("d", optional=True),
        "schema_": Columns("d", optional=True),
        "coef_": Floats("e", dtype="float64"),
        "intercept_": StoredNumber(),
        "origin_": Floats("e", dtype="float64"),
        "scale_": Floats("e", low=5e-324, dtype="float64"),
        "n_iter_": StoredInteger(low=1),
        "weight_": StoredNumber(low=5e-324),
        "loss_": StoredNumber(low=0.0),
        "null_loss_": StoredNumber(low=0.0),
        "pearson_": StoredNumber(low=0.0),
        "curvature_": Floats("q", "q", dtype="float64", optional=True),
    }

    def __init__(
        self,
        *,
        alpha: float = 1.0,
        fit_intercept: bool = True,
        solver: str = "lbfgs",
        max_iter: int = 100,
        tol: float = 1e-4,
        warm_start: bool = False,
        verbose: int = 0,
        reference: Any = None,
    ) -> None:
        self.alpha = alpha
        self.fit_intercept = fit_intercept
        self.solver = solver
        self.max_iter = max_iter
        self.tol = tol
        self.warm_start = warm_start
        self.verbose = verbose
        self.reference = reference

    @fitting
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> PoissonRegressor:
        """Learn the coefficients.

        Parameters
        ----------
        X : array (n, d), data frame or Table
            Finite numbers; of a Table also nominal columns.
        y : array (n,)
            Counts (or rates): numbers of at least 0, not all 0.
        sample_weight : array (n,), optional
            A weight of 2 is the row twice.
        """
        rows = self._read(X, reset=True)
        answers = self._read_answers(self._one_answer(y), rows)
        if (answers < 0.0).any():
            row = int(np.argmax(answers < 0.0))
            raise DataError(
                "Some value(s) of y are out of the valid range: a count is below 0.",
                row=row, value=answers[row], remedy="Give counts.",
            )  # fmt: skip
        weight = self._given_weights(sample_weight, rows)
        each = weight if len(weight) else np.ones(rows.n)
        self.weight_ = float(each.sum())
        mean = float(each @ answers) / self.weight_
        if not mean > 0.0:
            raise DataError(
                "All counts are 0: their mean has no logarithm.", remedy="Give more rows."
            )
        moments = fold_moments(rows, weight=weight)
        origin = moments.mean[0] if self.fit_intercept else np.zeros(rows.d)
        spread = np.hypot(moments.spread()[0], moments.mean[0] - origin)
        scale = np.where(spread > 0.0, spread, 1.0)
        penalty = np.zeros(rows.d + 1)
        with np.errstate(over="ignore", under="ignore"):
            penalty[1:] = np.minimum(self.alpha * self.weight_ / scale / scale, 1e200)
        live = np.concatenate([[1.0], spread > 0.0])
        task = pairs(rows, answers[:, None], weight)
        problem = Counting(
            task,
            2,
            origin,
            scale,
            penalty,
            self.weight_,
            self.fit_intercept,
            live,  # type: ignore[arg-type]
        )
        start = np.zeros((1, rows.d + 1))
        start[0, 0] = math.log(mean) if self.fit_intercept else 0.0
        run = newton(problem, start, max_iter=self.max_iter)
        theta, self.n_iter_ = run.state.theta, run.n_iter
        self.origin_, self.scale_ = origin, scale
        with np.errstate(over="ignore"):
            self.coef_ = theta[0, 1:] / scale
            self.intercept_ = float(theta[0, 0] - self.coef_ @ origin)
        if not (np.isfinite(self.coef_).all() and math.isfinite(self.intercept_)):
            raise DataError(
                "A coefficient leaves the range of floats.", remedy="Rescale the columns."
            )
        self._measure(problem, theta, rows, answers, each, mean)
        if not run.converged:
            from sklearn.exceptions import ConvergenceWarning

            warn(
                f"PoissonRegressor did not converge in {self.max_iter} steps. Increase max_iter.",
                ConvergenceWarning,
            )
        return self

    def _measure(
        self, problem: Any, theta: FloatArray, rows: Any, answers: FloatArray, each: FloatArray,
        mean: float,
    ) -> None:  # fmt: skip
        fitted = np.exp(scores(rows, *self._lines())[:, 0])
        self.loss_ = half_deviance(answers, fitted, each)
        self.null_loss_ = half_deviance(answers, np.full(len(answers), mean), each)
        self.pearson_ = float(each @ ((answers - fitted) ** 2 / np.maximum(fitted, 1e-300)))
        vars(self).pop("curvature_", None)
        if not self.alpha:
            bend = problem.at(theta, curvature=True).curvature
            self.curvature_ = bend

    def _lines(self) -> tuple[FloatArray, FloatArray]:
        return np.atleast_2d(self.coef_), np.array([self.intercept_])

    def _origin(self) -> FloatArray:
        return self.origin_

    def _check_state(self) -> None:
        super()._check_state()
        bend = vars(self).get("curvature_")
        if bend is not None and len(bend) != len(self.scale_) + 1:
            msg = "the information is of another size than the coefficients"
            raise DataError(msg)

    @answering
    def predict(self, X: Any) -> FloatArray:
        """Return the mean of the count of each row.

        Parameters
        ----------
        X : array (n, d), data frame or Table
            Rows.
        """
        with np.errstate(over="ignore"):
            return np.exp(scores(self._read(X), *self._lines())[:, 0])

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the share of the deviance explained (D2), as scikit-learn does."""
        answers = np.asarray(self._one_answer(y))
        each = np.ones(len(answers)) if sample_weight is None else np.asarray(sample_weight, float)
        with np.errstate(all="ignore"):
            fitted = np.maximum(self.predict(X), 1e-300)
            whole = half_deviance(
                answers, np.full(len(answers), np.average(answers, weights=each)), each
            )
            return float(1.0 - half_deviance(answers, fitted, each) / whole) if whole else 0.0

    @property
    def dispersion_(self) -> float:
        """Variance of the counts over what the Poisson distribution says; about 1 if it holds."""
        left = self.weight_ - len(self.coef_) - float(self.fit_intercept)
        return self.pearson_ / left if left > 0.0 else math.nan

    def inference(self, confidence: float = 0.95, *, quasi: bool = False) -> Coefficients:
        """Return Wald's standard errors, z, p and intervals.

        Parameters
        ----------
        confidence : float
            Of each interval by itself.
        quasi : bool
            Whether the variance is ``dispersion_`` times the mean; then t with the residual degrees
            of freedom takes the place of z.

        Examples
        --------
        >>> from learnable.linear_model import PoissonRegressor
        >>> model = PoissonRegressor(alpha=0).fit([[0.0], [1.0], [2.0], [3.0]], [1, 2, 4, 8])
        >>> model.inference().std_error.round(4)
        array([0.6811, 0.2781])
        """
        self._check_fitted()
        bend = vars(self).get("curvature_")
        if bend is None:
            raise ParameterError(
                "A penalised fit has no standard errors, p values or intervals: its coefficients "
                "are biased on purpose. Fit with alpha=0."
            )
        outward = np.zeros_like(bend)
        outward[0, 0] = 1.0
        outward[0, 1:] = -self.origin_ / self.scale_
        places = np.arange(1, len(bend))
        outward[places, places] = 1.0 / self.scale_
        keep = slice(None) if self.fit_intercept else slice(1, None)
        values, vectors = np.linalg.eigh(bend[keep, keep])
        sound = values > 1e-13 * values.max(initial=0.0)
        root = outward[keep, keep] @ (vectors[:, sound] / np.sqrt(values[sound]))
        error = lengths(root) * (math.sqrt(self.dispersion_) if quasi else 1.0)
        error = np.where(error > 0.0, error, np.nan)
        names = ["(Intercept)", *self._coefficient_names()][keep]
        estimate = np.concatenate([[self.intercept_], self.coef_])[keep]
        df = self.weight_ - len(names) if quasi else math.inf
        kind = "Wald, quasi-Poisson" if quasi else "Wald"
        return Coefficients.of(names, estimate, error, df, confidence, kind)

    def summary(self) -> str:
        """Return the table that R prints for a Poisson model.

        Examples
        --------
        >>> from learnable.linear_model import PoissonRegressor
        >>> model = PoissonRegressor(alpha=0).fit([[0.0], [1.0], [2.0], [3.0]], [1, 2, 4, 8])
        >>> print(model.summary())
        Poisson regression: 4 rows
        <BLANKLINE>
        Coefficients (standard errors: Wald):
                       Estimate Std. Error    z value Pr(>|z|)
        (Intercept) -2.7756e-14    0.68111 -4.075e-14        1
        x0              0.69315    0.27806     2.4928   0.0127 *
        Signif. codes: 0 '***' 0.001 '**' 0.01 '*' 0.05 '.' 0.1
        <BLANKLINE>
            Null deviance: 7.4813 on 3 degrees
        Residual deviance: 0 on 2 degrees
        Dispersion: 2.496e-25 (1 if the counts are Poisson)
        """
        table = self.inference()
        left = self.weight_ - len(table.names)
        lines = [f"Poisson regression: {counted(self.weight_, 'row')}", ""]
        lines += [f"Coefficients (standard errors: {table.covariance}):"]
        lines += [*coefficient_table(table, "z"), CODES, ""]
        lines += [f"    Null deviance: {2 * self.null_loss_:.5g} on {self.weight_ - 1:g} degrees"]
        lines += [f"Residual deviance: {2 * self.loss_:.5g} on {left:g} degrees"]
        lines += [f"Dispersion: {self.dispersion_:.4g} (1 if the counts are Poisson)"]
        return "\n".join(lines)

    @answering
    def _explain(self, X: Any) -> list[Explanation]:
        rows = self._read(X)
        coef, intercept = self._lines()
        answers = self.predict(X)
        found = []
        for i in range(rows.n):
            row = rows.row(i).astype(np.float64)
            base = float(intercept[0] + coef[0] @ self.origin_)
            parts = [Part("(start)", "", "an average row", base)]
            parts += contributions(
                self._column_names(),
                self._values(row),
                self._places(),
                coef[0] * (row - self.origin_),
            )
            score = float(sum(part.weight for part in parts))
            told = f"A mean of {answers[i]:.6g}."
            unit = "logarithm of the mean"
            found.append(
                Explanation(float(answers[i]), "contributions", tuple(parts), score, unit, told)
            )
        return found


def half_deviance(answers: FloatArray, fitted: FloatArray, weight: FloatArray) -> float:
    """Return ``sum w (y log(y / m) - y + m)``.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.linear_model.poisson import half_deviance
    >>> half_deviance(np.array([0.0, 1.0]), np.array([1.0, 1.0]), np.ones(2))
    1.0
    """
    ratio = np.where(answers > 0.0, answers / np.where(fitted > 0.0, fitted, 1.0), 1.0)
    return max(float(weight @ (answers * np.log(ratio) - answers + fitted)), 0.0)
