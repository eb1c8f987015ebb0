"""Fingerprint: which rows a model learned from, without keeping the rows.

Every row is hashed to 63 bits and at most ``SIZE`` of the smallest hashes are kept (a bottom-k
sketch), so two sketches merge into the sketch of all rows, and the rows whose hash is at most
``limit`` are a fair sample of the different rows. A later set of rows is compared on that sample:
the share found in the sketch estimates its overlap with the training rows, beside the share of
training rows that have an equal among themselves.

Cost: two multiplications a cell; at most 8 ``SIZE`` bytes to keep twice.

References
----------
.. [1] E. Cohen, H. Kaplan: Summarizing data using bottom-k sketches. PODC 2007.
.. [2] J. L. Carter, M. N. Wegman: Universal classes of hash functions. JCSS 18, 1979.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from learnable.loops.scanning import hash_rows
from learnable.stats.arrays import Floats, frozen

SIZE = 1 << 14
_TOP = (1 << 63) - 1
Words = NDArray[np.uint64]


class Fingerprint(NamedTuple):
    """Sketch of a set of rows.

    Attributes
    ----------
    hashes : array of uint64
        The smallest different hashes, rising, ``SIZE`` at most.
    copies : array of int64
        How many rows have each hash.
    limit : int
        Rows whose hash is at most this are the sample.
    rows : int
        Rows seen.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.stats import Fingerprint
    >>> X = np.arange(6.0).reshape(3, 2)
    >>> Fingerprint.of(X).overlap(X[1:])
    (2, 2)
    """

    hashes: Words
    copies: NDArray[np.int64]
    limit: int
    rows: int

    @classmethod
    def zero(cls) -> Fingerprint:
        """Return the fingerprint of no rows."""
        return cls(np.empty(0, np.uint64), np.empty(0, np.int64), _TOP, 0)

    @classmethod
    def of(cls, X: Floats, expected: int = 0) -> Fingerprint:
        """Summarise one block.

        Parameters
        ----------
        X : array (n, d)
            The rows.
        expected : int
            Rows there will be in all, if known: most hashes can then be dropped at once.
        """
        limit = _TOP if expected <= SIZE else _TOP // expected * SIZE
        hashes = row_hashes(X)
        hashes, copies = np.unique(hashes[hashes <= limit], return_counts=True)
        return _trimmed(cls(hashes, copies.astype(np.int64), limit, len(X)))

    def merge(self, other: Fingerprint) -> Fingerprint:
        """Return the fingerprint of both sets of rows."""
        hashes, place = np.unique(np.concatenate([self.hashes, other.hashes]), return_inverse=True)
        copies = np.zeros(len(hashes), np.int64)
        np.add.at(copies, place, np.concatenate([self.copies, other.copies]))
        limit = min(self.limit, other.limit)
        kept = hashes <= limit
        kept_rows = Fingerprint(hashes[kept], copies[kept], limit, self.rows + other.rows)
        return _trimmed(kept_rows)

    def overlap(self, X: Floats) -> tuple[int, int]:
        """Return how many of the rows belong to the sample, and how many of these are known."""
        hashes = row_hashes(X)
        hashes = hashes[hashes <= self.limit]
        place = np.searchsorted(self.hashes, hashes)
        known = place < len(self.hashes)
        known[known] = self.hashes[place[known]] == hashes[known]
        return len(hashes), int(known.sum())

    def repeated(self) -> tuple[int, int]:
        """Return the sampled rows, and how many of them have an equal among themselves."""
        return int(self.copies.sum()), int(self.copies[self.copies > 1].sum())


def _trimmed(found: Fingerprint) -> Fingerprint:
    """Keep the ``SIZE`` smallest hashes."""
    if len(found.hashes) <= SIZE:
        return found
    limit = int(found.hashes[SIZE - 1])
    return Fingerprint(found.hashes[:SIZE], found.copies[:SIZE], limit, found.rows)


def row_hashes(X: Floats) -> Words:
    """Hash every row of a two-dimensional array to 63 bits; equal numbers hash equally.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.stats.fingerprint import row_hashes
    >>> a, b = row_hashes(np.array([[0.0, 1.0], [-0.0, 1.0]]))
    >>> bool(a == b)
    True
    """
    return np.asarray(hash_rows(frozen(X), _keys(X.shape[1])))


def _keys(d: int) -> Words:
    """One odd random word a column, the same in every process."""
    x = np.arange(1, d + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        x = (x ^ (x >> np.uint64(shift))) * np.uint64(factor)
    return frozen((x ^ (x >> np.uint64(31))) | np.uint64(1))
