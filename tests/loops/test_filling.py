"""Filling a block against NumPy."""

from __future__ import annotations

import numpy as np
import pytest

from learnable.loops.filling import count_missing, fill_missing
from learnable.stats.arrays import frozen


@pytest.mark.parametrize("kind", [np.float64, np.float32])
def test_gaps_are_filled_and_the_rest_is_copied(kind):
    X = np.random.default_rng(0).normal(size=(70, 3)).astype(kind)
    X[::3, 1] = np.nan
    fill, out = np.arange(3, dtype=kind), np.empty_like(X)
    fill_missing(frozen(X), frozen(fill), out)
    assert np.array_equal(out, np.where(np.isnan(X), fill, X))


@pytest.mark.parametrize("kind", [np.float64, np.float32])
def test_gaps_are_counted_by_column_and_by_row(kind):
    X = np.random.default_rng(0).normal(size=(70, 3)).astype(kind)
    X[::3, 1] = X[::5, 2] = np.nan
    missing, incomplete = count_missing(frozen(X))
    assert missing.tolist() == np.isnan(X).sum(axis=0).tolist()
    assert incomplete == np.isnan(X).any(axis=1).sum()
