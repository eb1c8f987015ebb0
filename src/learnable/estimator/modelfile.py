"""Model files: a JSON document and the arrays that it names, read without trust.

``model.json`` holds ``format``, ``library``, ``arrays`` and ``model``. Row ``i`` of ``arrays`` is
the dtype and the shape of ``arrays/i.bin``: ``["float64", 3, 4]``; its bytes are little-endian
and in C order. ``model`` names arrays by ``{"array": i}``, each exactly once. The document is
ASCII, at most 2 MB, without doubled keys, NaN or infinity, of bounded depth and number of parts.
Dtypes, shapes and sizes are checked before anything is allocated; the arrays are read-only views
of the bytes read; and what must be copied out (text) is counted against an allowance, so a file,
whatever it claims, never takes more memory than twice its size and 64 MB. The zip around it is
described in :mod:`learnable.estimator.sealed_zip`.

Versions: ``format`` counts up when files change in a way that an older library cannot read. A
newer format is refused with the advice to upgrade; every older one stays readable, through
:data:`MIGRATIONS`. ``library`` says who wrote the file and decides nothing.

References
----------
Bray (2017), *The JavaScript Object Notation (JSON) Data Interchange Format*, RFC 8259.
Hugging Face (2023), *Safetensors: a simple, safe way to store and distribute tensors*.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from learnable.estimator.ledger import DTYPES, Content, is_shape, shown
from learnable.estimator.sealed_zip import (
    Piece,
    assemble,
    damaged,
    disassemble,
    too_large,
    too_new,
)

FORMAT: Final = 1
MIGRATIONS: Final[dict[int, Callable[[dict[str, Any]], dict[str, Any]]]] = {}
"""What turns a document of each older format into one of the next."""

MAX_JSON: Final = 2_000_000
MAX_DEPTH: Final = 200
MAX_PARTS: Final = 1 << 17
MAX_DIGITS: Final = 20


# ------------------------------------------------------------------------------------- writing


def pack(model: Any, arrays: Sequence[np.ndarray]) -> list[Piece]:
    """Lay out a document and its arrays as the pieces of a sealed file.

    Parameters
    ----------
    model : JSON value
        What stands under ``model`` in ``model.json``.
    arrays : sequence of ndarray
        Arrays whose dtypes are keys of :data:`DTYPES`; those in C order are not copied.

    Returns
    -------
    list of bytes-like
        Written one after the other they are the file.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.estimator.modelfile import pack, parse
    >>> content = parse(b"".join(pack({"answer": 42}, [np.arange(3.0)])))
    >>> content.document["model"], content.arrays[0].tolist()
    ({'answer': 42}, [0.0, 1.0, 2.0])
    """
    import learnable

    document = {
        "format": FORMAT,
        "library": learnable.__version__,
        "arrays": [[array.dtype.name, *array.shape] for array in arrays],
        "model": model,
    }
    text = json.dumps(document, allow_nan=False, separators=(",", ":"))
    if complaint := _complaint(text):
        too_large(f"{complaint}, not counting its arrays")
    ordered = [np.asarray(array, DTYPES[array.dtype.name], order="C") for array in arrays]
    raw = [memoryview(array.reshape(-1).view(np.uint8)) for array in ordered]
    return assemble([text.encode("ascii"), *raw])


# ------------------------------------------------------------------------------------- reading


def parse(data: Piece) -> Content:
    """Check the bytes of a model file and return what it holds.

    Parameters
    ----------
    data : bytes-like
        The whole file.

    Returns
    -------
    Content
        The document, the arrays as read-only views of ``data``, and the size of the file.

    Raises
    ------
    ModelFileError
        When any byte is not as the library writes it.

    Examples
    --------
    >>> from learnable.estimator.modelfile import parse
    >>> parse(b"no model file")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    learnable.core.errors.ModelFileError: The model file cannot be read: it does not end in ...
    """
    entries = disassemble(data)
    document = _document(entries[0])
    table = document["arrays"]
    if type(table) is not list or len(table) != len(entries) - 1:
        damaged(f"it does not list the {len(entries) - 1} arrays that it holds")
    arrays = [_array(row, entry) for row, entry in zip(table, entries[1:], strict=True)]
    return Content(document, arrays, len(memoryview(data)))


def _document(entry: memoryview) -> dict[str, Any]:
    if len(entry) > MAX_JSON:
        damaged(f"model.json is larger than {MAX_JSON} bytes")
    try:
        text = str(entry, "ascii")
    except UnicodeDecodeError:
        damaged("model.json is not ASCII")
    if complaint := _complaint(text):
        damaged(complaint)
    try:
        document = _DECODER.decode(text)
    except ValueError as error:
        damaged(f"model.json is not valid ({shown(str(error))})")
    form = document.get("format") if type(document) is dict else None
    if type(form) is not int or form < 1:
        damaged("model.json names no format")
    if form > FORMAT:
        too_new()
    for older in range(form, FORMAT):
        document = MIGRATIONS[older](document)
    if document.keys() != {"format", "library", "arrays", "model"}:
        damaged("model.json does not hold format, library, arrays and model")
    if type(document["library"]) is not str or len(document["library"]) > 64:
        damaged("model.json names no library version")
    return document


def _complaint(text: str) -> str | None:
    """Return what is wrong with the size of a JSON text; brackets inside strings do not count."""
    if len(text) > MAX_JSON:
        return f"it takes {len(text)} bytes of JSON, more than {MAX_JSON}"
    bare = "".join(text.replace("\\\\", "").replace('\\"', "").split('"')[::2])
    parts = bare.count("[") + bare.count("{")
    if parts > MAX_PARTS:
        return f"it has {parts} parts, more than {MAX_PARTS}"
    depth = deepest = 0
    for character in bare if parts > MAX_DEPTH else "":
        if character in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif character in "]}":
            depth -= 1
    return f"it is nested deeper than {MAX_DEPTH} levels" if deepest > MAX_DEPTH else None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        msg = "a key is doubled"
        raise ValueError(msg)
    return made


def _integer(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        msg = "an integer has more than 64 bits"
        raise ValueError(msg)
    return int(digits)


def _number(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        msg = "a number is too large"
        raise ValueError(msg)
    return value


def _constant(name: str) -> float:
    msg = f"{name} is not a number of JSON"
    raise ValueError(msg)


_DECODER: Final = json.JSONDecoder(
    object_pairs_hook=_object, parse_int=_integer, parse_float=_number, parse_constant=_constant
)


def _array(row: Any, entry: memoryview) -> np.ndarray:
    if type(row) is not list or not row or type(row[0]) is not str or row[0] not in DTYPES:
        damaged(f"an array of an unknown dtype is listed ({shown(row)})")
    dtype, shape = DTYPES[row[0]], tuple(row[1:])
    if not is_shape(shape) or math.prod(shape) * dtype.itemsize != len(entry):
        damaged(f"an array of shape {shown(shape)} does not fit its {len(entry)} bytes")
    flat = np.frombuffer(entry, np.uint8)
    if dtype == np.bool_ and flat.size and flat.max() > 1:
        damaged("an array of truth values holds something else")
    return flat.view(dtype).reshape(shape)
