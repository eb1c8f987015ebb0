"""Vector mathematics against NumPy and SciPy, and against what the processor can do.

Two limits stand beside each time: a copy of the same bytes, and the fused steps and
multiplications of the formula at the measured peak rate of fused multiply-adds. Additions have
units of their own and a division counts as one step, so the second limit is a low one.
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Any

import numpy as np
from numba import njit
from scipy import special

from learnable.loops import elementary, vector_math
from learnable.loops.bits import fma

CHAIN = 32


def _steps(coefficients: tuple[float, ...]) -> int:
    """Fused steps of a polynomial, and the squarings between its pairs of pairs."""
    return len(coefficients) - 1 + int(np.ceil(np.log2(len(coefficients) - 2)))


EXP = 7 + _steps(elementary.EXP)
LOG = 7 + _steps(elementary.LOG)
FLOPS = {
    "exp": EXP,
    "expm1": EXP,
    "log": LOG,
    "log1p": LOG + 4,
    "tanh": EXP + 2,
    "sigmoid": EXP + 1,
    "erf": EXP + 1 + _steps(elementary.ERF_FAR),
    "logsumexp": EXP,
    "softmax": EXP + 1,
    "log_softmax": EXP,
}
RIVALS: dict[str, tuple[str, Callable[..., Any]]] = {
    **{name: ("numpy_ms", getattr(np, name)) for name in ("exp", "expm1", "log", "log1p", "tanh")},
    "sigmoid": ("scipy_ms", special.expit),
    "erf": ("scipy_ms", special.erf),
}
ROWWISE: dict[str, tuple[str, Callable[..., Any]]] = {
    name: ("scipy_ms", getattr(special, name)) for name in ("logsumexp", "softmax", "log_softmax")
}


@njit(nogil=True, error_model="numpy")
def _eight_chains(x: Any, out: Any) -> None:
    for i in range(x.size):
        a, b, c, d = x[i], x[i] + 0.1, x[i] + 0.2, x[i] + 0.3
        e, f, g, h = x[i] + 0.4, x[i] + 0.5, x[i] + 0.6, x[i] + 0.7
        for _ in range(CHAIN):
            a, b, c, d = fma(a, a, 0.1), fma(b, b, 0.1), fma(c, c, 0.1), fma(d, d, 0.1)
            e, f, g, h = fma(e, e, 0.1), fma(f, f, 0.1), fma(g, g, 0.1), fma(h, h, 0.1)
        out[i] = a + b + c + d + e + f + g + h


def shortest(work: Callable[[], Any], repeats: int) -> float:
    """Milliseconds of the fastest of some runs, the first not counted."""
    work()
    times = []
    for _ in range(repeats):
        start = perf_counter()
        work()
        times.append(perf_counter() - start)
    return 1e3 * min(times)


def fused_steps_a_ms(repeats: int) -> float:
    """Peak rate: independent chains over numbers that stay in the fastest cache."""
    x = np.linspace(0.1, 0.2, 1024)
    out = np.empty_like(x)
    return 8 * CHAIN * x.size / shortest(lambda: _eight_chains(x, out), 20 * repeats)


def _line(
    name: str, x: np.ndarray, rival: tuple[str, Callable[..., Any]], peak: float, repeats: int
) -> dict[str, Any]:
    function, (column, other) = getattr(vector_math, name), rival
    rows = {"axis": -1} if x.ndim > 1 else {}
    out = np.empty(x.shape[: 1 if name == "logsumexp" else x.ndim], x.dtype)
    target = np.empty_like(x)
    ours = shortest(lambda: function(x, out=out), repeats)
    copy = shortest(lambda: np.copyto(target, x), repeats)
    flops = x.size * FLOPS[name] / peak
    return {
        "name": f"{name} {x.dtype}" + (f" rows of {x.shape[1]}" if rows else ""),
        "n": x.size,
        "ours_ms": ours,
        column: shortest(lambda: other(x, **rows), repeats),
        "bytes_limit_ms": copy,
        "flop_limit_ms": flops,
        "ratio_to_limit": ours / max(copy, flops),
    }


def run(smoke: bool) -> list[dict[str, Any]]:
    """Measure every function; a smoke run is short and its figures mean nothing."""
    n, repeats = (1000, 1) if smoke else (1_000_000, 30)
    peak = fused_steps_a_ms(repeats)
    x = np.random.default_rng(0).uniform(0.01, 5.0, n)
    lines = [
        _line(name, x.astype(kind), rival, peak, repeats)
        for kind in (np.float64, np.float32)
        for name, rival in RIVALS.items()
    ]
    lines += [
        _line(name, x[: n // d * d].reshape(-1, d), rival, peak, repeats)
        for d in (2, 10, 100, 1000)
        for name, rival in ROWWISE.items()
    ]
    return lines


if __name__ == "__main__":
    for line in run(smoke=False):
        print(*(f"{k}={v:.3f}" if isinstance(v, float) else f"{k}={v}" for k, v in line.items()))
