"""Columns by their median and the distance of two quantiles, which a few outliers cannot move.

    z = (x - median) / (q_high - q_low)

Half of the cells must be wrong before the median is, a quarter before the quartiles are; one cell
is enough for a mean, a standard deviation or a range. What the furthest cell of each column did to
both is kept, and told by ``report`` and ``explain``.

Cost: a selection in each column, n d to transform.

References
----------
.. [1] P. J. Huber, E. M. Ronchetti: Robust Statistics. Wiley 2009, section 1.4.
.. [2] F. R. Hampel: The influence curve and its role in robust estimation. Journal of the American
   Statistical Association 69, 1974.
"""

from __future__ import annotations

from functools import partial
from statistics import NormalDist
from typing import Any, ClassVar

import numpy as np

from learnable.core.certificate import Certificate
from learnable.core.errors import DataError, ParameterError
from learnable.core.explanation import Explanation, Part
from learnable.core.trace import emit, listening
from learnable.data import Rows, is_sparse
from learnable.estimator.contract import answers_in_chosen_form
from learnable.estimator.learner import answering, fitting
from learnable.estimator.params import Flag, Number
from learnable.estimator.state import Count, Integer, Names
from learnable.preprocessing.affine import Lines
from learnable.preprocessing.base import NanScaler, without_spread
from learnable.preprocessing.outside import refuse_training_rows, share_outside
from learnable.preprocessing.quantiles import Spread, each_known, spread_of
from learnable.preprocessing.state import SPREAD
from learnable.stats.arrays import Floats

FAR = 3.0


class Percentages:
    """Two percentages, the smaller one first."""

    def accepts(self, value: Any) -> bool:
        """Whether the value is such a pair."""
        pair = isinstance(value, (tuple, list)) and len(value) == 2
        share = Number(low=0.0, high=100.0)
        return pair and all(map(share.accepts, value)) and value[0] <= value[1]

    def __str__(self) -> str:
        return "a pair of percentages from 0 to 100, the smaller one first"


