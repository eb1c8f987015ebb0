"""k-means against scikit-learn's two algorithms: same start, same turns, same sum of squares.

Repeats are interleaved and the least times compared, so that whatever else the machine does
falls on all of them alike. Memory is the most that a fit holds at a time beside the rows.
"""

from __future__ import annotations

import os
import tracemalloc
import warnings
from time import perf_counter
from typing import Any

import numpy as np
from sklearn.cluster import KMeans as Peer

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
TURNS = 40


def table(n: int, d: int, k: int, apart: float, kind: Any) -> tuple[Any, Any]:
    """Draw rows (about ``k`` middles, or about one) and centres to begin with."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    if apart:
        X += apart * rng.normal(size=(k, d))[rng.integers(k, size=n)]
    X = X.astype(kind)
    return X, X[rng.choice(n, k, replace=False)]


def timed(model: Any, X: Any) -> float:
    start = perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(X)
    return perf_counter() - start


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
    models = {
        "ours": KMeans(k, **options),
        "scikit-learn lloyd": Peer(k, algorithm="lloyd", **options),
        "scikit-learn elkan": Peer(k, algorithm="elkan", **options),
    }
    models["ours"].fit(X[: 4 * k])
    times = {who: [] for who in models}
    for _ in range(repeats):
        for who, model in models.items():
            times[who].append(timed(model, X))
    ours = models["ours"]
    memory = held(ours, X)
    return [
        {
            "name": name,
            "n": n,
            "d": d,
            "k": k,
            "ours_s": min(times["ours"]),
            "peer": who,
            "peer_s": min(times[who]),
            "ratio": min(times[who]) / min(times["ours"]),
            "ours_objective": ours.inertia_,
            "peer_objective": models[who].inertia_,
            "turns": (ours.n_iter_, models[who].n_iter_),
            "memory_share": memory / X.nbytes,
            "threads": thread_count(),
            "load": os.getloadavg()[0],
        }
        for who in models
        if who != "ours"
    ]


def run(smoke: bool) -> list[dict[str, Any]]:
    """Run the cases; ``smoke`` makes them small."""
    cases = [(name, n // 50, *rest) for name, n, *rest in CASES] if smoke else CASES
    return [line for case in cases for line in compare(case, 2 if smoke else 5)]


if __name__ == "__main__":
    for line in run(smoke=False):
        print({key: round(v, 4) if isinstance(v, float) else v for key, v in line.items()})
