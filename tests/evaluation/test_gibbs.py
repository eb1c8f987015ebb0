"""The hierarchical model: known parameters recovered, seeds, and data sets without spread."""

from __future__ import annotations

import numpy as np
import pytest

from learnable.core import DataError, ParameterError
from learnable.evaluation import hierarchical


def draw(rng, sets=15, folds=10, centre=0.0, between=0.02, rho=0.1):
    """Differences as the model has them, with normal data sets."""
    delta = centre + between * rng.normal(size=(sets, 1))
    sigma = rng.uniform(0.01, 0.04, (sets, 1))
    shared = rng.normal(size=(sets, 1)) * np.sqrt(rho)
    return delta + sigma * (shared + np.sqrt(1 - rho) * rng.normal(size=(sets, folds)))


def covered(draws, seed):
    """Share of draws in which the 90% interval holds the centre."""
    rng = np.random.default_rng(seed)
    held = 0
    for _ in range(draws):
        centre = rng.normal(0.0, 0.03)
        gaps = draw(rng, centre=centre)
        found = hierarchical(gaps, ratio=1 / 9, draws=800, confidence=0.9)
        held += found.low <= centre <= found.high
    return held / draws


@pytest.mark.slow
def test_the_interval_holds_the_centre_in_some_draws():
    assert covered(20, 1) >= 0.7


@pytest.mark.full
def test_the_interval_holds_the_centre_over_draws(record_property):
    held = covered(200, 2)
    record_property("said", "0.9")
    record_property("held", f"{held:.4f}")
    assert 0.83 <= held <= 0.97


def test_clear_cases_and_their_mirror():
    gaps = draw(np.random.default_rng(3), centre=0.06, between=0.01)
    there = hierarchical(gaps, ratio=1 / 9, draws=1600)
    back = hierarchical(np.zeros_like(gaps), gaps, ratio=1 / 9, draws=1600)
    assert there.probabilities[0] > 0.95
    assert back.probabilities[2] > 0.95
    assert there.told_apart
    assert there.effect == pytest.approx(0.06, abs=0.01)
    same = hierarchical(draw(np.random.default_rng(4), between=0.001) / 50, ratio=1 / 9, draws=800)
    assert same.probabilities[1] > 0.95


def test_the_interval_lies_about_the_average():
    gaps = draw(np.random.default_rng(5), centre=0.03)
    found = hierarchical(gaps, ratio=1 / 9, draws=1600)
    assert found.low < gaps.mean() < found.high
    naive = 2 * 1.96 * gaps.mean(axis=1).std(ddof=1) / np.sqrt(len(gaps))
    assert found.high - found.low == pytest.approx(naive, rel=0.3)


def test_it_is_seeded():
    gaps = draw(np.random.default_rng(6))
    assert hierarchical(gaps, ratio=0.1, draws=80) == hierarchical(gaps, ratio=0.1, draws=80)


def test_data_sets_without_spread_need_a_region():
    gaps = draw(np.random.default_rng(7))
    gaps[3] = 0.0
    assert sum(hierarchical(gaps, ratio=0.1, draws=160).probabilities) == pytest.approx(1.0)
    with pytest.raises(DataError, match=r"show no spread. \(row 3\) Give a rope"):
        hierarchical(gaps, ratio=0.1, rope=0.0)


def test_bad_input_is_refused():
    gaps = draw(np.random.default_rng(8))
    with pytest.raises(DataError, match="several data sets and folds"):
        hierarchical(gaps[0], ratio=0.1)
    with pytest.raises(DataError, match=r"not finite. \(row 2\)"):
        hierarchical(np.where(np.arange(15)[:, None] == 2, np.nan, gaps), ratio=0.1)
    with pytest.raises(DataError, match="same folds of the same data sets"):
        hierarchical(gaps, gaps[:5], ratio=0.1)
    with pytest.raises(ParameterError, match="ratio"):
        hierarchical(gaps, ratio=0.0)
