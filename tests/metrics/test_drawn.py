"""Compiled draws: the same as asking the measure for every draw, for any number of threads."""

from __future__ import annotations

import numpy as np
import pytest

import learnable
from learnable import metrics
from learnable.metrics import difference, interval
from learnable.metrics.bootstrap import interval_of

RNG = np.random.default_rng(4)
Y = RNG.integers(0, 2, 300)
SCORE = RNG.normal(size=300) + Y
CHANCE = 1.0 / (1.0 + np.exp(-SCORE))
GROUPS = np.repeat(np.arange(60), 5)
AREAS = ["roc_auc_score", "average_precision_score"]
MEANS = [
    "mean_squared_error", "root_mean_squared_error", "mean_absolute_error", "r2_score", "pearson",
    "brier_score_loss", "log_loss",
]  # fmt: skip


def plain(name):
    """The same measure under a name that is not known, so that it is asked draw by draw."""
    measure = getattr(metrics, name)

    def asked(y_true, y_pred, sample_weight=None):
        return measure(y_true, y_pred, sample_weight=sample_weight)

    return asked


def given(name):
    return (Y, CHANCE) if name in [*AREAS, "brier_score_loss", "log_loss"] else (SCORE, SCORE + Y)


@pytest.mark.parametrize("groups", [None, GROUPS])
@pytest.mark.parametrize("name", [*AREAS, *MEANS])
def test_the_plain_way(name, groups):
    quick = interval(name, *given(name), method="bca", groups=groups, n_resamples=1500)
    slow = interval(plain(name), *given(name), method="bca", groups=groups, n_resamples=1500)
    width = slow.high - slow.low
    assert quick.value == pytest.approx(slow.value, rel=1e-12)
    # Other draws: quantiles of 1500 of them differ by a tenth of the width at most.
    assert (quick.low, quick.high) == pytest.approx((slow.low, slow.high), abs=0.12 * width)


@pytest.mark.parametrize("name", ["roc_auc_score", "mean_squared_error"])
def test_the_same_bits_for_any_number_of_threads(name):
    found = []
    for threads in (1, 2, 3):
        with learnable.config(threads=threads):
            found.append(interval(name, *given(name), method="bca", random_state=5))
    assert found[0] == found[1] == found[2]
    other = interval(name, *given(name), method="bca", random_state=6)
    assert other.low != found[0].low


@pytest.mark.parametrize("name", [*AREAS, "mean_squared_error"])
def test_differences_meet_the_same_draws(name):
    y, first = given(name)
    same = difference(name, y, first, first, method="bca", n_resamples=100)
    assert (same.low, same.high) == (0.0, 0.0)
    second = first + 0.3 * RNG.normal(size=300)
    found = difference(name, y, first, second, method="bca", n_resamples=800)
    one, other = (interval(name, y, p, method="bca", n_resamples=800) for p in (first, second))
    assert found.value == pytest.approx(one.value - other.value, abs=1e-12)
    apart = (one.high - one.low) + (other.high - other.low)
    assert found.high - found.low < apart


def test_levels_are_corrected():
    drawn = np.linspace(0.0, 1.0, 1001)
    even = interval_of(0.5, drawn, np.array([0.4, 0.6]), np.ones(2), 0.9)
    assert (even.low, even.high) == pytest.approx((0.05, 0.95), abs=1e-3)
    low = interval_of(0.3, drawn, np.array([0.4, 0.6]), np.ones(2), 0.9)
    assert low.low < even.low
    assert low.high < even.high
