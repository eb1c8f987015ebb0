"""Measures against scikit-learn on a million rows, at equal results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn import metrics as peers

from benchmarks.measure import side_by_side
from learnable import metrics


def _row(
    name: str, n: int, ours: Callable[[], Any], peer: Callable[[], Any], repeats: int
) -> dict[str, Any]:
    apart = float(np.max(np.abs(np.asarray(ours(), float) - np.asarray(peer(), float))))
    times = side_by_side({"ours": ours, "peer": peer}, repeats)
    return {
        "name": name,
        "n": n,
        "ours_s": times["ours"],
        "peer": "scikit-learn",
        "peer_s": times["peer"],
        "ratio": times["peer"] / times["ours"],
        "apart": apart,
    }


def run(smoke: bool) -> list[dict[str, Any]]:
    n, repeats = (5_000, 1) if smoke else (1_000_000, 5)
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, n)
    score = 1.0 / (1.0 + np.exp(-rng.normal(size=n) - y))
    called, weight = (score > 0.6).astype(int), rng.random(n)
    kinds = rng.integers(0, 10, n)
    proba = rng.dirichlet(np.ones(10), n)
    guess = np.where(rng.random(n) < 0.7, kinds, rng.integers(0, 10, n))
    names = np.array([f"class {i}" for i in range(10)])
    text = names[kinds], names[guess]
    real = rng.normal(size=n), rng.normal(size=n)
    X, part = rng.normal(size=(n // 200, 10)), rng.integers(0, 8, n // 200)
    asked: list[tuple[str, str, tuple[Any, ...], dict[str, Any]]] = [
        ("roc_auc", "roc_auc_score", (y, score), {}),
        ("roc_auc weighted", "roc_auc_score", (y, score), {"sample_weight": weight}),
        ("roc_auc ties", "roc_auc_score", (y, score.round(3)), {}),
        ("roc_auc ovr K=10", "roc_auc_score", (kinds, proba), {"multi_class": "ovr"}),
        ("average_precision", "average_precision_score", (y, score), {}),
        ("confusion_matrix K=2", "confusion_matrix", (y, called), {}),
        ("confusion_matrix K=10", "confusion_matrix", (kinds, guess), {}),
        ("confusion_matrix text", "confusion_matrix", text, {}),
        ("f1", "f1_score", (y, called), {}),
        ("f1 macro K=10", "f1_score", (kinds, guess), {"average": "macro"}),
        ("accuracy", "accuracy_score", (y, called), {}),
        ("log_loss", "log_loss", (y, score), {}),
        ("log_loss K=10", "log_loss", (kinds, proba), {}),
        ("mean_squared_error", "mean_squared_error", real, {}),
        ("r2", "r2_score", real, {}),
        ("silhouette", "silhouette_score", (X, part), {}),
        ("adjusted_mutual_info K=10", "adjusted_mutual_info_score", (kinds, guess), {}),
    ]
    return [
        _row(
            name,
            len(args[0]),
            lambda f=function, a=args, o=options: getattr(metrics, f)(*a, **o),
            lambda f=function, a=args, o=options: getattr(peers, f)(*a, **o),
            repeats,
        )
        for name, function, args, options in asked
    ]
