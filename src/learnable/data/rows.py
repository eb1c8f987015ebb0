"""Rows: whatever holds numbers, as blocks on a fixed grid.

Arrays (any layout, memory-mapped or not), data frames and sparse matrices become one of three
forms. Nothing is copied as a whole: a block becomes a read-only C array of float64 or float32
when its task runs, and columnar input is converted block by block.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from learnable.core.config import BLOCK_BYTES
from learnable.core.errors import DataError
from learnable.core.fold import carried
from learnable.loops.scanning import all_finite, first_not_finite
from learnable.stats.arrays import NO_CODES, NO_WEIGHTS, Floats, frozen

Codes = NDArray[np.int32]


_grid: ContextVar[int | None] = carried(ContextVar("learnable_grid", default=None))


@contextmanager
def other_grid(rows: int) -> Iterator[None]:
    """Cut tables into blocks of another length inside the block (to test that little changes).

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.data import Rows
    >>> from learnable.data.rows import other_grid
    >>> with other_grid(2):
    ...     len(Rows(np.zeros((5, 2))).blocks())
    3
    """
    token = _grid.set(rows)
    try:
        yield
    finally:
        _grid.reset(token)


def block_rows(d: int, dtype: Any = np.float64) -> int:
    """Rows a block: a power of two that depends on the columns and the kind of number alone.

    Examples
    --------
    >>> from learnable.data import block_rows
    >>> block_rows(50), block_rows(2), block_rows(10**6)
    (8192, 65536, 16)
    """
    wanted = BLOCK_BYTES // (max(d, 1) * np.dtype(dtype).itemsize)
    return int(min(max(1 << max(wanted.bit_length() - 1, 0), 16), 65536))


class Block(NamedTuple):
    """Neighbouring rows, not yet converted, with their classes and weights.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.data import Rows
    >>> Rows(np.array([[1, 2], [3, 4]])).blocks()[0].array()
    array([[1., 2.],
           [3., 4.]])
    """

    start: int
    cells: Any
    dtype: np.dtype[Any]
    names: tuple[str, ...] | None
    codes: Codes = NO_CODES
    weight: Floats = NO_WEIGHTS

    @property
    def n(self) -> int:
        """How many rows."""
        return len(self.cells[0]) if isinstance(self.cells, list) else self.cells.shape[0]

    def array(self) -> Floats:
        """Return the cells as a read-only C array of the wanted kind of number."""
        if isinstance(self.cells, list):
            out = np.empty((len(self.cells[0]), len(self.cells)), self.dtype)
            for j, column in enumerate(self.cells):
                out[:, j] = column
            return frozen(out)
        if not isinstance(self.cells, np.ndarray):
            return frozen(np.ascontiguousarray(self.cells.toarray(), dtype=self.dtype))
        return frozen(np.ascontiguousarray(self.cells, dtype=self.dtype))

    def finite_array(self) -> Floats:
        """Return the cells after a check that each is a finite number."""
        X = self.array()
        if not all_finite(X.reshape(1, -1)):
            self.refuse(X)
        return X

    def refuse(self, X: Floats) -> None:
        """Raise for the first cell that is not finite, if there is one."""
        i, j = first_not_finite(X)
        if i >= 0:
            refuse_cell(X[i, j], self.start + i, j, self.names)


def refuse_cell(value: Any, row: int, j: int, names: Sequence[str] | None) -> None:
    """Raise a typed error for one cell that is NaN or infinite."""
    missing = bool(np.isnan(value))
    what = "NaN" if missing else "infinity or a value too large for its type"
    raise DataError(
        f"Input X contains {what}.",
        column=names[j] if names is not None else j,
        row=row,
        value=float(value),
        remedy="Impute or drop it; missing cells are not supported by this learner."
        if missing
        else "Correct or clip it.",
    )


class Rows:
    """A table of numbers: dense, columnar or compressed.

    Parameters
    ----------
    cells : array, list of arrays (columns) or CSR matrix
        The numbers.
    names : tuple of str, optional
        Names of the columns.
    dtype : dtype
        The kind of number the loops see.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.data import Rows
    >>> rows = Rows(np.zeros((5, 2)))
    >>> rows.n, rows.d, len(rows.blocks())
    (5, 2, 1)
    """

    def __init__(
        self, cells: Any, names: tuple[str, ...] | None = None, dtype: Any = np.float64
    ) -> None:
        self.cells, self.names, self.dtype = cells, names, np.dtype(dtype)
        columnar = isinstance(cells, list)
        self.n, self.d = (len(cells[0]), len(cells)) if columnar else cells.shape
        self.sparse = not columnar and not isinstance(cells, np.ndarray)

    def part(self, start: int, stop: int) -> Any:
        """Return the cells of neighbouring rows, not converted."""
        if isinstance(self.cells, list):
            return [column[start:stop] for column in self.cells]
        if self.sparse:
            return _compressed_rows(self.cells, start, min(stop, self.n))
        return self.cells[start:stop]

    def blocks(
        self, codes: Codes = NO_CODES, weight: Floats = NO_WEIGHTS, rows: int | None = None
    ) -> list[Block]:
        """Cut into blocks on the grid, each with its share of the classes and weights."""
        step = _grid.get() or rows or block_rows(self.d, self.dtype)
        return [
            Block(
                start,
                self.part(start, start + step),
                self.dtype,
                self.names,
                codes[start : start + step],
                weight[start : start + step],
            )
            for start in range(0, self.n, step)
        ]

    def array(self) -> Floats:
        """Return all of it as one C array (for small tables and answers)."""
        return Block(0, self.cells, self.dtype, self.names).array()

    def row(self, i: int) -> Floats:
        """Return one row as a dense vector."""
        return Block(i, self.part(i, i + 1), self.dtype, self.names).array()[0]


def _compressed_rows(csr: Any, start: int, stop: int) -> Any:
    """Return neighbouring rows that share the memory of the whole; SciPy's own slice copies."""
    ends = csr.indptr[start : stop + 1]
    inside = slice(ends[0], ends[-1])
    rows = type(csr)((stop - start, csr.shape[1]), dtype=csr.dtype)
    # The constructor would copy views of larger arrays.
    rows.data, rows.indices, rows.indptr = csr.data[inside], csr.indices[inside], ends - ends[0]
    return rows
