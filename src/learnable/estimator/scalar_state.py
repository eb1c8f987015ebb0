"""Declarations of fitted attributes that are no arrays: numbers, truth values, strings."""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from learnable.estimator.dimensions import Bound, Declaration, Dimensions, Range
from learnable.estimator.ledger import Reader, Refused, Writer, shown
from learnable.estimator.values import clean, put_value, take_value

_LARGEST_COUNT: Final = (1 << 31) - 1


class Integer(Declaration):
    """An integer.

    Parameters
    ----------
    low, high, below : int or name, optional
        Least value, greatest value, and what the value must be less than.
    optional : bool
        Whether the attribute may be missing or None.

    Examples
    --------
    >>> from learnable.estimator.state import Integer
    >>> fitted_state = {"n_iter_": Integer(low=0)}
    """

    def __init__(self, *, optional: bool = False, **limits: Bound) -> None:
        self.optional, self.range = optional, Range(**limits)

    def _put(self, value: Any, _: Writer, dimensions: Dimensions) -> int:
        return self._checked(int(value) if isinstance(value, np.integer) else value, dimensions)

    def _take(self, node: Any, _: Reader, dimensions: Dimensions) -> int:
        return self._checked(node, dimensions)

    def _checked(self, value: Any, dimensions: Dimensions) -> int:
        if type(value) is not int or not -(1 << 63) <= value < 1 << 63:
            msg = f"an integer is wanted, not {shown(value)}"
            raise Refused(msg)
        self.range.check(value, value, dimensions)
        return value


class Count(Integer):
    """An integer that is the size of a dimension.

    Parameters
    ----------
    side : str
        The name of the dimension.
    low, high : int, optional
        Least and greatest value.
    optional : bool
        Whether the attribute may be missing or None.

    Examples
    --------
    >>> from learnable.estimator.state import Count
    >>> fitted_state = {"n_features_in_": Count("d", low=1)}
    """

    def __init__(
        self, side: str, *, low: int = 0, high: int = _LARGEST_COUNT, optional: bool = False
    ) -> None:
        super().__init__(low=low, high=high, optional=optional)
        self.side = side

    def _checked(self, value: Any, dimensions: Dimensions) -> int:
        dimensions.agree(self.side, super()._checked(value, dimensions))
        return value  # type: ignore[no-any-return]


class Number(Declaration):
    """A float, finite unless said otherwise.

    Parameters
    ----------
    low, high, below : float or name, optional
        Least value, greatest value, and what the value must be less than.
    infinite, nan : bool
        Whether infinities and NaN are allowed.
    optional : bool
        Whether the attribute may be missing or None.

    Examples
    --------
    >>> from learnable.estimator.state import Number
    >>> fitted_state = {"inertia_": Number(low=0.0)}
    """

    def __init__(
        self,
        *,
        infinite: bool = False,
        nan: bool = False,
        optional: bool = False,
        **limits: Bound,
    ) -> None:
        self.infinite, self.nan, self.optional = infinite, nan, optional
        self.range = Range(**limits)

    def _put(self, value: Any, writer: Writer, dimensions: Dimensions) -> Any:
        if isinstance(value, (int, np.number)) and not isinstance(
            value, (bool, np.complexfloating)
        ):
            value = float(value)
        return put_value(self._checked(value, dimensions), writer)

    def _take(self, node: Any, reader: Reader, dimensions: Dimensions) -> float:
        return self._checked(take_value(node, reader), dimensions)

    def _checked(self, value: Any, dimensions: Dimensions) -> float:
        if type(value) is not float:
            msg = f"a float is wanted, not {shown(value)}"
            raise Refused(msg)
        if math.isnan(value) and self.nan:
            return value
        if not (math.isfinite(value) or (self.infinite and not math.isnan(value))):
            msg = f"it is {value}"
            raise Refused(msg)
        self.range.check(value, value, dimensions)
        return value


class Flag(Declaration):
    """A truth value.

    Examples
    --------
    >>> from learnable.estimator.state import Flag
    >>> fitted_state = {"converged_": Flag()}
    """

    def _put(self, value: Any, *_: Any) -> bool:
        return self._take(bool(value) if isinstance(value, np.bool_) else value)

    def _take(self, node: Any, *_: Any) -> bool:
        if type(node) is not bool:
            msg = f"a truth value is wanted, not {shown(node)}"
            raise Refused(msg)
        return node


class Text(Declaration):
    """A string, one of a few if ``choices`` are given.

    Examples
    --------
    >>> from learnable.estimator.state import Text
    >>> fitted_state = {"solver_": Text("lloyd", "hamerly")}
    """

    def __init__(self, *choices: str, optional: bool = False) -> None:
        self.choices, self.optional = choices, optional

    def _put(self, value: Any, *_: Any) -> str:
        return self._take(str(value) if isinstance(value, np.str_) else value)

    def _take(self, node: Any, *_: Any) -> str:
        if type(node) is not str or (self.choices and node not in self.choices):
            wanted = f"one of {', '.join(self.choices)}" if self.choices else "a string"
            msg = f"{wanted} is wanted, not {shown(node)}"
            raise Refused(msg)
        return clean(node)


class Value(Declaration):
    """Anything that a parameter may be: what is checked is only that it can be stored.

    Examples
    --------
    >>> from learnable.estimator.state import Value
    >>> fitted_state = {"best_params_": Value()}
    """

    def _put(self, value: Any, writer: Writer, _: Dimensions) -> Any:
        return put_value(value, writer)

    def _take(self, node: Any, reader: Reader, _: Dimensions) -> Any:
        return take_value(node, reader)
