"""Log loss, Brier score and calibration error."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn import metrics as peers

from learnable.core import DataError, ParameterError
from learnable.metrics import brier_score_loss, expected_calibration_error, log_loss
from tests.metrics.draws import NAMES, same


def drawn(n, k, seed, dtype=float):
    rng = np.random.default_rng(seed)
    proba = rng.dirichlet(np.ones(k) / 2, n).astype(dtype)
    return rng.integers(0, k, n), proba, rng.random(n)


@pytest.mark.parametrize("k", [2, 4])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_scikit_learns_figures(k, dtype):
    y, proba, weight = drawn(200, k, k, dtype)
    tolerance = 1e-12 if dtype == np.float64 else 1e-5
    for options in ({}, {"sample_weight": weight}, {"labels": np.arange(k)}):
        for answer in (y, NAMES[y]) if "labels" not in options else (y,):
            order = np.argsort(NAMES[:k]) if answer.dtype.kind == "U" else np.arange(k)
            args = answer, proba[:, order]
            same(log_loss, peers.log_loss, *args, tolerance=tolerance, **options)
            same(brier_score_loss, peers.brier_score_loss, *args, tolerance=tolerance, **options)


def test_one_probability_a_row():
    y, proba, weight = drawn(200, 2, 9)
    for options in ({}, {"sample_weight": weight}):
        same(log_loss, peers.log_loss, y, proba[:, 1], **options)
        same(log_loss, peers.log_loss, y, proba[:, 1], normalize=False, **options)
        same(brier_score_loss, peers.brier_score_loss, y, proba[:, 1], **options)
        named = {"pos_label": "ash", **options}
        same(brier_score_loss, peers.brier_score_loss, NAMES[y], proba[:, 0], **named)
    for half in (True, False):
        same(brier_score_loss, peers.brier_score_loss, y, proba[:, 1], scale_by_half=half)
        same(brier_score_loss, peers.brier_score_loss, y, proba, scale_by_half=half)


def test_certainties():
    y, proba = [0, 1, 1], np.array([0.0, 1.0, 0.0])
    same(log_loss, peers.log_loss, y, proba)
    same(log_loss, peers.log_loss, y, proba.astype(np.float32))
    assert brier_score_loss(y, proba) == pytest.approx(1 / 3)


def test_calibration_by_hand():
    y = np.array([0, 1, 1, 1])
    proba = np.array([0.15, 0.15, 0.75, 0.95])
    by_bin = [abs(1 - 0.3) / 4, abs(1 - 0.75) / 4, abs(1 - 0.95) / 4]
    assert expected_calibration_error(y, proba) == pytest.approx(sum(by_bin))
    heavy = expected_calibration_error(y, proba, sample_weight=[3, 1, 1, 1])
    assert heavy == pytest.approx((abs(1 - 0.6) + 0.25 + 0.05) / 6)
    one_bin = expected_calibration_error(y, proba, n_bins=1)
    assert one_bin == pytest.approx(abs(0.75 - proba.mean()))
    two = expected_calibration_error(y, proba, n_bins=2, strategy="quantile")
    assert two == pytest.approx((abs(1 - 0.3) + abs(2 - 1.7)) / 4)


def test_calibration_of_several_classes_looks_at_the_largest():
    proba = np.array([[0.8, 0.1, 0.1], [0.1, 0.85, 0.05]])
    assert expected_calibration_error([0, 2], proba, labels=[0, 1, 2]) == pytest.approx(
        (abs(1 - 1.65)) / 2
    )


def test_what_is_refused():
    proba = [[0.5, 0.5], [0.2, 0.8]]
    with pytest.raises(DataError, match="different number of classes: 2 vs 3"):
        log_loss([0, 1], [[0.2, 0.3, 0.5]] * 2)
    with pytest.raises(DataError, match="only one label"):
        log_loss([1, 1], proba)
    with pytest.raises(DataError, match="greater than 1"):
        log_loss([0, 1], [[0.5, 1.5], [0.2, 0.8]])
    with pytest.raises(DataError, match="3 rows and y_proba has 2"):
        log_loss([0, 1, 1], proba)
    with pytest.raises(ParameterError, match="at least two"):
        log_loss([0, 0], proba, labels=[0])
    with pytest.raises(DataError, match="not in labels"):
        log_loss([0, 2], proba, labels=[0, 1])
    with pytest.raises(DataError, match="pos_label is not specified"):
        brier_score_loss(["a", "b"], [0.1, 0.2])
    with pytest.raises(ParameterError, match="bins"):
        expected_calibration_error([0, 1], proba, n_bins=0)
    with pytest.warns(UserWarning, match="do not sum to one"):
        log_loss([0, 1], [[0.5, 0.4], [0.2, 0.8]])
    with pytest.warns(UserWarning, match="not in order"):
        log_loss([0, 1], proba, labels=[1, 0])
