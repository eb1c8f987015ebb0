"""The bootstrap: seeds, corrections, groups, and draws of cells as draws of rows."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from learnable.metrics.bootstrap import bca

X = np.random.default_rng(2).exponential(size=60)


def mean(w):
    return float(w @ X / w.sum())


def test_scipys_interval():
    ours = bca(mean, np.ones(60), 0.9, n_resamples=20_000)
    theirs = stats.bootstrap(
        (X,), np.mean, confidence_level=0.9, n_resamples=20_000, rng=np.random.default_rng(1)
    ).confidence_interval
    width = theirs.high - theirs.low
    assert ours.low == pytest.approx(theirs.low, abs=0.03 * width)
    assert ours.high == pytest.approx(theirs.high, abs=0.03 * width)
    # The mean of a skew sample: the interval reaches farther up than down.
    assert ours.high - X.mean() > X.mean() - ours.low


def test_seeds():
    found = [bca(mean, np.ones(60), n_resamples=200, seed=seed) for seed in (1, 1, 2)]
    assert found[0] == found[1] != found[2]


def test_cells_are_rows():
    counts = np.array([12.0, 5.0, 23.0])
    values = np.array([0.0, 1.0, 2.0])
    rows = np.repeat(values, counts.astype(int))
    # Means of 40 whole numbers lie 1/40 apart.
    by_cell = bca(lambda w: float(w @ values / w.sum()), counts, n_resamples=20_000)
    by_row = bca(lambda w: float(w @ rows / w.sum()), np.ones(40), n_resamples=20_000)
    assert by_cell.low == pytest.approx(by_row.low, abs=0.026)
    assert by_cell.high == pytest.approx(by_row.high, abs=0.026)


def test_groups_are_drawn_whole():
    groups = np.repeat(np.arange(12), 5).astype(np.int32)
    same = np.repeat(np.random.default_rng(5).normal(size=12), 5)

    def measure(w):
        return float(w @ same / w.sum())

    rows, grouped = bca(measure, np.ones(60)), bca(measure, np.ones(60), groups=groups)
    assert grouped.high - grouped.low > 1.7 * (rows.high - rows.low)


def test_many_rows_are_left_out_in_parts():
    x = np.random.default_rng(1).exponential(size=2000)
    found = bca(lambda w: float(w @ x / w.sum()), np.ones(2000), n_resamples=1000)
    half = 1.96 * x.std() / np.sqrt(2000)
    assert found.low == pytest.approx(x.mean() - half, abs=0.2 * half)
    assert found.high == pytest.approx(x.mean() + half, abs=0.2 * half)


def test_what_tells_nothing_says_so():
    found = bca(lambda _: 1.0, np.ones(9), n_resamples=50)
    assert (found.low, found.high, found.constant) == (1.0, 1.0, True)

    def sometimes(w):
        return mean(np.append(w, np.zeros(51))) if w[0] else float("nan")

    some = bca(sometimes, np.ones(9))
    assert 0 < some.undefined < 2000
    assert not some.constant


@pytest.mark.full
def test_coverage_of_a_mean():
    rng = np.random.default_rng(11)
    held = 0
    for _ in range(400):
        x = rng.exponential(size=50)
        found = bca(lambda w, x=x: float(w @ x / w.sum()), np.ones(50), n_resamples=600)
        held += found.low <= 1.0 <= found.high
    assert 0.89 < held / 400 < 0.97
