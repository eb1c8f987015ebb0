"""Tables of nominal columns, and how two encoders' answers are compared."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd

DRAW = np.random.default_rng(0)
N = 200
WORDS = np.empty((N, 3), dtype=object)
WORDS[:, 0] = DRAW.choice(list("abcdef"), N, p=[0.4, 0.3, 0.2, 0.05, 0.03, 0.02])
WORDS[:, 1] = DRAW.choice(["x", "yy"], N)
WORDS[:, 2] = DRAW.choice(["q", "r", "s"], N)
HOLED = WORDS.copy()
HOLED[::7, 2] = None
WHOLE = DRAW.integers(-3, 4, (N, 3))
FLOATS = DRAW.choice([1.5, 2.0, np.nan], (N, 2))
FRAME = pd.DataFrame({"a": WORDS[:, 0], "b": WHOLE[:, 0], "c": FLOATS[:, 0]})
TABLES = {
    "objects": WORDS,
    "objects and None": HOLED,
    "strings": WORDS.astype(str),
    "whole numbers": WHOLE,
    "far whole numbers": WHOLE * 10**9,
    "floats and NaN": FLOATS,
    "a frame": FRAME,
}


def other_values(X):
    """Return the table with values that were not in it."""
    changed = X.copy()
    if isinstance(X, pd.DataFrame):
        changed.iloc[3, 0], changed.iloc[5, 1] = "zz", 99
    else:
        changed[3, 0] = "z" if X.dtype.kind in "OU" else 99
    return changed


def same_cells(ours, theirs):
    """Whether two answers hold the same values; NaN is NaN."""
    one, other = (a.toarray() if hasattr(a, "toarray") else np.asarray(a) for a in (ours, theirs))
    pairs = zip(one.ravel().tolist(), other.ravel().tolist(), strict=True)
    return one.shape == other.shape and all(
        a is b or a == b or (a != a and b != b)  # noqa: PLR0124
        for a, b in pairs
    )


def answers(encoder, X, asked):
    """Return what an encoder learned and answers, or the kind of its refusal."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            model = encoder.fit(X)
            coded = model.transform(asked)
            back = model.inverse_transform(coded.copy())
        except (ValueError, TypeError):
            return None
    return coded, back, model.categories_, model.get_feature_names_out()
