"""Distribution-free bounds: exact probabilities, worst cases, and draws."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from learnable.theory.tolerance import chebyshev_share, share_outside_range, tolerance_rank


@pytest.mark.parametrize("confidence", [0.5, 0.9, 0.95, 0.999])
@pytest.mark.parametrize("share", [0.5, 0.9, 0.99])
@pytest.mark.parametrize("n", [1, 10, 59, 300, 1000])
def test_the_rank_is_the_smallest_that_will_do(n, share, confidence):
    rank = tolerance_rank(n, share, confidence)
    chances = binom.cdf(np.arange(n), n, share)  # of P(Bin < k) for k = 1 .. n
    if rank is None:
        assert chances[-1] < confidence
    else:
        assert chances[rank - 1] >= confidence - 1e-12
        assert rank == 1 or chances[rank - 2] < confidence + 1e-12


def test_known_sample_sizes():
    assert tolerance_rank(0, 0.9, 0.95) is None
    assert tolerance_rank(28, 0.9, 0.95) is None
    assert tolerance_rank(29, 0.9, 0.95) == 29
    assert tolerance_rank(459, 0.99, 0.99) == 459
    assert tolerance_rank(458, 0.99, 0.99) is None


@pytest.mark.parametrize("p", [0.05, 0.3, 0.5, 0.95])
def test_the_rank_holds_for_two_values_too(p):
    # Draws of 0 and 1: x_(k) = 0 bounds the share 1 - p only, x_(k) = 1 bounds everything.
    n, share, confidence = 40, 0.9, 0.9
    rank = tolerance_rank(n, share, confidence)
    zero_there = binom.sf(rank - 1, n, 1.0 - p)
    chance = 1.0 if 1.0 - p >= share else 1.0 - zero_there
    assert chance >= confidence


@pytest.mark.parametrize("confidence", [0.5, 0.95, 0.999])
@pytest.mark.parametrize("n", [2, 3, 10, 100, 10_000])
def test_the_share_outside_the_range_solves_its_equation(n, confidence):
    u = share_outside_range(n, confidence)
    exceeded = (1.0 - u) ** n + n * u * (1.0 - u) ** (n - 1)
    assert exceeded == pytest.approx(1.0 - confidence, abs=1e-9)


def test_too_few_rows_have_no_range():
    assert share_outside_range(0, 0.95) == share_outside_range(1, 0.95) == 1.0


def outside(draws, ranks):
    """Share of a population of equally likely ranks outside the range of each draw."""
    return (draws.min(axis=1) + ranks - 1 - draws.max(axis=1)) / ranks


@pytest.mark.parametrize("ranks", [3, 40, 100_000])
def test_the_share_outside_the_range_holds_over_draws(ranks):
    random = np.random.default_rng(ranks)
    share = outside(random.integers(ranks, size=(20_000, 50)), ranks)
    for confidence in (0.5, 0.9, 0.95):
        held = (share <= share_outside_range(50, confidence)).mean()
        assert held >= confidence - 4 * np.sqrt(0.25 / 20_000)
        # With many ranks the bound is exact, so it must not hold much more often either.
        assert ranks < 100_000 or held <= confidence + 4 * np.sqrt(0.25 / 20_000)


def share_beyond(values, distance):
    """Share of the values that lie beyond the distance when they are the new one."""
    found = []
    for i, value in enumerate(values):
        others = np.delete(values, i)
        mean, sd = others.mean(), others.std(ddof=1)
        size = max(abs(mean), abs(value))
        found.append(abs(value - mean) > distance * sd * (1 + 1e-9) + 1e-12 * size)
    return np.mean(found)


@given(
    st.lists(st.integers(-3, 3) | st.integers(-1000, 1000), min_size=3, max_size=25),
    st.sampled_from([0.5, 1.0, 1.5, 2.0, 3.0, 5.0]),
)
def test_chebyshev_holds_for_every_finite_population(values, distance):
    # Exchangeable: any of the values may be the new one. So the share over them is the chance.
    bound = chebyshev_share(len(values) - 1, distance)
    assert share_beyond(np.array(values, float), distance) <= bound + 1e-12


@pytest.mark.parametrize(("n", "distance"), [(9, 1.5), (20, 2.0), (30, 3.0), (99, 3.0)])
def test_chebyshev_cannot_be_much_better(n, distance):
    """Some symmetric outliers among zeros come within one value of the bound."""
    reached = 0.0
    for pairs in range(n // 2):
        values = np.zeros(n + 1)
        values[:pairs], values[pairs : 2 * pairs] = 1.0, -1.0
        reached = max(reached, share_beyond(values, distance) if pairs else 0.0)
    bound = chebyshev_share(n, distance)
    assert bound - 3 / (n + 1) <= reached <= bound


def test_chebyshev_has_its_limits():
    assert chebyshev_share(1, 3.0) == chebyshev_share(100, 0.0) == 1.0
    assert chebyshev_share(10**7, 3.0) == pytest.approx(1 / 9, abs=1e-6)


@pytest.mark.full
@pytest.mark.parametrize("draw", ["normal", "standard_cauchy", "lognormal", "two values"])
@pytest.mark.parametrize("n", [5, 30, 200])
def test_chebyshev_holds_over_draws(draw, n, record_property):
    random = np.random.default_rng(n)
    size = (200_000, n + 1)
    values = (
        (random.random(size) < 1.0 / n).astype(float)
        if draw == "two values"
        else getattr(random, draw)(size=size)
    )
    old, new = values[:, :-1], values[:, -1]
    far = np.abs(new - old.mean(axis=1)) > 3.0 * old.std(axis=1, ddof=1) + 1e-12
    bound = chebyshev_share(n, 3.0)
    record_property("promised at most", f"{bound:.4f}")
    record_property("seen", f"{far.mean():.4f}")
    assert far.mean() <= bound + 4 * np.sqrt(bound * (1 - bound) / len(values))


@pytest.mark.full
@pytest.mark.parametrize("draw", ["normal", "standard_cauchy", "poisson"])
@pytest.mark.parametrize("n", [30, 200])
def test_ranks_hold_over_draws(draw, n, record_property):
    random = np.random.default_rng(n)
    rank = tolerance_rank(n, 0.9, 0.95)
    bounds = np.sort(getattr(random, draw)(size=(100_000, n)), axis=1)[:, rank - 1]
    population = np.sort(getattr(random, draw)(size=4_000_000))
    share = np.searchsorted(population, bounds, side="right") / len(population)
    # The population is a draw itself, so its shares are known to about 1e-3.
    held = (share >= 0.9 - 1e-3).mean()
    record_property("promised at least", "0.95")
    record_property("held", f"{held:.4f}")
    assert held >= 0.95 - 4 * np.sqrt(0.05 * 0.95 / 100_000)
