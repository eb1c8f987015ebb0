"""The perceptron: correct the line at every mistake, and stop when there are none.

    w <- w + eta y (1, x)     whenever     y w'(1, x) <= 0

If a line separates the classes with the margin gamma, and no row is longer than R, there are at
most ``(R / gamma)**2`` mistakes, whatever the order (Novikoff); ``mistakes_`` stands beside that
bound. If none does, the rule never ends, and multipliers of the rows prove it. With more than two
classes, the line of the right class is raised and that of the best wrong one lowered.

Cost: 2 n d K a pass.

References
----------
.. [1] A. B. J. Novikoff: On convergence proofs on perceptrons. Symposium on the Mathematical Theory
   of Automata 12, 1962.
.. [2] Y. Freund, R. E. Schapire: Large margin classification using the perceptron algorithm.
   Machine Learning 37, 1999.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from learnable.core.errors import DataError
from learnable.core.iterate import Info, iterate
from learnable.core.warning import warn
from learnable.data import Rows
from learnable.estimator.learner import answering, fitting
from learnable.estimator.params import Choice, Flag, Integer, Number, Seed, generator
from learnable.estimator.schema_state import Columns
from learnable.estimator.state import Count, Floats, Labels, Names
from learnable.estimator.state import Integer as StoredInteger
from learnable.estimator.state import Number as StoredNumber
from learnable.linear_model.classifying import LinearClassifier
from learnable.linear_model.design import References
from learnable.loops.perceptron import perceptron_pass
from learnable.stats.arrays import Floats as FloatArray
from learnable.stats.arrays import frozen

_CALL = 1 << 25
_CANCELS = 1e-7


class Lines(NamedTuple):
    """Where the passes stand: lines, what the average needs, mistakes, and passes without gain."""

    lines: FloatArray
    late: FloatArray
    seen: int
    mistakes: int
    best: int
    idle: int


def margin_of(Z: FloatArray, codes: Any, lines: FloatArray) -> float:
    """Return the least distance of a row from being answered wrong, negative if one is.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.linear_model.perceptron import margin_of
    >>> margin_of(np.array([[1.0, -1.0], [1.0, 2.0]]), np.array([0, 1]), np.array([[0.0, 3.0]]))
    1.0
    """
    length = math.sqrt(float((lines**2).sum()))
    if not length:
        return 0.0
    found = Z @ lines.T
    if len(lines) == 1:
        lead = found[:, 0] * np.where(codes == 1, 1.0, -1.0)
    else:
        own = found[np.arange(len(Z)), codes]
        found[np.arange(len(Z)), codes] = -np.inf
        lead = own - found.max(axis=1)
    return float(lead.min()) / length


class Perceptron(LinearClassifier):
    """The perceptron rule, its mistakes counted beside Novikoff's bound.

    Parameters
    ----------
    penalty : None
        There for scikit-learn's programs.
    fit_intercept : bool, default=True
        Whether there is a constant.
    max_iter : int, default=1000
        Passes at most.
    tol : float, optional, default=1e-3
        Ends after five passes whose share of mistakes is no smaller than the least so far by this.
    shuffle : bool, default=True
        Whether rows come in a new order in each pass.
    eta0 : float, default=1.0
        Length of a correction.
    averaged : bool, default=False
        Answer by the average of the lines over all rows seen, which is steadier.
    random_state : int, optional, default=0
        What the orders are drawn from.
    warm_start : bool, default=False
        Whether to begin where the last fit ended.
    reference : dict, optional
        Which value of a nominal column the others are compared with; the first by default.

    Attributes
    ----------
    classes_ : array (K,)
        The labels.
    coef_ : array (1, e) or (K, e)
        The lines.
    intercept_ : array (1,) or (K,)
        Their constants.
    n_iter_ : int
        Passes made.
    mistakes_ : int
        Corrections made.
    radius_ : float
        Length of the longest row, its 1 for the constant counted.
    margin_ : float
        Least distance of a training row from being answered wrong; 0 or less if one is.
    schema_ : Schema
        The columns of a table with nominal ones.
    n_features_in_, feature_names_in_
        Number and names of the columns.

    Notes
    -----
    If ``margin_`` is above 0, ``mistakes_`` is at most :attr:`bound_`.

    References
    ----------
    A. B. J. Novikoff: On convergence proofs on perceptrons. 1962.

    Examples
    --------
    >>> from learnable.linear_model import Perceptron
    >>> model = Perceptron(shuffle=False).fit([[-2.0], [-1.0], [1.0], [2.0]], ["a", "a", "b", "b"])
    >>> model.mistakes_, round(model.bound_, 6), model.predict([[3.0]]).tolist()
    (1, 25.0, ['b'])
    """

    takes_sparse = False
    exempt = {
        "units_do_not_matter": "a column in other units makes other corrections",
        "learning_in_parts_is_learning_at_once": "a part is passed over once, all rows many times",
    }
    parameters = {
        "penalty": Choice(None),
        "fit_intercept": Flag(),
        "max_iter": Integer(low=1),
        "tol": Number(low=0.0, none=True),
        "shuffle": Flag(),
        "eta0": Number(low=0.0, open=True),
        "averaged": Flag(),
        "random_state": Seed(),
        "warm_start": Flag(),
        "reference": References(),
    }
    fitted_state = {
        "classes_": Labels("K"),
        "n_features_in_": Count("d", low=1),
        "feature_names_in_": Names("d", optional=True),
        "schema_": Columns("d", optional=True),
        "coef_": Floats("lines", "e", dtype="float64"),
        "intercept_": Floats("lines", dtype="float64"),
        "n_iter_": StoredInteger(low=1),
        "mistakes_": StoredInteger(low=0),
        "radius_": StoredNumber(low=0.0),
        "margin_": StoredNumber(),
    }

    def __init__(
        self,
        *,
        penalty: None = None,
        fit_intercept: bool = True,
        max_iter: int = 1000,
        tol: float | None = 1e-3,
        shuffle: bool = True,
        eta0: float = 1.0,
        averaged: bool = False,
        random_state: Any = 0,
        warm_start: bool = False,
        reference: Any = None,
    ) -> None:
        self.penalty = penalty
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.tol = tol
        self.shuffle = shuffle
        self.eta0 = eta0
        self.averaged = averaged
        self.random_state = random_state
        self.warm_start = warm_start
        self.reference = reference

    @fitting
    def fit(self, X: Any, y: Any) -> Perceptron:
        """Pass over the rows until there are no mistakes, or no fewer.

        Parameters
        ----------
        X : array (n, d), data frame or Table
            Finite numbers; of a Table also nominal columns.
        y : array (n,)
            Class of each row.
        """
        before = (
            self._joined() if self.warm_start and "coef_" in vars(self) else None,
            vars(self).get("classes_"),
        )
        rows = self._read(X, reset=True)
        codes = self._read_answers(y, rows)
        k = self._number_of_lines()
        start = np.zeros((k, rows.d + 1))
        known = before[0] is not None and before[0].shape == start.shape
        if known and np.array_equal(before[1], self.classes_):
            start = before[0]
        self._passes(rows, codes, start, self.max_iter, 0)
        return self

    @fitting
    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Perceptron:
        """Pass over more rows once, in their order.

        Parameters
        ----------
        X, y
            As in :meth:`fit`.
        classes : array (K,), optional
            All labels there will be; needed in the first call.
        """
        first = not self.__sklearn_is_fitted__()
        rows = self._read(X, reset=first)
        codes = self._first_or_known(y, rows, classes, first=first)
        k = self._number_of_lines()
        start = np.zeros((k, rows.d + 1)) if first else self._joined()
        self._passes(rows, codes, start, 1, 0 if first else self.mistakes_)
        return self

    def _number_of_lines(self) -> int:
        if len(self.classes_) < 2:
            raise DataError(
                "The data hold only one class, and the perceptron tells at least two apart.",
                remedy="Give rows of another class.",
            )
        return 1 if len(self.classes_) == 2 else len(self.classes_)

    def _joined(self) -> FloatArray:
        coef, intercept = self._lines()
        return np.column_stack([intercept, coef])

    def _passes(self, rows: Rows, codes: Any, start: FloatArray, most: int, mistakes: int) -> None:
        X = np.concatenate([b.finite_array() for b in rows.blocks()]).astype(np.float64, copy=False)
        X = frozen(np.ascontiguousarray(X))
        rng = generator(self.random_state)
        step = max(_CALL // (X.shape[1] * len(start)), 64)

        def turn(state: Lines) -> tuple[Lines, Info]:
            order = rng.permutation(len(X)) if self.shuffle and most > 1 else np.arange(len(X))
            lines, late, made = state.lines.copy(), state.late.copy(), 0
            for first in range(0, len(X), step):
                part = frozen(order[first : first + step].astype(np.int64))
                made += perceptron_pass(
                    X, frozen(codes), part, lines, late, self.eta0, self.fit_intercept,
                    state.seen + first,
                )  # fmt: skip
            enough = self.tol is not None and made > state.best - self.tol * len(X)
            idle = state.idle + 1 if enough else 0
            found = Lines(lines, late, state.seen + len(X), state.mistakes + made,
                          min(state.best, made), idle)  # fmt: skip
            ended = not made or idle >= 5
            return found, {"change": 0.0 if ended else float(made), "mistakes": made}

        begin = Lines(start, np.zeros_like(start), 0, mistakes, len(X) + 1, 0)
        run = iterate(turn, begin, tol=0.0, max_iter=most, name="pass")
        lines = run.state.lines
        if self.averaged:
            lines = lines - run.state.late / run.state.seen
        self.n_iter_, self.mistakes_ = run.n_iter, int(run.state.mistakes)
        self.coef_, self.intercept_ = lines[:, 1:].copy(), lines[:, 0].copy()
        Z = np.column_stack([np.full(len(X), float(self.fit_intercept)), X])
        with np.errstate(over="ignore"):
            self.radius_ = float(min(np.sqrt((Z**2).sum(axis=1)).max(), 1e300))
            self.margin_ = float(np.nan_to_num(margin_of(Z, codes, lines)))
        if most > 1 and not run.converged:
            self._warn_of_passes()

    def _warn_of_passes(self) -> None:
        from sklearn.exceptions import ConvergenceWarning

        warn(
            f"Perceptron still made mistakes after {self.max_iter} passes. Increase max_iter, or "
            "ask not_separable whether it can ever end.",
            ConvergenceWarning,
        )

    @property
    def bound_(self) -> float:
        """Novikoff's bound on the mistakes from zero lines; infinite without a margin.

        A line is corrected by at most R (two lines by at most R each), so that it is
        ``(R / margin)**2`` for two classes, and twice that for more.
        """
        if not self.margin_ > 0.0:
            return math.inf
        pairs = 1.0 if len(self.classes_) == 2 else 2.0
        return pairs * (self.radius_ / self.margin_) ** 2

    @answering
    def not_separable(self, X: Any, y: Any) -> FloatArray | None:
        """Return multipliers that prove that no line separates two classes; None if one does.

        They are at least 0, sum to 1, and the rows times them, with a minus for the first class,
        cancel: no line can then have all rows on its right side (Farkas, Gordan).

        Parameters
        ----------
        X, y
            Rows and their classes.

        Examples
        --------
        >>> from learnable.linear_model import Perceptron
        >>> X, y = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]], [0, 1, 1, 0]
        >>> model = Perceptron(tol=0.1).fit(X, y)
        >>> model.not_separable(X, y).round(6)
        array([0.25, 0.25, 0.25, 0.25])
        """
        from scipy.optimize import linprog

        rows = self._read(X)
        codes = self._codes_of(np.asarray(y))
        if len(self.classes_) > 2:
            raise DataError("Multipliers are told for two classes.", remedy="Ask for each pair.")
        Z = np.column_stack([np.full(rows.n, float(self.fit_intercept)), rows.array()])
        Z = Z / np.maximum(np.abs(Z).max(axis=0), 1e-300)
        signed = Z * np.where(codes == 1, 1.0, -1.0)[:, None]
        sums = np.vstack([signed.T, np.ones(rows.n)])
        right = np.append(np.zeros(Z.shape[1]), 1.0)
        found = linprog(np.zeros(rows.n), A_eq=sums, b_eq=right, bounds=(0.0, None))
        if found.status != 0 or np.abs(sums @ found.x - right).max() > _CANCELS:
            return None
        return np.asarray(found.x)
