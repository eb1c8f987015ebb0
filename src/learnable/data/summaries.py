"""Statistics of the blocks of a table: what a task of the fold does for most learners.

Module-level functions, so that a cluster can run them.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from learnable.core.errors import DataError
from learnable.core.fold import fold, merge_each
from learnable.data.rows import Block, Codes, Rows
from learnable.stats import Fingerprint, Moments
from learnable.stats.arrays import NO_CODES, NO_WEIGHTS, Floats
from learnable.stats.fingerprint import SIZE


def block_moments(block: Block, k: int = 1, *, full: bool = False) -> tuple[Moments, Floats]:
    """Return the moments of one block, after a check that costs no pass, and its cells."""
    X = block.array()
    moments = Moments.of(X, block.codes, k, block.weight, full=full)
    if not moments.is_finite:
        _refuse(block, X, moments)
    return moments, X


def _refuse(block: Block, X: Floats, moments: Moments) -> None:
    block.refuse(X)
    finite = np.isfinite(moments.mean).all(axis=0) & np.isfinite(moments.unit)
    j = int(np.flatnonzero(~finite)[0]) if not finite.all() else 0
    raise DataError(
        "The sums of a column leave the range of floats.",
        column=block.names[j] if block.names is not None else j,
        remedy="Rescale it (divide by its largest value).",
    )


def _moments(block: Block, k: int, full: bool) -> Moments:
    return block_moments(block, k, full=full)[0]


def _moments_and_fingerprint(block: Block, k: int, expected: int) -> tuple[Moments, Fingerprint]:
    moments, X = block_moments(block, k)
    return moments, Fingerprint.of(X, expected)


def _fingerprint(block: Block, expected: int) -> Fingerprint:
    return Fingerprint.of(block.array(), expected)


def fold_moments(
    rows: Rows,
    codes: Codes = NO_CODES,
    k: int = 1,
    weight: Floats = NO_WEIGHTS,
    *,
    full: bool = False,
) -> Moments:
    """Return the moments of all rows.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.data import Rows
    >>> from learnable.data.summaries import fold_moments
    >>> fold_moments(Rows(np.array([[1.0], [3.0]]))).mean
    array([[2.]])
    """
    of = partial(_moments, k=k, full=full)
    return fold(of, Moments.merge, rows.blocks(codes, weight))


def fold_moments_and_fingerprint(
    rows: Rows, codes: Codes = NO_CODES, k: int = 1, weight: Floats = NO_WEIGHTS
) -> Any:
    """Return the moments and the fingerprint of all rows, in one pass (two if most rows repeat)."""
    of = partial(_moments_and_fingerprint, k=k, expected=rows.n)
    moments, fingerprint = fold(of, merge_each, rows.blocks(codes, weight))
    return moments, _dense_enough(rows, fingerprint)


def fold_fingerprint(rows: Rows) -> Fingerprint:
    """Return the fingerprint of all rows.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.data import Rows
    >>> from learnable.data.summaries import fold_fingerprint
    >>> fold_fingerprint(Rows(np.zeros((3, 2)))).copies
    array([3])
    """
    of = partial(_fingerprint, expected=rows.n)
    return _dense_enough(rows, fold(of, Fingerprint.merge, rows.blocks()))


def _dense_enough(rows: Rows, fingerprint: Fingerprint) -> Fingerprint:
    """Look again where so many rows repeat that hardly any hash was kept."""
    if rows.n <= SIZE or len(fingerprint.hashes) >= SIZE // 16:
        return fingerprint
    of = partial(_fingerprint, expected=0)
    found: Fingerprint = fold(of, Fingerprint.merge, rows.blocks())
    return found
