"""Basis functions of columns, so that a linear learner draws curves.

    z_k = phi_k(x),    phi: x^k,  exp(-(x - c)^2 / (2 s^2)),  1 / (1 + exp(-(x - c) / s)),
                       tanh((x - c) / s),  sin and cos(2 pi k (x - low) / period),  B-splines

Whatever stands behind it, regression, logistic, a perceptron, ridge or the lasso, is still linear
in z. Centres lie at equal distances (or at quantiles) over the training range.

Cost: one evaluation of each function a cell.

References
----------
.. [1] C. M. Bishop: Pattern Recognition and Machine Learning. Springer 2006, section 3.1.
.. [2] C. de Boor: A Practical Guide to Splines. Springer 2001.
"""

from __future__ import annotations

from functools import partial
from typing import Any, ClassVar

import numpy as np

from learnable.core.certificate import Certificate
from learnable.core.errors import DataError, ParameterError
from learnable.core.explanation import Explanation, Part
from learnable.core.fold import runner
from learnable.core.trace import emit, listening
from learnable.data import Block, Rows
from learnable.estimator.contract import TransformerContract, answers_in_chosen_form
from learnable.estimator.learner import Learner, answering, fitting
from learnable.estimator.params import Choice, Flag, Integer, Number
from learnable.estimator.state import Count, Floats, Names
from learnable.estimator.state import Integer as Whole
from learnable.preprocessing.base import Scaler, without_spread
from learnable.preprocessing.quantiles import each_known, quantiles
from learnable.stats import arrays
from learnable.theory.statements import share_of_new_rows

LOCAL = ("radial", "sigmoid", "tanh")


