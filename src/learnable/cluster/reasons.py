"""Why a row belongs to its cluster, and what can be promised about the clusters.

The reason is a comparison of prototypes: column by column, how much nearer the row lies to its
centre than to the next one, ``(x_j - b_j)^2 - (x_j - a_j)^2``.

The promise about the training rows is a spectral bound: no partition into ``k`` clusters has a
sum of squares below ``tr S - lambda_1 - ... - lambda_(k-1)``, with the eigenvalues of the scatter
matrix ``S``. Finding the best partition is NP-hard; how far the found one can be from it is not.

References
----------
.. [1] C. Ding, X. He: K-means clustering via principal component analysis. ICML 2004.
.. [2] D. Aloise, A. Deshpande, P. Hansen, P. Popat: NP-hardness of Euclidean sum-of-squares
   clustering. Machine Learning 75, 2009.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from learnable.cluster.answers import distances, labels_of
from learnable.core.certificate import Certificate
from learnable.core.explanation import Explanation, Part
from learnable.data import Rows
from learnable.data.summaries import fold_moments
from learnable.stats import Moments
from learnable.stats.arrays import Floats
from learnable.theory.overlap import overlap_note
from learnable.theory.statements import INDEPENDENT, UNSEEN, share_below


def explanations(rows: Rows, centres: Floats, names: list[str]) -> list[Explanation]:
    """Explain the cluster of each row."""
    near, labels = distances(rows, centres), labels_of(rows, centres)
    exact = centres.astype(np.float64)
    return [
        _reasons(rows.row(i).astype(np.float64), int(labels[i]), near[i], exact, names)
        for i in range(rows.n)
    ]


def _reasons(
    row: Floats, best: int, near: Floats, centres: Floats, names: list[str]
) -> Explanation:
    """Split what the next centre is farther away: (x - b)^2 - (x - a)^2 = (a - b) (2 x - a - b)."""
    if len(near) == 1:
        parts = [
            Part(name, float(x), f"the centre has {c:.6g}", 0.0)
            for name, x, c in zip(names, row, centres[0], strict=True)
        ]
        told = f"Cluster 0: there is no other; its centre is {near[0]:.6g} away."
        return Explanation(0, "prototype", tuple(parts), 0.0, "squared distance", told)
    other = int(np.where(np.arange(len(near)) == best, np.inf, near).argmin())
    a, b = centres[best], centres[other]
    gains = (a - b) * ((row - a) + (row - b))
    parts = [
        Part(name, float(x), _evidence(gain, own, next_, best, other), float(gain))
        for name, x, gain, own, next_ in zip(names, row, gains, a, b, strict=True)
    ]
    score = float(sum(part.weight for part in parts))
    told = (
        f"Cluster {best}: its centre is {near[best]:.6g} away, that of cluster {other}, the next, "
        f"{near[other]:.6g}."
    )
    unit = f"squared distance from centre {other} less that from centre {best}"
    return Explanation(best, "prototype", tuple(parts), score, unit, told)


def _evidence(gain: float, a: float, b: float, best: int, other: int) -> str:
    where = f"centre {best} has {a:.6g}, centre {other} has {b:.6g}"
    if gain == 0.0:
        return f"{where}: no nearer to either"
    return f"{where}: nearer to {best if gain > 0.0 else other}"


def least_inertia(moments: Moments, k: int) -> float:
    """Return what no partition of the rows into ``k`` clusters can go below.

    Parameters
    ----------
    moments : Moments
        Of all rows as one class, with the full scatter.
    k : int
        Number of clusters.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.cluster.reasons import least_inertia
    >>> from learnable.stats import Moments
    >>> X = np.array([[0.0, 0.0], [2.0, 0.0], [0.0, 1.0], [2.0, 1.0]])
    >>> round(least_inertia(Moments.of(X, full=True), 2), 9)
    1.0
    """
    from scipy.linalg import eigvalsh

    size = moments.unit.max(initial=0.0) or 1.0
    ratio = moments.unit / size
    values = np.maximum(eigvalsh(moments.scatter[0] * np.outer(ratio, ratio)), 0.0)
    rest = values[: max(len(values) - (k - 1), 0)].sum()
    rounding = 16.0 * len(values) * np.finfo(np.float64).eps * values.sum()
    return float(max(rest - rounding, 0.0) * size * size)


def optimality(rows: Rows, k: int, inertia: float, confidence: float) -> Certificate:
    """Certify how far a clustering of these rows can be from the best one."""
    least = 0.0 if inertia == 0.0 else least_inertia(fold_moments(rows, full=True), k)
    if inertia == 0.0:
        high, text = 1.0, "No clustering is better: every row lies on its centre."
    elif least == 0.0:
        high = float("inf")
        text = (
            f"Nothing can be promised: with {k} clusters in {rows.d} columns the spectral bound on "
            "the sum of squares is 0."
        )
    else:
        high = max(inertia / least, 1.0)
        text = (
            f"The sum of squares is at most {high:.4g} times the least possible one: {inertia:.6g} "
            f"here, and no {k} clusters of these rows have less than {least:.6g}."
        )
    return Certificate(
        "guaranteed",
        "sum of squares over the least possible",
        high if np.isfinite(high) else None,
        1.0,
        high,
        confidence,
        "spectral bound (Ding and He 2004); it holds surely",
        rows.n,
        ("these are the rows that were clustered, each of weight 1",),
        text,
    )


def distance_on_new_rows(model: Any, rows: Rows, confidence: float) -> Certificate:
    """Certify within which distance of their centres new rows lie."""
    return share_below(
        distances(rows, model.cluster_centers_).min(axis=1),
        quantity="distance of new rows from the nearest centre",
        told="new rows have their nearest centre within",
        confidence=confidence,
        assumptions=(INDEPENDENT, UNSEEN),
        notes=overlap_note(model.fingerprint_, rows),
    )
