"""Areas, their variances, and draws of them, beside the definitions."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn import metrics as peers

from learnable.loops.areas import precision_area, roc_area
from learnable.loops.draws import drawn_areas, drawn_counts, drawn_sums, weighted_area
from learnable.stats import Ranking
from learnable.stats.arrays import frozen

RNG = np.random.default_rng(3)
Y = RNG.random(60) < 0.4
SCORE = np.round(RNG.normal(size=60) + Y, 1)
SEEDS = frozen(np.random.SeedSequence(1).generate_state(20, np.uint64))


def of(weight):
    found = Ranking.of(SCORE, Y, weight)
    return frozen(found.positive), frozen(found.negative)


def ordered():
    order = np.argsort(SCORE, kind="stable")
    last = np.append(np.diff(SCORE[order]) != 0, True)
    return frozen(order.astype(np.int32)), frozen(Y[order]), frozen(last)


def test_areas():
    weight = RNG.random(60)
    made = roc_area(*of(weight))[0], precision_area(*of(weight))[0]
    expected = [
        measure(Y, SCORE, sample_weight=weight)
        for measure in (peers.roc_auc_score, peers.average_precision_score)
    ]
    assert made == pytest.approx(expected, rel=1e-12)


def test_derivatives_of_the_precision():
    def at(i, step):
        weight = np.ones(60)
        weight[i] += step
        return precision_area(*of(weight))[0]

    slopes = np.array([(at(i, 1e-6) - at(i, -1e-6)) / 2e-6 for i in range(60)])
    assert precision_area(*of(np.ones(60)))[1] == pytest.approx(slopes @ slopes, rel=1e-6)
    assert slopes.sum() == pytest.approx(0.0, abs=1e-7)


@pytest.mark.parametrize("precision", [False, True])
def test_draws(precision):
    measure = peers.average_precision_score if precision else peers.roc_auc_score
    drawn = [drawn_counts(seed, 60) for seed in SEEDS]
    expected = [measure(Y, SCORE, sample_weight=weight) for weight in drawn]
    assert drawn_areas(*ordered(), 60, SEEDS, precision) == pytest.approx(expected, rel=1e-12)
    one = weighted_area(*ordered(), frozen(drawn[0]), precision)
    assert one == pytest.approx(expected[0], rel=1e-12)


def test_sums_are_those_of_the_same_draws():
    table = RNG.normal(size=(50, 3))
    expected = np.array([drawn_counts(seed, 50) @ table for seed in SEEDS])
    assert drawn_sums(frozen(table), SEEDS) == pytest.approx(expected, rel=1e-11, abs=1e-12)


def test_rows_are_drawn_evenly():
    seeds = np.random.SeedSequence(7).generate_state(400, np.uint64)
    total = sum(drawn_counts(seed, 50) for seed in seeds)
    assert total.sum() == 400 * 50
    # Chi-squared with 49 degrees of freedom lies below 94 but for one in ten thousand.
    assert ((total - 400) ** 2 / 400).sum() < 94.0


def test_one_class_alone():
    ones = frozen(np.ones(3))
    assert np.isnan(roc_area(ones, frozen(np.zeros(3)))[0])
    assert precision_area(frozen(np.zeros(3)), ones)[0] == 0.0
