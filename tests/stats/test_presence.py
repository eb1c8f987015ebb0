"""How many cells of each column are there."""

from __future__ import annotations

import numpy as np

from learnable.stats.presence import Presence


def test_counts_and_laws():
    X = np.random.default_rng(3).normal(size=(60, 4))
    X[X > 0.8] = np.nan
    whole, a, b = Presence.of(X), Presence.of(X[:7]), Presence.of(X[7:])
    assert whole.cells.tolist() == (~np.isnan(X)).sum(axis=0).tolist()
    assert a.merge(b).cells.tolist() == whole.cells.tolist()
    assert whole.minus(b).cells.tolist() == a.cells.tolist()
    assert Presence.zero(4).merge(a).cells.tolist() == a.cells.tolist()
    assert Presence.of(np.zeros((5, 2))).cells.tolist() == [5, 5]
