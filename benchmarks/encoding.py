"""Encoders, imputers and discretisers against scikit-learn: fit and transform, warm."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from sklearn import impute as peer_imputers
from sklearn import preprocessing as peers

from benchmarks.measure import row, side_by_side
from learnable import impute, preprocessing

VALUES = 50


def _tables(n: int) -> dict[str, Any]:
    random = np.random.default_rng(0)
    words = np.array([f"value {i}" for i in range(VALUES)])
    places = random.integers(0, VALUES, (n, 2))
    far = random.integers(0, 10**9, VALUES)
    return {
        "shared text objects": words.astype(object)[places],
        "text objects": words[places].astype(object),
        "strings": words[places],
        "whole numbers": places,
        "far whole numbers": far[places],
        "floats": random.random(VALUES)[places],
    }


def _lines(name: str, ours: Any, peer: Any, X: Any, repeats: int) -> list[dict[str, Any]]:
    fits = {"ours": lambda: ours.fit(X), "peer": lambda: peer.fit(X)}
    found = [row(f"{name} fit", X, side_by_side(fits, repeats))]
    asked = {"ours": lambda: ours.transform(X), "peer": lambda: peer.transform(X)}
    return [*found, row(f"{name} transform", X, side_by_side(asked, repeats))]


def run(smoke: bool) -> list[dict[str, Any]]:
    n, repeats, found = (2_000, 1, []) if smoke else (1_000_000, 3, [])
    for title, X in _tables(n).items():
        for name in ("OneHotEncoder", "OrdinalEncoder"):
            pair = (getattr(preprocessing, name)(), getattr(peers, name)())
            found += _lines(f"{name}, {title}", *pair, X, repeats)
    random = np.random.default_rng(0)
    X = random.normal(size=(n, 10))
    holed = np.where(random.random(X.shape) < 0.1, np.nan, X)
    for strategy in ("mean", "median"):
        options = {"strategy": strategy}
        pair = impute.SimpleImputer(**options), peer_imputers.SimpleImputer(**options)
        found += _lines(f"SimpleImputer, {strategy}", *pair, holed, repeats)
    found += _lines("RobustScaler", preprocessing.RobustScaler(), peers.RobustScaler(), X, repeats)
    for strategy in ("uniform", "quantile", "kmeans"):
        options = {"strategy": strategy, "encode": "ordinal"}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            peer = peers.KBinsDiscretizer(10, **options, subsample=None, quantile_method="linear")
            ours = preprocessing.Discretizer(10, **options)
            found += _lines(f"Discretizer, {strategy}", ours, peer, X, repeats)
    return found
