"""Confusion: the weight of every pair of an actual and a predicted class.

Rows are actual classes, columns predicted ones. Every measure that looks at predicted classes
alone is a function of this table, so such measures merge over blocks, folds and machines.

Cost: one addition a row; K^2 numbers to keep.

References
----------
.. [1] K. Pearson: On the theory of contingency and its relation to association and normal
   correlation. Drapers' Company Research Memoirs, 1904.
.. [2] R. Kohavi, F. Provost: Glossary of terms. Machine Learning 30, 1998.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from learnable.core.errors import ParameterError
from learnable.loops.counting import count_codes
from learnable.stats.arrays import NO_WEIGHTS, Floats, frozen


class Confusion(NamedTuple):
    """Weight of each actual class together with each predicted class.

    Attributes
    ----------
    table : array (K, K)
        Weight; rows are actual, columns predicted classes.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.stats import Confusion
    >>> actual, predicted = np.array([0, 0, 1], np.int32), np.array([0, 1, 1], np.int32)
    >>> Confusion.of(actual, predicted, 2).table
    array([[1., 1.],
           [0., 1.]])
    """

    table: Floats

    @classmethod
    def zero(cls, k: int) -> Confusion:
        """Return the table of no rows."""
        return cls(np.zeros((k, k)))

    @classmethod
    def of(
        cls,
        actual: NDArray[np.int32],
        predicted: NDArray[np.int32],
        k: int,
        weight: Floats = NO_WEIGHTS,
    ) -> Confusion:
        """Summarise one block.

        Parameters
        ----------
        actual, predicted : array (n,) of int32
            Class of each row; a row with a negative one is left out.
        k : int
            Number of classes.
        weight : array (n,), optional
            Weight of each row.
        """
        codes = frozen(np.ascontiguousarray(predicted)).reshape(-1, 1)
        sizes = np.array([0, k], np.int64)
        return cls(count_codes(codes, frozen(actual), frozen(weight), k, sizes)[1])

    def merge(self, other: Confusion) -> Confusion:
        """Return the table of both sets of rows."""
        return Confusion(self.table + self._same_classes(other).table)

    def minus(self, other: Confusion) -> Confusion:
        """Return the table of the rows that remain without the other's."""
        return Confusion(self.table - self._same_classes(other).table)

    def _same_classes(self, other: Confusion) -> Confusion:
        if self.table.shape != other.table.shape:
            msg = f"tables of {len(self.table)} and {len(other.table)} classes do not merge"
            raise ParameterError(msg)
        return other
