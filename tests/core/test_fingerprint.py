"""Fingerprints: another one for whatever a compiler would freeze."""

from __future__ import annotations

import enum

import numba
import numpy as np

from learnable.core.fingerprint import fingerprint


def outer(kind):
    def inner(x):
        return kind, x

    return inner


def test_the_fingerprint_follows_what_a_compiler_freezes():
    values = [
        1,
        1.0,
        True,
        None,
        "1",
        (1, 2),
        [1, 2],
        np.ones(2),
        np.ones(2, "f4"),
        np.ones((2, 1)),
    ]
    values += [
        numba.float32,
        numba.float64,
        np.dtype("f4"),
        np.dtype("f8"),
        np.float32,
        frozenset({1}),
    ]
    values += [enum.Enum("E", {"a": 1}), enum.Enum("E", {"a": 2})]
    values += [enum.Enum("E", {"a": 1}).a, enum.IntEnum("E", {"a": 2}).a, len, outer, outer(3)]
    prints = [fingerprint(outer(value)) for value in values]
    assert len(set(prints)) == len(values)
    assert prints == [fingerprint(outer(value)) for value in values]


def typed_in(text):
    """What a notebook does: there is no file to go by."""
    scope = {}
    exec(compile(text, "<cell>", "exec"), scope)  # noqa: S102
    return scope["f"]


def test_the_fingerprint_follows_code_that_lies_in_no_file():
    texts = [
        "def f(x): return x + 1",
        "def f(x): return x + 2",
        "def f(x): return x - 1",
        "def f(x, y=1): return x + 1",
        "def f(x, y=2): return x + 1",
        "k = 1\ndef f(x): return x + k",
        "k = 2\ndef f(x): return x + k",
        "def g(x): return [i + 1 for i in x]\ndef f(x): return g(x)",
        "def g(x): return [i + 2 for i in x]\ndef f(x): return g(x)",
    ]
    prints = [fingerprint(typed_in(text)) for text in texts]
    assert len(set(prints)) == len(texts)
    assert prints == [fingerprint(typed_in(text)) for text in texts]