class BasisFunctions(TransformerContract, Learner):
    """Replace every column by functions of it.

    Parameters
    ----------
    basis : {"polynomial", "radial", "sigmoid", "tanh", "fourier", "spline"}
        Which functions; "polynomial" by default.
    n_functions : int, default=5
        How many for each column: powers 1 .. n; centres; for Fourier n sines and n cosines; for
        splines n knots, which make n + degree - 1 functions.
    degree : int, default=3
        Degree of the splines.
    width : float, optional
        The scale s of local functions, in distances of neighbouring centres; 1 by default.
    knots : {"uniform", "quantile"}, default="uniform"
        Whether centres and knots lie at equal distances or at quantiles.
    period : float, optional
        The first period of Fourier functions; by default twice the training range.
    include_bias : bool, default=False
        Add a column of ones.

    Attributes
    ----------
    low_, high_ : array (d,)
        Training range of each column.
    centers_ : array (d, n_functions)
        Centres or knots of each column.
    n_samples_seen_ : int
        Training rows.
    n_features_in_, feature_names_in_
        Number and names of the columns.

    Notes
    -----
    Powers are those of the raw column; splines go on constantly outside the training range.

    References
    ----------
    C. M. Bishop: Pattern Recognition and Machine Learning. Springer 2006, section 3.1.

    Examples
    --------
    >>> from learnable.preprocessing import BasisFunctions
    >>> cubic = BasisFunctions("polynomial", n_functions=3)
    >>> cubic.fit_transform([[2.0], [3.0]]).tolist()
    [[2.0, 4.0, 8.0], [3.0, 9.0, 27.0]]
    >>> cubic.get_feature_names_out(["x"]).tolist()
    ['x', 'x^2', 'x^3']
    """

    kind = "transformer"
    exempt: ClassVar[dict[str, str]] = {
        "units_do_not_matter": "powers keep the unit of their column",
    }
    parameters: ClassVar[dict[str, Any]] = {
        "basis": Choice("polynomial", *LOCAL, "fourier", "spline"),
        "n_functions": Integer(low=1),
        "degree": Integer(low=0),
        "width": Number(low=0.0, open=True, none=True),
        "knots": Choice("uniform", "quantile"),
        "period": Number(low=0.0, open=True, none=True),
        "include_bias": Flag(),
    }
    fitted_state: ClassVar[dict[str, Any]] = {
        "n_features_in_": Count("d", low=1),
        "feature_names_in_": Names("d", optional=True),
        "low_": Floats("d", dtype="float64"),
        "high_": Floats("d", dtype="float64"),
        "centers_": Floats("d", "?", dtype="float64"),
        "n_samples_seen_": Whole(low=1),
    }

    def __init__(
        self,
        basis: str = "polynomial",
        n_functions: int = 5,
        *,
        degree: int = 3,
        width: float | None = None,
        knots: str = "uniform",
        period: float | None = None,
        include_bias: bool = False,
    ) -> None:
        self.basis = basis
        self.n_functions = n_functions
        self.degree = degree
        self.width = width
        self.knots = knots
        self.period = period
        self.include_bias = include_bias

    @fitting
    def fit(self, X: Any, y: Any = None) -> BasisFunctions:  # noqa: ARG002 (the contract's signature)
        """Learn the training range of each column, and where centres and knots lie.

        Parameters
        ----------
        X : array (n, d) or data frame
            Finite numbers.
        y : None
            Ignored.
        """
        if self.basis == "spline" and self.n_functions < 2:
            msg = "splines need n_functions of at least 2: the knots at both ends"
            raise ParameterError(msg)
        rows = self._read(X, reset=True)
        for _ in runner()(_check_finite, rows.blocks()):
            pass
        shares = np.linspace(0.0, 1.0, self.n_functions)
        found = np.array(each_known(partial(_places, self.knots, shares), rows))
        self.low_, self.high_, self.centers_ = found[:, 0], found[:, 1], found[:, 2:].copy()
        self.low_, self.high_ = self.low_.copy(), self.high_.copy()
        self.n_samples_seen_ = rows.n
        self._derive()
        if listening():
            for j, name in enumerate(self._column_names()):
                emit("centres", j, column=name, places=self.centers_[j].tolist())
        return self

    def _derive(self) -> None:
        reach = self.high_ - self.low_
        flat = without_spread(reach, np.maximum(np.abs(self.low_), np.abs(self.high_)))
        self._reach = np.where(flat, 1.0, reach)
        steps = max(self.n_functions - 1, 1)
        self._scale = self._reach / steps * (1.0 if self.width is None else self.width)
        self._period = (
            2.0 * self._reach if self.period is None else np.full_like(reach, self.period)
        )

    def _check_state(self) -> None:
        wrong = (self.low_ > self.high_).any() or self.centers_.shape[1] != self.n_functions
        if wrong or (np.diff(self.centers_, axis=1) < 0).any():
            msg = "the range of a column is not in order, or its centres are others than wanted"
            raise DataError(msg)
        if not np.isfinite(self.high_ - self.low_).all() or self.n_functions > _MOST:
            msg = "the range of a column leaves the range of floats"
            raise DataError(msg)
        if self.basis == "spline" and (self.n_functions < 2 or self.degree > _MOST):
            msg = "splines need knots at both ends, and a degree that can be computed"
            raise DataError(msg)
        super()._check_state()

    @property
    def _each(self) -> int:
        """How many functions each column becomes."""
        if self.basis == "fourier":
            return 2 * self.n_functions
        return self.n_functions + (self.degree - 1 if self.basis == "spline" else 0)

    @property
    def _n_features_out(self) -> int:
        return self.n_features_in_ * self._each + int(self.include_bias)

    @answers_in_chosen_form
    @answering
    def transform(self, X: Any) -> Any:
        """Return the functions of every column.

        Parameters
        ----------
        X : array (n, d) or data frame
            Finite numbers.
        """
        return self._values(self._read(X))

    def _values(self, rows: Rows) -> arrays.Floats:
        out = np.ones((rows.n, self._n_features_out))
        first = int(self.include_bias)
        for block in rows.blocks():
            X = np.asarray(block.finite_array(), dtype=np.float64)
            place = out[block.start : block.start + len(X)]
            for j in range(rows.d):
                start = first + j * self._each
                self._write(j, X[:, j], place[:, start : start + self._each])
            if not np.isfinite(place).all():
                row, column = map(int, np.argwhere(~np.isfinite(place))[0])
                j = (column - first) // self._each
                raise DataError(
                    "A function of this value leaves the range of floats.",
                    column=self._column_names()[j], row=block.start + row, value=float(X[row, j]),
                    remedy="Scale the column first, or take fewer powers.",
                )  # fmt: skip
        return out

    def _write(self, j: int, x: arrays.Floats, out: arrays.Floats) -> None:
        """Write the functions of one column."""
        kind, centers = self.basis, self.centers_[j]
        with np.errstate(over="ignore", under="ignore"):
            if kind == "polynomial":
                np.cumprod(np.broadcast_to(x[:, None], out.shape), axis=1, out=out)
            elif kind == "fourier":
                turns = 2.0 * np.pi * (x - self.low_[j]) / self._period[j]
                for k in range(self.n_functions):
                    out[:, 2 * k], out[:, 2 * k + 1] = (
                        np.sin((k + 1) * turns),
                        np.cos((k + 1) * turns),
                    )
            elif kind == "spline":
                out[:] = b_splines(x, centers, self.degree)
            else:
                z = (x[:, None] - centers) / self._scale[j]
                out[:] = {"radial": _radial, "sigmoid": _sigmoid, "tanh": np.tanh}[kind](z)

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """Return the names of the functions.

        Parameters
        ----------
        input_features : array of str, optional
            Names for columns that had none; otherwise they must be those of ``fit``.
        """
        self._check_fitted()
        names = ["1"] if self.include_bias else []
        for name in Scaler.get_feature_names_out(self, input_features):
            names += [self._named(name, k) for k in range(self._each)]
        return np.array(names, dtype=object)

    def _named(self, name: str, k: int) -> str:
        if self.basis == "polynomial":
            return name if k == 0 else f"{name}^{k + 1}"
        if self.basis == "fourier":
            return f"{'sin' if k % 2 == 0 else 'cos'}{k // 2 + 1}({name})"
        return f"{name}_sp_{k}" if self.basis == "spline" else f"{self.basis}{k + 1}({name})"

    def sources_out(self) -> list[int | None]:
        """Return the number of the column behind each function."""
        self._check_fitted()
        bias: list[int | None] = [None] if self.include_bias else []
        return bias + np.repeat(np.arange(self.n_features_in_), self._each).tolist()

    @answering
    def _explain(self, X: Any) -> list[Explanation]:
        rows = self._read(X)
        values = self._values(rows)
        return [self._reasons(rows.row(i).tolist(), values[i]) for i in range(rows.n)]

    def _reasons(self, row: list[float], values: Any) -> Explanation:
        """Say which function of each column is the largest, and whether it is extrapolated."""
        names, first = self.get_feature_names_out(), int(self.include_bias)
        parts = []
        for j, name in enumerate(self._column_names()):
            start = first + j * self._each
            mine = np.abs(values[start : start + self._each])
            k = int(mine.argmax())
            out = max(self.low_[j] - row[j], row[j] - self.high_[j], 0.0) / self._reach[j]
            told = f"largest: {names[start + k]} = {values[start + k]:.4g}"
            told += f"; outside the training range by {out:.4g} of it" if out else ""
            parts.append(Part(name, row[j], told, float(out)))
        score = float(sum(part.weight for part in parts))
        told = f"{len(parts)} columns became {len(values)} functions."
        unit = "distance outside the training range"
        return Explanation(tuple(values.tolist()), "contributions", tuple(parts), score, unit, told)

    @answering
    def _certify(self, X: Any, y: Any, role: str, confidence: float) -> Certificate:  # noqa: ARG002 (the contract's signature)
        if role != "test":
            msg = (
                "The range is that of the training rows themselves. Give rows that were not "
                'learned from, with role="test"'
            )
            raise ParameterError(msg)
        rows = self._read(X)
        cells = rows.array()
        out = int(((cells < self.low_) | (cells > self.high_)).any(axis=1).sum())
        return share_of_new_rows(
            out,
            rows.n,
            quantity="share of new rows outside the training range",
            told="have a cell where the functions are extrapolated",
            confidence=confidence,
        )


