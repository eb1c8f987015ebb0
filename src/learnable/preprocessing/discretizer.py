"""Numbers as intervals: of equal width, of equal frequency, by means, or where the classes part.

Cost: a selection (equal frequency) or a sort in each column to learn, log2(bins) comparisons a
cell to transform.

References
----------
.. [1] U. M. Fayyad, K. B. Irani: Multi-interval discretization of continuous-valued attributes for
   classification learning. IJCAI 1993.
.. [2] J. Dougherty, R. Kohavi, M. Sahami: Supervised and unsupervised discretization of
   continuous features. ICML 1995.
"""

from __future__ import annotations

from functools import partial
from typing import Any, ClassVar

import numpy as np

from learnable.core.certificate import Certificate
from learnable.core.errors import DataError, ParameterError
from learnable.core.explanation import Explanation, Part
from learnable.core.fold import fold, merge_each
from learnable.core.trace import emit, listening
from learnable.core.warning import warn
from learnable.data import Block, Rows, read_rows
from learnable.estimator.contract import answers_in_chosen_form
from learnable.estimator.labels import as_labels
from learnable.estimator.learner import answering, fitting, same_length
from learnable.estimator.params import ArrayLike, Choice, Either, Integer
from learnable.estimator.state import Count, Floats, Integers, Joined, Names
from learnable.estimator.state import Integer as Whole
from learnable.loops.binning import count_cells, number_cells, place_cells
from learnable.loops.scanning import any_infinite
from learnable.preprocessing.base import (
    NanScaler,
    Scaler,
    dense_form,
    filled,
    refuse_infinite,
)
from learnable.preprocessing.cuts import by_entropy, by_means, equal_frequency, equal_width
from learnable.preprocessing.indicators import compressed, spread_out
from learnable.preprocessing.min_max import block_extent
from learnable.preprocessing.outside import refuse_training_rows, share_outside
from learnable.preprocessing.quantiles import each_known
from learnable.stats.arrays import frozen

EQUAL_WIDTH = ("uniform", "equal width")
RULES = {
    "quantile": equal_frequency,
    "equal frequency": equal_frequency,
    "kmeans": by_means,
}


