"""Records: losses, penalties, kernels, distributions, criteria in both of their forms.

What a user holds is a frozen dataclass: equal by type and value, readable, with ``get_params``.
What a compiled loop gets is its lowered form, a named tuple of numbers and arrays, so that
``L1(1)`` and ``L1(1.0)`` are one compiled signature and the result can be kept on disk. What
records mean to loops is told by rules, found by type when a loop compiles: a new record needs no
change in the loops.
"""

from __future__ import annotations

import dataclasses
import re
from collections import namedtuple
from collections.abc import Callable, Mapping
from typing import Any, TypeVar, dataclass_transform

import numpy as np

from learnable.core.errors import ParameterError

C = TypeVar("C", bound=type)
F = TypeVar("F", bound=Callable[..., Any])

_waiting: list[Callable[..., Any]] = []
_numba_is_there = False


@dataclass_transform(frozen_default=True)
def record(cls: C) -> C:
    """Make a class of annotated fields a record.

    Adds to the frozen dataclass: ``lowered()``, the named tuple that loops take (its type is
    ``cls.form``), in which fields annotated ``int`` are int64, ``bool`` stays, all other numbers
    are float64, sequences are read-only arrays of these, and records are lowered in turn;
    ``get_params(deep=True)``, with the parameters of a field that is a record under
    ``field__name``; and ``replaced(**changes)``, a new record, which takes such names too.

    Examples
    --------
    >>> from learnable.core import record
    >>> @record
    ... class ElasticNet:
    ...     "lam (ratio |w| + (1 - ratio) w^2 / 2)"
    ...     lam: float = 1.0
    ...     ratio: float = 0.5
    >>> ElasticNet(lam=2) == ElasticNet(lam=2.0)
    True
    >>> ElasticNet().replaced(ratio=1).get_params()
    {'lam': 1.0, 'ratio': 1}
    >>> ElasticNet(3).lowered()
    ElasticNetForm(lam=np.float64(3.0), ratio=np.float64(0.5))
    """
    made: Any = dataclasses.dataclass(frozen=True, eq=False)(cls)
    kinds = {field.name: _kind(field.type) for field in dataclasses.fields(made)}
    form = namedtuple(  # type: ignore[misc]  # noqa: PYI024
        f"{cls.__name__}Form", list(kinds) or ["unused"], module=cls.__module__
    )
    form.__qualname__ = f"{cls.__qualname__}.form"
    for name, value in {"form": form, "kinds": kinds, **_methods()}.items():
        if name not in vars(cls) or name in {"form", "kinds"}:
            setattr(made, name, value)
    return made  # type: ignore[no-any-return]


def _methods() -> dict[str, Callable[..., Any]]:
    return {
        "lowered": _lowered,
        "get_params": _get_params,
        "replaced": _replaced,
        "__eq__": _equal,
        "__hash__": _hash,
    }


def _kind(annotation: object) -> type:
    words = (
        annotation
        if isinstance(annotation, str)
        else getattr(annotation, "__name__", str(annotation))
    )
    if re.search(r"\bfloat\b", words):
        return float
    for kind in (int, bool):
        if re.search(rf"\b{kind.__name__}\b", words):
            return kind
    return float


def _lowered(self: Any) -> Any:
    """Return the form that compiled loops take."""
    items = [_lower(self, name, kind) for name, kind in self.kinds.items()]
    return self.form(*(items or [np.float64(0.0)]))


def _lower(owner: Any, name: str, kind: type) -> Any:
    value = getattr(owner, name)
    if value is None:
        return None
    if hasattr(value, "lowered"):
        return value.lowered()
    try:
        array = np.array(value, dtype=None if kind is int else np.dtype(kind))
        if kind is int:
            array = _integers(array)
    except (TypeError, ValueError) as error:
        msg = f"{type(owner).__name__}.{name} must hold {kind.__name__} values, not {value!r}"
        raise ParameterError(msg) from error
    if array.ndim == 0:
        return array[()]
    array.flags.writeable = False
    return array


def _integers(array: Any) -> Any:
    whole = array.astype(np.int64)
    if not np.array_equal(whole, array):
        msg = "not whole numbers"
        raise ValueError(msg)
    return whole


def _get_params(self: Any, deep: bool = True) -> dict[str, Any]:
    """Return the fields by name, those of inner records as ``field__name``."""
    params = {name: getattr(self, name) for name in self.kinds}
    if deep:
        for name, value in list(params.items()):
            if hasattr(value, "get_params") and not isinstance(value, type):
                inner = value.get_params(deep=True)
                params.update({f"{name}__{key}": item for key, item in inner.items()})
    return params


