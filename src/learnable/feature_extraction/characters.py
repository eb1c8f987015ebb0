"""What characters are: the classes that Python's regular expressions see, as a table of bytes."""

from __future__ import annotations

import re
import sys
import unicodedata
from functools import cache
from typing import Any

import numpy as np

from learnable.loops.tokens import SPACE, WORD
from learnable.stats.arrays import frozen

ASCII = 128


@cache
def classes_of(size: int = sys.maxunicode + 1) -> Any:
    r"""Return for each of the first characters whether it is of ``\w`` and of ``\s``.

    Examples
    --------
    >>> from learnable.feature_extraction.characters import ASCII, classes_of
    >>> from learnable.loops.tokens import SPACE, WORD
    >>> table = classes_of(ASCII)
    >>> [int(table[ord(c)]) for c in "_- "] == [WORD, 0, SPACE]
    True
    """
    every = "".join(map(chr, range(size)))
    table = np.zeros(size, np.uint8)
    for pattern, flag in ((r"\w+", WORD), (r"\s+", SPACE)):
        for run in re.finditer(pattern, every):
            table[run.start() : run.end()] |= flag
    return frozen(table)


def strip_accents_unicode(s: str) -> str:
    """Take the accents off: compatible decomposition, without the combining marks.

    Parameters
    ----------
    s : str
        Any text.

    Examples
    --------
    >>> from learnable.feature_extraction.text import strip_accents_unicode
    >>> strip_accents_unicode("déjà vu")
    'deja vu'
    """
    if s.isascii():
        return s
    return "".join(c for c in unicodedata.normalize("NFKD", s) if not unicodedata.combining(c))


def strip_accents_ascii(s: str) -> str:
    """Take off the accents, and leave out every character that is not ASCII after that.

    Parameters
    ----------
    s : str
        Any text.

    Examples
    --------
    >>> from learnable.feature_extraction.text import strip_accents_ascii
    >>> strip_accents_ascii("déjà vu …日")
    'deja vu ...'
    """
    return unicodedata.normalize("NFKD", s).encode("ascii", "ignore").decode("ascii")
