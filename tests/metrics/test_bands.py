"""Bands of curves: the curves inside are scikit-learn's, and the true ones stay within."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm
from sklearn import metrics as peers

from learnable.core import DataError
from learnable.metrics import curve_bands, gain_curve, lift_curve

RNG = np.random.default_rng(5)
Y = RNG.integers(0, 2, 300)
SCORE = np.round(RNG.normal(size=300) + Y, 1)


def test_the_curves_are_scikit_learns():
    found = curve_bands(Y, SCORE)
    fpr, tpr, thresholds = peers.roc_curve(Y, SCORE, drop_intermediate=False)
    assert found.threshold == pytest.approx(thresholds)
    assert found.recall.value == pytest.approx(tpr)
    assert found.false_positive_rate.value == pytest.approx(fpr)
    precision, recall, _ = peers.precision_recall_curve(Y, SCORE)
    assert found.precision.value[1:] == pytest.approx(precision[:-1][::-1])
    assert found.recall.value[1:] == pytest.approx(recall[:-1][::-1])


def test_gain_and_lift():
    called, gain, thresholds = gain_curve(Y, SCORE)
    for share, caught, threshold in zip(called, gain, thresholds, strict=True):
        assert share == pytest.approx((threshold <= SCORE).mean())
        assert caught == pytest.approx((threshold <= SCORE)[Y == 1].mean())
    shares, lift, _ = lift_curve(Y, SCORE)
    assert lift == pytest.approx(gain[1:] / shares)
    assert lift[-1] == 1.0


def test_bands_hold_the_curves_and_narrow():
    for n in (40, 4000):
        y = np.arange(n) % 2
        found = curve_bands(y, RNG.normal(size=n) + y)
        for side in (found.recall, found.false_positive_rate, found.precision, found.lift):
            assert (side.low <= side.value + 1e-12).all()
            assert (side.value <= side.high + 1e-12).all()
        width = found.recall.high - found.recall.low
        assert width.max() < 8.0 / np.sqrt(n)


def held(n, draws, seed, confidence=0.9, positive=0.3):
    rng, count = np.random.default_rng(seed), 0
    for _ in range(draws):
        y = rng.random(n) < positive
        if y.all() or not y.any():
            continue
        found = curve_bands(y, rng.normal(size=n) + y, confidence=confidence)
        tpr, fpr = norm.sf(found.threshold - 1.0), norm.sf(found.threshold)
        called = positive * tpr + (1 - positive) * fpr
        precision = np.divide(positive * tpr, called, out=np.ones_like(tpr), where=called > 0)
        truth = tpr, fpr, precision, precision / positive
        sides = found.recall, found.false_positive_rate, found.precision, found.lift
        count += all(
            ((side.low <= true + 1e-12) & (true <= side.high + 1e-12))[1:].all()
            for side, true in zip(sides, truth, strict=True)
        )
    return count / draws


def test_true_curves_stay_within():
    assert held(60, 200, 1) >= 0.9 - 4 * np.sqrt(0.09 / 200)


@pytest.mark.full
@pytest.mark.parametrize("n", [30, 200])
def test_true_curves_stay_within_over_draws(n, record_property):
    found = held(n, 5000, 2)
    record_property("promised at least", 0.9)
    record_property("held", f"{found:.4f}")
    assert found >= 0.9


def test_constant_scores_and_what_is_refused():
    flat = curve_bands(Y, np.ones(300))
    assert len(flat.threshold) == 2
    assert flat.lift.value.tolist() == [1.0, 1.0]
    with pytest.raises(DataError, match="Only one class"):
        curve_bands(np.ones(9, int), np.arange(9))
    with pytest.raises(DataError, match="NaN"):
        curve_bands([0, 1], [0.5, np.nan])
