"""How often tests find differences that are not there, and how often intervals hold: simulations.

Two learners are exactly as good as each other by symmetry: each sees one of two features that are
exchangeable, and answers by the nearer of the two class means.
"""

from __future__ import annotations

import numpy as np
import pytest

from learnable.evaluation import (
    corrected_resampled_t,
    five_by_two_f,
    five_by_two_t,
    friedman,
    mcnemar,
    nemenyi,
    paired_t,
    sign_test,
    wilcoxon,
)
from learnable.evaluation.measured import LEVELS
from learnable.resampling import FoldPlan

ROWS = 100


def scores(X, y, plan):
    """Accuracy of both learners in every fold, (folds, 2)."""
    asked = np.zeros((len(plan), len(y)))
    for fold, (_, test) in enumerate(plan):
        asked[fold, test] = 1.0
    learned = 1.0 - asked
    means = [learned[:, y == c] @ X[y == c] / learned[:, y == c].sum(1)[:, None] for c in (0, 1)]
    nearer = np.abs(X - means[0][:, None]) > np.abs(X - means[1][:, None])
    right = nearer == (y == 1)[None, :, None]
    return (right * asked[:, :, None]).sum(1) / asked.sum(1)[:, None]


def draws(count, seed, folds, repeats):
    """Yield scores under a true null."""
    rng = np.random.default_rng(seed)
    y = np.arange(ROWS) % 2
    for number in range(count):
        X = rng.normal(size=(ROWS, 2)) + 0.8 * y[:, None]
        plan = FoldPlan("k-fold", ROWS, folds=folds, repeats=repeats, seed=number)
        yield scores(X, y, plan)


def levels(count, seed, folds, repeats, tests):
    """Share of draws in which each test finds a difference at .05."""
    found = dict.fromkeys(tests, 0)
    for drawn in draws(count, seed, folds, repeats):
        for name, test in tests.items():
            found[name] += not (drawn[:, 0] == drawn[:, 1]).all() and test(*drawn.T).told_apart
    return {name: hits / count for name, hits in found.items()}


def corrected(folds):
    return lambda a, b: corrected_resampled_t(a, b, ratio=1 / (folds - 1))


def check_stated(method, found, place):
    """Check that what the library prints is what is measured, within the noise of the draws."""
    stated = list(LEVELS[method].values())[place]
    assert found == pytest.approx(stated, abs=0.012)


def record(record_property, found):
    for name, value in found.items():
        record_property(name, f"{value:.4f}")


def test_the_naive_test_fails_and_the_corrected_one_does_not():
    found = levels(60, 1, 10, 10, {"naive": paired_t, "corrected": corrected(10)})
    assert found["naive"] > 0.3
    assert found["corrected"] < 0.15


@pytest.mark.full
@pytest.mark.parametrize(
    ("place", "folds", "repeats"), [(0, 10, 1), (1, 10, 10), (2, 5, 10), (3, 2, 10)]
)
def test_levels_over_cross_validation(place, folds, repeats, record_property):
    tests = {"naive paired t": paired_t, "corrected resampled t": corrected(folds)}
    found = levels(1000, 2, folds, repeats, tests)
    record(record_property, found)
    for method, level in found.items():
        check_stated(f"{method.removeprefix('naive ')} test", level, place)
    assert found["corrected resampled t"] <= 0.075
    if repeats > 1:
        assert found["naive paired t"] > 0.2


@pytest.mark.full
def test_levels_of_five_by_two(record_property):
    tests = {"5 x 2 cv t": five_by_two_t, "5 x 2 cv F": five_by_two_f}
    found = levels(2000, 3, 2, 5, tests)
    record(record_property, found)
    for method, level in found.items():
        check_stated(f"{method} test", level, 0)


def mcnemar_levels(count, n, share, seed):
    rng = np.random.default_rng(seed)
    counts = rng.multinomial(n, [share / 2, share / 2, 1 - share], count)
    kinds = set(map(tuple, counts[:, :2].tolist()))
    found = {}
    for method in ("exact", "mid-p", "corrected", "uncorrected"):
        told = {pair: mcnemar(*pair, n, method=method).told_apart for pair in kinds}
        found[method] = np.mean([told[pair] for pair in map(tuple, counts[:, :2].tolist())])
    bounds = {pair: mcnemar(*pair, n) for pair in kinds}
    held = [
        bounds[pair].low <= 0.0 <= bounds[pair].high for pair in map(tuple, counts[:, :2].tolist())
    ]
    return found | {"the interval holds": np.mean(held)}


