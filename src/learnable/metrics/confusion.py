"""The confusion matrix: which class was taken for which, and every rate that follows.

Rows are actual classes, columns predicted ones. Matrices of folds, chunks and machines merge.

References
----------
.. [1] R. Kohavi, F. Provost: Glossary of terms. Machine Learning 30, 1998.
.. [2] M. Sokolova, G. Lapalme: A systematic analysis of performance measures for classification
   tasks. Information Processing and Management 45, 2009.
"""

from __future__ import annotations

import html
from dataclasses import dataclass
from typing import Any

import numpy as np

from learnable.core.errors import DataError, ParameterError
from learnable.core.frames import as_frame
from learnable.metrics.answers import one_answer
from learnable.metrics.chance import kappa_of, matthews_of
from learnable.metrics.tallies import (
    MISSING,
    Tallies,
    mean_of_defined,
)
from learnable.stats.arrays import Floats

RATES = ("precision", "recall", "specificity", "f-score")
_SIDES = {"true": 1, "pred": 0, "all": None}


@dataclass(frozen=True, eq=False)
class ConfusionMatrix:
    """Weight of each actual class (rows) predicted as each class (columns).

    Attributes
    ----------
    labels : tuple
        The classes, in order.
    matrix : array (K, K)
        The weights.

    Examples
    --------
    >>> from learnable.metrics import ConfusionMatrix
    >>> c = ConfusionMatrix.of([1] * 6 + [0] * 4, [1, 1, 1, 1, 0, 0, 1, 0, 0, 0])
    >>> c.accuracy, c.rates()["precision"].round(4).tolist()
    (0.7, [0.6, 0.8])
    >>> print(c.text())
             predicted
    actual   0  1   precision  recall  specificity  f-score
    0        3  1       0.600   0.750        0.667    0.667
    1        2  4       0.800   0.667        0.750    0.727
    accuracy 0.700, balanced accuracy 0.708, 10 rows
    """

    labels: tuple[Any, ...]
    matrix: Floats

    @classmethod
    def of(
        cls, y_true: Any, y_pred: Any, *, labels: Any = None, sample_weight: Any = None
    ) -> ConfusionMatrix:
        """Count right and predicted answers; rows with other labels than ``labels`` are left out.

        Parameters
        ----------
        y_true, y_pred : array (n,)
            Right and predicted labels.
        labels : sequence, optional
            Which classes, in which order; those that occur, sorted, by default.
        sample_weight : array (n,), optional
            Weight of each row.
        """
        found = one_answer(y_true, y_pred, sample_weight)
        whole = cls(tuple(found.classes.tolist()), found.table())
        return whole if labels is None else whole.over(np.asarray(labels).tolist())

    @classmethod
    def zero(cls) -> ConfusionMatrix:
        """Return the matrix of no rows and no classes."""
        return cls((), np.zeros((0, 0)))

    def over(self, labels: list[Any] | tuple[Any, ...]) -> ConfusionMatrix:
        """Return the matrix over the given classes in the given order."""
        place = {label: i for i, label in enumerate(self.labels)}
        index = np.array([place.get(label, len(place)) for label in labels], dtype=np.intp)
        padded = np.pad(self.matrix, (0, 1))
        return ConfusionMatrix(tuple(labels), padded[np.ix_(index, index)])

    def merge(self, other: ConfusionMatrix) -> ConfusionMatrix:
        """Return the matrix of both sets of rows, over the classes of both."""
        labels = self._labels_with(other)
        return ConfusionMatrix(labels, self.over(labels).matrix + other.over(labels).matrix)

    def minus(self, other: ConfusionMatrix) -> ConfusionMatrix:
        """Return the matrix of the rows that remain without the other's."""
        labels = self._labels_with(other)
        return ConfusionMatrix(labels, self.over(labels).matrix - other.over(labels).matrix)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ConfusionMatrix):
            return NotImplemented
        return self.labels == other.labels and np.array_equal(self.matrix, other.matrix)

    __hash__ = None

    @property
    def weight(self) -> float:
        """Weight of all rows."""
        return float(self.matrix.sum())

    @property
    def accuracy(self) -> float:
        """Share of the weight that is answered right."""
        return float(np.trace(self.matrix) / self.weight) if self.weight else float("nan")

    @property
    def error(self) -> float:
        """Share of the weight that is answered wrong."""
        return 1.0 - self.accuracy

    @property
    def balanced_accuracy(self) -> float:
        """Mean recall of the classes that occur: every class counts the same.

        For two classes this is also the rebalanced accuracy, in which a positive row counts
        N / P.
        """
        return self.average("recall")

    @property
    def matthews(self) -> float:
        """Correlation of actual and predicted classes; NaN where it is undefined."""
        return float(matthews_of(self.matrix))

    @property
    def kappa(self) -> float:
        """Agreement beyond chance (Cohen); NaN where it is undefined."""
        return float(kappa_of(self.matrix))

    def tallies(self) -> Tallies:
        """Return the true and false positives and negatives of each class."""
        return Tallies.of_table(self.matrix)

    def rates(self, beta: float = 1.0) -> dict[str, Floats]:
        """Return each rate for each class; NaN where it is undefined."""
        found = self.tallies()
        return {name: found.rate(name, beta) for name in MISSING}

    def average(self, name: str, how: str = "macro", beta: float = 1.0) -> float:
        """Return a rate averaged over the classes where it is defined.

        Parameters
        ----------
        name : str
            ``"precision"``, ``"recall"``, ``"specificity"``, ``"negative predictive value"``,
            ``"f-score"`` or ``"jaccard"``.
        how : {"macro", "micro", "weighted"}
            Every class the same, all rows together, or by the weight of the class.
        beta : float
            Of the F-score.
        """
        found = self.tallies()
        if name not in MISSING or how not in ("macro", "micro", "weighted"):
            msg = f"there is no {how!r} average of {name!r}; rates are {', '.join(MISSING)}"
            raise ParameterError(msg)
        if how == "micro":
            return float(found.pooled().rate(name, beta)[0])
        weight = found.actual if how == "weighted" else np.empty(0)
        return mean_of_defined(found.rate(name, beta), weight)

    def undefined(self) -> tuple[str, ...]:
        """Return a sentence for each rate of a class that has no value, with the reason."""
        return tuple(
            f"{name} of {label} is undefined: {MISSING[name]} {label}."
            for name, values in self.rates().items()
            if name in RATES
            for label, value in zip(self.labels, values, strict=True)
            if np.isnan(value)
        )

    def normalized(self, by: str = "true") -> Floats:
        """Return shares of the row (``"true"``), the column (``"pred"``) or of all; NaN for 0/0."""
        if by not in _SIDES:
            msg = f"by must be 'true', 'pred' or 'all', not {by!r}"
            raise ParameterError(msg)
        with np.errstate(invalid="ignore"):
            return self.matrix / self.matrix.sum(axis=_SIDES[by], keepdims=True)

    def text(self, digits: int = 3) -> str:
        """Return the matrix with the rates of each class, and what is undefined."""
        cells = [[f"{value:.12g}" for value in row] for row in self.matrix]
        names = [str(label) for label in self.labels]
        wide = max([len("actual  "), *map(len, names)])
        widths = [
            max(map(len, [n, *c])) for n, c in zip(names, zip(*cells, strict=True), strict=True)
        ]
        rates = self.rates()

        def line(head: str, row: list[str], tail: list[str]) -> str:
            left = "  ".join(f"{cell:>{w}}" for cell, w in zip(row, widths, strict=True))
            right = "  ".join(
                f"{t:>{max(len(r), digits + 2)}}" for t, r in zip(tail, RATES, strict=True)
            )
            return f"{head:<{wide}} {left}   {right}"

        rows = [
            line(
                name,
                row,
                ["-" if np.isnan(rates[r][i]) else f"{rates[r][i]:.{digits}f}" for r in RATES],
            )
            for i, (name, row) in enumerate(zip(names, cells, strict=True))
        ]
        total = (
            f"accuracy {self.accuracy:.{digits}f}, balanced accuracy "
            f"{self.balanced_accuracy:.{digits}f}, {self.weight:.12g} rows"
        )
        head = line("actual", names, list(RATES))
        return "\n".join([f"{'':<{wide}} predicted", head, *rows, total, *self.undefined()])

    __str__ = text

    def to_frame(self) -> Any:
        """Return a data frame: a line an actual class, a column a predicted class."""
        columns = {str(label): self.matrix[:, j] for j, label in enumerate(self.labels)}
        return as_frame({"actual": [str(label) for label in self.labels], **columns})

    def to_html(self) -> str:
        """Return the matrix as a table, shaded by share of the row; labels are escaped."""
        names = [html.escape(str(label)) for label in self.labels]
        shares = np.nan_to_num(self.normalized("true"))
        head = "".join(f"<th>{name}</th>" for name in names)
        body = "".join(
            f"<tr><th>{name}</th>"
            + "".join(
                f'<td style="background:rgba(31,119,180,{share:.2f})">{value:.12g}</td>'
                for value, share in zip(row, shared, strict=True)
            )
            + "</tr>"
            for name, row, shared in zip(names, self.matrix, shares, strict=True)
        )
        notes = "".join(f"<p>{html.escape(note)}</p>" for note in self.undefined())
        return (
            '<div class="learnable-confusion"><table><caption>rows: actual, columns: predicted'
            f"</caption><tr><th></th>{head}</tr>{body}</table>{notes}</div>"
        )

    _repr_html_ = to_html

    def _labels_with(self, other: ConfusionMatrix) -> tuple[Any, ...]:
        if self.labels == other.labels:
            return self.labels
        both = set(self.labels) | set(other.labels)
        try:
            return tuple(sorted(both))
        except TypeError:
            msg = "The labels of the two matrices are of different kinds."
            raise DataError(msg, remedy="Merge matrices over the same kind of labels.") from None
