from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from learnable.checks import check_statistic
from learnable.stats import Ranking


def drawn(n, seed):
    rng = np.random.default_rng(seed)
    return rng.integers(0, 9, n) / 8, rng.random(n) < 0.4, rng.integers(0, 3, n).astype(float)


def together(one, other):
    return tuple(np.concatenate(pair) for pair in zip(one, other, strict=True))


@pytest.mark.parametrize("weighted", [True, False])
def test_laws(weighted):
    blocks = [drawn(n, n)[: 2 + weighted] for n in (20, 1, 33)]
    check_statistic(lambda b: Ranking.of(*b), blocks, together, zero=Ranking.zero(), tolerance=0.0)


@given(st.lists(st.tuples(st.integers(-2, 3), st.booleans()), max_size=12))
def test_counting_and_weighing_agree_with_a_plain_count(rows):
    score = np.array([s for s, _ in rows], dtype=np.float64)
    positive = np.array([p for _, p in rows], dtype=bool)
    found = Ranking.of(score, positive)
    assert found.score.tolist() == sorted(set(score.tolist()))
    for s, up, down in zip(*found, strict=True):
        assert up == np.count_nonzero(positive & (score == s))
        assert down == np.count_nonzero(~positive & (score == s))
    for one, other in zip(found, Ranking.of(score, positive, np.ones(len(rows))), strict=True):
        assert one.tolist() == other.tolist()


def test_the_area_is_the_chance_of_the_right_order():
    score, positive, weight = drawn(40, 3)
    p, n = score[positive], score[~positive]
    wins = (p[:, None] > n) + 0.5 * (p[:, None] == n)
    found = Ranking.of(score, positive)
    assert found.area() == pytest.approx(wins.mean(), rel=1e-14)
    assert found.reversed().area() == pytest.approx(found.area(), rel=1e-14)
    below, over = found.placements()
    assert below == pytest.approx([((n < s) + 0.5 * (n == s)).mean() for s in found.score])
    assert over == pytest.approx([((p > s) + 0.5 * (p == s)).mean() for s in found.score])
    w = weight[positive][:, None] * weight[~positive]
    assert Ranking.of(score, positive, weight).area() == pytest.approx(np.average(wins, weights=w))


def test_one_class_has_no_area():
    assert np.isnan(Ranking.of(np.array([1.0]), np.array([True])).area())
    assert np.isnan(Ranking.zero().area())
