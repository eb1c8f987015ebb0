"""Answers that measures are tried on: plain, weighted, degenerate, of every kind of label."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

NAMES = np.array(["ash", "oak", "yew", "elm", "fir"])


def labels(n, k, seed, kind=int):
    """Right and predicted labels, most of them right, and weights."""
    rng = np.random.default_rng(seed)
    actual = rng.integers(0, k, n)
    predicted = np.where(rng.random(n) < 0.6, actual, rng.integers(0, k, n))
    weight = rng.random(n) * (rng.random(n) > 0.1)
    if kind is str:
        return NAMES[actual], NAMES[predicted], weight
    if kind is object:
        return NAMES[actual].astype(object), NAMES[predicted].astype(object), weight
    return actual.astype(kind), predicted.astype(kind), weight


def quietly(function, *args, **options):
    """The result of a peer, whatever it warns of."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return function(*args, **options)


def same(ours, peers, *args, tolerance=1e-12, **options):
    """Compare two functions on the same arguments."""
    mine, theirs = quietly(ours, *args, **options), quietly(peers, *args, **options)
    assert np.shape(mine) == np.shape(theirs)
    assert mine == pytest.approx(theirs, rel=tolerance, abs=tolerance, nan_ok=True)
