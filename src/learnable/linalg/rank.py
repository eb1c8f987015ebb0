"""Rank of a triangular factor, decided on columns of length 1, and its inverse.

A column counts as dependent where what the others leave of it is less than ``tol`` of its length.
Lengths are made equal first, so that units decide nothing. Where columns depend on each other the
inverse is the one of minimum norm in the units of the columns.

Cost: 4/3 d**3.

References
----------
.. [1] P. Businger, G. H. Golub: Linear least squares solutions by Householder transformations.
   Numerische Mathematik 7, 1965.
.. [2] G. H. Golub, C. F. Van Loan: Matrix Computations. 4th edition 2013, section 5.5.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import qr, solve_triangular

from learnable.stats.arrays import Floats

EPS = float(np.finfo(np.float64).eps)
_ZERO, _OWN = 1e-8, 1e-6


class Ranked(NamedTuple):
    """A rank decision, and the inverse of the factor that it leaves.

    Attributes
    ----------
    rank : int
        Number of independent columns.
    condition : float
        How much errors can grow, estimated on the independent columns of length 1.
    scale : array (d,)
        Length of each column, 1 where it is 0.
    root : array (d, rank)
        Inverse of the scaled factor: ``coef = root @ (turn @ right) / scale``.
    turn : array (rank, k)
        What turns right-hand sides into the coordinates of ``root``.
    determined : array (d,)
        Whether the data determine the coefficient of a column.
    order : array (d,)
        The columns, the independent ones first.
    shares : array (rank, d - rank)
        Each dependent column as a combination of the independent ones, at length 1.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.linalg import ranked
    >>> found = ranked(np.array([[1.0, 2.0], [0.0, 0.0]]))
    >>> found.rank, found.determined.tolist()
    (1, [False, False])
    """

    rank: int
    condition: float
    scale: Floats
    root: Floats
    turn: Floats
    determined: NDArray[np.bool_]
    order: NDArray[np.intp]
    shares: Floats

    def solve(self, right: Floats) -> Floats:
        """Return the solution for right-hand sides (k, m)."""
        return np.asarray(self.root @ (self.turn @ right) / self.scale[:, None])

    def dependencies(self) -> list[tuple[int, list[int]]]:
        """Return each dependent column with those that it is a combination of."""
        kept, rest = self.order[: self.rank], self.order[self.rank :]
        return [
            (int(j), sorted(kept[np.abs(share) > _ZERO].tolist()))
            for j, share in zip(rest, self.shares.T, strict=True)
        ]


def ranked(
    factor: Floats,
    tol: float | None = None,
    least: Floats | float = 0.0,
    unit: Floats | float = 1.0,
) -> Ranked:
    """Decide the rank of a triangular (or trapezoid) factor and invert it.

    Parameters
    ----------
    factor : array (k, d)
        With k at most d.
    tol : float, optional
        A column of which less than this part is its own depends on the others; by default some
        units of rounding.
    least : array (d,) or float
        Columns that are no longer than this are zero.
    unit : array (d,) or float
        What 1 is in each column: of all solutions the least in these units is taken.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.linalg import ranked
    >>> ranked(np.array([[2.0, 0.0], [0.0, 4.0]])).solve(np.array([[2.0], [2.0]]))
    array([[1. ],
           [0.5]])
    """
    d = factor.shape[1]
    limit = 10.0 * EPS * max(d, 10) if tol is None else tol
    length = np.sqrt((factor**2).sum(axis=0))
    there = length > least
    scale = np.where(there, length, 1.0)
    scaled = np.where(there, factor / scale, 0.0)
    Q, R, order = qr(scaled, mode="economic", pivoting=True)
    own = np.abs(np.diagonal(R))
    rank = int((own > limit).sum()) if len(own) else 0
    condition = float(own[0] / own[rank - 1]) if rank else 1.0
    shares = solve_triangular(R[:rank, :rank], R[:rank, rank:]) if rank else np.zeros((0, d))
    if rank == d:
        inverse = solve_triangular(scaled, np.eye(d))
        return Ranked(rank, condition, scale, inverse, np.eye(d), np.ones(d, bool), order, shares)
    rows = np.empty((rank, d))
    rows[:, order] = R[:rank]
    real = scale * unit
    real /= real.max()
    basis, T = qr((rows * real).T, mode="economic")
    root = solve_triangular(T, basis.T).T if rank else np.zeros((d, 0))
    determined = np.abs((basis**2).sum(axis=1) - 1.0) < _OWN
    root *= real[:, None]
    return Ranked(rank, condition, scale, root, Q[:, :rank].T, determined, order, shares)
