"""What a start costs: import, help, the first fit ever, and a fit in a second process."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.measure import in_new_process

TIMED = "from time import perf_counter as now\nt = now()\n{}\nprint(now() - t)"
DATA = "import numpy as np\nX = np.random.default_rng(0).normal(size=(1000, 5))\ny = X[:, 0] > 0\n"
FIT = "from learnable.naive_bayes import GaussianNB\nGaussianNB().fit(X, y)"
TRIVIAL = "from numba import njit\n@njit\ndef f(x): return x + 1\nf(1.0)"
SCRIPT = str(Path(sys.executable).parent / "learnable")
HELP = f"import subprocess\nsubprocess.run([{SCRIPT!r}, '--help'], check=True, stdout=-3)"
PEER = "from sklearn.naive_bayes import GaussianNB\nGaussianNB().fit(X, y)"


def run(smoke: bool) -> list[dict[str, Any]]:
    repeats = 1 if smoke else 7
    with tempfile.TemporaryDirectory() as folder:
        cold = in_new_process(DATA + TIMED.format(FIT), 1, LEARNABLE_CACHE=folder)
        warm = in_new_process(DATA + TIMED.format(FIT), repeats, LEARNABLE_CACHE=folder)
    return [
        {"name": "import learnable", "seconds": _timed("import learnable", repeats)},
        {"name": "learnable --help", "seconds": _timed(HELP, repeats)},
        {"name": "first fit, nothing compiled", "seconds": cold},
        {"name": "fit in a second process", "seconds": warm},
        {"name": "Numba's own start", "seconds": _timed(TRIVIAL, repeats)},
        {
            "name": "scikit-learn's fit in a new process",
            "seconds": in_new_process(DATA + TIMED.format(PEER), repeats),
        },
    ]


def _timed(code: str, repeats: int) -> float:
    return in_new_process(TIMED.format(code), repeats)
