"""Outliers moved to the end of a range, and counted.

    y = min(max(x, low), high)

The ends are stated, or quantiles of the training cells (Winsorising). Nothing is moved silently:
how many cells of each column lay outside is kept, traced and explained.

Cost: a selection in each column to learn, two comparisons a cell to clip.

References
----------
.. [1] W. J. Dixon: Simplified estimation from censored normal samples. Annals of Mathematical
   Statistics 31, 1960.
.. [2] J. W. Tukey: The future of data analysis. Annals of Mathematical Statistics 33, 1962.
"""

from __future__ import annotations

from functools import partial
from typing import Any, ClassVar

import numpy as np

from learnable.core.certificate import Certificate
from learnable.core.errors import DataError, ParameterError
from learnable.core.explanation import Explanation, Part
from learnable.core.fold import fold
from learnable.core.trace import emit, listening
from learnable.data import Block
from learnable.estimator.contract import answers_in_chosen_form
from learnable.estimator.learner import answering, fitting
from learnable.estimator.params import ArrayLike, Either, Number
from learnable.estimator.state import Count, Floats, Integer, Integers, Names
from learnable.preprocessing.base import NanScaler, filled, refuse_infinite
from learnable.preprocessing.outside import refuse_training_rows, share_outside
from learnable.preprocessing.quantiles import each_known, quantiles
from learnable.preprocessing.robust import Percentages
from learnable.stats import arrays


