"""Parameters: what they may be, how they are read, changed and shown.

A class states them once, ``parameters = {"tol": Number(low=0.0), ...}``; they are checked when
``fit`` begins (scikit-learn's contract wants ``__init__`` to store only) and when a model file is
read.
"""

from __future__ import annotations

import inspect
import math
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from learnable.core.errors import ParameterError

_INTEGERS, _REALS = (int, np.integer), (int, float, np.integer, np.floating)


@dataclass(frozen=True)
class Integer:
    """A whole number in a range; ``none`` allows None too.

    Examples
    --------
    >>> from learnable.estimator.params import Integer
    >>> Integer(low=1).accepts(3), Integer(low=1).accepts(True)
    (True, False)
    """

    low: int | None = None
    none: bool = False
    high: int | None = None

    def accepts(self, value: Any) -> bool:
        """Whether the value fits."""
        if value is None:
            return self.none
        if not isinstance(value, _INTEGERS) or isinstance(value, bool):
            return False
        above = self.low is None or bool(value >= self.low)
        return above and (self.high is None or bool(value <= self.high))

    def __str__(self) -> str:
        text = "an integer" + ("" if self.low is None else f" of at least {self.low}")
        text += "" if self.high is None else f" and at most {self.high}"
        return text + (" or None" if self.none else "")


@dataclass(frozen=True)
class Number:
    """A finite number in a range; ``open`` leaves the lower end out.

    Examples
    --------
    >>> from learnable.estimator.params import Number
    >>> Number(low=0.0).accepts(0), Number(low=0.0).accepts(float("nan"))
    (True, False)
    """

    low: float = -math.inf
    high: float = math.inf
    none: bool = False
    open: bool = False

    def accepts(self, value: Any) -> bool:
        """Whether the value fits."""
        if value is None:
            return self.none
        real = isinstance(value, _REALS) and not isinstance(value, bool)
        if not real or not _is_finite(value):
            return False
        return bool(self.low < value <= self.high if self.open else self.low <= value <= self.high)

    def __str__(self) -> str:
        ends = (
            [f"above {self.low}" if self.open else f"of at least {self.low}"]
            if self.low > -math.inf
            else []
        )
        ends += [f"of at most {self.high}"] if self.high < math.inf else []
        text = " ".join(["a finite number", " and ".join(ends)]).strip()
        return text + (" or None" if self.none else "")


def _is_finite(value: Any) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:  # an integer beyond the floats
        return False


@dataclass(frozen=True)
class Choice:
    """One of some words (or other plain values).

    Examples
    --------
    >>> from learnable.estimator.params import Choice
    >>> Choice("l1", "l2").accepts("l3")
    False
    """

    values: tuple[Any, ...]

    def __init__(self, *values: Any) -> None:
        object.__setattr__(self, "values", values)

    def accepts(self, value: Any) -> bool:
        """Whether the value is one of them (and of the same type: True is not 1)."""
        return any(type(value) is type(one) and value == one for one in self.values)

    def __str__(self) -> str:
        return "one of " + ", ".join(map(repr, self.values))


@dataclass(frozen=True)
class Flag:
    """True or False.

    Examples
    --------
    >>> from learnable.estimator.params import Flag
    >>> Flag().accepts(1)
    False
    """

    def accepts(self, value: Any) -> bool:
        """Whether the value is a Boolean."""
        return isinstance(value, (bool, np.bool_))

    def __str__(self) -> str:
        return "True or False"


@dataclass(frozen=True)
class ArrayLike:
    """Numbers in a list or array, or None; ``scalar`` allows a single number too.

    Examples
    --------
    >>> from learnable.estimator.params import ArrayLike
    >>> ArrayLike().accepts([1.0, 2.0]), ArrayLike().accepts("a")
    (True, False)
    """

    scalar: bool = False

    def accepts(self, value: Any) -> bool:
        """Whether the value can be read as an array."""
        if value is None:
            return True
        if self.scalar and isinstance(value, (*_REALS, str)):
            return True
        return not isinstance(value, str) and (
            hasattr(value, "__array__") or isinstance(value, (list, tuple))
        )

    def __str__(self) -> str:
        return "an array of numbers, or None"


