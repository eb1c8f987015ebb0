"""Columns to mean 0 and standard deviation 1.

    z = (x - mean) / sd,    mean = sum w x / sum w,    sd**2 = sum w (x - mean)**2 / sum w

One pass (:class:`~learnable.stats.column_moments.ColumnMoments`), so ``partial_fit`` is a merge.
A missing cell (NaN) counts nowhere and stays missing. A column whose sd is no more than rounding of
its mean, ten units in the last place, is constant and is divided by 1. scikit-learn's limit grows
with the number of rows instead, and underflows for columns of scale 1e-200.

Cost: 2 n d to learn, n d to transform, 4 d numbers.

References
----------
.. [1] T. F. Chan, G. H. Golub, R. J. LeVeque: Algorithms for computing the sample variance.
   The American Statistician 37, 1983.
.. [2] J. G. Saw, M. C. K. Yang, T. C. Mo: Chebyshev inequality with estimated mean and variance.
   The American Statistician 38, 1984.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from learnable.core.certificate import Certificate
from learnable.core.errors import DataError
from learnable.core.explanation import Explanation, Part
from learnable.core.fold import fold
from learnable.core.trace import emit, listening
from learnable.data import Block, Rows, is_sparse
from learnable.estimator.contract import answers_in_chosen_form
from learnable.estimator.learner import answering, fitting
from learnable.estimator.params import Flag
from learnable.estimator.state import Count, Names
from learnable.preprocessing.affine import Lines
from learnable.preprocessing.base import NanScaler, refuse_infinite, without_spread
from learnable.preprocessing.state import COLUMN_MOMENTS
from learnable.stats.arrays import Floats
from learnable.stats.column_moments import ColumnMoments
from learnable.theory.shares import chance_of_far_cells
from learnable.theory.statements import share_of_new_rows

FAR = 3.0


def block_column_moments(block: Block) -> ColumnMoments:
    """Return the moments of one block, dense or compressed; an infinite cell is refused."""
    sparse = not isinstance(block.cells, (np.ndarray, list))
    if sparse:
        moments = ColumnMoments.of_stored(block.cells.astype(block.dtype), block.weight)
    else:
        moments = ColumnMoments.of(block.array(), block.weight)
    if not moments.is_finite:
        refuse_infinite(block.array(), block.start, block.names)
        wrong = ~(np.isfinite(moments.mean) & np.isfinite(moments.unit))
        j = int(np.flatnonzero(wrong)[0]) if wrong.any() else 0
        raise DataError(
            "The sums of a column leave the range of floats.",
            column=block.names[j] if block.names is not None else j,
            remedy="Rescale it (divide by its largest value).",
        )
    return moments


class StandardScaler(NanScaler):
    """Scale columns to mean 0 and standard deviation 1.

    Parameters
    ----------
    copy : bool, default=True
        False lets ``transform`` write over an array of floats that it is given.
    with_mean : bool, default=True
        Move the mean to 0; sparse matrices need False.
    with_std : bool, default=True
        Divide by the standard deviation.

    Attributes
    ----------
    mean_, var_ : array (d,) or None
        Mean and variance (by N) of each column; None where nothing asks for them.
    scale_ : array (d,) or None
        What columns are divided by: the standard deviation, 1 for constant columns.
    n_samples_seen_ : int, float or array (d,)
        Weight of the cells seen, an array where columns miss different cells.
    statistic_ : ColumnMoments
        What was learned from; two scalers' statistics merge.
    n_features_in_, feature_names_in_
        Number and names of the columns.

    Notes
    -----
    ``z = (x - mean) / sd``. The same bits for any number of threads.

    References
    ----------
    T. F. Chan, G. H. Golub, R. J. LeVeque: Algorithms for computing the sample variance.
    The American Statistician 37, 1983.

    Examples
    --------
    >>> from learnable.preprocessing import StandardScaler
    >>> scaler = StandardScaler().fit([[0.0, 5.0], [2.0, 5.0], [4.0, 5.0]])
    >>> scaler.transform([[2.0, 6.0], [6.0, 5.0]]).round(4).tolist()
    [[0.0, 1.0], [2.4495, 0.0]]
    """

    parameters: ClassVar[dict[str, Any]] = {
        "copy": Flag(), "with_mean": Flag(), "with_std": Flag(),
    }  # fmt: skip
    fitted_state: ClassVar[dict[str, Any]] = {
        "statistic_": COLUMN_MOMENTS,
        "n_features_in_": Count("d", low=1),
        "feature_names_in_": Names("d", optional=True),
    }
    derived = ("mean_", "n_samples_seen_", "scale_", "var_")

    def __init__(self, *, copy: bool = True, with_mean: bool = True, with_std: bool = True) -> None:
        self.copy = copy
        self.with_mean = with_mean
        self.with_std = with_std

    @property
    def takes_sparse(self) -> bool:  # type: ignore[override]
        """Whether compressed rows can stay compressed: only where 0 stays 0."""
        return not self.with_mean

    @fitting
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> StandardScaler:  # noqa: ARG002 (the contract's signature)
        """Learn mean and standard deviation of each column.

        Parameters
        ----------
        X : array (n, d), data frame or sparse matrix
            Numbers; a missing cell is NaN.
        y : None
            Ignored.
        sample_weight : array (n,), optional
            A weight of 2 is the row twice.
        """
        rows = self._read(X, reset=True)
        self._learn(self._seen(rows, sample_weight))
        return self

    @fitting
    def partial_fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> StandardScaler:  # noqa: ARG002 (the contract's signature)
        """Learn from more rows; the result is that of ``fit`` on all of them.

        Parameters
        ----------
        X, y, sample_weight
            As in :meth:`fit`.
        """
        first = not self.__sklearn_is_fitted__()
        rows = self._read(X, reset=first)
        seen = self._seen(rows, sample_weight)
        self._learn(seen if first else self.statistic_.merge(seen))
        return self

    def _read(self, X: Any, *, reset: bool = False) -> Rows:
        self._refuse_centring(X)
        return super()._read(X, reset=reset)

    def _refuse_centring(self, X: Any) -> None:
        if self.with_mean and is_sparse(X):
            raise DataError(
                "Cannot center sparse matrices: the zeros would not stay zeros.",
                remedy="Pass with_mean=False.",
            )

    def _seen(self, rows: Rows, sample_weight: Any) -> ColumnMoments:
        weight = self._read_weights(sample_weight, rows.n)
        height = rows.n if rows.sparse else None
        found: ColumnMoments = fold(
            block_column_moments, ColumnMoments.merge, rows.blocks(weight=weight, rows=height)
        )
        return found

    def _learn(self, moments: ColumnMoments) -> None:
        """Turn the statistic into the scaler."""
        self.statistic_ = moments
        self._derive()
        if listening():
            emit(
                "moments",
                weight=moments.weight.tolist(),
                mean=moments.mean.tolist(),
                sd=moments.spread().tolist(),
            )

    def _derive(self) -> None:
        """Compute means and scales, NaN for a column of which nothing was seen."""
        moments = self.statistic_
        unseen = moments.weight == 0.0
        spread = moments.spread()
        constant = without_spread(spread, np.abs(moments.mean))
        either = self.with_mean or self.with_std
        self.mean_ = np.where(unseen, np.nan, moments.mean) if either else None
        self.var_ = np.where(unseen, np.nan, moments.variance()) if self.with_std else None
        scale = np.where(constant, 1.0, spread)
        self.scale_ = np.where(unseen, np.nan, scale) if self.with_std else None
        weight = moments.weight
        seen = weight.astype(np.int64) if (weight == np.floor(weight)).all() else weight
        self.n_samples_seen_ = seen[0] if (seen == seen[0]).all() else seen
        self._lines = Lines.of(
            self.n_features_in_,
            origin=self.mean_ if self.with_mean else 0.0,
            width=self.scale_ if self.with_std else 1.0,
        )

    @answers_in_chosen_form
    @answering
    def transform(self, X: Any, copy: bool | None = None) -> Any:
        """Return the scaled rows.

        Parameters
        ----------
        X : array (n, d), data frame or sparse matrix
            Rows; a missing cell stays missing.
        copy : bool, optional
            Overrules the parameter.
        """
        return self._lines_for(self._read(X), self._lines, copy)

    @answering
    def inverse_transform(self, X: Any, copy: bool | None = None) -> Any:
        """Return the rows whose scaled form was given.

        Parameters
        ----------
        X : array (n, d) or sparse matrix
            Scaled rows.
        copy : bool, optional
            Overrules the parameter.
        """
        self._refuse_centring(X)
        rows = self._read_scaled(X)
        return self._lines_for(rows, self._lines.inverse(), copy)

    def _lines_for(self, rows: Rows, lines: Lines, copy: bool | None) -> Any:
        return lines.map(rows, in_place=not (self.copy if copy is None else copy))

    @answering
    def _explain(self, X: Any) -> list[Explanation]:
        rows = self._read(X)
        return [self._reasons(rows.row(i).astype(float)) for i in range(rows.n)]

    def _reasons(self, row: Floats) -> Explanation:
        """Say which columns make a row unusual: its squared length once scaled is their sum."""
        scaled = self._lines.map(Rows(row[None]))[0]
        weight = np.where(np.isnan(scaled), 0.0, scaled) ** 2
        parts = tuple(
            Part(name, value, self._evidence(j, scaled[j]), float(weight[j]))
            for j, (name, value) in enumerate(zip(self._column_names(), row.tolist(), strict=True))
        )
        j = int(weight.argmax())
        told = f"Furthest out in {parts[j].label}: {parts[j].evidence}."
        unit = "squared distance from the mean" if self.with_mean else "squared length"
        unit += " in standard deviations" if self.with_std else ""
        score = sum(part.weight for part in parts)
        return Explanation(tuple(scaled.tolist()), "contributions", parts, score, unit, told)

    def _evidence(self, j: int, scaled: float) -> str:
        if np.isnan(scaled):
            return "missing"
        found = f"{scaled:+.4g}"
        if self.with_std:
            found += f" standard deviations of {self._lines.width[j]:.4g}"
        return found + (f" from the mean {self._lines.origin[j]:.4g}" if self.with_mean else "")

    @answering
    def _certify(self, X: Any, y: Any, role: str, confidence: float) -> Certificate:  # noqa: ARG002 (the contract's signature)
        moments = self.statistic_
        if role == "train":
            return chance_of_far_cells(
                self._column_names(), moments.weight, FAR, confidence, even=moments.even
            )
        rows = self._read(X)
        far = 0
        sd = np.where(moments.weight > 0.0, moments.spread(), np.inf)
        for block in rows.blocks():
            far += int((np.abs(block.array() - moments.mean) > FAR * sd).any(axis=1).sum())
        return share_of_new_rows(
            far,
            rows.n,
            quantity=f"share of new rows with a cell beyond {FAR:g} standard deviations",
            told=f"have a cell more than {FAR:g} standard deviations from the mean of its column",
            confidence=confidence,
        )
