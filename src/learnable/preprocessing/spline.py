"""B-splines of columns: smooth pieces of polynomials, few of them not zero at any place.

    B_{k,0}(x) = 1 on [t_k, t_{k+1}),
    B_{k,p}(x) = (x - t_k) / (t_{k+p} - t_k) B_{k,p-1}(x)
                 + (t_{k+p+1} - x) / (t_{k+p+1} - t_{k+1}) B_{k+1,p-1}(x)

Cost: degree^2 operations a cell.

References
----------
.. [1] C. de Boor: A Practical Guide to Splines. Springer 2001.
.. [2] P. H. C. Eilers, B. D. Marx: Flexible smoothing with B-splines and penalties. Statistical
   Science 11, 1996.
"""

from __future__ import annotations

from functools import partial
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from learnable.core.errors import DataError, ParameterError
from learnable.core.trace import emit, listening
from learnable.data import Block, Rows
from learnable.estimator.contract import answers_in_chosen_form
from learnable.estimator.learner import answering, fitting
from learnable.estimator.params import ArrayLike, Choice, Either, Flag, Integer
from learnable.estimator.state import Floats
from learnable.loops.expansions import FLAT, ON, STRAIGHT, write_splines
from learnable.preprocessing.base import dense_form
from learnable.preprocessing.expansion import RANGE, Expansion
from learnable.preprocessing.quantiles import each_known, quantiles
from learnable.stats import arrays
from learnable.stats.arrays import frozen

BEYOND = {"constant": FLAT, "error": FLAT, "linear": STRAIGHT, "continue": ON, "periodic": FLAT}
_MOST, _PIECE = 10_000, 4096
MOST_DEGREES = 100
"""Pieces of higher degree could not be told apart, and their coefficients fill much memory."""


def with_outer(knots: arrays.Floats, degree: int, *, periodic: bool = False) -> arrays.Floats:
    """Return knots with as many more at each end as the splines at the ends need.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.preprocessing.spline import with_outer
    >>> with_outer(np.array([0.0, 1.0, 3.0]), 2)
    array([-2., -1.,  0.,  1.,  3.,  5.,  7.])
    """
    if periodic:
        period = knots[-1] - knots[0]
        before, after = knots[-(degree + 1) : -1] - period, knots[1 : degree + 1] + period
        return np.concatenate([before, knots, after])
    low, high = knots[1] - knots[0], knots[-1] - knots[-2]
    steps = np.arange(1, degree + 1)
    return np.concatenate([knots[0] - low * steps[::-1], knots, knots[-1] + high * steps])


def b_splines(
    x: arrays.Floats,
    knots: arrays.Floats,
    degree: int,
    extrapolation: str = "constant",
    out: Any = None,
    first: int = 0,
) -> arrays.Floats:
    """Return the B-splines of some cells, added to ``out`` from a column on if it is given.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.preprocessing.spline import b_splines
    >>> b_splines(np.array([0.0, 0.5, 1.0]), np.array([0.0, 1.0]), 1)
    array([[1. , 0. ],
           [0.5, 0.5],
           [0. , 1. ]])
    """
    periodic = extrapolation == "periodic"
    t = frozen(with_outer(knots, degree, periodic=periodic))
    splines = len(knots) - 1 + (0 if periodic else degree)
    if periodic and knots[-1] > knots[0]:
        x = knots[0] + (x - knots[0]) % (knots[-1] - knots[0])
    if out is None:
        out = np.zeros((len(x), splines), x.dtype if x.dtype == np.float32 else np.float64)
    x, beyond = frozen(np.ascontiguousarray(x)), BEYOND[extrapolation]
    write_splines(x, t, degree, beyond, splines, first, out)
    return out


