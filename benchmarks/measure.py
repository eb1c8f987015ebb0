"""Measuring side by side: interleaved repeats, the minimum of each, the load of the machine."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import version
from time import perf_counter
from typing import Any

LIBRARIES = ("numpy", "scipy", "numba", "scikit-learn")


def seconds(work: Callable[[], Any]) -> float:
    start = perf_counter()
    work()
    return perf_counter() - start


def side_by_side(contenders: dict[str, Callable[[], Any]], repeats: int) -> dict[str, float]:
    """Seconds of the fastest of some runs of each, in turns, after one run that is not counted."""
    for work in contenders.values():
        work()
    times: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(repeats):
        for name, work in contenders.items():
            times[name].append(seconds(work))
    return {name: min(found) for name, found in times.items()}


def row(name: str, X: Any, times: dict[str, float]) -> dict[str, Any]:
    """A line of a table: how long we took for some rows, and scikit-learn."""
    return {
        "name": name,
        "n": X.shape[0],
        "d": X.shape[1],
        "ours_s": times["ours"],
        "peer": "scikit-learn",
        "peer_s": times["peer"],
        "ratio": times["peer"] / times["ours"],
    }


def in_new_process(code: str, repeats: int, **environment: str) -> float:
    """Seconds that a script reports on its last line, the fastest of some new processes."""
    command = [sys.executable, "-c", code]
    settings = {**os.environ, **environment}
    runs = [
        subprocess.run(command, check=True, capture_output=True, text=True, env=settings).stdout
        for _ in range(repeats)
    ]
    return min(float(run.split()[-1]) for run in runs)


def machine() -> str:
    """The machine, the libraries and the load, in one line."""
    load = ", ".join(f"{value:.2f}" for value in os.getloadavg())
    libraries = ", ".join(f"{name} {version(name)}" for name in LIBRARIES)
    return f"{platform.machine()}, {os.cpu_count()} cores, {libraries}; load {load}"
