"""Columns to a stated range, from their smallest and largest value.

    y = (x - min) / (max - min) * (high - low) + low

One pass (:class:`~learnable.stats.Extent`), so ``partial_fit`` is a merge. A missing cell (NaN)
counts nowhere and stays missing. A column whose range is no more than rounding of its values, ten
units in the last place, is constant and is divided by 1; scikit-learn's limit is 2e-15 in whatever
unit the column has.

Cost: n d comparisons to learn, n d to transform, 3 d numbers.

References
----------
.. [1] J. Han, M. Kamber, J. Pei: Data Mining. Morgan Kaufmann 2011, section 3.5.2.
.. [2] S. S. Wilks: Determination of sample sizes for setting tolerance limits. Annals of
   Mathematical Statistics 12, 1941.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from learnable.core.certificate import Certificate
from learnable.core.errors import DataError
from learnable.core.explanation import Explanation, Part
from learnable.core.fold import fold, merge_each
from learnable.core.trace import emit, listening
from learnable.data import Block, Rows
from learnable.estimator.contract import answers_in_chosen_form
from learnable.estimator.learner import answering, fitting
from learnable.estimator.params import Flag, Number
from learnable.estimator.state import Count, Names
from learnable.preprocessing.affine import UNCLIPPED, Lines
from learnable.preprocessing.base import NanScaler, refuse_infinite, without_spread
from learnable.preprocessing.outside import share_outside
from learnable.preprocessing.state import EXTENT, PRESENCE
from learnable.stats import Extent
from learnable.stats.arrays import Floats
from learnable.stats.presence import Presence
from learnable.theory.shares import share_beyond_range


class Ends:
    """Two finite numbers, the smaller one first."""

    def accepts(self, value: Any) -> bool:
        """Whether the value is such a pair."""
        pair = isinstance(value, (tuple, list)) and len(value) == 2
        return pair and all(map(Number().accepts, value)) and value[0] < value[1]

    def __str__(self) -> str:
        return (
            "a pair of finite numbers (the minimum of the desired feature range must be smaller "
            "than the maximum)"
        )


def block_extent(block: Block) -> tuple[Extent, Presence]:
    """Return smallest and largest values and counts of one block; an infinite cell is refused."""
    X = block.array()
    extent = Extent.of(X)
    if np.isinf(extent.low).any() or np.isinf(extent.high).any():
        refuse_infinite(X, block.start, block.names)
    return extent, Presence.of(X)


class MinMaxScaler(NanScaler):
    """Scale columns to a range.

    Parameters
    ----------
    feature_range : tuple of float, default=(0, 1)
        Where the smallest and the largest value go.
    copy : bool, default=True
        False lets ``transform`` write over an array of floats that it is given.
    clip : bool, default=False
        Move what lies outside the range to its end.

    Attributes
    ----------
    data_min_, data_max_, data_range_ : array (d,)
        Smallest and largest value of each column, and their difference.
    scale_, min_ : array (d,)
        The same map as ``x * scale_ + min_``.
    n_samples_seen_ : int
        Rows seen.
    statistic_, presence_ : Extent, Presence
        What was learned from; two scalers' statistics merge.
    n_features_in_, feature_names_in_
        Number and names of the columns.

    Notes
    -----
    ``y = (x - min) / (max - min) * (high - low) + low``. The same bits for any number of threads.

    References
    ----------
    J. Han, M. Kamber, J. Pei: Data Mining. Morgan Kaufmann 2011, section 3.5.2.

    Examples
    --------
    One outlier presses everything else together:

    >>> from learnable.preprocessing import MinMaxScaler
    >>> MinMaxScaler().fit_transform([[1], [2], [3], [4], [5], [1000]]).round(4).ravel().tolist()
    [0.0, 0.001, 0.002, 0.003, 0.004, 1.0]
    """

    parameters: ClassVar[dict[str, Any]] = {
        "feature_range": Ends(), "copy": Flag(), "clip": Flag(),
    }  # fmt: skip
    fitted_state: ClassVar[dict[str, Any]] = {
        "statistic_": EXTENT,
        "presence_": PRESENCE,
        "n_features_in_": Count("d", low=1),
        "feature_names_in_": Names("d", optional=True),
    }
    derived = ("data_max_", "data_min_", "data_range_", "min_", "n_samples_seen_", "scale_")

    def __init__(
        self, feature_range: Any = (0, 1), *, copy: bool = True, clip: bool = False
    ) -> None:
        self.feature_range = feature_range
        self.copy = copy
        self.clip = clip

    @fitting
    def fit(self, X: Any, y: Any = None) -> MinMaxScaler:  # noqa: ARG002 (the contract's signature)
        """Learn smallest and largest value of each column.

        Parameters
        ----------
        X : array (n, d) or data frame
            Numbers; a missing cell is NaN.
        y : None
            Ignored.
        """
        self._learn(*self._seen(self._read(X, reset=True)))
        return self

    @fitting
    def partial_fit(self, X: Any, y: Any = None) -> MinMaxScaler:  # noqa: ARG002 (the contract's signature)
        """Learn from more rows; the result is that of ``fit`` on all of them.

        Parameters
        ----------
        X, y
            As in :meth:`fit`.
        """
        first = not self.__sklearn_is_fitted__()
        extent, presence = self._seen(self._read(X, reset=first))
        if not first:
            extent, presence = self.statistic_.merge(extent), self.presence_.merge(presence)
        self._learn(extent, presence)
        return self

    @staticmethod
    def _seen(rows: Rows) -> tuple[Extent, Presence]:
        found: tuple[Extent, Presence] = fold(block_extent, merge_each, rows.blocks())
        return found

    def _learn(self, extent: Extent, presence: Presence) -> None:
        """Turn the statistics into the scaler."""
        with np.errstate(over="ignore"):
            wide = np.isinf(extent.high - extent.low) & (presence.cells > 0)
        if wide.any():
            raise DataError(
                "The range of a column leaves the range of floats.",
                column=self._column_names()[int(np.flatnonzero(wide)[0])],
                remedy="Rescale it (divide by its largest value).",
            )
        self.statistic_, self.presence_ = extent, presence
        self._derive()
        if listening():
            emit("extent", n=extent.n, low=self.data_min_.tolist(), high=self.data_max_.tolist())

    def _derive(self) -> None:
        """Compute the ranges, NaN for a column of which nothing was seen."""
        extent, unseen = self.statistic_, self.presence_.cells == 0
        low, high = map(float, self.feature_range)
        self.data_min_ = np.where(unseen, np.nan, extent.low)
        self.data_max_ = np.where(unseen, np.nan, extent.high)
        self.data_range_ = self.data_max_ - self.data_min_
        largest = np.maximum(np.abs(self.data_min_), np.abs(self.data_max_))
        constant = without_spread(self.data_range_, largest)
        width = np.where(constant, 1.0, self.data_range_)
        with np.errstate(over="ignore", invalid="ignore"):
            self.scale_ = (high - low) / width
            self.min_ = low - self.data_min_ * self.scale_
        self.n_samples_seen_ = extent.n
        self._lines = Lines.of(
            self.n_features_in_,
            origin=self.data_min_,
            width=width,
            new_width=high - low,
            new_origin=low,
        )

    @answers_in_chosen_form
    @answering
    def transform(self, X: Any) -> Any:
        """Return the scaled rows.

        Parameters
        ----------
        X : array (n, d) or data frame
            Rows; a missing cell stays missing.
        """
        low, high = map(float, self.feature_range)
        clip = (low, high) if self.clip else UNCLIPPED
        return self._lines.map(self._read(X), clip=clip, in_place=not self.copy)

    @answering
    def inverse_transform(self, X: Any) -> Any:
        """Return the rows whose scaled form was given.

        Parameters
        ----------
        X : array (n, d)
            Scaled rows.
        """
        return self._lines.inverse().map(self._read_scaled(X), in_place=not self.copy)

    @answering
    def _explain(self, X: Any) -> list[Explanation]:
        rows = self._read(X)
        scaled = np.asarray(self._clipped(rows), dtype=float)
        return [self._reasons(rows.row(i).astype(float), scaled[i]) for i in range(rows.n)]

    def _clipped(self, rows: Rows) -> Any:
        low, high = map(float, self.feature_range)
        return self._lines.map(rows, clip=(low, high) if self.clip else UNCLIPPED)

    def _reasons(self, row: Floats, scaled: Floats) -> Explanation:
        """Say how far outside the training range each cell lies, in ranges."""
        below = np.maximum(self.data_min_ - row, 0.0)
        above = np.maximum(row - self.data_max_, 0.0)
        out = np.nan_to_num((below + above) / self._lines.width)
        parts = tuple(
            Part(name, value, self._evidence(j, value, float(out[j])), float(out[j]))
            for j, (name, value) in enumerate(zip(self._column_names(), row.tolist(), strict=True))
        )
        told = f"Inside the training range in all {len(parts)} columns."
        if out.any():
            worst = parts[int(out.argmax())]
            told = (
                f"Outside the training range in {np.count_nonzero(out)} of {len(parts)} columns, "
                f"furthest in {worst.label}: {worst.evidence}."
            )
        score, unit = sum(part.weight for part in parts), "distance outside the training range"
        return Explanation(tuple(scaled.tolist()), "contributions", parts, score, unit, told)

    def _evidence(self, j: int, value: float, out: float) -> str:
        if np.isnan(value):
            return "missing"
        low, high = self.data_min_[j], self.data_max_[j]
        if out == 0.0:
            return f"between {low:.4g} and {high:.4g}"
        side, end = ("below", low) if value < low else ("above", high)
        return f"{side} {end:.4g} by {out:.4g} of the range"

    @answering
    def _certify(self, X: Any, y: Any, role: str, confidence: float) -> Certificate:  # noqa: ARG002 (the contract's signature)
        if role == "train":
            return share_beyond_range(self._column_names(), self.presence_.cells, confidence)
        return share_outside(
            self._read(X),
            self.statistic_.low,
            self.statistic_.high,
            quantity="share of new rows outside the training range",
            told="have a cell outside the training range of its column",
            confidence=confidence,
        )
