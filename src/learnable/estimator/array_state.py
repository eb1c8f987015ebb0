"""Declarations of fitted arrays: numbers in ranges, labels, names of columns.

No check makes a copy of the size of the array: extremes are found by reductions.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from learnable.estimator.dimensions import Bound, Declaration, Dimensions, Range, Side
from learnable.estimator.ledger import Reader, Refused, Writer
from learnable.estimator.text_arrays import is_text, put_text, take_text


class ArrayDeclaration(Declaration):
    """An array: a subclass says how it is stored, and judges it apart from that."""

    def _put(self, value: Any, writer: Writer, dimensions: Dimensions) -> Any:
        if not isinstance(value, np.ndarray):
            msg = f"it is no array but {type(value).__name__}"
            raise Refused(msg)
        self.check(value, dimensions)
        return self.store(value, writer)

    def _take(self, node: Any, reader: Reader, dimensions: Dimensions) -> Any:
        array = self.fetch(node, reader)
        self.check(array, dimensions)
        return array

    def store(self, array: np.ndarray, writer: Writer) -> Any:
        """Return the node of an array."""
        return writer.put(array)

    def fetch(self, node: Any, reader: Reader) -> np.ndarray:
        """Return the array of a node, unchecked."""
        return reader.take(node)

    def check(self, array: np.ndarray, dimensions: Dimensions) -> None:
        """Refuse an array that is not what is declared."""
        raise NotImplementedError


class _Numbers(ArrayDeclaration):
    """An array of numbers with named sides and bounds."""

    def __init__(
        self,
        *sides: Side,
        dtype: str | Iterable[str],
        optional: bool = False,
        **limits: Bound,
    ) -> None:
        self.sides, self.optional, self.range = sides, optional, Range(**limits)
        self.dtypes = (dtype,) if isinstance(dtype, str) else tuple(dtype)

    def check(self, array: np.ndarray, dimensions: Dimensions) -> None:
        """Refuse an array of another dtype or shape, or with cells out of range."""
        if array.dtype.name not in self.dtypes:
            msg = f"its dtype is {array.dtype.name}, not {' or '.join(self.dtypes)}"
            raise Refused(msg)
        dimensions.shape(self.sides, array.shape)
        if array.size:
            self._check_cells(*self._extremes(array), dimensions)

    def _extremes(self, array: np.ndarray) -> tuple[Any, Any]:
        return array.min(), array.max()

    def _check_cells(self, least: Any, most: Any, dimensions: Dimensions) -> None:
        self.range.check(least, most, dimensions)


class Floats(_Numbers):
    """An array of floats, finite unless said otherwise.

    Parameters
    ----------
    *sides : str or int
        Names or sizes of its dimensions; none for an array of no dimension.
    low, high, below : number or name, optional
        Least value, greatest value, and what every value must be less than.
    infinite, nan : bool
        Whether infinities and NaN are allowed.
    dtype : str or sequence of str
        What the dtype may be.
    optional : bool
        Whether the attribute may be missing or None.

    Examples
    --------
    >>> from learnable.estimator.state import Floats
    >>> fitted_state = {"theta_": Floats("K", "d"), "var_": Floats("K", "d", low=0.0)}
    """

    def __init__(
        self,
        *sides: Side,
        infinite: bool = False,
        nan: bool = False,
        dtype: str | Iterable[str] = ("float64", "float32"),
        **limits: Any,
    ) -> None:
        super().__init__(*sides, dtype=dtype, **limits)
        self.infinite, self.nan = infinite, nan

    def _extremes(self, array: np.ndarray) -> tuple[Any, Any]:
        if self.nan:
            return np.fmin.reduce(array, axis=None), np.fmax.reduce(array, axis=None)
        return array.min(), array.max()

    def _check_cells(self, least: Any, most: Any, dimensions: Dimensions) -> None:
        if math.isnan(least):
            if self.nan:
                return
            msg = "it holds NaN"
            raise Refused(msg)
        if not self.infinite and not (math.isfinite(least) and math.isfinite(most)):
            msg = "it holds an infinite value"
            raise Refused(msg)
        super()._check_cells(least, most, dimensions)


class Integers(_Numbers):
    """An array of integers, such as indices below a dimension.

    Parameters are those of :class:`Floats`, but for ``infinite`` and ``nan``.

    Examples
    --------
    >>> from learnable.estimator.state import Floats, Integers
    >>> fitted_state = {
    ...     "cluster_centers_": Floats("k", "d"),
    ...     "labels_": Integers("n", low=0, below="k", dtype="int32"),
    ... }
    """

    def __init__(
        self, *sides: Side, dtype: str | Iterable[str] = ("int64", "int32"), **limits: Any
    ) -> None:
        super().__init__(*sides, dtype=dtype, **limits)

    def _check_cells(self, least: Any, most: Any, dimensions: Dimensions) -> None:
        super()._check_cells(int(least), int(most), dimensions)


class Flags(_Numbers):
    """An array of truth values.

    Examples
    --------
    >>> from learnable.estimator.state import Flags
    >>> fitted_state = {"constant_columns_": Flags("d")}
    """

    def __init__(self, *sides: Side, optional: bool = False) -> None:
        super().__init__(*sides, dtype="bool", optional=optional)


class Labels(ArrayDeclaration):
    """Labels, ascending and each once: strings, integers, floats or bools.

    Parameters
    ----------
    side : str or int
        Their number; only where it is ``"?"`` there may be none.
    optional : bool
        Whether the attribute may be missing or None.

    Examples
    --------
    >>> from learnable.estimator.state import Labels
    >>> fitted_state = {"classes_": Labels("K")}
    """

    ordered = True

    def __init__(self, side: Side, *, optional: bool = False) -> None:
        self.side, self.optional = side, optional

    def store(self, array: np.ndarray, writer: Writer) -> Any:
        """Return the node of an array."""
        return put_text(array, writer) if is_text(array) else writer.put(array)

    def fetch(self, node: Any, reader: Reader) -> np.ndarray:
        """Return the array of a node, unchecked."""
        is_string = type(node) is dict and "text" in node
        return take_text(node, reader) if is_string else reader.take(node)

    def check(self, array: np.ndarray, dimensions: Dimensions) -> None:
        """Refuse labels that are not distinct and ascending."""
        dimensions.shape((self.side,), array.shape)
        if not array.size:
            if self.side == "?":
                return
            msg = "it is empty"
            raise Refused(msg)
        if array.dtype.kind == "O" and not is_text(array):
            msg = "it holds objects that are not strings"
            raise Refused(msg)
        if array.dtype.kind == "f" and not np.isfinite([array.min(), array.max()]).all():
            msg = "it holds NaN or an infinite value"
            raise Refused(msg)
        if self.ordered and not (array[:-1] < array[1:]).all():
            msg = "its labels are not ascending or not distinct"
            raise Refused(msg)


class Names(Labels):
    """Names of columns: distinct strings in any order, an array of objects as in scikit-learn.

    Examples
    --------
    >>> from learnable.estimator.state import Count, Names
    >>> fitted_state = {
    ...     "n_features_in_": Count("d", low=1),
    ...     "feature_names_in_": Names("d", optional=True),
    ... }
    """

    ordered = False

    def _put(self, value: Any, writer: Writer, dimensions: Dimensions) -> Any:
        if isinstance(value, np.ndarray) and value.dtype.kind == "U":
            value = value.astype(object)
        return super()._put(value, writer, dimensions)

    def check(self, array: np.ndarray, dimensions: Dimensions) -> None:
        """Refuse what does not hold distinct strings."""
        super().check(array, dimensions)
        if array.dtype.kind != "O" or len(set(array)) != len(array):
            msg = "it does not hold distinct strings"
            raise Refused(msg)
