"""The calibration curve: scikit-learn's points, and bands that hold."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.calibration import calibration_curve as theirs

from learnable.calibration import calibration_curve, reliability
from learnable.core import DataError, ParameterError

RNG = np.random.default_rng(2)
PROB = RNG.random(400) ** 2
Y = (RNG.random(400) < PROB).astype(int)


@pytest.mark.parametrize("strategy", ["uniform", "quantile"])
@pytest.mark.parametrize("bins", [1, 5, 30])
def test_scikit_learns_points(strategy, bins):
    ours = calibration_curve(Y, PROB, n_bins=bins, strategy=strategy)
    expected = theirs(Y, PROB, n_bins=bins, strategy=strategy)
    for one, other in zip(ours, expected, strict=True):
        assert one == pytest.approx(other, rel=1e-12)


def test_words_ties_and_what_is_refused():
    names = np.where(Y == 1, "yes", "no")
    found = reliability(names, np.round(PROB, 1), pos_label="yes", strategy="quantile")
    assert found.count.sum() == 400
    with pytest.raises(DataError, match="outside"):
        reliability(Y, PROB + 0.5)
    with pytest.raises(DataError, match="NaN"):
        reliability(Y, np.where(PROB > 0.9, np.nan, PROB))
    with pytest.raises(DataError, match="Only binary"):
        reliability(np.arange(400) % 3, PROB)
    with pytest.raises(ParameterError, match="strategy"):
        reliability(Y, PROB, strategy="even")


def false_alarms(draws, seed):
    rng, found = np.random.default_rng(seed), 0
    for _ in range(draws):
        prob = np.round(rng.random(100), 1)
        found += not reliability(rng.random(100) < prob, prob, confidence=0.9).calibrated
    return found / draws


def test_calibrated_probabilities_are_seldom_accused():
    # 0.1 at most, and four standard deviations of 300 draws.
    assert false_alarms(300, 1) <= 0.1 + 4 * np.sqrt(0.09 / 300)
    assert reliability(Y, PROB).calibrated
    accused = reliability(Y, np.sqrt(PROB))
    assert not accused.calibrated
    assert accused.text.startswith("Not calibrated")


@pytest.mark.full
def test_bands_hold_over_draws(record_property):
    found = false_alarms(10_000, 2)
    record_property("promised at most", 0.1)
    record_property("seen", f"{found:.4f}")
    assert found <= 0.1
