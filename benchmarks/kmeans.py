"""k-means against scikit-learn's two algorithms: same start, same turns, same sum of squares.

Repeats are interleaved and the least times compared. ``memory`` is the most that a fit holds at a
time beside the rows, as a share of them.
"""

from __future__ import annotations

import os
import tracemalloc
from functools import partial
from typing import Any

import numpy as np
from sklearn.cluster import KMeans as Peer

from benchmarks.measure import side_by_side
from learnable.cluster import KMeans
from learnable.core import thread_count

CASES = [
    # name, rows, columns, clusters, distance between groups (0: none), kind of number
    ("one cloud", 300_000, 32, 64, 0.0, np.float64),
    ("one cloud, float32", 300_000, 32, 64, 0.0, np.float32),
    ("64 groups apart", 300_000, 32, 64, 8.0, np.float64),
    ("64 groups apart, float32", 300_000, 32, 64, 8.0, np.float32),
    ("few columns", 200_000, 2, 50, 0.0, np.float64),
    ("many clusters", 50_000, 100, 300, 0.0, np.float64),
]
TURNS = 30


def table(n: int, d: int, k: int, apart: float, kind: Any) -> tuple[Any, Any]:
    """Draw rows (about ``k`` middles, or about one) and centres to begin with."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    if apart:
        X += apart * rng.normal(size=(k, d))[rng.integers(k, size=n)]
    X = X.astype(kind)
    return X, X[rng.choice(n, k, replace=False)]


def held(model: Any, X: Any) -> int:
    tracemalloc.start()
    model.fit(X)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most


def compare(case: tuple[Any, ...], repeats: int) -> list[dict[str, Any]]:
    """Return one line for each of scikit-learn's algorithms."""
    name, n, d, k, apart, kind = case
    X, init = table(n, d, k, apart, kind)
    options = {"init": init, "n_init": 1, "max_iter": TURNS, "tol": 0.0}
    ours = KMeans(k, **options)
    peers = {word: Peer(k, algorithm=word, **options) for word in ("lloyd", "elkan")}
    times = side_by_side(
        {who: partial(model.fit, X) for who, model in {"ours": ours, **peers}.items()}, repeats
    )
    memory = held(ours, X) / X.nbytes
    return [
        {
            "name": name,
            "n": n,
            "d": d,
            "k": k,
            "ours_s": times["ours"],
            "peer": f"scikit-learn {word}",
            "peer_s": times[word],
            "ratio": times[word] / times["ours"],
            "ours_objective": ours.inertia_,
            "peer_objective": float(peer.inertia_),
            "turns": f"{ours.n_iter_} {peer.n_iter_}",
            "memory": memory,
            "threads": thread_count(),
            "load": os.getloadavg()[0],
        }
        for word, peer in peers.items()
    ]


def run(smoke: bool) -> list[dict[str, Any]]:
    """Run the cases; ``smoke`` makes them small."""
    cases = [(name, n // 50, *rest) for name, n, *rest in CASES] if smoke else CASES
    return [line for case in cases for line in compare(case, 1 if smoke else 3)]
