"""What is drawn while a tree grows: the columns that a node looks at.

The draw of a node follows from the seed and the number of the node alone.

References
----------
.. [1] G. L. Steele, D. Lea, C. H. Flood: Fast splittable pseudorandom number generators. OOPSLA
   2014.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


def mixed(keys: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return well-spread numbers, one for each key (SplitMix64)."""
    with np.errstate(over="ignore"):
        z = keys + _GOLDEN
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return np.asarray(z ^ (z >> np.uint64(31)))


class Drawing:
    """The columns that nodes look at.

    Parameters
    ----------
    most : int
        Columns a node looks at.
    generator : numpy.random.Generator
        Gives the seed.
    """

    def __init__(self, most: int, generator: Any) -> None:
        self.most = most
        self.seed = np.uint64(generator.integers(1 << 63))

    def columns(self, nodes: NDArray[np.int64], d: int) -> NDArray[np.bool_]:
        """Return which columns each node looks at."""
        with np.errstate(over="ignore"):
            own = mixed(nodes.astype(np.uint64) + self.seed)
            keys = mixed(own[:, None] + np.arange(d, dtype=np.uint64))
        drawn = np.argsort(keys, axis=1)[:, : self.most]
        allowed = np.zeros((len(nodes), d), np.bool_)
        np.put_along_axis(allowed, drawn, values=True, axis=1)
        return allowed
