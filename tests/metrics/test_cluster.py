"""Agreement of clusterings: scikit-learn's figures on random and degenerate labels."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn import metrics as peers

from learnable import metrics
from learnable.core import DataError, ParameterError
from tests.metrics.draws import NAMES, labels, same

MEASURES = [
    "adjusted_rand_score", "rand_score", "mutual_info_score", "normalized_mutual_info_score",
    "adjusted_mutual_info_score", "homogeneity_completeness_v_measure", "homogeneity_score",
    "completeness_score", "v_measure_score", "fowlkes_mallows_score",
]  # fmt: skip
ODD = [
    ([0, 0, 0], [1, 1, 1]), ([0, 1, 2], [2, 1, 0]), ([0, 0, 0], [0, 1, 2]), ([0, 1, 2], [1, 1, 1]),
    ([0, 0, 1, 1], [0, 1, 0, 1]), ([0], [0]), ([0, 1], [0, 1]), ([0, 0, 0, 1], [0, 0, 0, 1]),
    ([0, 0, 1, 1], [0, 0, 1, 2]),
]  # fmt: skip


@pytest.mark.parametrize("name", MEASURES)
def test_scikit_learns_figures(name):
    for n, k in ((6, 2), (40, 3), (300, 5)):
        first, second, _ = labels(n, k, n)
        same(getattr(metrics, name), getattr(peers, name), first, second, tolerance=1e-10)
        same(getattr(metrics, name), getattr(peers, name), NAMES[first], second, tolerance=1e-10)


@pytest.mark.parametrize("name", MEASURES)
@pytest.mark.parametrize(("first", "second"), ODD)
def test_degenerate_labels(name, first, second):
    same(getattr(metrics, name), getattr(peers, name), first, second, tolerance=1e-10)


@pytest.mark.parametrize("how", ["min", "max", "geometric", "arithmetic"])
def test_means_of_entropies(how):
    first, second, _ = labels(60, 4, 1)
    for name in ("normalized_mutual_info_score", "adjusted_mutual_info_score"):
        pair = getattr(metrics, name), getattr(peers, name)
        same(*pair, first, second, average_method=how, tolerance=1e-10)


@pytest.mark.parametrize("beta", [0.2, 3.0])
def test_weighted_v(beta):
    first, second, _ = labels(60, 4, 1)
    same(metrics.v_measure_score, peers.v_measure_score, first, second, beta=beta)


def test_what_is_refused():
    with pytest.raises(DataError, match="3 and 2 labels"):
        metrics.rand_score([1, 2, 3], [1, 2])
    with pytest.raises(ParameterError, match="average_method"):
        metrics.normalized_mutual_info_score([0, 1, 1], [0, 1, 0], average_method="mean")


def test_random_labels_have_no_adjusted_agreement():
    rng = np.random.default_rng(1)
    found = [
        metrics.adjusted_mutual_info_score(rng.integers(0, 4, 50), rng.integers(0, 6, 50))
        for _ in range(200)
    ]
    assert np.mean(found) == pytest.approx(0.0, abs=0.01)
