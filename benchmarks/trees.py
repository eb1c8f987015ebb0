"""Decision trees against scikit-learn: 30 numeric columns, 4 classes, to depth 8 and to the end."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn import tree as peers

from benchmarks.measure import side_by_side
from learnable.tree import DecisionTreeClassifier, DecisionTreeRegressor


def _line(name: str, X: Any, times: dict[str, float], scores: list[float]) -> dict[str, Any]:
    return {
        "name": name,
        "n": X.shape[0],
        "d": X.shape[1],
        "ours_s": times["ours"],
        "peer": "scikit-learn",
        "peer_s": times["peer"],
        "ratio": times["peer"] / times["ours"],
        "ours_score": scores[0],
        "peer_score": scores[1],
    }


def _compared(
    name: str, ours: Any, peer: Any, data: tuple[Any, ...], repeats: int
) -> list[dict[str, Any]]:
    X, y, new, answers = data
    fits = {"ours": lambda: ours.fit(X, y), "peer": lambda: peer.fit(X, y)}
    fitted = side_by_side(fits, repeats)
    asked = {"ours": lambda: ours.predict(X), "peer": lambda: peer.predict(X)}
    answered = side_by_side(asked, 3 * repeats)
    scores = [ours.score(new, answers), peer.score(new, answers)]
    return [
        _line(f"{name}: fit", X, fitted, scores),
        _line(f"{name}: predict", X, answered, scores),
    ]


def run(smoke: bool) -> list[dict[str, Any]]:
    n, repeats = (2_000, 1) if smoke else (200_000, 2)
    rng = np.random.default_rng(0)
    y = rng.integers(0, 4, 2 * n)
    X = rng.normal(size=(2 * n, 30)) + np.eye(4, 30)[y]
    X = X.astype(np.float32).astype(np.float64)
    data = (X[:n], y[:n], X[n:], y[n:])
    lines = []
    for depth in (8, None):
        told = "to the end" if depth is None else f"depth {depth}"
        for bins, how in ((None, "exact"), (255, "binned")):
            ours = DecisionTreeClassifier(max_depth=depth, max_bins=bins)
            peer = peers.DecisionTreeClassifier(max_depth=depth, random_state=0)
            lines += _compared(f"classes, {told}, {how}", ours, peer, data, repeats)
    answers = X[:, 0] + X[:, 1] ** 2 + rng.normal(size=2 * n)
    data = (X[:n], answers[:n], X[n:], answers[n:])
    ours, peer = DecisionTreeRegressor(max_depth=8), peers.DecisionTreeRegressor(max_depth=8)
    lines += _compared("squared error, depth 8", ours, peer, data, repeats)
    return lines
