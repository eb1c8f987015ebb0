"""Loops over sorted scores and over distances, beside plain twins."""

from __future__ import annotations

import numpy as np
import pytest

from learnable.loops.ranks import (
    count_ranks,
    distance_sums,
    join_ranks,
    longest_run,
    weigh_ranks,
)
from learnable.stats.arrays import frozen


def drawn(n, seed):
    rng = np.random.default_rng(seed)
    score = np.sort(rng.integers(0, 7, n) / 4.0)
    return frozen(score), frozen(rng.random(n) < 0.5), frozen(rng.integers(0, 3, n) + 0.25)


def plain(score, positive, weight):
    found = np.unique(score)
    return found, *(
        np.array([weight[side & (score == s)].sum() for s in found])
        for side in (positive, ~positive)
    )


def equal(made, expected):
    for one, other in zip(made, expected, strict=True):
        assert one.tolist() == other.tolist()


@pytest.mark.parametrize("n", [0, 1, 2, 40])
def test_ranks(n):
    score, positive, weight = drawn(n, n)
    equal(weigh_ranks(score, positive, weight), plain(score, positive, weight))
    counted = count_ranks(frozen(score[positive]), frozen(score[~positive]))
    equal(counted, plain(score, positive, np.ones(n)))


@pytest.mark.parametrize("n", [0, 1, 30])
def test_joining(n):
    one, other = drawn(n, 1), drawn(12, 2)
    first, second = ([frozen(part) for part in weigh_ranks(*rows)] for rows in (one, other))
    whole = [np.concatenate(pair) for pair in zip(one, other, strict=True)]
    joined = join_ranks(*first, *second, 1.0)
    equal(joined, plain(*whole))
    equal(join_ranks(*map(frozen, joined), *second, -1.0), first)


def test_sums_of_distances():
    rng = np.random.default_rng(0)
    A, B, codes = rng.normal(size=(5, 3)), rng.normal(size=(20, 3)), rng.integers(0, 4, 20)
    apart = np.sqrt(((A[:, None] - B) ** 2).sum(axis=2))
    expected = np.stack([apart[:, codes == k].sum(axis=1) for k in range(4)], axis=1)
    made = distance_sums(frozen(A), frozen(B), frozen(codes.astype(np.int32)), 4)
    assert made == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("n", [1, 2, 50, 400])
def test_the_longest_run_is_the_first_of_the_most_frequent(n):
    ordered = np.sort(np.random.default_rng(n).integers(0, 9, n).astype(float))
    values, counts = np.unique(ordered, return_counts=True)
    assert ordered[longest_run(frozen(ordered))] == values[counts.argmax()]
