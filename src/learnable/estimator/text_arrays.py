"""Arrays of strings in model files: the UTF-8 bytes of all, and where each begins.

A NumPy array of n strings takes n times its longest string, and n Python strings take some fifty
bytes each, so a small file could ask for much memory. What the strings will take is therefore
computed from the offsets and taken from the reader's allowance before any string is made.

A node is ``{"text": [bytes, offsets, form]}``: the form is ``"U7"`` for the NumPy dtype, and
``"object"`` for an array of Python strings. Strings holding NUL or lone surrogates are refused.
Cost: one pass over the bytes; NumPy strings are filled in pieces of 4096.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any, Final

import numpy as np

from learnable.estimator.ledger import Reader, Refused, Writer, keys, shown

_FORM: Final = re.compile(r"object|U[1-9][0-9]{0,8}")
_PIECE: Final = 4096
_HEADER: Final = 104
_LONGEST: Final = 1 << 20
_WIDEST: Final = 4


def is_text(array: np.ndarray) -> bool:
    """Tell whether an array is one-dimensional and of strings."""
    if array.ndim != 1:
        return False
    if array.dtype.kind == "O":
        return len(array) > 0 and all(isinstance(item, str) for item in array)
    return array.dtype.kind == "U"


def put_text(array: np.ndarray, writer: Writer) -> dict[str, Any]:
    """Store an array of strings and return its node.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.estimator.ledger import Writer
    >>> from learnable.estimator.text_arrays import put_text
    >>> put_text(np.array(["no", "yes"]), Writer())
    {'text': [{'array': 0}, {'array': 1}, 'U3']}
    """
    form = "object" if array.dtype.kind == "O" else f"U{array.dtype.itemsize // 4}"
    try:
        pieces = [str(item).encode("utf-8") for item in array]
    except UnicodeEncodeError:
        msg = "a string holds a lone surrogate"
        raise Refused(msg) from None
    blob = np.frombuffer(b"".join(pieces), np.uint8)
    if (blob == 0).any():
        msg = "a string holds the character NUL"
        raise Refused(msg)
    if max(map(len, pieces), default=0) > _LONGEST:
        msg = f"a string takes more than {_LONGEST} bytes"
        raise Refused(msg)
    offsets = np.zeros(len(pieces) + 1, np.int64)
    np.cumsum([len(piece) for piece in pieces], out=offsets[1:])
    writer.spend(_room(form, len(array), blob))
    return {"text": [writer.put(blob), writer.put(offsets), form]}


def take_text(node: Any, reader: Reader) -> np.ndarray:
    """Return the array of strings that a node names.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.estimator.ledger import Reader, Writer
    >>> from learnable.estimator.modelfile import pack, parse
    >>> from learnable.estimator.text_arrays import put_text, take_text
    >>> writer = Writer()
    >>> node = put_text(np.array(["no", "yes"]), writer)
    >>> take_text(node, Reader(parse(b"".join(pack(node, writer.arrays))))).tolist()
    ['no', 'yes']
    """
    parts = keys(node, "text")["text"]
    if type(parts) is not list or len(parts) != 3:
        msg = "text is bytes, offsets and a form"
        raise Refused(msg)
    blob, offsets, form = reader.take(parts[0]), reader.take(parts[1]), parts[2]
    if type(form) is not str or not _FORM.fullmatch(form):
        msg = f"text has the unknown form {shown(form)}"
        raise Refused(msg)
    _check(blob, offsets)
    number = len(offsets) - 1
    reader.spend(_room(form, number, blob))
    made = np.empty(number, object if form == "object" else np.dtype(f"<{form}"))
    _fill(made, memoryview(blob), offsets)
    made.flags.writeable = False
    return made


def _check(blob: np.ndarray, offsets: np.ndarray) -> None:
    if blob.dtype != np.uint8 or offsets.dtype != np.int64 or blob.ndim != 1 or offsets.ndim != 1:
        msg = "text is kept as one array of uint8 and one of int64"
        raise Refused(msg)
    if not len(offsets) or offsets[0] != 0 or offsets[-1] != len(blob):
        msg = "the offsets of text do not span its bytes"
        raise Refused(msg)
    if blob.size and not blob.min():
        msg = "a string holds the character NUL"
        raise Refused(msg)


def _fill(made: np.ndarray, view: memoryview, offsets: np.ndarray) -> None:
    """Decode one string after the other: no other copy of the text exists at any time."""
    width = made.dtype.itemsize // 4 if made.dtype.kind == "U" else _LONGEST
    for first in range(0, len(made), _PIECE):
        ends = offsets[first : first + _PIECE + 1].tolist()
        for place, (low, high) in enumerate(pairwise(ends), first):
            if not low <= high <= low + _LONGEST:
                msg = "the offsets of text do not ascend in steps of reasonable length"
                raise Refused(msg)
            try:
                text = str(view[low:high], "utf-8")
            except UnicodeDecodeError:
                msg = "text is not UTF-8"
                raise Refused(msg) from None
            if len(text) > width:
                msg = f"a string is longer than the {width} characters of its dtype"
                raise Refused(msg)
            made[place] = text


def _room(form: str, number: int, blob: np.ndarray) -> int:
    """Return at least the bytes that the strings will take, without making them."""
    if form != "object":
        return number * int(form[1:]) * 4
    narrow = not blob.size or blob.max() < 128
    return number * _HEADER + blob.size * (1 if narrow else _WIDEST)
