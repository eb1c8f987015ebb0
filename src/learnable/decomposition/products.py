"""Products of all rows with a few vectors, block by block, the rows dense or compressed.

Each is a fold: the same bits whoever runs the blocks. ``Q`` is (d, l) with l small, so a statistic
is small beside the rows.
"""

from __future__ import annotations

import math
import operator
from functools import partial
from typing import Any

import numpy as np

from learnable.core.fold import fold, runner
from learnable.data import Block, Rows, block_rows
from learnable.data.rows import refuse_cell
from learnable.stats.arrays import Floats

SPARSE_ROWS = 4096
DENSE_ROWS = 1024
PROBES, TURNS = 20, 6


def blocks_of(rows: Rows) -> list[Block]:
    """Cut rows into blocks long enough that a statistic of d numbers is small beside one.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.data import Rows
    >>> from learnable.decomposition.products import blocks_of
    >>> [block.n for block in blocks_of(Rows(np.zeros((2000, 10_000))))]
    [1024, 976]
    """
    least = block_rows(rows.d, rows.dtype)
    return rows.blocks(rows=SPARSE_ROWS if rows.sparse else max(least, DENSE_ROWS))


def _cells(block: Block) -> Any:
    """Return the cells of a block as float64, compressed if they came so."""
    if isinstance(block.cells, (np.ndarray, list)):
        return block.array().astype(np.float64, copy=False)
    return block.cells.astype(np.float64, copy=False)


def column_sums(blocks: list[Block]) -> Floats:
    """Return the sum of each column, after a check that every cell is a finite number.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.data import Rows
    >>> from learnable.decomposition.products import column_sums
    >>> column_sums(Rows(np.array([[1.0, 2.0], [3.0, 4.0]])).blocks()).tolist()
    [4.0, 6.0]
    """
    return fold(_sums, operator.add, blocks)


def _sums(block: Block) -> Floats:
    if isinstance(block.cells, (np.ndarray, list)):
        return block.finite_array().sum(axis=0, dtype=np.float64)
    cells = block.cells
    for p in np.flatnonzero(~np.isfinite(cells.data))[:1].tolist():
        row = int(np.searchsorted(cells.indptr, p, side="right")) - 1
        refuse_cell(cells.data[p], block.start + row, int(cells.indices[p]), block.names)
    return np.bincount(cells.indices, weights=cells.data, minlength=cells.shape[1])


def squares_about(blocks: list[Block], mean: Floats) -> float:
    """Return the sum over all cells of (x - mean of its column) ** 2.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.data import Rows
    >>> from learnable.decomposition.products import squares_about
    >>> squares_about(Rows(np.array([[1.0], [3.0]])).blocks(), np.array([2.0]))
    2.0
    """
    return float(fold(partial(_squares, mean), operator.add, blocks))


def _squares(mean: Floats, block: Block) -> float:
    cells = _cells(block)
    if isinstance(cells, np.ndarray):
        return float(((cells - mean) ** 2).sum())
    stored = np.bincount(cells.indices, minlength=len(mean))
    about = ((cells.data - mean[cells.indices]) ** 2).sum()
    return float(about + ((cells.shape[0] - stored) * mean**2).sum())


def gram_product(blocks: list[Block], Q: Floats) -> Floats:
    """Return ``X.T @ (X @ Q)`` in one pass over the rows.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.data import Rows
    >>> from learnable.decomposition.products import gram_product
    >>> gram_product(Rows(np.array([[1.0, 2.0]])).blocks(), np.array([[1.0], [1.0]])).tolist()
    [[3.0], [6.0]]
    """
    return fold(partial(_gram, Q), operator.add, blocks)


def _gram(Q: Floats, block: Block) -> Floats:
    cells = _cells(block)
    return np.asarray(cells.T @ (cells @ Q))


def triangle(blocks: list[Block], V: Floats) -> Floats:
    """Return the triangle R of the QR factorisation of ``X @ V``: it has the same singular values.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.data import Rows
    >>> from learnable.decomposition.products import triangle
    >>> abs(triangle(Rows(np.array([[3.0], [4.0]])).blocks(), np.eye(1))).round(12).tolist()
    [[5.0]]
    """
    return fold(partial(_triangle, V), _stacked, blocks)


def _triangle(V: Floats, block: Block) -> Floats:
    return np.linalg.qr(np.asarray(_cells(block) @ V), mode="r")


def _stacked(upper: Floats, lower: Floats) -> Floats:
    return np.linalg.qr(np.vstack([upper, lower]), mode="r")


def norm_left(blocks: list[Block], V: Floats, confidence: float) -> tuple[float, float]:
    """Return bounds of the spectral norm of ``E = X - X V V.T``, V with orthonormal columns.

    For r Gaussian vectors w, ``|M| <= a sqrt(2 / pi) max |M w|`` except with probability
    ``a ** -r`` (Halko, Martinsson and Tropp 2011, lemma 4.1); M is ``(E.T E) ** TURNS``, the root
    of whose norm is close. The lower bound is a Rayleigh quotient and holds always.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.data import Rows
    >>> from learnable.decomposition.products import norm_left
    >>> low, high = norm_left(Rows(np.diag([3.0, 2.0])).blocks(), np.eye(2)[:, :1], 0.95)
    >>> low <= 2.0 + 1e-12, 2.0 <= high < 2.3
    (True, True)
    """
    if V.shape[0] == V.shape[1]:
        return 0.0, 0.0
    Z = np.random.default_rng(0).normal(size=(len(V), PROBES))
    logarithm, low = 0.0, 0.0
    for _ in range(TURNS):
        before = Z - V @ (V.T @ Z)
        Z = gram_product(blocks, before)
        Z -= V @ (V.T @ Z)
        lengths, sizes = np.linalg.norm(before, axis=0), np.linalg.norm(Z, axis=0)
        if not (sizes.all() and lengths.all()):
            return 0.0, 0.0
        low = math.sqrt((sizes / lengths).max())
        logarithm += math.log(sizes.max())
        Z /= sizes.max()
    spread = -math.log1p(-confidence) / PROBES + 0.5 * math.log(2.0 / math.pi)
    return low, max(low, math.exp((logarithm + spread) / (2 * TURNS)))


def product(blocks: list[Block], V: Floats) -> Floats:
    """Return ``X @ V``.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.data import Rows
    >>> from learnable.decomposition.products import product
    >>> product(Rows(np.array([[3.0, 4.0]])).blocks(), np.array([[1.0], [1.0]])).tolist()
    [[7.0]]
    """
    return np.vstack(list(runner()(partial(_product, V), blocks)))


def _product(V: Floats, block: Block) -> Floats:
    return np.asarray(_cells(block) @ V)
