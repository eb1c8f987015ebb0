"""Warnings that point at the user's line, however deep inside the library they arise."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

_HERE = str(Path(__file__).resolve().parents[1])


def warn(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn about what the caller of the library did.

    Examples
    --------
    >>> import warnings
    >>> from learnable.core.warning import warn
    >>> with warnings.catch_warnings(record=True) as seen:
    ...     warnings.simplefilter("always")
    ...     warn("this is odd")
    >>> str(seen[0].message)
    'this is odd'
    """
    level, frame = 2, sys._getframe(1)  # noqa: SLF001 (the way to ask who called)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_HERE):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)