def _replaced(self: Any, **changes: Any) -> Any:
    """Return a record with some fields changed; ``field__name`` reaches into inner records."""
    return dataclasses.replace(self, **_merged(self, changes))


def _merged(owner: Any, changes: Mapping[str, Any]) -> dict[str, Any]:
    own: dict[str, Any] = {}
    inner: dict[str, dict[str, Any]] = {}
    for name, value in changes.items():
        field, _, rest = name.partition("__")
        if field not in owner.kinds:
            msg = f"{type(owner).__name__} has no parameter {name!r}; it has {list(owner.kinds)}"
            raise ParameterError(msg)
        if rest:
            inner.setdefault(field, {})[rest] = value
        else:
            own[field] = value
    for field, deeper in inner.items():
        target = own.get(field, getattr(owner, field))
        if not hasattr(target, "replaced"):
            msg = f"{type(owner).__name__}.{field} is {target!r}, which has no parameters"
            raise ParameterError(msg)
        own[field] = target.replaced(**deeper)
    return own


def _value(item: Any) -> Any:
    """Return what equality and hash go by: numbers by value, NaN equal to NaN, arrays whole."""
    if isinstance(item, (np.ndarray, list, tuple)):
        array = np.asarray(item)
        if array.dtype.kind in "biuf":
            return (array.shape, *(_value(x) for x in array.ravel().tolist()))
        return tuple(_value(x) for x in item)
    return "nan" if isinstance(item, (float, np.floating)) and item != item else item  # noqa: PLR0124


def _equal(self: Any, other: Any) -> bool:
    if type(self) is not type(other):
        return False
    return all(_value(getattr(self, n)) == _value(getattr(other, n)) for n in self.kinds)


def _hash(self: Any) -> int:
    return hash((type(self), *(_value(getattr(self, name)) for name in self.kinds)))


def generic(function: F) -> F:
    """Make a function of a record that loops and Python may call; rules say what it does.

    The body of the function is never run. The record is its first argument.

    Examples
    --------
    >>> from learnable.core import generic, record, rule
    >>> @record
    ... class Squared:
    ...     "(z - y)^2 / 2"
    >>> @generic
    ... def slope(loss, y, z):
    ...     "Derivative of the loss in z."
    >>> @rule(slope, Squared)
    ... def squared_slope(loss, y, z):
    ...     return z - y
    >>> slope(Squared().lowered(), 1.0, 3.0)
    2.0
    """
    rules: dict[type, Callable[..., Any]] = {}

    def dispatch(first: Any, *rest: Any) -> Any:
        chosen = rules.get(type(first))
        if chosen is None:
            msg = f"no rule of {function.__name__} is registered for {type(first).__name__}"
            raise TypeError(msg)
        return chosen(first, *rest)

    dispatch.__name__, dispatch.__qualname__ = function.__name__, function.__qualname__
    dispatch.__module__, dispatch.__doc__ = function.__module__, function.__doc__
    dispatch.rules = rules  # type: ignore[attr-defined]
    _waiting.append(dispatch)
    if _numba_is_there:
        install_generics()
    return dispatch  # type: ignore[return-value]


def rule(function: Callable[..., Any], cls: type) -> Callable[[F], F]:
    """Register what a generic function does for one kind of record (see :func:`generic`).

    Examples
    --------
    >>> from learnable.core import generic, record, rule
    >>> @record
    ... class Absolute:
    ...     "|z - y|"
    >>> @generic
    ... def height(loss, y, z):
    ...     "The loss itself."
    >>> @rule(height, Absolute)
    ... def absolute_height(loss, y, z):
    ...     return abs(z - y)
    >>> height(Absolute().lowered(), 1.0, 3.5)
    2.5
    """
    rules: dict[type, Callable[..., Any]] = function.rules  # type: ignore[attr-defined]
    form: type = cls.form  # type: ignore[attr-defined]

    def keep(body: F) -> F:
        if form in rules:
            msg = f"{function.__name__} already has a rule for {cls.__name__}"
            raise ParameterError(msg)
        rules[form] = body
        return body

    return keep


def install_generics() -> None:
    """Tell Numba about the generics defined so far (called when the first loop is decorated)."""
    from numba.extending import overload

    global _numba_is_there  # noqa: PLW0603
    _numba_is_there = True
    while _waiting:
        _install(_waiting.pop(), overload)


def _install(dispatch: Any, overload: Any) -> None:
    @overload(dispatch, strict=False)  # type: ignore[untyped-decorator]
    def choose(first: Any, *rest: Any) -> Any:  # noqa: ARG001
        return dispatch.rules.get(getattr(first, "instance_class", None))
