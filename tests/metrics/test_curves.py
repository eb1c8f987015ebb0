"""ROC, precision-recall and DET curves: scikit-learn's points."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn import metrics as peers
from sklearn.exceptions import UndefinedMetricWarning

from learnable import metrics
from learnable.core import DataError
from tests.metrics.draws import NAMES, quietly

CURVES = ["roc_curve", "precision_recall_curve", "det_curve"]


def drawn(n, seed, decimals):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    y[:2] = 0, 1
    return y, np.round(rng.normal(size=n) + y, decimals), rng.random(n) * (rng.random(n) > 0.2)


def agree(name, *args, **options):
    ours = quietly(getattr(metrics, name), *args, **options)
    theirs = quietly(getattr(peers, name), *args, **options)
    for one, other in zip(ours, theirs, strict=True):
        assert one.shape == other.shape
        assert one == pytest.approx(other, rel=1e-12, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("name", CURVES)
@pytest.mark.parametrize("drop", [True, False])
@pytest.mark.parametrize("decimals", [0, 1, 9])
def test_scikit_learns_points(name, drop, decimals):
    for n in (2, 3, 9, 100):
        y, score, weight = drawn(n, n, decimals)
        agree(name, y, score, drop_intermediate=drop)
        # Whole weights: with others rounding decides which points lie on a line.
        agree(name, y, score, drop_intermediate=drop, sample_weight=(weight * 8).round() + (y < 2))
        agree(name, NAMES[y], score, drop_intermediate=drop, pos_label="ash")


@pytest.mark.parametrize("name", CURVES)
def test_one_of_several_classes(name):
    rng = np.random.default_rng(1)
    y = rng.integers(0, 3, 40)
    if name != "det_curve":
        agree(name, y, rng.random(40), pos_label=2)
    with pytest.raises(DataError, match="multiclass"):
        getattr(metrics, name)(y, rng.random(40))


def test_only_one_class():
    with pytest.warns(UndefinedMetricWarning, match="No negative"):
        fpr, tpr, _ = metrics.roc_curve([1, 1], [0.1, 0.2])
    assert np.isnan(fpr).all()
    assert tpr[-1] == 1.0
    with pytest.warns(UndefinedMetricWarning, match="No positive"):
        metrics.roc_curve([0, 0], [0.1, 0.2])
    with pytest.raises(DataError, match="Only one class"):
        metrics.det_curve([0, 0], [0.1, 0.2])


def test_areas():
    x = np.array([0.0, 0.2, 0.7, 1.0])
    for y in (np.array([0.0, 1.0, 0.5, 2.0]), np.array([0.0, -1.0, 0.5, -2.0])):
        assert metrics.auc(x, y) == pytest.approx(peers.auc(x, y))
        assert metrics.auc(x[::-1], y) == pytest.approx(peers.auc(x[::-1], y))
    with pytest.raises(DataError, match="neither"):
        metrics.auc([0, 2, 1], [0, 1, 2])
    with pytest.raises(DataError, match="2 points"):
        metrics.auc([0], [0])
