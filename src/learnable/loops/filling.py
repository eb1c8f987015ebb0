"""Missing cells of a block replaced by one number a column.

Cost: one comparison a cell.
"""

from __future__ import annotations

from learnable.core.compiler import loop


@loop(fastmath=False, ahead=[("const real[:, ::1]", "const real[::1]", "real[:, ::1]")])
def fill_missing(X, fill, out):
    """Copy a block, each NaN as the number of its column."""
    for i in range(X.shape[0]):
        for j in range(X.shape[1]):
            v = X[i, j]
            out[i, j] = fill[j] if v != v else v
