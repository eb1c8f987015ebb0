"""Scalers against scikit-learn: fit and transform, warm, two threads for us as by default."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn import preprocessing as peers

from benchmarks.measure import row, side_by_side
from learnable import preprocessing

NAMES = ("StandardScaler", "MinMaxScaler", "Normalizer")
SHAPES = [(1_000_000, 20, "float64"), (1_000_000, 20, "float32"), (1_000_000, 2, "float64"),
          (1_000, 5, "float64")]  # fmt: skip
SMOKE = [(2_000, 5, "float64")]


def _lines(name: str, X: Any, repeats: int) -> list[dict[str, Any]]:
    ours, peer = getattr(preprocessing, name)(), getattr(peers, name)()
    fits = {"ours": lambda: ours.fit(X), "peer": lambda: peer.fit(X)}
    fitted = side_by_side(fits, repeats)
    asked = {"ours": lambda: ours.transform(X), "peer": lambda: peer.transform(X)}
    return [
        row(f"{name} fit {X.dtype}", X, fitted),
        row(f"{name} transform {X.dtype}", X, side_by_side(asked, repeats)),
    ]


def run(smoke: bool) -> list[dict[str, Any]]:
    random, found = np.random.default_rng(0), []
    for n, d, dtype in SMOKE if smoke else SHAPES:
        X = random.normal(size=(n, d)).astype(dtype)
        for name in NAMES:
            found += _lines(name, X, 1 if smoke else 9)
    return found
