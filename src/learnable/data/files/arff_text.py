"""The texts of ARFF: quotes, escapes, comments, cells and the formats of dates."""

from __future__ import annotations

import re

QUOTED = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\""""
CELL = re.compile(rf"\s*+(?:({QUOTED})\s*+|([^,'\"][^,]*|))(,|$)", re.DOTALL)
BLANK = re.compile(rf"({QUOTED}|[^\s'\"]\S*+)(?:\s++|$)", re.DOTALL)
SPARSE = re.compile(rf"\s*+(\d+)\s++({QUOTED}|[^,'\"\s][^,]*)\s*+(?:,|$)", re.DOTALL)
PIECE = re.compile(rf"(?<![^\s,{{}}])(?:({QUOTED})|(['\"])|(%))|[^%'\"]+|.", re.DOTALL)
NAME = re.compile(rf"\s*({QUOTED}|[^\s'\"{{}},%][^\s{{}},]*)", re.DOTALL)
ESCAPED = {"n": "\n", "r": "\r", "t": "\t", "0": "\0"}
NUMERIC = {"numeric", "real", "integer"}
ISO = re.compile(r"yyyy-MM-dd(['T ]+HH:mm(:ss(\.S+)?)?)?")
FIELD = re.compile(r"'([^']*)'|([A-Za-z])\2*|[^A-Za-z']+|'")
FIELDS = {
    "yyyy": "%Y", "yy": "%y", "MMM": "%b", "MM": "%m", "dd": "%d", "HH": "%H", "mm": "%M",
    "ss": "%S", "SSS": "%f", "M": "%m", "d": "%d", "H": "%H", "m": "%M", "s": "%S",
}  # fmt: skip


def uncommented(text: str) -> str:
    """Return a line up to a % that stands at the beginning of a word, outside quotes.

    Examples
    --------
    >>> from learnable.data.files.arff_text import uncommented
    >>> uncommented("'a %', 5% % told")
    "'a %', 5%"
    """
    if "%" not in text:
        return text
    for piece in PIECE.finditer(text):
        if piece[3]:
            return text[: piece.start()].rstrip()
        if piece[2]:
            break
    return text


def plain(text: str) -> str:
    r"""Return a name or value without its quotes and escapes.

    Examples
    --------
    >>> from learnable.data.files.arff_text import plain
    >>> plain(r"'don\'t'")
    "don't"
    """
    if len(text) < 2 or text[0] not in "'\"" or text[-1] != text[0]:
        return text
    inner = text[1:-1]
    if "\\" not in inner:
        return inner
    return re.sub(r"\\(.)", lambda m: ESCAPED.get(m[1], m[1]), inner, flags=re.DOTALL)


def strptime(form: str) -> str:
    """Return a format of dates, written as Java does, as Python writes it.

    Examples
    --------
    >>> from learnable.data.files.arff_text import strptime
    >>> strptime("dd.MM.yyyy 'at' HH:mm")
    '%d.%m.%Y at %H:%M'
    """
    made = []
    for found in FIELD.finditer(form):
        text = found[0]
        if found[1] is not None:
            made.append(found[1].replace("%", "%%") or "'")
        elif found[2] is not None:
            made.append(FIELDS.get(text, text))
        else:
            made.append(text.replace("%", "%%"))
    return "".join(made)
