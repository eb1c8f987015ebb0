"""Naive Bayes against scikit-learn: fit and predict, warm, two threads for us as by default."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn import naive_bayes as peers

from benchmarks.measure import row, side_by_side
from learnable.naive_bayes import CategoricalNB, GaussianNB


def _pair(name: str, ours: Any, peer: Any, X: Any, y: Any, repeats: int) -> list[dict[str, Any]]:
    fits = {"ours": lambda: ours.fit(X, y), "peer": lambda: peer.fit(X, y)}
    fitted = side_by_side(fits, repeats)
    agree = float((ours.predict(X) == peer.predict(X)).mean())
    asked = {"ours": lambda: ours.predict_proba(X), "peer": lambda: peer.predict_proba(X)}
    answered = side_by_side(asked, max(repeats // 2, 1))
    return [
        {**row(f"{name} fit", X, fitted), "agree": agree},
        {**row(f"{name} predict_proba", X, answered), "agree": agree},
    ]


def run(smoke: bool) -> list[dict[str, Any]]:
    n, repeats = (6_000, 1) if smoke else (600_000, 7)
    rng = np.random.default_rng(0)
    lines = []
    for k in (2, 10):
        y = rng.integers(0, k, n)
        X = rng.normal(size=(n, 50)) + 0.3 * y[:, None]
        model, peer = GaussianNB(), peers.GaussianNB()
        lines += _pair(f"GaussianNB K={k}", model, peer, X, y, repeats)
        single = X.astype(np.float32)
        lines += _pair(f"GaussianNB float32 K={k}", model, peer, single, y, repeats)
    y = rng.integers(0, 10, n)
    codes = np.minimum(rng.poisson(1 + y[:, None] / 3, (n, 20)), 9)
    lines += _pair("CategoricalNB", CategoricalNB(), peers.CategoricalNB(), codes, y, repeats)
    return lines
