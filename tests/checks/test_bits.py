from __future__ import annotations

import pickle
import re

import numpy as np
import pytest

from learnable.checks import LawBroken, close, same_bits
from learnable.naive_bayes import GaussianNB

PAIRS = [
    (np.zeros(2), np.zeros(3)),
    (np.zeros(2), np.zeros(2, np.float32)),
    (np.zeros(2), [0.0, 0.0]),
    (1.0, 1),
    (True, 1),
    (float("nan"), 0.0),
    (np.array([np.nan]), np.array([0.0])),
    ({"a": 1}, {"b": 1}),
    ({"a": {"b": np.ones(1)}}, {"a": {"b": np.ones(1) + 1e-15}}),
    ((1, 2), (1, 2, 3)),
    (np.array(["a"]), np.array(["b"])),
    (GaussianNB(), GaussianNB(var_smoothing=1.0)),
    (None, 0),
]


@pytest.mark.parametrize(("one", "other"), PAIRS, ids=range(len(PAIRS)))
def test_values_that_differ_are_told_apart(one, other):
    for pair in ((one, other), (other, one)):
        with pytest.raises(LawBroken, match=r"^what: "):
            same_bits(*pair, "what")


def test_equal_values_are_equal():
    for value in (np.array([np.nan, 1.0]), float("nan"), {"a": [1, "b", None]}, GaussianNB()):
        same_bits(value, pickle.loads(pickle.dumps(value)), "a copy")  # noqa: S301


CLOSE = [
    (np.array([1.0, 1e-30]), np.array([1.0, 2e-30]), True),
    (np.array([1.0, 0.0]), np.array([1.0, 1e-9]), False),
    (np.array([np.inf, 1.0]), np.array([np.inf, 1.0]), True),
    (np.array([np.inf, 1.0]), np.array([-np.inf, 1.0]), False),
    (np.array([np.nan]), np.array([0.0]), False),
    (np.array([1.0]), np.array([np.inf]), False),
    (np.array([1.0]), np.array([np.nan]), False),
    (np.array([0.0]), np.array([1e-300]), False),
    (1.0, 1.0 + 1e-14, True),
    (0.0, 1e-14, False),
    (1.0, float("nan"), False),
    (np.array([1]), np.array([2]), False),
    (np.array(["a"]), np.array(["a"]), True),
]


@pytest.mark.parametrize(("one", "other", "good"), CLOSE, ids=range(len(CLOSE)))
def test_closeness_is_a_share_of_the_largest(one, other, good):
    if good:
        close(one, other, 1e-12, "what")
        return
    with pytest.raises(LawBroken, match=re.escape("what: the value differs by more than 1e-12")):
        close(one, other, 1e-12, "what")
