"""Logistic regression: the log odds of classes as sums of columns times coefficients.

    minimise  C sum_i w_i l(y_i, b + x_i' beta)  +  1/2 |beta|**2

with the logistic loss for two classes and the softmax loss for more. The columns are standardised
inside, which changes nothing but the way there: the penalty is that of the columns as they are.

Cost: n d**2 a Newton step, of which few are taken; 4 n d K a step of L-BFGS.

References
----------
.. [1] D. W. Hosmer, S. Lemeshow, R. X. Sturdivant: Applied Logistic Regression. 3rd edition 2013.
.. [2] T. P. Minka: A comparison of numerical optimizers for logistic regression. 2003.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from learnable.core.errors import DataError, ParameterError
from learnable.core.fold import fold
from learnable.core.warning import warn
from learnable.data import Rows
from learnable.data.rows import refuse_cell
from learnable.data.summaries import fold_moments_and_fingerprint
from learnable.estimator.joining import Joining, half_log
from learnable.estimator.learner import answering, fitting
from learnable.estimator.params import Choice, Either, Flag, Integer, Number, Seed
from learnable.estimator.schema_state import Columns
from learnable.estimator.state import Count, Floats, Integers, Labels, Names, Text
from learnable.estimator.state import Number as StoredNumber
from learnable.estimator.statistic_state import SOME_FINGERPRINT
from learnable.linear_model.base import scores
from learnable.linear_model.descending import lbfgs, newton
from learnable.linear_model.design import References
from learnable.linear_model.firth import firth
from learnable.linear_model.logistic_inference import LogisticInference
from learnable.linear_model.logistic_loss import Problem
from learnable.linear_model.separation import separating
from learnable.loops.vector_math import log_softmax, sigmoid
from learnable.stats import Moments
from learnable.stats.arrays import NO_WEIGHTS
from learnable.stats.arrays import Floats as FloatArray

SOLVERS = (
    "auto", "newton", "lbfgs", "newton-cg", "newton-cholesky", "liblinear", "sag", "saga",
)  # fmt: skip
_NEWTON_MOST = 300
_SPARSE_ROWS = 1 << 15
_SAMPLE, _ENOUGH_ROWS = 16, 20
_STEEP = 12.0


class Infinite:
    """The number infinity: no penalty at all."""

    def accepts(self, value: Any) -> bool:
        """Whether it is."""
        return isinstance(value, float) and value == math.inf

    def __str__(self) -> str:
        return "infinity (no penalty)"


class ClassWeights:
    """None, "balanced", or a mapping of labels to weights."""

    def accepts(self, value: Any) -> bool:
        """Whether it is one."""
        return value is None or value == "balanced" or hasattr(value, "items")

    def __str__(self) -> str:
        return '"balanced", a mapping of labels to weights, or None'


def weights_by_class(stated: Any, classes: Any, codes: Any, weight: FloatArray) -> FloatArray:
    """Return the weights of rows, multiplied by those of their classes.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.linear_model.logistic import weights_by_class
    >>> labels, codes = np.array(["a", "b"]), np.array([0, 0, 1])
    >>> weights_by_class("balanced", labels, codes, np.array([]))
    array([0.75, 0.75, 1.5 ])
    """
    if stated is None:
        return weight
    own = weight if len(weight) else np.ones(len(codes))
    if isinstance(stated, str):
        sums = np.bincount(codes, weights=own, minlength=len(classes))
        each = own.sum() / (len(classes) * np.where(sums > 0.0, sums, 1.0))
    else:
        plain = [label.item() if isinstance(label, np.generic) else label for label in classes]
        if unknown := [label for label in stated if label not in plain]:
            raise ParameterError(f"class_weight names {unknown[0]!r}, which is no class")
        each = np.array([float(stated.get(label, 1.0)) for label in plain])
        if not (np.isfinite(each) & (each >= 0.0)).all():
            raise ParameterError("class_weight must hold finite weights of at least 0")
    return own * each[codes]


class LogisticRegression(LogisticInference):
    """Logistic regression, of two classes or by softmax, with or without a penalty.

    Parameters
    ----------
    penalty : {"l2", "firth", None}, default="l2"
        Half the sum of squared coefficients; Firth's (Jeffreys' prior), which keeps coefficients
        finite whatever the data; or none.
    C : float, default=1.0
        What the losses count against the penalty; infinity is no penalty.
    l1_ratio : {0.0, None}
        There for scikit-learn's programs: no absolute values are penalised here.
    dual, intercept_scaling, verbose, n_jobs, random_state
        Without effect.
    tol : float, default=1e-5
        Largest derivative, a unit of weight, that ends L-BFGS; Newton's steps go on to the last
        digits.
    fit_intercept : bool, default=True
        Whether there is a constant; it is not penalised.
    class_weight : "balanced" or dict, optional
        What each row counts by its class.
    solver : str, default="auto"
        ``"newton"`` or ``"lbfgs"``, chosen by the work they take; scikit-learn's other names stand
        for one of these two, since all lead to one solution.
    max_iter : int, default=200
        Turns at most.
    warm_start : bool, default=False
        Whether to begin where the last fit ended.
    reference : dict, optional
        Which value of a nominal column the others are compared with; the first by default.

    Attributes
    ----------
    classes_ : array (K,)
        The labels.
    coef_ : array (1, e) or (K, e)
        Coefficients; of more than two classes, summing to 0 over the classes.
    intercept_ : array (1,) or (K,)
        The constants.
    n_iter_ : array (1,)
        Turns taken.
    solver_ : {"newton", "lbfgs", "firth"}
        What was used.
    loss_ : float
        Sum of the losses of the training rows, minus the log likelihood.
    null_loss_ : float
        The same of the shares of the classes alone.
    weight_ : float
        Sum of the weights.
    curvature_ : array (q, q)
        Information of the coefficients in standardised columns, without a penalty or with Firth's.
    origin_, scale_ : array (e,)
        Where 0 lay in the standardised columns, and what 1 was.
    separating_ : array (1, 1 + e) or (K, 1 + e)
        Coefficients, the constant first, that separate the classes, where some do so and nothing
        is penalised.
    fingerprint_ : Fingerprint
        Which rows were learned from.
    schema_ : Schema
        The columns of a table with nominal ones.
    n_features_in_, feature_names_in_
        Number and names of the columns.

    Notes
    -----
    Without a penalty, classes that are separated have no most likely coefficients; that is found
    out, said in a warning, and shown by ``separating_``. A penalised fit has no standard errors or
    p values: its coefficients are biased on purpose.

    References
    ----------
    D. W. Hosmer, S. Lemeshow, R. X. Sturdivant: Applied Logistic Regression. 3rd edition 2013.

    Examples
    --------
    >>> from learnable.linear_model import LogisticRegression
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], ["no", "yes", "no", "yes"]
    >>> model = LogisticRegression(penalty=None).fit(X, y)
    >>> model.coef_.round(4), model.predict([[2.5]]).tolist()
    (array([[0.9082]]), ['yes'])
    """

    exempt = {"units_do_not_matter": "a column in other units is penalised otherwise"}
    score_unit = "log odds"
    joins = Joining(
        "logistic regression",
        ("classification",),
        "sparse numbers",
        cost=lambda n, d, k: 8e-3 + (2e-9 * n * d * d + 2e-8 * n * d) * (1 if k == 2 else k),
        bits=lambda model, n: half_log(
            max(len(model.classes_) - 1, 1) * (model.coef_.shape[1] + 1), n
        ),
        space={"C": (1.0, 0.01, 0.1, 10.0, 100.0)},
        scaled=True,
        readable=True,
    )
    parameters = {
        "penalty": Choice("l2", "firth", None, "deprecated"),
        "C": Either(Number(low=0.0, open=True), Infinite()),
        "l1_ratio": Choice(0.0, 0, None),
        "dual": Flag(),
        "tol": Number(low=0.0),
        "fit_intercept": Flag(),
        "intercept_scaling": Number(),
        "class_weight": ClassWeights(),
        "random_state": Seed(),
        "solver": Choice(*SOLVERS),
        "max_iter": Integer(low=1),
        "verbose": Either(Integer(low=0), Flag()),
        "warm_start": Flag(),
        "n_jobs": Integer(none=True),
        "reference": References(),
    }
    fitted_state = {
        "classes_": Labels("K"),
        "n_features_in_": Count("d", low=1),
        "feature_names_in_": Names("d", optional=True),
        "schema_": Columns("d", optional=True),
        "coef_": Floats("lines", "e", dtype="float64"),
        "intercept_": Floats("lines", dtype="float64"),
        "origin_": Floats("e", dtype="float64"),
        "scale_": Floats("e", low=5e-324, dtype="float64"),
        "n_iter_": Integers(1, low=0, dtype="int32"),
        "solver_": Text("newton", "lbfgs", "firth"),
        "loss_": StoredNumber(low=0.0),
        "null_loss_": StoredNumber(low=0.0),
        "weight_": StoredNumber(low=0.0),
        "fingerprint_": SOME_FINGERPRINT,
        "curvature_": Floats("q", "q", dtype="float64", optional=True),
        "separating_": Floats("lines", "?", dtype="float64", optional=True),
    }

    def __init__(
        self,
        penalty: str | None = "l2",
        *,
        C: float = 1.0,
        l1_ratio: float | None = 0.0,
        dual: bool = False,
        tol: float = 1e-5,
        fit_intercept: bool = True,
        intercept_scaling: float = 1,
        class_weight: Any = None,
        random_state: Any = None,
        solver: str = "auto",
        max_iter: int = 200,
        verbose: int = 0,
        warm_start: bool = False,
        n_jobs: int | None = None,
        reference: Any = None,
    ) -> None:
        self.penalty = penalty
        self.C = C
        self.l1_ratio = l1_ratio
        self.dual = dual
        self.tol = tol
        self.fit_intercept = fit_intercept
        self.intercept_scaling = intercept_scaling
        self.class_weight = class_weight
        self.random_state = random_state
        self.solver = solver
        self.max_iter = max_iter
        self.verbose = verbose
        self.warm_start = warm_start
        self.n_jobs = n_jobs
        self.reference = reference

    @property
    def _penalised(self) -> bool:
        return self.penalty in {"l2", "deprecated"} and math.inf != self.C

    @fitting
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> LogisticRegression:
        """Learn the coefficients.

        Parameters
        ----------
        X : array (n, d), data frame, sparse matrix or Table
            Finite numbers; of a Table also nominal columns.
        y : array (n,)
            Class of each row.
        sample_weight : array (n,), optional
            A weight of 2 is the row twice.
        """
        before = (
            (self._lines(), self.classes_) if self.warm_start and "coef_" in vars(self) else None
        )
        problem, rows = self._problem(X, y, sample_weight, reset=True)
        start = self._beginning(problem, before)
        for name in ("curvature_", "separating_"):
            vars(self).pop(name, None)
        if self.penalty == "firth":
            theta, turns, done = self._by_firth(problem, start)
        elif self._takes_newton(problem, rows):
            theta, turns, done = self._by_newton(problem, rows, start)
        else:
            theta, turns, done = self._by_lbfgs(problem, rows, start)
        self._keep(problem, theta)
        self.n_iter_ = np.array([turns], dtype=np.int32)
        if not self._penalised and self.penalty != "firth":
            done = self._look_for_separation(problem, rows, theta) or done
        if not done:
            self._warn_of_turns()
        return self

    def _problem(self, X: Any, y: Any, sample_weight: Any, *, reset: bool) -> tuple[Problem, Rows]:
        """Check once at the door, and find the coordinates in which the columns are alike."""
        rows = self._read(X, reset=reset)
        codes = self._read_answers(y, rows, None if reset else self.classes_)
        classes = len(self.classes_)
        if classes < 2:
            raise DataError(
                "This solver needs samples of at least 2 classes in the data, but the data "
                f"contains only one class: {self.classes_[0]!r}",
                remedy="Give rows of another class.",
            )
        if self.penalty == "firth" and (classes > 2 or rows.sparse):
            raise ParameterError('penalty="firth" is for dense rows of two classes')
        given = NO_WEIGHTS if sample_weight is None else self._read_weights(sample_weight, rows.n)
        weight = weights_by_class(self.class_weight, self.classes_, codes, given)
        moments, fingerprint = _moments(rows, weight)
        if reset:
            self.fingerprint_ = fingerprint
        origin = np.zeros(rows.d) if rows.sparse or not self.fit_intercept else moments.mean[0]
        spread = np.hypot(moments.spread()[0], moments.mean[0] - origin)
        scale = np.where(spread > 0.0, spread, 1.0)
        penalty = np.zeros(rows.d + 1)
        if self._penalised:
            with np.errstate(over="ignore", under="ignore"):
                penalty[1:] = np.minimum(1.0 / (self.C * scale) / scale, 1e200)
        total = float(weight.sum()) if len(weight) else float(rows.n)
        blocks = rows.blocks(codes, weight, rows=_SPARSE_ROWS if rows.sparse else None)
        live = np.concatenate([[1.0], spread > 0.0])
        found = Problem(blocks, classes, origin, scale, penalty, total, self.fit_intercept, live)
        return found, rows

    def _beginning(self, problem: Problem, before: Any) -> FloatArray:
        start = np.zeros((problem.lines, len(problem.scale) + 1))
        if before is not None and before[0][0].shape == (problem.lines, len(problem.scale)):
            (coef, intercept), classes = before
            if np.array_equal(classes, self.classes_):
                start[:, 1:] = coef * problem.scale
                start[:, 0] = intercept + coef @ problem.origin
        return start

    def _takes_newton(self, problem: Problem, rows: Rows) -> bool:
        if rows.sparse:
            return False
        if self.solver in {"newton", "newton-cholesky"}:
            return True
        unknowns = problem.lines * (rows.d + 1)
        least = _NEWTON_MOST if problem.lines == 1 else _NEWTON_MOST // 3
        return unknowns <= least and self.solver != "lbfgs"

    def _by_newton(self, problem: Problem, rows: Rows, start: FloatArray) -> tuple[Any, int, bool]:
        """Step on one row of many first, where there are very many: little is left to do then."""
        if rows.n >= _SAMPLE * _ENOUGH_ROWS * start.size and not start.any():
            sample = problem._replace(
                penalty=problem.penalty / _SAMPLE, weight=problem.weight / _SAMPLE
            )
            run = newton(sample, start, max_iter=8, every=_SAMPLE, tol=1e-6)
            start = run.state.theta if np.abs(run.state.theta).max() < _STEEP else start
        run = newton(problem, start, max_iter=self.max_iter)
        self.solver_ = "newton"
        return run.state.theta, run.n_iter, run.converged

    def _by_lbfgs(self, problem: Problem, rows: Rows, start: FloatArray) -> tuple[Any, int, bool]:
        bound = 0.25 if problem.lines == 1 else 0.5 * (1.0 - 1.0 / problem.lines)
        dense = not rows.sparse and rows.d <= _NEWTON_MOST * 8
        if dense:
            scatter = fold(_block_products, Moments.merge, problem.blocks)
            size = scatter.unit / problem.scale
            matrix = np.diag(problem.penalty + 1e-10 * problem.weight)
            matrix[0, 0] += bound * problem.weight
            shift = (scatter.mean[0] - problem.origin) / problem.scale
            inner = scatter.scatter[0] * np.outer(size, size)
            inner += problem.weight * np.outer(shift, shift)
            matrix[1:, 1:] += bound * inner
            factor = cho_factor(matrix, check_finite=False)

            def precondition(gradient: FloatArray) -> FloatArray:
                return np.ascontiguousarray(cho_solve(factor, gradient.T, check_finite=False).T)
        else:
            diagonal = bound * problem.weight + problem.penalty

            def precondition(gradient: FloatArray) -> FloatArray:
                return np.asarray(gradient / diagonal)

        run = lbfgs(problem, start, precondition, tol=self.tol, max_iter=self.max_iter)
        theta = run.state.theta
        if problem.lines > 1:  # what is the same for all classes changes nothing
            theta = theta - theta.mean(axis=0)
        self.solver_ = "lbfgs"
        return theta, run.n_iter, run.converged

    def _by_firth(self, problem: Problem, start: FloatArray) -> tuple[Any, int, bool]:
        run = firth(problem, start, max_iter=self.max_iter)
        self.solver_ = "firth"
        return run.state.theta, run.n_iter, run.converged

    def _keep(self, problem: Problem, theta: FloatArray) -> None:
        self.origin_, self.scale_, self.weight_ = problem.origin, problem.scale, problem.weight
        with np.errstate(over="ignore"):
            self.coef_ = theta[:, 1:] / problem.scale
            self.intercept_ = theta[:, 0] - self.coef_ @ problem.origin
        if not (np.isfinite(self.coef_).all() and np.isfinite(self.intercept_).all()):
            raise DataError(
                "A coefficient leaves the range of floats.", remedy="Rescale the columns."
            )
        plain = problem._replace(penalty=np.zeros_like(problem.penalty))
        found = plain.at(theta, curvature=not self._penalised and len(theta[0]) <= _NEWTON_MOST * 2)
        self.loss_ = max(found.value, 0.0)
        if found.curvature is not None:
            self.curvature_ = found.curvature
        own = [0.0] * problem.classes
        for block in problem.blocks:
            counted = np.bincount(
                block.codes, weights=block.weight if len(block.weight) else None,
                minlength=problem.classes,
            )  # fmt: skip
            own = own + counted
        shares = np.asarray(own) / problem.weight
        logs = np.log(np.where(shares > 0.0, shares, 1.0))
        self.null_loss_ = float(max(-(np.asarray(own) * logs).sum(), 0.0))
        if not self.fit_intercept:
            self.null_loss_ = problem.weight * math.log(problem.classes)

    def _look_for_separation(self, problem: Problem, rows: Rows, theta: FloatArray) -> bool:
        """Say so where coefficients without bound are the most likely; return whether they are."""
        if np.abs(theta).max(initial=0.0) < _STEEP:
            return False
        present = [b.weight > 0.0 if len(b.weight) else np.ones(b.n, bool) for b in problem.blocks]
        there = np.concatenate(present)
        codes = np.concatenate([block.codes for block in problem.blocks])[there]
        Z = np.ones((int(there.sum()), rows.d + 1))
        Z[:, 1:] = (rows.array()[there] - problem.origin) / problem.scale
        if not self.fit_intercept:
            Z[:, 0] = 0.0
        line = separating(Z, codes, problem.classes, theta)
        if line is None:
            return False
        outward = np.empty_like(line)
        outward[:, 1:] = line[:, 1:] / problem.scale
        outward[:, 0] = line[:, 0] - outward[:, 1:] @ problem.origin
        self.separating_ = outward
        vars(self).pop("curvature_", None)
        from sklearn.exceptions import ConvergenceWarning

        names = self._coefficient_names()
        heavy = np.argsort(-np.abs(line[:, 1:]).max(axis=0), kind="stable")[:3]
        told = ", ".join(names[j] for j in heavy)
        warn(
            "The classes are separated by a combination of the columns (separating_), mostly "
            f"{told}: the likelihood has no maximum, and coefficients mean nothing. Use "
            'penalty="firth" or "l2".',
            ConvergenceWarning,
        )
        return True

    def _warn_of_turns(self) -> None:
        from sklearn.exceptions import ConvergenceWarning

        warn(
            f"LogisticRegression did not converge in {self.max_iter} turns ({self.solver_}). "
            "Increase max_iter.",
            ConvergenceWarning,
        )

    @answering
    def predict_log_proba(self, X: Any) -> FloatArray:
        """Return the log of the probability of each class.

        Parameters
        ----------
        X : array (n, d), data frame, sparse matrix or Table
            Rows.
        """
        found = scores(self._read(X), *self._lines())
        both = np.hstack([np.zeros_like(found), found]) if found.shape[1] == 1 else found
        return np.asarray(log_softmax(both))

    @answering
    def predict_proba(self, X: Any) -> FloatArray:
        """Return the probability of each class.

        Parameters
        ----------
        X : array (n, d), data frame, sparse matrix or Table
            Rows.
        """
        found = scores(self._read(X), *self._lines())
        if found.shape[1] == 1:
            return np.hstack([sigmoid(-found), sigmoid(found)])
        return np.exp(log_softmax(found))

    def _origin(self) -> FloatArray:
        return self.origin_


def _moments(rows: Rows, weight: FloatArray) -> Any:
    """Return weighted means and spreads of the columns, and which rows these are.

    A cell that is no number is named; sparse rows have no fingerprint.
    """
    if not rows.sparse:
        return fold_moments_and_fingerprint(rows, weight=weight)
    for p in np.flatnonzero(~np.isfinite(rows.cells.data))[:1].tolist():
        row = int(np.searchsorted(rows.cells.indptr, p, side="right")) - 1
        refuse_cell(rows.cells.data[p], row, int(rows.cells.indices[p]), rows.names)
    total = weight.sum() if len(weight) else float(rows.n)
    cells = rows.cells.astype(np.float64, copy=False)
    heights = np.diff(cells.indptr)
    each = np.repeat(weight, heights) if len(weight) else np.ones(len(cells.data))
    mean = np.bincount(cells.indices, weights=each * cells.data, minlength=rows.d) / total
    square = np.bincount(cells.indices, weights=each * cells.data**2, minlength=rows.d)
    scatter = np.maximum(square - total * mean**2, 0.0)
    return Moments(np.array([total]), mean[None], scatter[None], np.ones(rows.d)), None


def _block_products(block: Any) -> Moments:
    return Moments.by_products(block.array(), block.weight)
