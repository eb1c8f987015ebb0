"""Log densities of independent Gaussians, one a class, for a block of rows.

Cost: n K d multiplications.
"""

from __future__ import annotations

import numpy as np

from learnable.core.compiler import loop


@loop(
    ahead=[
        (
            "const real[:, ::1]",
            "const float64[:, ::1]",
            "const float64[:, ::1]",
            "const float64[::1]",
        )
    ]
)
def joint_log_densities(X, mean, inverse, constant):
    """``constant[c] - sum_j ((x_j - mean[c, j]) * inverse[c, j])**2 / 2`` of each row and class."""
    n, d = X.shape
    k = mean.shape[0]
    out = np.empty((n, k))
    for i in range(n):
        for c in range(k):
            s = 0.0
            for j in range(d):
                z = (X[i, j] - mean[c, j]) * inverse[c, j]
                s += z * z
            out[i, c] = constant[c] - 0.5 * s
    return out
