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

from learnable.core.errors import DataError, ParameterError
from learnable.core.trace import emit, listening
from learnable.data import Block
from learnable.estimator.contract import answers_in_chosen_form
from learnable.estimator.learner import answering, fitting
from learnable.estimator.params import Choice, Flag, Integer, Number
from learnable.estimator.state import Floats
from learnable.loops.expansions import write_products
from learnable.preprocessing.expansion import RANGE, Expansion
from learnable.preprocessing.products import Products, powers_of, told
from learnable.preprocessing.quantiles import each_known, quantiles
from learnable.preprocessing.spline import MOST_DEGREES, b_splines
from learnable.stats import arrays

_MOST = 10_000
LOCAL = ("radial", "sigmoid", "tanh")


class BasisFunctions(Expansion):
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

    exempt: ClassVar[dict[str, str]] = {
        "units_do_not_matter": "powers keep the unit of their column",
    }
    parameters: ClassVar[dict[str, Any]] = {
        "basis": Choice("polynomial", *LOCAL, "fourier", "spline"),
        "n_functions": Integer(low=1),
        "degree": Integer(low=0, high=MOST_DEGREES),
        "width": Number(low=0.0, open=True, none=True),
        "knots": Choice("uniform", "quantile"),
        "period": Number(low=0.0, open=True, none=True),
        "include_bias": Flag(),
    }
    fitted_state: ClassVar[dict[str, Any]] = {
        **RANGE,
        "centers_": Floats("d", "?", dtype="float64"),
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
        self._learn_range(rows)
        shares = np.linspace(0.0, 1.0, self.n_functions)
        if self.knots == "quantile":
            found = np.array(each_known(partial(quantiles, shares=shares), rows))
            self.centers_ = np.maximum.accumulate(found, axis=1)
        elif self.n_functions > 1:
            self.centers_ = self.low_[:, None] + (self.high_ - self.low_)[:, None] * shares
        else:
            self.centers_ = (self.low_ + self.high_)[:, None] / 2.0
        self._derive()
        if listening():
            for j, name in enumerate(self._column_names()):
                emit("centres", j, column=name, places=self.centers_[j].tolist())
        return self

    def _derive(self) -> None:
        steps = max(self.n_functions - 1, 1)
        self._scale = self._reach / steps * (1.0 if self.width is None else self.width)
        periods = 2.0 * self._reach
        self._period = periods if self.period is None else np.full_like(periods, self.period)
        powers = self.n_functions if self.basis == "polynomial" else 0
        self._products = Products.of(powers_of(self.n_features_in_, powers))

    def _check_state(self) -> None:
        wrong = self.centers_.shape[1] != self.n_functions or self.n_functions > _MOST
        if wrong or (np.diff(self.centers_, axis=1) < 0).any():
            msg = "the centres of a column are not in order, or others than wanted"
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

    def _write(self, block: Block, X: Any, out: arrays.Floats) -> None:
        X, first = np.asarray(X, dtype=np.float64), int(self.include_bias)
        out[:, :first] = 1.0
        if self.basis == "polynomial":
            made = np.empty((len(X), out.shape[1] - first))
            row, j = write_products(X, self._products.before, self._products.columns, 0, made)
            if row >= 0:
                self._refuse_overflow(block, row, j, X[row, j])
            out[:, first:] = made
            return
        with np.errstate(over="ignore", under="ignore"):
            for j in range(X.shape[1]):
                start = first + j * self._each
                place = out[:, start : start + self._each]
                self._write_column(j, X[:, j], place)
                if not np.isfinite(place).all():
                    row = int(np.argmax(~np.isfinite(place).all(axis=1)))
                    self._refuse_overflow(block, row, j, X[row, j])

    def _write_column(self, j: int, x: arrays.Floats, out: arrays.Floats) -> None:
        """Write the functions of one column."""
        kind, centers = self.basis, self.centers_[j]
        if kind == "fourier":
            turns = 2.0 * np.pi * (x - self.low_[j]) / self._period[j]
            for k in range(self.n_functions):
                np.sin((k + 1) * turns, out=out[:, 2 * k])
                np.cos((k + 1) * turns, out=out[:, 2 * k + 1])
        elif kind == "spline":
            out[:] = b_splines(x, centers, self.degree)
        else:
            z = (x[:, None] - centers) / self._scale[j]
            out[:] = {"radial": _radial, "sigmoid": _sigmoid, "tanh": np.tanh}[kind](z)

    def _names(self, names: list[str]) -> list[str]:
        bias = ["1"] if self.include_bias else []
        return bias + [self._named(name, k) for name in names for k in range(self._each)]

    def _named(self, name: str, k: int) -> str:
        if self.basis == "polynomial":
            return told((0,) * (k + 1), [name])
        if self.basis == "fourier":
            return f"{'sin' if k % 2 == 0 else 'cos'}{k // 2 + 1}({name})"
        return f"{name}_sp_{k}" if self.basis == "spline" else f"{self.basis}{k + 1}({name})"

    def sources_out(self) -> list[int | None]:
        """Return the number of the column behind each function."""
        self._check_fitted()
        bias: list[int | None] = [None] if self.include_bias else []
        return bias + np.repeat(np.arange(self.n_features_in_), self._each).tolist()


def _radial(z: arrays.Floats) -> arrays.Floats:
    return np.exp(-0.5 * z * z)


def _sigmoid(z: arrays.Floats) -> arrays.Floats:
    return 0.5 * (1.0 + np.tanh(0.5 * z))