class RobustScaler(NanScaler):
    """Scale columns by median and interquartile range.

    Parameters
    ----------
    with_centering : bool, default=True
        Move the median to 0; sparse matrices need False.
    with_scaling : bool, default=True
        Divide by the distance of the quantiles.
    quantile_range : tuple of float, default=(25.0, 75.0)
        Which quantiles, in per cent.
    copy : bool, default=True
        False lets ``transform`` write over an array of floats that it is given.
    unit_variance : bool, default=False
        Divide so that normal columns come out with variance 1.

    Attributes
    ----------
    center_ : array (d,) or None
        Median of each column.
    scale_ : array (d,) or None
        What columns are divided by: 1 for constant ones.
    spread_ : Spread
        Quantiles of each column, and its standard deviation and range with and without the cell
        furthest from the median.
    n_samples_seen_ : int
        Training rows.
    n_features_in_, feature_names_in_
        Number and names of the columns.

    Notes
    -----
    ``z = (x - median) / (q_high - q_low)``.

    References
    ----------
    P. J. Huber, E. M. Ronchetti: Robust Statistics. Wiley 2009, section 1.4.

    Examples
    --------
    >>> from learnable.preprocessing import RobustScaler
    >>> scaler = RobustScaler().fit([[1], [2], [3], [4], [5], [1000]])
    >>> scaler.transform([[1], [5], [1000]]).ravel().tolist()
    [-1.0, 0.6, 398.6]
    >>> print(scaler.report())
    x0: 1000 lies 398.6 ranges from the median 3.5. Without it the standard deviation would fall \
from 371.6 to 1.414, the range of the quantiles from 2.5 to 2.
    """

    parameters: ClassVar[dict[str, Any]] = {
        "with_centering": Flag(),
        "with_scaling": Flag(),
        "quantile_range": Percentages(),
        "copy": Flag(),
        "unit_variance": Flag(),
    }
    fitted_state: ClassVar[dict[str, Any]] = {
        "n_features_in_": Count("d", low=1),
        "feature_names_in_": Names("d", optional=True),
        "spread_": SPREAD,
        "n_samples_seen_": Integer(low=1),
    }
    derived = ("center_", "scale_")

    def __init__(
        self,
        *,
        with_centering: bool = True,
        with_scaling: bool = True,
        quantile_range: Any = (25.0, 75.0),
        copy: bool = True,
        unit_variance: bool = False,
    ) -> None:
        self.with_centering = with_centering
        self.with_scaling = with_scaling
        self.quantile_range = quantile_range
        self.copy = copy
        self.unit_variance = unit_variance

    @property
    def takes_sparse(self) -> bool:  # type: ignore[override]
        """Whether compressed rows can stay compressed: only where 0 stays 0."""
        return not self.with_centering

    @fitting
    def fit(self, X: Any, y: Any = None) -> RobustScaler:  # noqa: ARG002 (the contract's signature)
        """Learn median and quantiles of each column.

        Parameters
        ----------
        X : array (n, d), data frame or sparse matrix
            Numbers; a missing cell is NaN.
        y : None
            Ignored.
        """
        rows = self._read(X, reset=True)
        low, high = (float(q) / 100.0 for q in self.quantile_range)
        found = each_known(partial(spread_of, (low, high)), rows)
        self.spread_ = Spread(
            *[np.array(values, dtype=float) for values in zip(*found, strict=True)]
        )
        self.n_samples_seen_ = rows.n
        self._derive()
        if listening():
            for name in ("low", "middle", "high"):
                emit("quantiles", of=name, values=getattr(self.spread_, name).tolist())
        return self

    def _read(self, X: Any, *, reset: bool = False) -> Rows:
        self._refuse_centring(X)
        return super()._read(X, reset=reset)

    def _refuse_centring(self, X: Any) -> None:
        if self.with_centering and is_sparse(X):
            raise DataError(
                "Cannot center sparse matrices: the zeros would not stay zeros.",
                remedy="Pass with_centering=False.",
            )

    def _derive(self) -> None:
        low, middle, high = self.spread_[:3]
        width = high - low
        if not np.isfinite(width[~np.isnan(width)]).all():
            raise DataError(
                "The range of a column leaves the range of floats.",
                remedy="Rescale it (divide by its largest value).",
            )
        constant = without_spread(width, np.maximum(np.abs(low), np.abs(high)))
        width = np.where(constant, 1.0, width)
        if self.unit_variance:
            width = width / self._normal_range()
        self.center_ = middle if self.with_centering else None
        self.scale_ = width if self.with_scaling else None
        self._lines = Lines.of(
            self.n_features_in_,
            origin=middle if self.with_centering else 0.0,
            width=width if self.with_scaling else 1.0,
        )

    def _normal_range(self) -> float:
        low, high = (float(q) / 100.0 for q in self.quantile_range)
        if not 0.0 < low < high < 1.0:
            msg = "unit_variance needs two different quantiles strictly between 0 and 100 per cent"
            raise ParameterError(msg)
        return NormalDist().inv_cdf(high) - NormalDist().inv_cdf(low)

    @answers_in_chosen_form
    @answering
    def transform(self, X: Any) -> Any:
        """Return the scaled rows.

        Parameters
        ----------
        X : array (n, d), data frame or sparse matrix
            Rows; a missing cell stays missing.
        """
        return self._lines.map(self._read(X), in_place=not self.copy)

    @answering
    def inverse_transform(self, X: Any) -> Any:
        """Return the rows whose scaled form was given.

        Parameters
        ----------
        X : array (n, d) or sparse matrix
            Scaled rows.
        """
        self._refuse_centring(X)
        return self._lines.inverse().map(self._read_scaled(X), in_place=not self.copy)

    def report(self) -> str:
        """Say what the furthest cell of each column did to its standard deviation and range."""
        self._check_fitted()
        return "\n".join(f"{name}: {told}" for name, told in zip(
            self._column_names(), map(self._told, range(self.n_features_in_)), strict=True
        ))  # fmt: skip

    def _told(self, j: int) -> str:
        low, middle, high, furthest, sd, sd_without, range_without = (v[j] for v in self.spread_)
        width = high - low
        if np.isnan(middle):
            return "no cell is known."
        if width == 0.0:
            return f"both quantiles are {low:.4g}; it is divided by 1."
        far = abs(furthest - middle) / width
        return (
            f"{furthest:.4g} lies {far:.4g} ranges from the median {middle:.4g}. Without it the "
            f"standard deviation would fall from {sd:.4g} to {sd_without:.4g}, the range of the "
            f"quantiles from {width:.4g} to {range_without:.4g}."
        )

    @answering
    def _explain(self, X: Any) -> list[Explanation]:
        rows = self._read(X)
        return [self._reasons(rows.row(i).astype(float)) for i in range(rows.n)]

    def _reasons(self, row: Floats) -> Explanation:
        """Say which columns make a row unusual, and what an outlier did to their scale."""
        answer = self._lines.map(Rows(row[None]))[0]
        width = self.spread_.high - self.spread_.low
        width = np.where(width > 0.0, width, 1.0)
        far = np.nan_to_num(np.abs(row - self.spread_.middle) / width, posinf=np.inf)
        parts = tuple(
            Part(name, value, "missing" if np.isnan(value) else self._told(j), float(far[j]))
            for j, (name, value) in enumerate(zip(self._column_names(), row.tolist(), strict=True))
        )
        j = int(far.argmax())
        told = f"Furthest out in {parts[j].label}: {far[j]:.4g} ranges from the median."
        score = sum(part.weight for part in parts)
        unit = "distance from the median in ranges of the quantiles"
        return Explanation(tuple(answer.tolist()), "contributions", parts, score, unit, told)

    @answering
    def _certify(self, X: Any, y: Any, role: str, confidence: float) -> Certificate:  # noqa: ARG002 (the contract's signature)
        refuse_training_rows("The quantiles are those", role)
        width = np.where(np.isnan(self.spread_.low), np.inf, self.spread_.high - self.spread_.low)
        return share_outside(
            self._read(X),
            self.spread_.middle - FAR * width,
            self.spread_.middle + FAR * width,
            quantity=f"share of new rows with a cell beyond {FAR:g} ranges of the quantiles",
            told=f"have a cell more than {FAR:g} ranges from the median of its column",
            confidence=confidence,
        )
