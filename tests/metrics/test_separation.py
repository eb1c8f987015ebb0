"""Silhouette, Davies-Bouldin and Calinski-Harabasz: scikit-learn's figures."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn import metrics as peers

from learnable import metrics
from learnable.core import DataError, ParameterError
from tests.metrics.draws import same

MEASURES = [
    "silhouette_score", "silhouette_samples", "davies_bouldin_score", "calinski_harabasz_score",
]  # fmt: skip


def drawn(n, d, k, seed):
    rng = np.random.default_rng(seed)
    labels = np.concatenate([np.arange(k), rng.integers(0, k, n - k)])
    return rng.normal(size=(n, d)) + 2.0 * labels[:, None], labels


@pytest.mark.parametrize("name", MEASURES)
def test_scikit_learns_figures(name):
    for n, d, k in ((5, 1, 2), (40, 3, 4), (700, 5, 6)):
        X, labels = drawn(n, d, k, n)
        same(getattr(metrics, name), getattr(peers, name), X, labels, tolerance=1e-10)
        alone = np.where(np.arange(n) == 3, 99, labels)
        same(getattr(metrics, name), getattr(peers, name), X, alone, tolerance=1e-10)


@pytest.mark.parametrize("name", MEASURES)
def test_equal_rows(name):
    X, labels = np.zeros((6, 2)), [0, 0, 0, 1, 1, 1]
    same(getattr(metrics, name), getattr(peers, name), X, labels)
    X = np.repeat([[0.0], [5.0]], 3, axis=0)
    same(getattr(metrics, name), getattr(peers, name), X, labels)


def test_far_from_the_origin():
    X, labels = drawn(60, 2, 3, 1)
    near, far = (metrics.silhouette_score(X + shift, labels) for shift in (0.0, 1e6))
    assert far == pytest.approx(near, rel=1e-8)


def test_precomputed_distances():
    X, labels = drawn(50, 2, 3, 2)
    D = np.sqrt(((X[:, None] - X) ** 2).sum(axis=2))
    made = metrics.silhouette_samples(D, labels, metric="precomputed")
    assert made == pytest.approx(metrics.silhouette_samples(X, labels), rel=1e-10)
    one, other = (
        metrics.silhouette_score(A, labels, metric=m, sample_size=30, random_state=1)
        for A, m in ((D, "precomputed"), (X, "euclidean"))
    )
    assert one == pytest.approx(other, rel=1e-10)


def test_what_is_refused():
    X, labels = drawn(6, 2, 2, 1)
    for wrong in (np.zeros(6), np.arange(6)):
        with pytest.raises(DataError, match="Valid values are 2"):
            metrics.silhouette_score(X, wrong)
    with pytest.raises(DataError, match="5 labels"):
        metrics.davies_bouldin_score(X, labels[:5])
    with pytest.raises(ParameterError, match="metric must be"):
        metrics.silhouette_score(X, labels, metric="cosine")
    with pytest.raises(DataError, match="zeros on the diagonal"):
        metrics.silhouette_score(X, labels, metric="precomputed")
    with pytest.raises(DataError, match="dimensions"):
        metrics.calinski_harabasz_score(X[:, 0], labels)
