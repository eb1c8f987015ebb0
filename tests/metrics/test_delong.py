"""DeLong's variance: the definition row by row, and the coverage it reaches."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import ndtri

from learnable.metrics import delong
from learnable.metrics.delong import delong_difference, delong_interval, delong_variance
from learnable.metrics.intervals import clopper_pearson
from learnable.stats import Ranking


def placements(score, y):
    up, down = score[y], score[~y]
    wins = (up[:, None] > down) + 0.5 * (up[:, None] == down)
    return wins.mean(axis=1), wins.mean(axis=0)


def drawn(n, seed):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 3 == 0
    return y, np.round(rng.normal(size=n) + y, 1), np.round(rng.normal(size=n) + 2 * y, 1)


def test_the_definition():
    y, score, other = drawn(60, 1)
    v, w = placements(score, y)
    expected = v.var(ddof=1) / len(v) + w.var(ddof=1) / len(w)
    assert delong_variance(Ranking.of(score, y)) == pytest.approx(expected, rel=1e-12)
    v2, w2 = placements(other, y)
    expected = np.cov(v, v2) / len(v) + np.cov(w, w2) / len(w)
    value, variance = delong_difference(y, score, other)
    assert value == pytest.approx(v.mean() - v2.mean(), rel=1e-12)
    assert variance == pytest.approx(
        expected[0, 0] + expected[1, 1] - 2 * expected[0, 1], rel=1e-10
    )


def test_degenerate_rankings():
    y = np.arange(12) % 3 == 0
    assert delong_interval(Ranking.of(y + 0.0, y)) == clopper_pearson(4, 4)
    assert delong_interval(Ranking.of(-1.0 * y, y)) == clopper_pearson(0, 4)
    assert delong_interval(Ranking.of(np.ones(12), y)) == (0.0, 1.0)
    one = np.array([True, False, False])
    assert delong_interval(Ranking.of(np.array([1.0, 0.0, 2.0]), one)) == (0.0, 1.0)


def coverage(area, n, draws):
    rng = np.random.default_rng(7)
    shift, y = np.sqrt(2.0) * ndtri(area), np.arange(2 * n) < n
    held = 0
    for _ in range(draws):
        low, high = delong_interval(Ranking.of(rng.normal(size=2 * n) + shift * y, y))
        held += low <= area <= high
    return held / draws


def shown():
    lines = [line.split() for line in delong.__doc__.splitlines() if line.startswith("0.")]
    return {float(first): [float(cell) for cell in cells] for first, *cells in lines}


@pytest.mark.full
@pytest.mark.parametrize("area", [0.5, 0.7, 0.9, 0.97])
def test_the_table_of_coverage(area):
    made = [coverage(area, n, 4000) for n in (5, 10, 20, 50, 200)]
    assert shown()[area] == pytest.approx(made, abs=5.1e-4)


def test_a_cell_of_the_table():
    assert shown()[0.7][1] == pytest.approx(coverage(0.7, 10, 4000), abs=5.1e-4)
