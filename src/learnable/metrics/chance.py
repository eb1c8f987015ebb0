"""Agreement beyond chance, as functions of a confusion table.

They take complex cells as well as real ones, so that they can be differentiated by a complex step.

References
----------
.. [1] J. Cohen: A coefficient of agreement for nominal scales. Educational and Psychological
   Measurement 20, 1960.
.. [2] J. Gorodkin: Comparing two K-category assignments by a K-category correlation coefficient.
   Computational Biology and Chemistry 28, 2004.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from learnable.core.errors import ParameterError
from learnable.stats.arrays import Floats


def matthews_of(table: Floats) -> Any:
    """Return Matthews' coefficient of a confusion table; NaN where it is undefined."""
    s = table.sum()
    t, p = table.sum(axis=1), table.sum(axis=0)
    right = np.trace(table) * s - t @ p
    spread = (s * s - p @ p) * (s * s - t @ t)
    constant = np.count_nonzero(t) < 2 or np.count_nonzero(p) < 2
    return np.nan if constant else right / np.sqrt(spread)


def kappa_of(table: Floats, weights: str | None = None) -> Any:
    """Return Cohen's kappa of a table, given how disagreements weigh; NaN where undefined."""
    cost = _costs(len(table), weights)
    expected = (table.sum(axis=1) @ cost @ table.sum(axis=0)) / (table.sum() or np.nan)
    return 1.0 - (cost * table).sum() / expected if expected else np.nan


def _costs(k: int, weights: str | None) -> Floats:
    apart = np.abs(np.arange(k)[:, None] - np.arange(k)).astype(np.float64)
    costs = {None: (apart > 0).astype(np.float64), "linear": apart, "quadratic": apart**2}
    if weights not in costs:
        msg = f"weights must be None, 'linear' or 'quadratic', not {weights!r}"
        raise ParameterError(msg)
    return costs[weights]