@dataclass(frozen=True)
class Seed:
    """None, an integer, or a NumPy random state or generator.

    Examples
    --------
    >>> from learnable.estimator.params import Seed
    >>> Seed().accepts(0), Seed().accepts("a")
    (True, False)
    """

    def accepts(self, value: Any) -> bool:
        """Whether a random generator can be made of it."""
        if isinstance(value, (np.random.RandomState, np.random.Generator)):
            return True
        return Integer(low=0, none=True).accepts(value)

    def __str__(self) -> str:
        return "None, an integer of at least 0, or a NumPy random state or generator"


@dataclass(frozen=True)
class Either:
    """Whatever one of several rules accepts.

    Examples
    --------
    >>> from learnable.estimator.params import Choice, Either, Integer
    >>> Either(Choice("auto"), Integer(low=1)).accepts("auto")
    True
    """

    rules: tuple[Any, ...]

    def __init__(self, *rules: Any) -> None:
        object.__setattr__(self, "rules", rules)

    def accepts(self, value: Any) -> bool:
        """Whether one of the rules accepts it."""
        return any(rule.accepts(value) for rule in self.rules)

    def __str__(self) -> str:
        return ", or ".join(map(str, self.rules))


@dataclass(frozen=True)
class Function:
    """Something that can be called.

    Examples
    --------
    >>> from learnable.estimator.params import Function
    >>> Function().accepts(len)
    True
    """

    def accepts(self, value: Any) -> bool:
        """Whether it can be called."""
        return callable(value)

    def __str__(self) -> str:
        return "a function"


def generator(seed: Any) -> np.random.Generator:
    """Make the random generator that a ``random_state`` parameter names.

    Examples
    --------
    >>> from learnable.estimator.params import generator
    >>> float(generator(0).random()) == float(generator(0).random())
    True
    """
    if isinstance(seed, np.random.RandomState):
        return np.random.default_rng(seed.randint(0, 2**31 - 1, size=4))
    return np.random.default_rng(seed)


@cache
def signature_of(cls: type) -> dict[str, Any]:
    """Return the parameters of ``__init__`` with their defaults, in order."""
    found = inspect.signature(cls).parameters
    return {name: parameter.default for name, parameter in found.items()}


def refuse(learner: object, name: str, value: Any, rule: Any) -> None:
    """Raise the one error for a parameter out of range."""
    msg = f"{name} of {type(learner).__name__} must be {rule}, not {value!r}"
    raise ParameterError(msg)


class Parameters:
    """Reading, changing, checking and showing parameters, as scikit-learn does."""

    parameters: dict[str, Any] = {}

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters by name; ``deep`` adds those of nested learners and records."""
        found: dict[str, Any] = {}
        for name in sorted(signature_of(type(self))):
            value = getattr(self, name)
            if deep and hasattr(value, "get_params") and not isinstance(value, type):
                found |= {f"{name}__{key}": item for key, item in value.get_params().items()}
            found[name] = value
        return found

    def set_params(self, **params: Any) -> Any:
        """Change parameters; ``kernel__length_scale`` reaches into nested ones."""
        known = signature_of(type(self))
        nested: dict[str, dict[str, Any]] = {}
        for key, value in params.items():
            name, _, rest = key.partition("__")
            if name not in known:
                msg = (
                    f"Invalid parameter {name!r} for estimator {self!r}. Valid parameters are: "
                    f"{sorted(known)}."
                )
                raise ParameterError(msg)
            if rest:
                nested.setdefault(name, {})[rest] = value
            else:
                setattr(self, name, value)
        for name, changes in nested.items():
            inner = getattr(self, name)
            if not hasattr(inner, "get_params"):
                msg = f"{name} of {type(self).__name__} is {inner!r}, which has no parameters"
                raise ParameterError(msg)
            if hasattr(inner, "replaced"):
                setattr(self, name, inner.replaced(**changes))
            else:
                inner.set_params(**changes)
        return self

    def _check_params(self) -> None:
        """Refuse a parameter out of range, by name and with what it may be."""
        for name, rule in self.parameters.items():
            value = getattr(self, name)
            if not rule.accepts(value):
                refuse(self, name, value, rule)

    def __repr__(self) -> str:
        defaults = signature_of(type(self))
        shown = [
            f"{name}={getattr(self, name)!r}"
            for name, default in defaults.items()
            if not _same(getattr(self, name), default)
        ]
        return f"{type(self).__name__}({', '.join(shown)})"


def _same(value: Any, default: Any) -> bool:
    if value is default:
        return True
    if type(value) is not type(default):
        return False
    if isinstance(value, np.ndarray):
        return np.array_equal(value, default)
    return type(value).__eq__(value, default) is True or (value != value and default != default)  # noqa: PLR0124
