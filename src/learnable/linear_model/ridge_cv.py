"""Ridge regression that chooses its penalty: leaving one out by a formula, GCV, evidence, folds.

All criteria of all penalties come from one factorisation; leaving one out takes one more pass over
the rows, and k folds none at all (the triangles of folds merge, and tell the error on a fold).

Cost: that of ridge regression, and 2 n d r + 4 n r L for leaving one out with L penalties.

References
----------
.. [1] G. H. Golub, M. Heath, G. Wahba: Generalized cross-validation as a method for choosing a
   good ridge parameter. Technometrics 21, 1979.
.. [2] D. J. C. MacKay: Bayesian interpolation. Neural Computation 4, 1992.
"""

from __future__ import annotations

from functools import reduce
from typing import Any

import numpy as np

from learnable.core.errors import ParameterError
from learnable.core.trace import emit
from learnable.estimator.joining import Joining, half_log
from learnable.estimator.learner import fitting
from learnable.estimator.params import ArrayLike, Choice, Flag, Integer
from learnable.estimator.params import Either as Rule
from learnable.estimator.state import Either, Floats, Number
from learnable.linear_model.design import References
from learnable.linear_model.leaving_out import LeftOut, leave_one_out
from learnable.linear_model.pairs import Pair, refuse_overflow, side_by_side
from learnable.linear_model.ridge import RIDGE_STATE, Shrinking
from learnable.linear_model.shrinkage import spectrum
from learnable.stats import Triangle
from learnable.stats.arrays import Floats as FloatArray


class Splitter:
    """None, a number of folds, a splitter (anything with ``split``), or its splits."""

    def accepts(self, value: Any) -> bool:
        """Whether it is one."""
        splits = hasattr(value, "split") or hasattr(value, "__iter__")
        return Integer(low=2, none=True).accepts(value) or (splits and not isinstance(value, str))

    def __str__(self) -> str:
        return "None, a number of folds of at least 2, a splitter, or pairs of rows"


def chosen(mean: FloatArray, error: FloatArray, alphas: FloatArray, rule: str) -> int:
    """Return the place of the penalty that a rule chooses.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.linear_model.ridge_cv import chosen
    >>> means, alphas = np.array([3.0, 2.0, 2.1]), np.array([1.0, 2.0, 3.0])
    >>> chosen(means, np.full(3, 0.2), alphas, "min"), chosen(means, np.full(3, 0.2), alphas, "1se")
    (1, 2)
    """
    best = int(np.argmin(mean))
    if rule == "min":
        return best
    good = np.flatnonzero(mean <= mean[best] + error[best])
    return int(good[np.argmax(alphas[good])])