class Discretizer(NanScaler):
    """Cut columns of numbers into intervals.

    Parameters
    ----------
    n_bins : int or array (d,), default=5
        Intervals of each column; the entropy rule finds their number itself.
    encode : {"onehot", "onehot-dense", "ordinal"}, default="onehot"
        Indicators of the intervals (compressed or not), or their numbers.
    strategy : str, default="quantile"
        "uniform" or "equal width"; "quantile" or "equal frequency"; "kmeans"; "entropy" (cuts where
        the classes part, as long as the description of the cut pays).
    dtype : {None, numpy.float32, numpy.float64}, default=None
        Kind of number of the answer; None keeps that of the rows.

    Attributes
    ----------
    n_bins_ : array (d,)
        Intervals of each column.
    bin_edges_ : array (d,) of arrays
        Their edges; an interval holds its lower one.
    bin_count_ : list of arrays
        Training rows in each interval.
    n_samples_seen_ : int
        Training rows.
    n_features_in_, feature_names_in_
        Number and names of the columns.

    Notes
    -----
    Parameters and attributes are those of scikit-learn's KBinsDiscretizer. A missing cell stays
    missing (as a number), or has no indicator. Quantiles are interpolated linearly, over all rows.

    References
    ----------
    U. M. Fayyad, K. B. Irani: Multi-interval discretization of continuous-valued attributes for
    classification learning. IJCAI 1993.

    Examples
    --------
    >>> from learnable.preprocessing import Discretizer
    >>> cutter = Discretizer(strategy="entropy", encode="ordinal")
    >>> X = [[float(i)] for i in range(20)]
    >>> codes = cutter.fit_transform(X, ["low"] * 8 + ["high"] * 12)
    >>> cutter.bin_edges_[0].tolist(), codes[6:10].ravel().tolist()
    ([0.0, 7.5, 19.0], [0.0, 0.0, 1.0, 1.0])
    """

    parameters: ClassVar[dict[str, Any]] = {
        "n_bins": Either(Integer(low=2), ArrayLike()),
        "encode": Choice("onehot", "onehot-dense", "ordinal"),
        "strategy": Choice(*EQUAL_WIDTH, *RULES, "entropy"),
        "dtype": Choice(None, np.float32, np.float64),
    }
    fitted_state: ClassVar[dict[str, Any]] = {
        "n_features_in_": Count("d", low=1),
        "feature_names_in_": Names("d", optional=True),
        "_edges": Joined(Floats("?", infinite=True, dtype="float64"), length="d"),
        "_counts": Integers("?", low=0, dtype="int64"),
        "n_samples_seen_": Whole(low=1),
    }
    derived = ("n_bins_", "bin_edges_")

    def __init__(
        self,
        n_bins: Any = 5,
        *,
        encode: str = "onehot",
        strategy: str = "quantile",
        dtype: Any = None,
    ) -> None:
        self.n_bins = n_bins
        self.encode = encode
        self.strategy = strategy
        self.dtype = dtype

    @fitting
    def fit(self, X: Any, y: Any = None) -> Discretizer:
        """Find the edges of each column.

        Parameters
        ----------
        X : array (n, d) or data frame
            Numbers; a missing cell is NaN.
        y : array (n,), optional
            Classes; needed by the entropy rule.
        """
        rows = self._read(X, reset=True)
        edges = self._by_classes(rows, y) if self.strategy == "entropy" else self._alone(rows)
        wanted = [0] * rows.d if self.strategy == "entropy" else self._wanted(rows.d)
        self._edges = [
            self._settled(j, *each) for j, each in enumerate(zip(edges, wanted, strict=True))
        ]
        self.n_samples_seen_ = rows.n
        self._derive()
        self._counts = fold(
            partial(_count_cells, self._inner, self._offsets), np.add, rows.blocks()
        )
        if listening():
            told = zip(self._column_names(), self._edges, self.bin_count_, strict=True)
            for j, (name, found, counts) in enumerate(told):
                emit("edges", j, column=name, edges=found.tolist(), counts=counts.tolist())
        return self

    def _wanted(self, d: int) -> list[int]:
        wanted = np.asarray(self.n_bins)
        if wanted.dtype.kind not in "iu" or wanted.shape not in {(), (d,)} or (wanted < 2).any():
            msg = f"n_bins must be an integer or {d} integers (n_features,), each of 2 or more"
            raise ParameterError(msg)
        return [int(one) for one in np.broadcast_to(wanted, d)]

    def _alone(self, rows: Rows) -> list[Any]:
        wanted = self._wanted(rows.d)
        if self.strategy in EQUAL_WIDTH:
            extent, _ = fold(block_extent, merge_each, rows.blocks())
            ends = zip(extent.low.tolist(), extent.high.tolist(), strict=True)
            pairs = zip(ends, wanted, strict=True)
            return [equal_width(*end, n) if end[0] < end[1] else None for end, n in pairs]
        return each_known(partial(_cut_column, self.strategy), rows, wanted)

    def _by_classes(self, rows: Rows, y: Any) -> list[Any]:
        if y is None:
            msg = 'strategy="entropy" cuts where the classes part: pass y, the class of each row'
            raise ParameterError(msg)
        labels = as_labels(y, learner=type(self).__name__)
        same_length(rows.n, len(labels))
        classes, codes = np.unique(labels, return_inverse=True)
        X = rows.array()
        refuse_infinite(X, 0, rows.names)
        found = []
        for j, name in enumerate(self._column_names()):
            there = ~np.isnan(X[:, j])
            column = X[there, j].astype(np.float64)
            if not len(column) or column.min() == column.max():
                found.append(None)
                continue
            edges, cuts = by_entropy(column, codes[there], len(classes))
            found.append(edges)
            if listening():
                for cut in cuts:
                    emit("cut", j, column=name, **cut._asdict())
        return found

    def _settled(self, j: int, edges: Any, wanted: int) -> Any:
        """Return the edges of a column; one that is constant (or empty) has a single interval."""
        if edges is None:
            warn(f"Feature {j} is constant and will be replaced with 0.")
            return np.array([-np.inf, np.inf])
        if self.strategy in {"quantile", "equal frequency"}:
            if len(edges) - 1 < wanted:
                warn(
                    f"Bins whose width are too small in feature {j} are removed. "
                    "Consider decreasing the number of bins."
                )
            if len(edges) < 2:
                return np.array([-np.inf, np.inf])
        return edges

    def _derive(self) -> None:
        self.n_bins_ = np.array([len(edges) - 1 for edges in self._edges])
        self._offsets = frozen(np.concatenate([[0], np.cumsum(self.n_bins_)]))
        wide = int(self.n_bins_.max())
        inner = np.full((len(self._edges), wide - 1), np.inf)
        for row, edges in zip(inner, self._edges, strict=True):
            row[: len(edges) - 2] = edges[1:-1]
        self._inner = frozen(inner)

    @property
    def bin_edges_(self) -> Any:
        """The edges of the intervals of each column."""
        found = np.empty(len(self._edges), dtype=object)
        found[:] = self._edges
        return found

    @property
    def bin_count_(self) -> list[Any]:
        """Training rows of each interval of each column."""
        return np.split(self._counts, self._offsets[1:-1])

    def _check_state(self) -> None:
        for edges in self._edges:
            if len(edges) < 2 or (np.diff(edges) < 0).any():
                msg = "the edges of a column do not ascend"
                raise DataError(msg)
            inner = edges[1:-1] if len(edges) > 2 else edges[:0]
            if not np.isfinite(inner).all():
                msg = "an inner edge is infinite"
                raise DataError(msg)
        super()._check_state()
        if len(self._counts) != self._offsets[-1] or any(
            int(counts.sum()) > self.n_samples_seen_ for counts in self.bin_count_
        ):
            msg = "other intervals were counted than there are, or more cells than there were"
            raise DataError(msg)

    @property
    def _n_features_out(self) -> int:
        return self.n_features_in_ if self.encode == "ordinal" else int(self.n_bins_.sum())

    def _output_form(self) -> str:
        remedy = "Set encode='onehot-dense'"
        return dense_form(super()._output_form(), remedy, sparse=self.encode == "onehot")

    @answers_in_chosen_form
    @answering
    def transform(self, X: Any) -> Any:
        """Return the numbers of the intervals, or their indicators.

        Parameters
        ----------
        X : array (n, d) or data frame
            Rows.
        """
        rows = self._read(X)
        kind = np.dtype(rows.dtype if self.dtype is None else self.dtype)
        if self.encode == "ordinal":
            return self._codes(rows).astype(kind, copy=False)
        number = partial(_number_cells, self._inner, self._offsets)
        places = filled(number, rows, dtype=np.int32)
        make = compressed if self.encode == "onehot" else spread_out
        return make(places, int(self.n_bins_.sum()), kind)

    def _codes(self, rows: Rows) -> Any:
        """Return the number of each cell's interval, NaN where it is missing."""
        return filled(partial(_place_cells, self._inner), rows)

    @answering
    def inverse_transform(self, X: Any) -> Any:
        """Return the middle of the intervals whose numbers or indicators were given.

        Parameters
        ----------
        X : array (n, columns) or sparse matrix
            What ``transform`` returned.
        """
        self._check_fitted()
        given = read_rows(X, sparse=True, learner=type(self).__name__).array()
        if given.shape[1] != self._n_features_out:
            raise DataError(f"X must have {self._n_features_out} columns, as transform returned.")
        out = np.empty((len(given), self.n_features_in_))
        for j, edges in enumerate(self._edges):
            part = given[:, self._offsets[j] : self._offsets[j + 1]]
            if self.encode == "ordinal":
                codes = given[:, j]
            else:
                codes = np.where(part.any(axis=1), part.argmax(axis=1).astype(float), np.nan)
            middles = (edges[1:] + edges[:-1]) / 2.0 if len(edges) > 2 or np.isfinite(
                edges
            ).all() else np.array([np.nan])  # fmt: skip
            gaps = np.isnan(codes)
            place = np.clip(np.where(gaps, 0, codes), 0, len(middles) - 1).astype(np.intp)
            out[:, j] = np.where(gaps, np.nan, middles[place])
        return out

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """Return the names of the columns, one for each interval where they are indicators.

        Parameters
        ----------
        input_features : array of str, optional
            Names for columns that had none; otherwise they must be those of ``fit``.
        """
        self._check_fitted()
        names = Scaler.get_feature_names_out(self, input_features)
        if self.encode == "ordinal":
            return names
        pairs = zip(names, self.n_bins_, strict=True)
        made = [f"{name}_{float(place)}" for name, bins in pairs for place in range(bins)]
        return np.array(made, dtype=object)

    def sources_out(self) -> list[int]:
        """Return the number of the column that each column of the answer comes from."""
        self._check_fitted()
        times = 1 if self.encode == "ordinal" else self.n_bins_
        return np.repeat(np.arange(self.n_features_in_), times).tolist()

    @answering
    def _explain(self, X: Any) -> list[Explanation]:
        rows = self._read(X)
        codes = self._codes(rows)
        counts = self.bin_count_
        return [self._reasons(rows.row(i).tolist(), codes[i], counts) for i in range(rows.n)]

    def _reasons(self, row: list[float], codes: Any, counts: list[Any]) -> Explanation:
        """Say into which interval each cell falls, and which part of the rows it holds."""
        parts = []
        for j, name in enumerate(self._column_names()):
            if np.isnan(codes[j]):
                parts.append(Part(name, row[j], "missing", 0.0))
                continue
            place, edges = int(codes[j]), self._edges[j]
            count = int(counts[j][place])
            told = (
                f"interval {place + 1} of {len(edges) - 1}, {edges[place]:.4g} to "
                f"{edges[place + 1]:.4g}, with {count} of {self.n_samples_seen_} training rows"
            )
            parts.append(Part(name, row[j], told, count / self.n_samples_seen_))
        j = min(range(len(parts)), key=lambda j: parts[j].weight)
        told = f"Rarest interval: {parts[j].label}, {parts[j].evidence}."
        score = float(sum(part.weight for part in parts))
        unit = "shares of the training rows in the same intervals"
        return Explanation(tuple(codes.tolist()), "contributions", tuple(parts), score, unit, told)

    @answering
    def _certify(self, X: Any, y: Any, role: str, confidence: float) -> Certificate:  # noqa: ARG002 (the contract's signature)
        refuse_training_rows("The outer edges are the extremes", role)
        low, high = (np.array([edges[end] for edges in self._edges]) for end in (0, -1))
        return share_outside(
            self._read(X),
            low,
            high,
            quantity="share of new rows outside the outer edges",
            told="have a cell outside the outer edges of its column",
            confidence=confidence,
        )


def _cut_column(strategy: str, item: tuple[Any, int]) -> Any:
    known, bins = item
    if not len(known) or known.min() == known.max():
        return None
    return RULES[strategy](known, bins)


def _checked(block: Block) -> Any:
    X = block.array()
    if any_infinite(X):
        refuse_infinite(X, block.start, block.names)
    return X


def _count_cells(inner: Any, offsets: Any, block: Block) -> Any:
    return count_cells(_checked(block), frozen(inner), frozen(offsets))


def _place_cells(inner: Any, block: Block, out: Any) -> None:
    place_cells(_checked(block), frozen(inner), out)


def _number_cells(inner: Any, offsets: Any, block: Block, out: Any) -> None:
    number_cells(_checked(block), frozen(inner), frozen(offsets), out)
