"""Blocks of rows to compare compiled loops on: random and adversarial, read-only as loops want."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from learnable.stats.arrays import frozen

KINDS = (np.float64, np.float32)
WILD = (0.0, -0.0, 1.0, -1.0, 0.1, 1e-30, -3e7, 16777217.0, 1e30)
NOT_FINITE = (np.nan, np.inf, -np.inf)


def cells(kind, *, finite=True):
    """Numbers of a kind, many of them from a short list so that ties and zeros occur."""
    width = np.dtype(kind).itemsize * 8
    wild = WILD if finite else WILD + NOT_FINITE
    ordinary = st.floats(-1e6, 1e6, width=width, allow_subnormal=False)
    return ordinary | st.sampled_from([float(kind(value)) for value in wild])


@st.composite
def blocks(draw, *, finite=True, k=3, most=12):
    """Draw ``(X, codes, weight, k)``; codes and weights may be absent (empty)."""
    kind = draw(st.sampled_from(KINDS))
    n, d = draw(st.integers(0, most)), draw(st.sampled_from([1, 2, 3, 9]))
    X = draw(arrays(kind, (n, d), elements=cells(kind, finite=finite)))
    codes = draw(
        st.just(np.empty(0, np.int32)) | arrays(np.int32, n, elements=st.integers(-2, k - 1))
    )
    weight = draw(
        st.just(np.empty(0)) | arrays(np.float64, n, elements=st.sampled_from([0.0, 0.5, 1.0, 3.0]))
    )
    return frozen(X), frozen(codes), frozen(weight), k


def classes_and_weights(X, codes, weight):
    """Return the class and the weight of each row, stated or not."""
    n = len(X)
    return (
        codes if len(codes) else np.zeros(n, np.int32),
        weight if len(weight) else np.ones(n),
    )
