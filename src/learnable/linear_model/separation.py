"""Are classes separated, so that no finite coefficients are the most likely? A linear program.

Coefficients ``theta`` separate the classes, wholly or but for ties, where every row has at least
the score of its own class for all others, ``(theta_c - theta_k) z >= 0``, and one row has more.
Adding a multiple of such coefficients to any others never lowers the likelihood.

References
----------
.. [1] A. Albert, J. A. Anderson: On the existence of maximum likelihood estimates in logistic
   regression models. Biometrika 71, 1984.
.. [2] K. Konis: Linear programming algorithms for detecting separated data in binary logistic
   regression models. Oxford 2007.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from learnable.stats.arrays import Floats

_MOST = 2e7
_CLEAR = 1e-7


def separating(
    Z: Floats, codes: NDArray[np.int32], classes: int, guess: Floats | None = None
) -> Floats | None:
    """Return coefficients (lines, p) that separate the classes, or None.

    Parameters
    ----------
    Z : array (n, p)
        Rows, with their column of ones.
    codes : array (n,)
        Class of each row.
    classes : int
        Number of classes.
    guess : array (lines, p), optional
        Coefficients to try first; the only ones tried where the program would be very large.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.linear_model.separation import separating
    >>> Z, codes = np.array([[1.0, -2.0], [1.0, -1.0], [1.0, 3.0]]), np.array([0, 0, 1], np.int32)
    >>> line = separating(Z, codes, 2)
    >>> (Z @ line[0]).round(6) + 0.0
    array([-3., -2.,  2.])
    >>> separating(Z, np.array([0, 1, 0], np.int32), 2) is None
    True
    """
    if guess is not None and _separates(Z, codes, classes, guess):
        return guess / np.abs(guess).max()
    if Z.size * classes * max(classes - 1, 1) ** 2 > _MOST:
        return None
    from scipy.optimize import linprog

    rows = _margins(Z, codes, classes)
    found = linprog(-rows.sum(axis=0), A_ub=-rows, b_ub=np.zeros(len(rows)), bounds=(-1.0, 1.0))
    if found.status != 0 or -found.fun <= _CLEAR * len(rows):
        return None
    line = found.x.reshape(-1, Z.shape[1])
    return line if _separates(Z, codes, classes, line) else None


def _margins(Z: Floats, codes: NDArray[np.int32], classes: int) -> Floats:
    """Return what coefficients, end to end, are multiplied with: one line a row and other class."""
    p = Z.shape[1]
    if classes == 2:
        return Z * np.where(codes == 1, 1.0, -1.0)[:, None]
    parts = []
    for k in range(classes):
        others = np.flatnonzero(codes != k)
        block = np.zeros((len(others), classes, p))
        block[np.arange(len(others)), codes[others]] = Z[others]
        block[:, k] -= Z[others]
        parts.append(block.reshape(len(others), classes * p))
    return np.vstack(parts)


def _separates(Z: Floats, codes: NDArray[np.int32], classes: int, line: Floats) -> bool:
    scores = Z @ line.T
    if classes == 2:
        lead = scores[:, 0] * np.where(codes == 1, 1.0, -1.0)
    else:
        own = scores[np.arange(len(Z)), codes]
        scores[np.arange(len(Z)), codes] = -np.inf
        lead = own - scores.max(axis=1)
    size = np.abs(Z).sum(axis=1) @ np.ones(len(Z)) / max(len(Z), 1) * np.abs(line).max()
    return bool((lead >= -1e-9 * size).all() and (lead > _CLEAR * size).any())