class SplineTransformer(Expansion):
    """Replace every column by B-splines of it.

    Parameters
    ----------
    n_knots : int, default=5
        How many knots, where they are not stated.
    degree : int, default=3
        Degree of the polynomials.
    knots : {"uniform", "quantile"} or array (knots, d), default="uniform"
        At equal distances, at quantiles, or stated for each column.
    extrapolation : str, default="constant"
        Beyond the knots: "constant", "linear", "continue" (the last polynomial), "periodic", or
        "error".
    include_bias : bool, default=True
        Whether the last spline of each column stays; together they are a column of ones.
    order : {"C", "F"}, default="C"
        Whether rows or columns of the answer lie in one piece.
    handle_missing : {"error", "zeros"}, default="error"
        Refuse missing cells, or make all their splines 0.
    sparse_output : bool, default=False
        Return compressed rows.

    Attributes
    ----------
    knots_ : array (d, knots)
        The knots of each column.
    n_features_out_ : int
        How many splines.
    low_, high_ : array (d,)
        Training range of each column.
    n_samples_seen_ : int
        Training rows.
    n_features_in_, feature_names_in_
        Number and names of the columns.

    Notes
    -----
    Parameters, columns and names are scikit-learn's.

    References
    ----------
    C. de Boor: A Practical Guide to Splines. Springer 2001.

    Examples
    --------
    >>> from learnable.preprocessing import SplineTransformer
    >>> hats = SplineTransformer(3, degree=1)
    >>> hats.fit_transform([[0.0], [1.0], [1.5], [2.0]]).tolist()
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.5, 0.5], [0.0, 0.0, 1.0]]
    >>> hats.get_feature_names_out(["x"]).tolist()
    ['x_sp_0', 'x_sp_1', 'x_sp_2']
    """

    keeps_float32 = True
    parameters: ClassVar[dict[str, Any]] = {
        "n_knots": Integer(low=2),
        "degree": Integer(low=0, high=MOST_DEGREES),
        "knots": Either(Choice("uniform", "quantile"), ArrayLike()),
        "extrapolation": Choice("error", "constant", "linear", "continue", "periodic"),
        "include_bias": Flag(),
        "order": Choice("C", "F"),
        "handle_missing": Choice("error", "zeros"),
        "sparse_output": Flag(),
    }
    fitted_state: ClassVar[dict[str, Any]] = {**RANGE, "knots_": Floats("d", "?", dtype="float64")}
    derived = ("n_features_out_",)

    def __init__(
        self,
        n_knots: int = 5,
        degree: int = 3,
        *,
        knots: Any = "uniform",
        extrapolation: str = "constant",
        include_bias: bool = True,
        order: str = "C",
        handle_missing: str = "error",
        sparse_output: bool = False,
    ) -> None:
        self.n_knots = n_knots
        self.degree = degree
        self.knots = knots
        self.extrapolation = extrapolation
        self.include_bias = include_bias
        self.order = order
        self.handle_missing = handle_missing
        self.sparse_output = sparse_output

    @property
    def allows_nan(self) -> bool:  # type: ignore[override]
        """Whether missing cells are welcome."""
        return self.handle_missing == "zeros"

    @fitting
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> SplineTransformer:  # noqa: ARG002 (the contract's signature)
        """Learn where the knots lie.

        Parameters
        ----------
        X : array (n, d) or data frame
            Numbers.
        y : None
            Ignored.
        sample_weight : array (n,), optional
            Weights of the rows; rows of weight 0 do not count.
        """
        rows = self._read(X, reset=True)
        if rows.n < 2:
            raise DataError(
                f"Found array with {rows.n} sample(s) while a minimum of 2 is required by "
                "SplineTransformer.",
                remedy="Give more rows, or state the knots and give a row twice.",
            )
        self._learn_range(rows)
        weight = None
        if sample_weight is not None:
            weight = self._read_weights(sample_weight, rows.n)
        stated = not isinstance(self.knots, str)
        self.knots_ = self._stated(rows.d) if stated else self._found(rows, weight)
        if self.extrapolation == "periodic" and self.knots_.shape[1] <= self.degree:
            msg = (
                f"Periodic splines require degree < n_knots. Got n_knots={self.knots_.shape[1]} "
                f"and degree={self.degree}."
            )
            raise ParameterError(msg)
        self._derive()
        if listening():
            for j, name in enumerate(self._column_names()):
                emit("knots", j, column=name, places=self.knots_[j].tolist())
        return self

    def _stated(self, d: int) -> arrays.Floats:
        knots = np.array(self.knots, dtype=np.float64)
        if knots.ndim != 2 or len(knots) < 2:
            msg = "Number of knots, knots.shape[0], must be >= 2."
            raise ParameterError(msg)
        if knots.shape[1] != d:
            msg = f"knots.shape[1] == n_features is violated: {knots.shape[1]} is not {d}."
            raise ParameterError(msg)
        if not (np.diff(knots, axis=0) > 0).all() or not np.isfinite(knots).all():
            msg = "knots must be sorted without duplicates."
            raise ParameterError(msg)
        return np.ascontiguousarray(knots.T)

    def _found(self, rows: Rows, weight: Any) -> arrays.Floats:
        """Return the knots of each column by the rule."""
        shares = np.linspace(0.0, 1.0, self.n_knots)
        if weight is not None:
            X = rows.array()
            return np.array([_weighted(self.knots, shares, weight, x) for x in X.T])
        if self.knots == "quantile":
            found = np.array(each_known(partial(quantiles, shares=shares), rows))
            return np.maximum.accumulate(np.nan_to_num(found), axis=1)
        return np.linspace(self.low_, self.high_, self.n_knots, axis=1)

    def _derive(self) -> None:
        self.n_features_out_ = self.n_features_in_ * self._each

    @property
    def _splines(self) -> int:
        knots = self.knots_.shape[1]
        return knots - 1 if self.extrapolation == "periodic" else knots + self.degree - 1

    @property
    def _each(self) -> int:
        return self._splines - (0 if self.include_bias else 1)

    def _check_state(self) -> None:
        if self.knots_.shape[1] < 2 or (np.diff(self.knots_, axis=1) < 0).any():
            msg = "the knots of a column are not in order"
            raise DataError(msg)
        if self.degree > _MOST or not np.isfinite(self.knots_[:, -1] - self.knots_[:, 0]).all():
            msg = "the splines cannot be computed"
            raise DataError(msg)
        if self.extrapolation == "periodic" and self.knots_.shape[1] <= self.degree:
            msg = "periodic splines need more knots than their degree"
            raise DataError(msg)
        super()._check_state()

    @property
    def _n_features_out(self) -> int:
        return self.n_features_in_ * self._each

    def _output_form(self) -> str:
        remedy = "Set sparse_output=False"
        return dense_form(super()._output_form(), remedy, sparse=self.sparse_output)

    @answers_in_chosen_form
    @answering
    def transform(self, X: Any) -> Any:
        """Return the splines of every column.

        Parameters
        ----------
        X : array (n, d) or data frame
            Numbers.
        """
        rows = self._read(X)
        values = self._values(rows, rows.dtype)
        if self.sparse_output:
            from scipy.sparse import csr_matrix

            return csr_matrix(values)
        return np.asarray(values, order=self.order)

    def _write(self, block: Block, X: Any, out: Any) -> None:
        for start in range(0, len(X), _PIECE):
            stop = start + _PIECE
            self._write_piece(block.start + start, X[start:stop], out[start:stop])

    def _write_piece(self, first: int, X: Any, out: Any) -> None:
        """Write the splines of rows whose answer stays in the processor's cache."""
        for j, knots in enumerate(self.knots_):
            x = X[:, j]
            beyond = (x < knots[0]) | (x > knots[-1])
            if self.extrapolation == "error" and beyond.any():
                row = int(beyond.argmax())
                raise DataError(
                    "`X` contains values beyond the limits of the knots.",
                    column=self._column_names()[j],
                    row=first + row,
                    value=float(x[row]),
                    remedy="Choose another extrapolation, or widen the knots.",
                )
            start = j * self._each
            if self.include_bias:
                b_splines(x, knots, self.degree, self.extrapolation, out, start)
            else:
                made = b_splines(x, knots, self.degree, self.extrapolation)
                out[:, start : start + self._each] = made[:, : self._each]

    def _names(self, names: list[str]) -> list[str]:
        return [f"{name}_sp_{k}" for name in names for k in range(self._each)]

    def sources_out(self) -> list[int]:
        """Return the number of the column behind each spline."""
        self._check_fitted()
        return np.repeat(np.arange(self.n_features_in_), self._each).tolist()


def _weighted(rule: str, shares: arrays.Floats, weight: Any, x: NDArray[Any]) -> Any:
    """Return the knots of a column of weighted cells."""
    known = ~np.isnan(x) & (weight > 0.0)
    if not known.any():
        return np.zeros(len(shares))
    cells, weight = x[known].astype(np.float64), weight[known]
    if rule == "uniform":
        return np.linspace(cells.min(), cells.max(), len(shares))
    order = np.argsort(cells, kind="stable")
    sums = np.cumsum(weight[order])
    place = np.searchsorted(sums, shares * sums[-1], side="left")
    return cells[order][place.clip(0, len(cells) - 1)]