class Clipper(NanScaler):
    """Move cells beyond a range to its end.

    Parameters
    ----------
    quantile_range : tuple of float, default=(1.0, 99.0)
        Which quantiles of the training cells are the ends, in per cent.
    lower, upper : float or array (d,), optional
        Stated ends, instead of the quantiles.

    Attributes
    ----------
    lower_, upper_ : array (d,)
        The ends of each column; infinite where no training cell is known.
    clipped_count_ : array (2, d)
        Training cells below and above them.
    n_samples_seen_ : int
        Training rows.
    n_features_in_, feature_names_in_
        Number and names of the columns.

    Notes
    -----
    ``y = min(max(x, low), high)``; a missing cell stays missing.

    References
    ----------
    J. W. Tukey: The future of data analysis. Annals of Mathematical Statistics 33, 1962.

    Examples
    --------
    >>> from learnable.preprocessing import Clipper
    >>> clipper = Clipper(upper=5.0, quantile_range=(0, 100)).fit([[1], [2], [4], [1000]])
    >>> clipper.transform([[0], [3], [77]]).ravel().tolist()
    [1.0, 3.0, 5.0]
    >>> clipper.clipped_count_.ravel().tolist()
    [0, 1]
    """

    parameters: ClassVar[dict[str, Any]] = {
        "quantile_range": Percentages(),
        "lower": Either(Number(none=True), ArrayLike()),
        "upper": Either(Number(none=True), ArrayLike()),
    }
    exempt: ClassVar[dict[str, str]] = {
        "units_do_not_matter": "what is clipped keeps the unit of its column"
    }
    fitted_state: ClassVar[dict[str, Any]] = {
        "n_features_in_": Count("d", low=1),
        "feature_names_in_": Names("d", optional=True),
        "lower_": Floats("d", infinite=True, dtype="float64"),
        "upper_": Floats("d", infinite=True, dtype="float64"),
        "clipped_count_": Integers(2, "d", low=0, dtype="int64"),
        "n_samples_seen_": Integer(low=1),
    }

    def __init__(
        self, *, quantile_range: Any = (1.0, 99.0), lower: Any = None, upper: Any = None
    ) -> None:
        self.quantile_range = quantile_range
        self.lower = lower
        self.upper = upper

    @fitting
    def fit(self, X: Any, y: Any = None) -> Clipper:  # noqa: ARG002 (the contract's signature)
        """Learn the ends of each column, and count what lies beyond.

        Parameters
        ----------
        X : array (n, d) or data frame
            Numbers; a missing cell is NaN.
        y : None
            Ignored.
        """
        rows = self._read(X, reset=True)
        shares = np.array(self.quantile_range, dtype=float) / 100.0
        ends = np.array(each_known(partial(quantiles, shares=shares), rows))
        stated = [self._stated(end, rows.d) for end in (self.lower, self.upper)]
        nothing = (-np.inf, np.inf)
        self.lower_, self.upper_ = (
            np.where(np.isnan(ends[:, i]), nothing[i], ends[:, i]) if end is None else end
            for i, end in enumerate(stated)
        )
        if (wrong := self.lower_ > self.upper_).any():
            j = int(np.argmax(wrong))
            raise DataError(
                f"The lower end {self.lower_[j]:g} lies above the upper end {self.upper_[j]:g}.",
                column=self._column_names()[j],
                remedy="State both ends, or neither.",
            )
        beyond = partial(_beyond, self.lower_, self.upper_)
        self.clipped_count_ = fold(beyond, np.add, rows.blocks())
        self.n_samples_seen_ = rows.n
        if listening():
            below, above = self.clipped_count_.tolist()
            emit(
                "clip",
                low=self.lower_.tolist(),
                high=self.upper_.tolist(),
                below=below,
                above=above,
            )
        return self

    def _stated(self, end: Any, d: int) -> Any:
        if end is None:
            return None
        try:
            given = np.array(end, dtype=np.float64)
        except (TypeError, ValueError) as error:
            msg = "lower and upper must hold numbers"
            raise ParameterError(msg) from error
        if given.shape not in {(), (d,)} or np.isnan(given).any():
            msg = f"lower and upper must be a number or {d} numbers, one for each column"
            raise ParameterError(msg)
        return np.array(np.broadcast_to(given, d))

    def _check_state(self) -> None:
        if (self.lower_ > self.upper_).any() or (
            int(self.clipped_count_.max()) > self.n_samples_seen_
        ):
            msg = (
                "the ends of a column are not in order, or more cells were clipped than there were"
            )
            raise DataError(msg)
        super()._check_state()

    @answers_in_chosen_form
    @answering
    def transform(self, X: Any) -> Any:
        """Return the rows with every cell inside its range.

        Parameters
        ----------
        X : array (n, d) or data frame
            Rows; a missing cell stays missing.
        """
        return filled(partial(_clip, self.lower_, self.upper_), self._read(X))

    @answering
    def _explain(self, X: Any) -> list[Explanation]:
        rows = self._read(X)
        return [self._reasons(rows.row(i).astype(float)) for i in range(rows.n)]

    def _reasons(self, row: Any) -> Explanation:
        answer = np.clip(row, self.lower_, self.upper_)
        moved = np.nan_to_num(np.abs(answer - row))
        parts = tuple(
            Part(name, value, self._evidence(j, value), float(moved[j]))
            for j, (name, value) in enumerate(zip(self._column_names(), row.tolist(), strict=True))
        )
        count = int(np.count_nonzero(moved))
        told = f"{count} of {len(parts)} cells moved to the end of their range."
        score = sum(part.weight for part in parts)
        unit = "distance that cells were moved"
        return Explanation(tuple(answer.tolist()), "contributions", parts, score, unit, told)

    def _evidence(self, j: int, value: float) -> str:
        low, high = self.lower_[j], self.upper_[j]
        below, above = self.clipped_count_[:, j].tolist()
        seen = f"of {self.n_samples_seen_} training rows"
        if np.isnan(value):
            return "missing"
        if value < low:
            return f"below {low:.4g}, as {below} {seen}"
        if value > high:
            return f"above {high:.4g}, as {above} {seen}"
        return f"between {low:.4g} and {high:.4g}"

    @answering
    def _certify(self, X: Any, y: Any, role: str, confidence: float) -> Certificate:  # noqa: ARG002 (the contract's signature)
        refuse_training_rows("The ends may be quantiles", role)
        return share_outside(
            self._read(X),
            self.lower_,
            self.upper_,
            quantity="share of new rows with a clipped cell",
            told="have a cell that is clipped",
            confidence=confidence,
        )


def _clip(low: arrays.Floats, high: arrays.Floats, block: Block, out: arrays.Floats) -> None:
    X = block.array()
    np.clip(X, low.astype(X.dtype), high.astype(X.dtype), out=out)
    if np.isinf(X).any():
        refuse_infinite(X, block.start, block.names)


def _beyond(lower: Any, upper: Any, block: Block) -> Any:
    X = block.array()
    return np.array([(lower > X).sum(axis=0), (upper < X).sum(axis=0)], dtype=np.int64)