def test_mcnemar_in_some_draws():
    found = mcnemar_levels(2000, 60, 0.2, 4)
    assert found["exact"] <= 0.05
    assert found["the interval holds"] >= 0.93


@pytest.mark.full
@pytest.mark.parametrize(
    ("place", "n", "share"), [(0, 30, 0.2), (1, 100, 0.1), (2, 100, 0.4), (3, 1000, 0.1)]
)
def test_mcnemar_over_draws(place, n, share, record_property):
    found = mcnemar_levels(20_000, n, share, 5)
    record(record_property, found)
    for method in ("mid-p", "corrected", "uncorrected"):
        check_stated(f"McNemar test ({method})", found[method], place)
    assert found["exact"] <= 0.05
    assert found["mid-p"] <= 0.06
    assert found["the interval holds"] >= 0.93


SHAPES = {
    "normal": lambda rng, n: rng.normal(size=n),
    "heavy": lambda rng, n: rng.standard_cauchy(n),
    "coarse": lambda rng, n: np.round(2.0 * rng.normal(size=n)),
}


def coverage(draw, n, count, seed, confidence=0.9):
    """Share of draws in which the intervals of a centre hold it, and in which p is small."""
    rng = np.random.default_rng([seed, n])
    tests = {"wilcoxon": wilcoxon, "sign": sign_test, "paired t": paired_t}
    held, hits = dict.fromkeys(tests, 0), dict.fromkeys(tests, 0)
    for _ in range(count):
        gaps = draw(rng, n)
        if np.ptp(gaps) == 0.0:
            continue
        for name, test in tests.items():
            found = test(gaps, confidence=confidence)
            held[name] += found.low <= 0.0 <= found.high
            hits[name] += found.told_apart
    return (
        {name: value / count for name, value in held.items()},
        {name: value / count for name, value in hits.items()},
    )


@pytest.mark.parametrize("draw", SHAPES.values(), ids=SHAPES)
def test_intervals_hold_in_some_draws(draw):
    held, hits = coverage(draw, 9, 300, 6)
    for name in ("wilcoxon", "sign"):
        assert held[name] >= 0.85
        assert hits[name] <= 0.15


@pytest.mark.full
@pytest.mark.parametrize("n", [8, 14, 30])
@pytest.mark.parametrize("draw", SHAPES.values(), ids=SHAPES)
def test_intervals_hold_over_draws(draw, n, record_property):
    held, hits = coverage(draw, n, 4000, 7)
    record_property("said", "0.9")
    record(record_property, {f"{name} held": value for name, value in held.items()})
    record(record_property, {f"{name} level at .1": value for name, value in hits.items()})
    for name in ("wilcoxon", "sign"):
        assert held[name] >= 0.885
        assert hits[name] <= 0.115


def rank_levels(n, k, count, seed, draw):
    """Share of draws in which Friedman, and any pair of Nemenyi's, find a difference at .05."""
    rng = np.random.default_rng(seed)
    found = {}
    for _ in range(count):
        table = draw(rng, n * k).reshape(n, k)
        overall = friedman(table)
        for one in (overall, *overall.further):
            found[one.method] = found.get(one.method, 0) + one.told_apart
        difference = nemenyi_difference(n, k)
        ranks = (-table).argsort(1).argsort(1).mean(0)
        found["Nemenyi"] = found.get("Nemenyi", 0) + (np.ptp(ranks) >= difference)
    return {name: hits / count for name, hits in found.items()}


def nemenyi_difference(n, k):
    if (n, k) not in KNOWN:
        table = np.random.default_rng(0).random((n, k))
        KNOWN[n, k] = nemenyi(table).critical_difference
    return KNOWN[n, k]


KNOWN = {}


def test_levels_of_ranks_in_some_draws():
    found = rank_levels(14, 4, 400, 8, SHAPES["normal"])
    assert all(level <= 0.1 for level in found.values())


@pytest.mark.full
@pytest.mark.parametrize(("place", "n", "k"), [(0, 5, 3), (1, 6, 5), (2, 14, 4), (3, 30, 10)])
def test_levels_of_ranks_over_draws(place, n, k, record_property):
    found = rank_levels(n, k, 5000, 9, SHAPES["normal"])
    record(record_property, found)
    check_stated("Nemenyi test", found["Nemenyi"], place)
    for formula in ("Iman-Davenport", "chi-squared"):
        level = found[f"Friedman test ({formula}, ties averaged)"]
        check_stated(f"Friedman test ({formula})", level, place)
