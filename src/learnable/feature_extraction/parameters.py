"""What parameters of text learners may be, beside the rules that all learners share."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class TextList:
    """A string; ``many`` asks for a list, set or mapping of them, or the name of one.

    Examples
    --------
    >>> from learnable.feature_extraction.parameters import TextList
    >>> TextList().accepts("a"), TextList(many=True).accepts(["a"]), TextList().accepts(3)
    (True, True, False)
    """

    many: bool = False

    def accepts(self, value: Any) -> bool:
        """Whether the value fits."""
        return isinstance(value, str) or (self.many and isinstance(value, Iterable))

    def __str__(self) -> str:
        return "a list of terms" if self.many else "a string"


@dataclass(frozen=True)
class NgramRange:
    """Two whole numbers from 1, the second not less than the first.

    Examples
    --------
    >>> from learnable.feature_extraction.parameters import NgramRange
    >>> NgramRange().accepts((1, 2)), NgramRange().accepts((2, 1))
    (True, False)
    """

    def accepts(self, value: Any) -> bool:
        """Whether the value fits."""
        if not isinstance(value, (tuple, list)) or len(value) != 2:
            return False
        whole = all(isinstance(n, (int, np.integer)) and not isinstance(n, bool) for n in value)
        return whole and bool(1 <= value[0] <= value[1])

    def __str__(self) -> str:
        return "(least, most), two integers from 1 (the lower boundary is not larger)"


@dataclass(frozen=True)
class NumberType:
    """A kind of number, such as ``numpy.int64`` or ``"float32"``.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.feature_extraction.parameters import NumberType
    >>> NumberType().accepts(np.float32), NumberType().accepts("words")
    (True, False)
    """

    def accepts(self, value: Any) -> bool:
        """Whether the value names one."""
        try:
            return value is not None and np.dtype(value).kind in "iuf"
        except TypeError:
            return False

    def __str__(self) -> str:
        return "a dtype of whole numbers or floats"