_MOST = 10_000


def b_splines(x: arrays.Floats, knots: arrays.Floats, degree: int) -> arrays.Floats:
    """Return B-splines by the Cox-de Boor recursion, constant outside the knots.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.preprocessing.basis import b_splines
    >>> b_splines(np.array([0.0, 0.5, 1.0]), np.array([0.0, 1.0]), 1)
    array([[1. , 0. ],
           [0.5, 0.5],
           [0. , 1. ]])
    """
    x = x.clip(knots[0], knots[-1])
    low, high = knots[1] - knots[0], knots[-1] - knots[-2]
    before = knots[0] - low * np.arange(degree, 0, -1)
    after = knots[-1] + high * np.arange(1, degree + 1)
    t = np.concatenate([before, knots, after])
    inside = np.clip(np.searchsorted(knots, x, side="right") - 1, 0, len(knots) - 2) + degree
    basis = np.zeros((len(x), len(t) - 1))
    basis[np.arange(len(x)), inside] = 1.0
    for p in range(1, degree + 1):
        wide = t[p:] - t[:-p]
        safe = np.where(wide > 0.0, wide, 1.0)
        left = (x[:, None] - t[: -p - 1]) / safe[:-1] * basis[:, :-1]
        right = (t[p + 1 :] - x[:, None]) / safe[1:] * basis[:, 1:]
        basis = left + right
    return basis


def _places(knots: str, shares: arrays.Floats, column: arrays.Floats) -> arrays.Floats:
    low, high = column.min(), column.max()
    if knots == "quantile":
        inner = quantiles(column, shares)
    else:
        inner = low + (high - low) * shares if len(shares) > 1 else np.array([(low + high) / 2.0])
    return np.concatenate([[low, high], np.maximum.accumulate(inner)])


def _radial(z: arrays.Floats) -> arrays.Floats:
    return np.exp(-0.5 * z * z)


def _sigmoid(z: arrays.Floats) -> arrays.Floats:
    return 0.5 * (1.0 + np.tanh(0.5 * z))


def _check_finite(block: Block) -> None:
    block.finite_array()