class RidgeCV(Shrinking):
    """Ridge regression with the penalty chosen by what it does on rows left out.

    Parameters
    ----------
    alphas : array, default=(0.1, 1.0, 10.0)
        Penalties to choose from.
    fit_intercept : bool, default=True
        Whether there is a constant; it is not penalised.
    scoring : {None, "neg_mean_squared_error", "neg_root_mean_squared_error", "r2"}
        In what ``best_score_`` is told; the choice is the same for all.
    cv : int or splitter, optional
        Folds; None leaves out one row at a time.
    gcv_mode : {None, "auto", "svd", "eigen"}
        Without effect.
    store_cv_results : bool, default=False
        Whether to keep the squared error of each row.
    alpha_per_target : bool, default=False
        Whether each answer has a penalty of its own.
    criterion : {"error", "gcv", "evidence"}, default="error"
        What is least at the chosen penalty: the error on rows left out, generalised
        cross-validation, or minus the log evidence.
    rule : {"min", "1se"}, default="min"
        The least error, or the greatest penalty whose error is within one standard error of it.
    standardize, penalty_factor, reference
        As for :class:`Ridge`.

    Attributes
    ----------
    alpha_ : float or array (m,)
        The chosen penalty.
    best_score_ : float or array (m,)
        Its score on rows left out.
    errors_, standard_errors_ : array (m, L)
        Mean squared error on rows left out of each answer and penalty, and its standard error.
    cv_results_ : array (n, L) or (n, m, L)
        Squared errors of the rows, if they are kept.
    coef_, intercept_
        Coefficients and constants, from all rows.
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
    A row of weight 2 is the row twice, of which one is left out.

    References
    ----------
    G. H. Golub, M. Heath, G. Wahba: Generalized cross-validation as a method for choosing a good
    ridge parameter. Technometrics 21, 1979.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.linear_model import RidgeCV
    >>> X = np.arange(8.0)[:, None]
    >>> model = RidgeCV(alphas=[0.01, 1.0, 100.0]).fit(X, 2 * X[:, 0] + 1)
    >>> model.alpha_, model.coef_.round(3)
    (0.01, array([2.]))
    """

    exempt = {"units_do_not_matter": "a column in other units is penalised otherwise"}
    joins = Joining(
        "ridge regression",
        ("regression",),
        "numbers",
        cost=lambda n, d, _: 8e-3 + 8e-9 * n * d * d,
        bits=lambda model, n: half_log(float(np.mean(model.df_)), n),
        space={"alphas": (tuple(np.geomspace(1e-3, 1e5, 33).tolist()),)},
        scaled=True,
        readable=True,
    )
    parameters = {
        "alphas": Rule(ArrayLike(scalar=True)),
        "fit_intercept": Flag(),
        "scoring": Choice(None, "neg_mean_squared_error", "neg_root_mean_squared_error", "r2"),
        "cv": Splitter(),
        "gcv_mode": Choice(None, "auto", "svd", "eigen"),
        "store_cv_results": Flag(),
        "alpha_per_target": Flag(),
        "criterion": Choice("error", "gcv", "evidence"),
        "rule": Choice("min", "1se"),
        "standardize": Flag(),
        "penalty_factor": ArrayLike(),
        "reference": References(),
    }
    fitted_state = {
        **RIDGE_STATE,
        "alpha_": Either(Number(low=0.0), Floats("m", low=0.0)),
        "best_score_": Either(Number(), Floats("m")),
        "errors_": Floats("m", "L", low=0.0, infinite=True),
        "standard_errors_": Floats("m", "L", low=0.0, infinite=True, nan=True),
        "cv_results_": Either(Floats("n", "L"), Floats("n", "m", "L"), optional=True),
    }

    def __init__(
        self,
        alphas: Any = (0.1, 1.0, 10.0),
        *,
        fit_intercept: bool = True,
        scoring: str | None = None,
        cv: Any = None,
        gcv_mode: str | None = None,
        store_cv_results: bool = False,
        alpha_per_target: bool = False,
        criterion: str = "error",
        rule: str = "min",
        standardize: bool = False,
        penalty_factor: Any = None,
        reference: Any = None,
    ) -> None:
        self.alphas = alphas
        self.fit_intercept = fit_intercept
        self.scoring = scoring
        self.cv = cv
        self.gcv_mode = gcv_mode
        self.store_cv_results = store_cv_results
        self.alpha_per_target = alpha_per_target
        self.criterion = criterion
        self.rule = rule
        self.standardize = standardize
        self.penalty_factor = penalty_factor
        self.reference = reference

    @fitting
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> RidgeCV:
        """Choose the penalty and learn the coefficients.

        Parameters
        ----------
        X, y, sample_weight
            As for :meth:`Ridge.fit`.
        """
        alphas = self._penalties()
        task, d, single = self._task(X, y, sample_weight)
        m = task[0].answers.shape[1]
        if self.cv is None:
            self.statistic_ = self._summed(task, d)
            self._settle_factors(d)
            found = self._spectrum()
            left = leave_one_out(task, found, alphas, keep=self.store_cv_results)
        else:
            left = self._by_folds(X, y, sample_weight, alphas, d)
            found = self._spectrum()
        self._settle(left, alphas, m, single)
        solved = [found.coef(alpha) for alpha in np.atleast_1d(self.alpha_)]
        places = range(m) if len(solved) == m else [slice(None)]
        coef = np.vstack([np.atleast_2d(c[k]) for (c, _), k in zip(solved, places, strict=True)])
        base = np.hstack([np.atleast_1d(b[k]) for (_, b), k in zip(solved, places, strict=True)])
        self._keep(coef, base, single=single)
        for place, alpha in enumerate(alphas.tolist()):
            emit("penalty", place, alpha=alpha, error=float(left.mean[:, place].mean()))
        return self

    @property
    def df_(self) -> Any:
        """Effective number of coefficients at the chosen penalty, the constant counted."""
        found = self._spectrum()
        each = np.array([found.degrees(alpha) for alpha in np.atleast_1d(self.alpha_)])
        return each if np.ndim(self.alpha_) else float(each[0])

    def _penalties(self) -> FloatArray:
        try:
            alphas = np.atleast_1d(np.asarray(self.alphas, dtype=np.float64)).ravel()
        except (TypeError, ValueError) as error:
            raise ParameterError("alphas must be numbers") from error
        positive = self.cv is None
        low = alphas > 0.0 if positive else alphas >= 0.0
        if not len(alphas) or not (np.isfinite(alphas) & low).all():
            raise ParameterError(
                "alphas must be finite numbers above 0" + ("" if positive else ", or 0")
            )
        return alphas

    def _settle(self, left: LeftOut, alphas: FloatArray, m: int, single: bool) -> None:
        """Choose, and keep what the choice rests on."""
        self.errors_, self.standard_errors_ = left.mean, left.error
        found = self._spectrum()
        if self.criterion == "error":
            scores, spread = left.mean, left.error
        else:
            measure = found.gcv if self.criterion == "gcv" else lambda a: -found.evidence(a)
            scores = np.tile([measure(alpha) for alpha in alphas], (m, 1))
            spread = np.zeros_like(scores)
        if self.alpha_per_target and not single:
            places = [chosen(scores[k], spread[k], alphas, self.rule) for k in range(m)]
            self.alpha_ = alphas[places]
            best = np.array([left.mean[k, place] for k, place in enumerate(places)])
        else:
            places = [chosen(scores.mean(axis=0), spread.mean(axis=0), alphas, self.rule)]
            self.alpha_ = float(alphas[places[0]])
            best = left.mean[:, places[0]].mean(keepdims=True)
        total = (found.targets**2).sum(axis=0) + found.rest + (found.free_targets**2).sum(axis=0)
        told = self._told(best, total / found.weight)
        self.best_score_ = told if len(told) > 1 or np.ndim(self.alpha_) else float(told[0])
        vars(self).pop("cv_results_", None)
        if left.each is not None:
            squares = left.each**2
            self.cv_results_ = squares[:, 0] if single else squares

    def _told(self, best: FloatArray, variance: FloatArray) -> FloatArray:
        if self.scoring == "neg_root_mean_squared_error":
            return -np.sqrt(best)
        if self.scoring == "r2":
            whole = variance if len(best) == len(variance) else variance.mean(keepdims=True)
            return 1.0 - best / whole
        return -best

    def _by_folds(self, X: Any, y: Any, sample_weight: Any, alphas: FloatArray, d: int) -> LeftOut:
        """Return errors on folds: what is learned from is the merge of the other triangles."""
        if self.store_cv_results:
            raise ParameterError(
                "store_cv_results keeps rows that are left out one at a time: cv=None"
            )
        A, weight = _read(self._task(X, y, sample_weight)[0])
        if isinstance(self.cv, (int, np.integer)):
            asked = _in_folds(A, weight, int(self.cv))
            self.statistic_ = reduce(Triangle.merge, asked)
            learned = [
                reduce(Triangle.merge, [one for k, one in enumerate(asked) if k != number])
                for number in range(len(asked))
            ]
        else:
            splits = self.cv.split(A) if hasattr(self.cv, "split") else self.cv
            rows = [tuple(_part(A, weight, np.asarray(side)) for side in pair) for pair in splits]
            learned, asked = (
                [Triangle.of(*one) for one, _ in rows],
                [Triangle.of(*t) for _, t in rows],
            )
            self.statistic_ = Triangle.of(A, weight)
        self._settle_factors(d)
        errors = []
        for learn, ask in zip(learned, asked, strict=True):
            if not (learn.weight[0] and ask.weight[0]):
                continue
            found = spectrum(learn, d, ones=self.fit_intercept, factors=self.factors_)
            errors.append([squared_error(ask, *found.coef(alpha)) for alpha in alphas])
        if len(errors) < 2:
            raise ParameterError("cv must make at least two folds of rows with a weight")
        each = np.moveaxis(np.array(errors), 1, 2)  # folds, answers, alphas
        spread = each.std(axis=0, ddof=1) / np.sqrt(len(each))
        return LeftOut(each.mean(axis=0), spread, None)


