"""How well a clustering separates its rows, without known classes.

=================  ===================================================================
silhouette         ``(b - a) / max(a, b)`` of each row: mean distance ``a`` to its own
                   cluster, ``b`` to the nearest other one
Davies-Bouldin     mean over clusters of the worst ``(s_i + s_j) / d(c_i, c_j)``
Calinski-Harabasz  ``(between / (k - 1)) / (within / (n - k))``
=================  ===================================================================

Distances are taken block by block; no matrix of all pairs is ever made.

Cost: the silhouette n^2 d operations and a block of memory; the others n d.

References
----------
.. [1] P. J. Rousseeuw: Silhouettes: a graphical aid to the interpretation and validation of
   cluster analysis. Journal of Computational and Applied Mathematics 20, 1987.
.. [2] D. L. Davies, D. W. Bouldin: A cluster separation measure. IEEE PAMI 1, 1979.
.. [3] T. Calinski, J. Harabasz: A dendrite method for cluster analysis. Communications in
   Statistics 3, 1974.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from learnable.core.errors import DataError, ParameterError
from learnable.loops.ranks import distance_sums
from learnable.metrics.answers import coded
from learnable.metrics.numbers import matrix
from learnable.stats.arrays import Floats, frozen

_BLOCK = 256


class _Clusters(NamedTuple):
    X: Floats
    codes: NDArray[np.int32]
    sizes: Floats

    def centres(self) -> Floats:
        sums = np.zeros((len(self.sizes), self.X.shape[1]))
        np.add.at(sums, self.codes, self.X)
        return sums / self.sizes[:, None]


def silhouette_samples(X: Any, labels: Any, *, metric: str = "euclidean") -> Any:
    """Return the silhouette of each row: 1 well inside its cluster, below 0 nearer to another.

    Parameters
    ----------
    X : array (n, d)
        The rows; the distances of all rows, (n, n), where ``metric="precomputed"``.
    labels : array (n,)
        Cluster of each row.
    metric : {"euclidean", "precomputed"}
        Distance.

    Returns
    -------
    array (n,)
        0 for a row alone in its cluster.

    Examples
    --------
    >>> from learnable.metrics import silhouette_samples
    >>> silhouette_samples([[0.0], [1.0], [9.0], [10.0]], [0, 0, 1, 1]).round(3).tolist()
    [0.895, 0.882, 0.882, 0.895]
    """
    found = _clusters(X, labels)
    sums = _sums(found, metric)
    rows = np.arange(len(sums))
    own = found.sizes[found.codes]
    inside = sums[rows, found.codes] / np.maximum(own - 1.0, 1.0)
    means = sums / found.sizes
    means[rows, found.codes] = np.inf
    other = means.min(axis=1)
    larger = np.maximum(inside, other)
    with np.errstate(invalid="ignore", divide="ignore"):
        value = np.where(larger > 0.0, (other - inside) / larger, 0.0)
    return np.where(own > 1.0, value, 0.0)


def silhouette_score(
    X: Any,
    labels: Any,
    *,
    metric: str = "euclidean",
    sample_size: int | None = None,
    random_state: int | None = None,
) -> float:
    """Return the mean silhouette of the rows, or of a random sample of them.

    Parameters
    ----------
    X, labels, metric
        As in :func:`silhouette_samples`.
    sample_size : int, optional
        Judge only so many random rows, among themselves.
    random_state : int, optional
        Seed of the sample.

    Returns
    -------
    float

    Examples
    --------
    >>> from learnable.metrics import silhouette_score
    >>> round(silhouette_score([[0.0], [1.0], [9.0], [10.0]], [0, 0, 1, 1]), 4)
    0.8885
    """
    if sample_size is None:
        return float(silhouette_samples(X, labels, metric=metric).mean())
    data, names = np.asarray(X), np.asarray(labels)
    chosen = np.random.default_rng(random_state).permutation(len(data))[:sample_size]
    part = data[np.ix_(chosen, chosen)] if metric == "precomputed" else data[chosen]
    return float(silhouette_samples(part, names[chosen], metric=metric).mean())


def davies_bouldin_score(X: Any, labels: Any) -> float:
    """Return the Davies-Bouldin index: how near clusters are for their width; less is better.

    Parameters
    ----------
    X : array (n, d)
        The rows.
    labels : array (n,)
        Cluster of each row.

    Returns
    -------
    float

    Examples
    --------
    >>> from learnable.metrics import davies_bouldin_score
    >>> round(davies_bouldin_score([[0.0], [1.0], [9.0], [10.0]], [0, 0, 1, 1]), 4)
    0.1111
    """
    found = _clusters(X, labels)
    centres = found.centres()
    away = np.sqrt(((found.X - centres[found.codes]) ** 2).sum(axis=1))
    width = np.bincount(found.codes, weights=away) / found.sizes
    apart = np.sqrt(((centres[:, None] - centres) ** 2).sum(axis=2))
    if np.allclose(width, 0.0) or np.allclose(apart, 0.0):
        return 0.0
    apart[apart == 0.0] = np.inf
    return float(((width[:, None] + width) / apart).max(axis=1).mean())


def calinski_harabasz_score(X: Any, labels: Any) -> float:
    """Return the ratio of the scatter between to the scatter within clusters; more is better.

    Parameters are those of :func:`davies_bouldin_score`.

    Examples
    --------
    >>> from learnable.metrics import calinski_harabasz_score
    >>> calinski_harabasz_score([[0.0], [1.0], [9.0], [10.0]], [0, 0, 1, 1])
    162.0
    """
    found = _clusters(X, labels)
    centres = found.centres()
    n, k = len(found.X), len(centres)
    within = float(((found.X - centres[found.codes]) ** 2).sum())
    between = float(found.sizes @ ((centres - found.X.mean(axis=0)) ** 2).sum(axis=1))
    return between * (n - k) / (within * (k - 1.0)) if within else 1.0


def _clusters(X: Any, labels: Any) -> _Clusters:
    data = matrix(X)
    classes, codes = coded(labels)
    if len(codes) != len(data):
        msg = f"X has {len(data)} rows and there are {len(codes)} labels."
        raise DataError(msg, remedy="Give one label a row.")
    if not 1 < len(classes) < len(data):
        msg = f"Number of labels is {len(classes)}. Valid values are 2 to n_samples - 1 (inclusive)"
        raise DataError(msg, remedy="Judge two clusters or more, fewer than rows.")
    return _Clusters(data, codes, np.bincount(codes).astype(np.float64))


def _sums(found: _Clusters, metric: str) -> Floats:
    """Return the sum of the distances of each row to the rows of each cluster."""
    n, k = len(found.X), len(found.sizes)
    if metric == "precomputed":
        if found.X.shape != (n, n) or np.diag(found.X).any():
            msg = "Precomputed distances are square, with zeros on the diagonal."
            raise DataError(msg, remedy="Give the distances of all rows.")
        order = np.argsort(found.codes, kind="stable")
        starts = np.searchsorted(found.codes[order], np.arange(k))
        return np.add.reduceat(found.X[:, order], starts, axis=1)
    if metric != "euclidean":
        msg = f"metric must be 'euclidean' or 'precomputed', not {metric!r}"
        raise ParameterError(msg)
    X = frozen(np.ascontiguousarray(found.X))
    blocks = [slice(start, start + _BLOCK) for start in range(0, n, _BLOCK)]
    return np.concatenate([distance_sums(X[rows], X, frozen(found.codes), k) for rows in blocks])
