from __future__ import annotations

import numpy as np
import pytest

from learnable.checks import check_statistic
from learnable.stats import Shifts


def drawn(n, seed=0, kind=np.float64):
    rng = np.random.default_rng(seed)
    weight = rng.integers(0, 3, n).astype(float)
    return rng.normal(size=(n, 3)).astype(kind), rng.integers(0, 4, n).astype(np.int32), weight


def together(one, other):
    return tuple(np.concatenate(pair) for pair in zip(one, other, strict=True))


@pytest.mark.parametrize("kind", [np.float64, np.float32])
def test_laws(kind):
    check_statistic(
        lambda block: Shifts.of(block[0], block[1], 4, block[2], np.ones(3), 0.5),
        [drawn(n, n, kind) for n in (9, 20, 33)],
        together,
        zero=Shifts.zero(4, 3),
    )


def test_means_and_scatter_are_those_of_numpy():
    X, labels, weight = drawn(200)
    found = Shifts.of(X, labels, 4, weight, X.mean(axis=0))
    for c in range(4):
        own, w = X[labels == c], weight[labels == c]
        np.testing.assert_allclose(found.means()[c] + X.mean(axis=0), np.average(own, 0, w))
        assert found.rows[c] == np.count_nonzero(w)
    between = found.weight @ (found.means() ** 2).sum(axis=1)
    np.testing.assert_allclose(found.between(), between)


def test_moving_rows_is_what_lies_between_before_and_after():
    X, labels, weight = drawn(50)
    rows = np.arange(0, 50, 3, dtype=np.int32)
    found = np.full(len(rows), 2, np.int32)
    before = Shifts.of(X, labels, 4, weight)
    after = labels.copy()
    shift = Shifts.moving(X, rows, found, after, 4, weight)
    assert (after[rows] == 2).all()
    whole = Shifts.of(X, after, 4, weight)
    merged = before.merge(shift)
    np.testing.assert_array_equal(merged.rows, whole.rows)
    np.testing.assert_allclose(merged.sums, whole.sums, atol=1e-12)
    assert shift.changed == ((labels[rows] != 2) & (weight[rows] > 0)).sum()


def test_an_empty_cluster_has_mean_0():
    X, labels, _ = drawn(20)
    found = Shifts.of(X, np.minimum(labels, 2), 4)
    assert found.rows[3] == 0
    assert (found.means()[3] == 0.0).all()
