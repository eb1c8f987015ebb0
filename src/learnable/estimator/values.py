"""Values of parameters in model files: plain values as JSON, everything else under a tag.

==========================================  ========================================================
None, bool, int, finite float, str, list    themselves
inf, -inf, nan                              ``{"float": "inf"}``
tuple, dict                                 ``{"tuple": [...]}``, ``{"dict": [[key, value], ...]}``
arrays of numbers, of strings               ``{"array": 0}``, ``{"text": [...]}``
kinds of number                             ``{"dtype": "float32"}``
our records, our learners (and pipelines)   ``{"record": {...}}``, ``{"learner": {...}}``
==========================================  ========================================================

NumPy scalars become Python's. Functions and random generators are refused: the first would be
code, the second a state that ``random_state=0`` says better.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from learnable.estimator.ledger import DTYPES, Reader, Refused, Writer, shown
from learnable.estimator.text_arrays import is_text, put_text, take_text

INTEGERS: Final = range(-(1 << 63), 1 << 64)
_ODD_FLOATS: Final = {"inf": math.inf, "-inf": -math.inf, "nan": math.nan}
_KEYS: Final = (str, int, float, bool, type(None))


def put_value(value: Any, writer: Writer) -> Any:
    """Return the node of a parameter's value.

    Examples
    --------
    >>> from learnable.estimator.ledger import Writer
    >>> from learnable.estimator.values import put_value
    >>> put_value((1, float("inf"), {"a": None}), Writer())
    {'tuple': [1, {'float': 'inf'}, {'dict': [['a', None]]}]}
    """
    if isinstance(value, np.generic):
        value = value.item()
    put = _PUTS.get(type(value))
    if put is None:
        return _put_object(value, writer)
    with writer.deeper():
        return put(value, writer)


def take_value(node: Any, reader: Reader) -> Any:
    """Return the value of a parameter's node.

    Examples
    --------
    >>> from learnable.estimator.ledger import Reader
    >>> from learnable.estimator.modelfile import pack, parse
    >>> from learnable.estimator.values import take_value
    >>> reader = Reader(parse(b"".join(pack(None, []))))
    >>> take_value({"tuple": [1, {"float": "inf"}]}, reader)
    (1, inf)
    """
    if type(node) is not dict:
        if type(node) is str:
            return clean(node)
        if type(node) is list:
            with reader.deeper():
                return [take_value(item, reader) for item in node]
        return node
    tag = next(iter(node)) if len(node) == 1 else None
    take = _TAKES.get(tag) if tag is not None else None
    if take is None:
        msg = f"a value has the unknown form {shown(list(node)[:3])}"
        raise Refused(msg)
    with reader.deeper():
        return take(node, reader)


def _put_object(value: Any, writer: Writer) -> Any:
    if isinstance(value, (np.random.RandomState, np.random.Generator)):
        msg = "random generators cannot be stored: give an integer seed"
        raise Refused(msg)
    if isinstance(value, np.dtype) or (isinstance(value, type) and issubclass(value, np.generic)):
        return _put_kind(value)
    if isinstance(value, np.ndarray):
        return put_text(value, writer) if is_text(value) else writer.put(value)
    if hasattr(value, "get_params") and not isinstance(value, type):
        with writer.deeper():
            if hasattr(value, "lowered"):
                return {"record": writer.put_record(value)}
            return {"learner": writer.put_learner(value)}
    kind = "functions" if callable(value) else f"values of the type {type(value).__name__}"
    msg = f"{kind} cannot be stored"
    raise Refused(msg)


def _put_kind(value: Any) -> dict[str, str]:
    name = np.dtype(value).name
    if name not in DTYPES:
        msg = f"the kind of number {name} cannot be stored"
        raise Refused(msg)
    return {"dtype": name}


def _put_integer(value: int, _: Writer) -> int:
    if value not in INTEGERS:
        msg = "an integer has more than 64 bits"
        raise Refused(msg)
    return value


def _put_float(value: float, _: Writer) -> Any:
    return value if math.isfinite(value) else {"float": str(value)}


def _put_list(value: list[Any], writer: Writer) -> list[Any]:
    return [put_value(item, writer) for item in value]


def _put_tuple(value: tuple[Any, ...], writer: Writer) -> dict[str, Any]:
    return {"tuple": _put_list(list(value), writer)}


def _put_dict(value: dict[Any, Any], writer: Writer) -> dict[str, Any]:
    if odd := [key for key in value if not isinstance(key, (*_KEYS, np.generic))]:
        msg = f"a dict with the key {shown(odd[0])} cannot be stored"
        raise Refused(msg)
    return {"dict": [_put_list([key, item], writer) for key, item in value.items()]}


def clean(text: str, _: Any = None) -> str:
    """Return a string if it can be encoded (and printed)."""
    if not text.isascii():
        try:
            text.encode("utf-8")
        except UnicodeEncodeError:
            msg = "a string holds a lone surrogate"
            raise Refused(msg) from None
    return text


def _plain(value: Any, _: Writer) -> Any:
    return value


_PUTS: Final[dict[type, Callable[[Any, Writer], Any]]] = {
    type(None): _plain,
    bool: _plain,
    int: _put_integer,
    float: _put_float,
    str: clean,
    list: _put_list,
    tuple: _put_tuple,
    dict: _put_dict,
}


def _take_float(node: dict[str, Any], _: Reader) -> float:
    name = node["float"]
    if type(name) is not str or name not in _ODD_FLOATS:
        msg = f"{shown(name)} is no float"
        raise Refused(msg)
    return _ODD_FLOATS[name]


def _items(value: Any, reader: Reader) -> list[Any]:
    if type(value) is not list:
        msg = f"a list is wanted, not {shown(value)}"
        raise Refused(msg)
    return [take_value(item, reader) for item in value]


def _take_tuple(node: dict[str, Any], reader: Reader) -> tuple[Any, ...]:
    return tuple(_items(node["tuple"], reader))


def _take_dict(node: dict[str, Any], reader: Reader) -> dict[Any, Any]:
    made: dict[Any, Any] = {}
    for pair in _items(node["dict"], reader):
        if type(pair) is not list or len(pair) != 2 or type(pair[0]) not in _KEYS:
            msg = f"a pair of key and value is wanted, not {shown(pair)}"
            raise Refused(msg)
        if pair[0] in made:
            msg = f"the key {shown(pair[0])} is doubled"
            raise Refused(msg)
        made[pair[0]] = pair[1]
    return made


def _take_kind(node: dict[str, Any], _: Reader) -> Any:
    name = node["dtype"]
    if type(name) is not str or name not in DTYPES:
        msg = f"{shown(name)} is no kind of number"
        raise Refused(msg)
    return DTYPES[name].newbyteorder("=").type


_TAKES: Final[dict[str, Callable[[dict[str, Any], Reader], Any]]] = {
    "float": _take_float,
    "tuple": _take_tuple,
    "dict": _take_dict,
    "dtype": _take_kind,
    "array": lambda node, reader: reader.take(node),
    "text": take_text,
    "record": lambda node, reader: reader.take_record(node["record"]),
    "learner": lambda node, reader: reader.take_learner(node["learner"]),
}