def squared_error(asked: Triangle, coef: FloatArray, intercept: FloatArray) -> FloatArray:
    """Return the mean squared error on rows of which only the triangle is known.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.linear_model.ridge_cv import squared_error
    >>> from learnable.stats import Triangle
    >>> rows = np.array([[0.0, 1.0], [1.0, 2.0], [2.0, 3.0]])
    >>> squared_error(Triangle.of(rows), np.array([[1.0]]), np.array([0.0])).round(12)
    array([1.])
    """
    d = coef.shape[1]
    factor = asked.factor * asked.unit
    left = factor[:, d:] - factor[:, :d] @ coef.T
    middle = asked.mean[d:] - coef @ asked.mean[:d] - intercept
    return np.asarray((left**2).sum(axis=0) / asked.weight[0] + middle**2)


def _read(task: list[Pair]) -> tuple[FloatArray, FloatArray]:
    read = [side_by_side(pair) for pair in task]
    A = np.concatenate([rows for rows, _ in read])
    if not np.isfinite(A).all():
        for pair in task:
            refuse_overflow(pair)
    return A, np.concatenate([weight for _, weight in read])


def _part(A: FloatArray, weight: FloatArray, places: Any) -> tuple[FloatArray, FloatArray]:
    return A[places], weight[places] if len(weight) else weight


def _in_folds(A: FloatArray, weight: FloatArray, count: int) -> list[Triangle]:
    if count > len(A):
        raise ParameterError(f"{len(A)} rows make no {count} folds")
    return [
        Triangle.of(*_part(A, weight, part)) for part in np.array_split(np.arange(len(A)), count)
    ]
