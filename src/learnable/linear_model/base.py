"""What linear models share: sums of columns times coefficients, and their reasons."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from learnable.core.certificate import Certificate
from learnable.core.errors import DataError
from learnable.core.explanation import Explanation, Part
from learnable.core.fold import runner
from learnable.core.warning import warn
from learnable.data import Block, Rows
from learnable.estimator.learner import answering
from learnable.estimator.regressor import Regressor, as_numbers
from learnable.linear_model.design import Design
from learnable.stats.arrays import NO_WEIGHTS, Floats
from learnable.theory.statements import error_on_new_rows


def block_scores(coef: Floats, intercept: Floats, block: Block) -> Floats:
    """Return ``X coef' + intercept`` of one block (at module level, so that a cluster can run it).

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.data import Rows
    >>> from learnable.linear_model.base import block_scores
    >>> block_scores(np.array([[2.0]]), np.ones(1), Rows(np.array([[3.0]])).blocks()[0])
    array([[7.]])
    """
    cells = block.cells
    if not isinstance(cells, (np.ndarray, list)):
        if not np.isfinite(cells.data).all():
            block.finite_array()
        return np.asarray(cells @ coef.T + intercept)
    X = block.finite_array().astype(np.float64, copy=False)
    return np.asarray(X @ coef.T + intercept)


def scores(rows: Rows, coef: Floats, intercept: Floats) -> Floats:
    """Return ``X coef' + intercept``, one column for each row of ``coef``.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.data import Rows
    >>> from learnable.linear_model.base import scores
    >>> scores(Rows(np.array([[3.0]])), np.array([[2.0]]), np.ones(1))
    array([[7.]])
    """
    blocks = rows.blocks()
    if not blocks:
        return np.zeros((0, len(coef)))
    with np.errstate(over="ignore", invalid="ignore"):
        return np.concatenate(list(runner()(partial(block_scores, coef, intercept), blocks)))


def contributions(
    names: list[str], values: list[Any], columns: list[list[int]], weights: Floats
) -> list[Part]:
    """Return one part a column: the sum of the weights of the numbers that it became.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.linear_model.base import contributions
    >>> contributions(["age"], [3.0], [[0]], np.array([0.5]))[0].evidence
    'raises it'
    """
    parts = []
    for name, value, mine in zip(names, values, columns, strict=True):
        weight = float(weights[mine].sum())
        told = "raises it" if weight > 0 else "lowers it" if weight < 0 else "changes nothing"
        parts.append(Part(name, value, told, weight))
    return parts


class LinearRegressor(Design, Regressor):
    """Base of regressors whose answer is a sum of columns times coefficients."""

    coef_: Any
    intercept_: Any

    def _lines(self) -> tuple[Floats, Floats]:
        """Return the coefficients (m, e) and the constants (m,)."""
        coef = np.atleast_2d(np.asarray(self.coef_, dtype=np.float64))
        return coef, np.broadcast_to(np.asarray(self.intercept_, dtype=np.float64), len(coef))

    def _origin(self) -> Floats:
        """Return the point from which contributions count: the mean of the training rows."""
        return np.zeros(self._lines()[0].shape[1])

    def _check_state(self) -> None:
        if self._lines()[0].shape[1] != len(self._coefficient_names()):
            msg = "the coefficients are not as many as the columns"
            raise DataError(msg)
        if np.size(self.intercept_) not in {1, len(self._lines()[0])}:
            msg = "the constants are not as many as the answers"
            raise DataError(msg)
        super()._check_state()

    def _one_answer(self, y: Any) -> Any:
        """Return answers of one dimension; a single column is taken as such, with a warning."""
        values = as_numbers(y, learner=type(self).__name__)
        if values.ndim == 2 and values.shape[1] == 1:
            from sklearn.exceptions import DataConversionWarning

            warn(
                "A column-vector y was passed when a 1d array was expected. Please change the "
                "shape of y to (n_samples,), for example using ravel().",
                DataConversionWarning,
            )
            return values[:, 0]
        if values.ndim != 1:
            raise DataError(
                f"y should be a 1d array, got an array of shape {values.shape} instead.",
                remedy="Fit each answer alone.",
            )
        return values

    def _read_offset(self, offset: Any, n: int, m: int) -> Floats:
        """Return what is known of the answers beforehand, (n, 1) or (n, m)."""
        if offset is None:
            return np.zeros((1, 1))
        known = self._read_answers(offset, Rows(np.zeros((n, 1))))
        known = known.reshape(n, -1)
        if known.shape[1] not in {1, m}:
            raise DataError(f"offset has {known.shape[1]} columns, y has {m}.")
        return known

    @answering
    def predict(self, X: Any) -> Any:
        """Return the answer to each row.

        Parameters
        ----------
        X : array (n, d), data frame, sparse matrix or Table
            Rows.
        """
        found = scores(self._read(X), *self._lines())
        return found[:, 0] if np.ndim(self.coef_) == 1 else found

    @answering
    def _explain(self, X: Any) -> list[Explanation]:
        rows = self._read(X)
        coef, intercept = self._lines()
        single = np.ndim(self.coef_) == 1
        origin = self._origin()
        answers = scores(rows, coef, intercept)
        base = coef @ origin + intercept
        names, columns = self._column_names(), self._places()
        found = []
        for i in range(rows.n):
            row = rows.row(i).astype(np.float64)
            values = self._values(row)
            parts: list[Part] = []
            for k in range(len(coef)):
                tail = "" if single else f", output {k}"
                parts.append(Part(f"(start){tail}", "", "an average row", float(base[k])))
                own = [name + tail for name in names]
                parts += contributions(own, values, columns, coef[k] * (row - origin))
            score = float(sum(part.weight for part in parts))
            told = ", ".join(f"{answer:.6g}" for answer in answers[i])
            prediction = float(answers[i, 0]) if single else tuple(answers[i].tolist())
            unit = "answer" if single else "sum of the answers"
            found.append(
                Explanation(prediction, "contributions", tuple(parts), score, unit, f"{told}.")
            )
        return found

    def _certify(self, X: Any, y: Any, role: str, confidence: float) -> Certificate:
        return error_on_new_rows(self, X, y, role, confidence)

    def _given_weights(self, sample_weight: Any, rows: Rows) -> Floats:
        if sample_weight is None:
            return NO_WEIGHTS
        return self._read_weights(sample_weight, rows.n)
