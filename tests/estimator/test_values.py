"""Values of parameters: they come back the same and of the same type."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from learnable.estimator.ledger import Content, Reader, Refused, Writer
from learnable.estimator.values import put_value, take_value

PLAIN = (
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False)
    | st.text(st.characters(exclude_categories=["Cs"]))
)
KEYS = st.text("abc") | st.integers(0, 9)
VALUES = st.recursive(
    PLAIN,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(KEYS, inner, max_size=3)
    ),
    max_leaves=10,
)


def taken(node, *arrays):
    return take_value(node, Reader(Content({}, list(arrays), 1000)))


def through(value):
    writer = Writer()
    node = put_value(value, writer)
    return taken(node, *writer.arrays)


@given(VALUES)
def test_values_come_back_the_same(value):
    back = through(value)
    assert back == value
    assert repr(back) == repr(value)


def test_nan_and_arrays_come_back():
    assert math.isnan(through(float("nan")))
    back = through({"grid": np.arange(3), "words": np.array(["a", "b"])})
    assert back["grid"].tolist() == [0, 1, 2]
    assert back["words"].tolist() == ["a", "b"]


@pytest.mark.parametrize(
    ("value", "plain"), [(np.int8(3), 3), (np.float64(0.5), 0.5), (np.str_("a"), "a")]
)
def test_scalars_of_numpy_become_plain(value, plain):
    assert through(value) == plain
    assert type(through(value)) is type(plain)


def circle():
    ring = []
    ring.append(ring)
    return ring


@pytest.mark.parametrize(
    "value",
    [
        len, lambda x: x, int, object(), b"ab", {1, 2}, 2j, 2**64, -(2**63) - 1, "\ud800",
        np.random.default_rng(0), np.random.RandomState(0), np.array([1j]), np.array([None]),
        np.array(["2020-01-01"], "M8[D]"), np.ma.array([1.0]), {(1, 2): 3}, circle(), range(3),
    ],
)  # fmt: skip
def test_other_things_are_not_stored(value):
    with pytest.raises(Refused):
        through(value)


def nested(depth):
    node = 1
    for _ in range(depth):
        node = [node]
    return node


@pytest.mark.parametrize(
    "node",
    [
        {}, {"float": "1"}, {"float": 1}, {"float": None}, {"tuple": 1}, {"tuple": {}},
        {"dict": [[1]]}, {"dict": [[1, 2, 3]]}, {"dict": {"a": 1}}, {"dict": [[1, 2], [1, 3]]},
        {"dict": [[[1], 2]]}, {"dict": [[{"tuple": []}, 2]]}, {"set": [1]},
        {"float": "inf", "x": 1},
        {"array": 1}, {"array": "0"}, {"text": [1]}, {"record": {}}, {"learner": {}}, "\ud800",
        nested(17), {"__reduce__": []}, {"code": "1"},
    ],
)  # fmt: skip
def test_other_nodes_are_refused(node):
    with pytest.raises(Refused):
        taken(node)
