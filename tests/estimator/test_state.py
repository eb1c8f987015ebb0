"""Declarations of fitted state: what may be stored comes back, what may not is refused twice."""

from __future__ import annotations

from types import SimpleNamespace
from typing import NamedTuple

import numpy as np
import pytest

from learnable.estimator.ledger import Content, Reader, Refused, Writer
from learnable.estimator.state import (
    Count,
    Either,
    Flag,
    Flags,
    Floats,
    Integer,
    Integers,
    Joined,
    Labels,
    ListOf,
    Names,
    Number,
    Statistic,
    Text,
    Value,
    put_state,
    take_state,
)
from learnable.estimator.statistic_state import COUNTS, FINGERPRINT, MOMENTS
from learnable.stats import Counts, Fingerprint, Moments


class Pair(NamedTuple):
    low: float
    high: float


def ordered(pair):
    if pair.low > pair.high:
        msg = "it is the wrong way round"
        raise ValueError(msg)


PAIR = Statistic(Pair, {"low": Number(), "high": Number()}, check=ordered)
K2 = {"classes_": Labels("K")}
INDEX = {**K2, "value": Integers("n", low=0, below="K")}


def through(declarations, **values):
    """Put values into a ledger and take them out again."""
    writer = Writer()
    node = put_state(declarations, SimpleNamespace(**values), writer)
    reader = Reader(Content({}, writer.arrays, 10_000))
    taken = take_state(declarations, node, reader)
    reader.finish()
    return taken


def taken(declaration, node, *arrays):
    """Take a value from a node of a file that nobody wrote."""
    return take_state({"value": declaration}, {"value": node}, Reader(Content({}, list(arrays), 0)))


def objects(*items):
    return np.array(items, dtype=object)


GOOD = [
    (Integer(low=0, high=9), 9),
    (Integer(), -(2**63)),
    (Count("d", low=1), 3),
    (Number(low=0.0, below=1.0), 0.5),
    (Number(infinite=True), np.inf),
    (Number(nan=True), np.nan),
    (Number(), 1e-320),
    (Flag(), False),
    (Text(), "größer \U0001f600"),
    (Text("plain", "fast"), "fast"),
    (Value(), {"a": [1, None, (2.0, "b")], 3: np.inf}),
    (Floats("n", "d"), np.arange(6.0).reshape(2, 3)),
    (Floats(), np.array(3.0)),
    (Floats("n", dtype="float32"), np.float32([1.5])),
    (Floats("n", nan=True, high=2.0), np.array([np.nan, 2.0])),
    (Floats("n", nan=True), np.array([np.nan])),
    (Floats("n", infinite=True), np.array([-np.inf, np.inf])),
    (Floats("n"), np.empty(0)),
    (Floats(2, "?"), np.ones((2, 5))),
    (Integers("n", dtype="uint64"), np.array([2**64 - 1], np.uint64)),
    (Flags("d"), np.array([True, False])),
    (Labels("K"), np.array(["no", "yes"])),
    (Labels("K"), objects("a", "größer")),
    (Labels("K"), np.array([1.5, 2.5])),
    (Labels("K"), np.array([False, True])),
    (Labels("?"), np.empty(0, "<U1")),
    (Names("d"), objects("b", "a", "")),
    (ListOf(Floats("_m", "_m"), length=2), [np.ones((2, 2)), np.ones((3, 3))]),
    (ListOf(Integer(optional=True)), [1, None]),
    (Joined(Floats("?"), length="d"), [np.ones(2), np.empty(0), np.zeros(1, "float32")]),
    (Joined(Labels("?"), length=3), [np.array(["a"]), np.array(["bb", "c"]), np.array([1, 2])]),
    (Joined(Labels("?"), length="d"), [objects("a", "b"), objects("a")]),
    (Joined(Labels("?"), length="d"), []),
    (PAIR, Pair(1.0, 2.0)),
    (Either(Floats("n"), ListOf(Floats("n"), length=2)), [np.ones(2), np.ones(2)]),
    (MOMENTS, Moments.of(np.arange(6.0).reshape(3, 2))),
    (MOMENTS, Moments.of(np.array([[1e200, 5.0], [-1e200, 5.0]]))),
    (COUNTS, Counts.of(np.zeros((1, 2), np.int32), np.zeros(1, np.int32), 1, sizes=[2, 0])),
    (FINGERPRINT, Fingerprint.of(np.arange(6.0).reshape(3, 2))),
    (FINGERPRINT, Fingerprint.of(np.arange(60_000.0)[:, None], expected=60_000)),
    (FINGERPRINT, Fingerprint.zero()),
]


def same(one, other):
    if isinstance(one, np.ndarray):
        return (
            one.dtype == other.dtype and one.tobytes() == other.tobytes()
            if (one.dtype != object)
            else list(one) == list(other)
        )
    if isinstance(one, (list, tuple)):
        return type(one) is type(other) and all(map(same, one, other))
    return type(one) is type(other) and repr(one) == repr(other)


@pytest.mark.parametrize(("declaration", "value"), GOOD)
def test_what_may_be_stored_comes_back_the_same(declaration, value):
    assert same(through({"value": declaration}, value=value)["value"], value)


@pytest.mark.parametrize(
    ("declaration", "value", "back"),
    [
        (Integer(), np.int32(3), 3),
        (Number(), np.float32(0.5), 0.5),
        (Number(), 3, 3.0),
        (Flag(), np.True_, True),
        (Text(), np.str_("a"), "a"),
        (Names("d"), np.array(["a", "b"]), objects("a", "b")),
    ],
)
def test_values_of_numpy_become_the_plain_ones(declaration, value, back):
    assert same(through({"value": declaration}, value=value)["value"], back)


BAD = [
    (Integer(low=0), -1, "less than 0"),
    (Integer(high=9), 10, "more than 9"),
    (Integer(below=9), 9, "not less than 9"),
    (Integer(), 2**63, "an integer is wanted"),
    (Integer(), True, "an integer is wanted"),
    (Integer(), 1.0, "an integer is wanted"),
    (Integer(), None, "an integer is wanted"),
    (Count("d", low=1), 0, "less than 1"),
    (Count("d"), 2**31, "more than"),
    (Number(), np.nan, "it is nan"),
    (Number(nan=True), np.inf, "it is inf"),
    (Number(infinite=True), np.nan, "it is nan"),
    (Number(low=0.0), -1e-300, "less than 0"),
    (Number(), "1", "a float is wanted"),
    (Number(), True, "a float is wanted"),
    (Flag(), 1, "a truth value is wanted"),
    (Text("plain", "fast"), "slow", "one of plain, fast"),
    (Text(), "\ud800", "lone surrogate"),
    (Text(), 3, "a string is wanted"),
    (Floats("n"), np.array([1.0, np.nan]), "NaN"),
    (Floats("n"), np.array([1.0, -np.inf]), "infinite"),
    (Floats("n", nan=True), np.array([np.nan, np.inf]), "infinite"),
    (Floats("n", nan=True, low=0.0), np.array([np.nan, -1.0]), "less than"),
    (Floats("n"), np.ones((2, 2)), "2 axes, not 1"),
    (Floats("n", "n"), np.ones((2, 3)), "size 3 is not the 2"),
    (Floats(2), np.ones(3), "size 3 is not the 2"),
    (Floats("n"), np.array([1]), "dtype is int64"),
    (Floats("n", dtype="float32"), np.array([1.0]), "dtype is float64"),
    (Integers("n", low=0), np.array([0, -1]), "less than 0"),
    (Integers("n", below=3), np.array([3]), "not less than 3"),
    (Integers("n"), np.array([1.0]), "dtype is float64"),
    (Integers("n", below="k"), np.array([0]), "nothing says what 'k' is"),
    (Flags("d"), np.array([1]), "dtype is int64"),
    (Labels("K"), np.array([2, 1]), "not ascending"),
    (Labels("K"), np.array(["a", "a"]), "not distinct"),
    (Labels("K"), np.array([1.0, np.nan]), "NaN"),
    (Labels("K"), np.array([[1, 2]]), "2 axes"),
    (Labels("K"), np.empty(0), "it is empty"),
    (Labels("K"), objects("a", 1), "not strings"),
    (Names("d"), objects("a", "a"), "distinct strings"),
    (Names("d"), np.array([1, 2]), "distinct strings"),
    (ListOf(Integer()), (1,), "a list is wanted"),
    (ListOf(Integer(), length=2), [1], "size 1 is not the 2"),
    (ListOf(Integer(low=0)), [1, -1], r"\[1\]: it holds -1"),
    (Joined(Floats("?")), np.ones((1, 2)), "a list is wanted"),
    (Joined(Floats("?")), [1.0], "no array of one axis"),
    (Joined(Floats("?")), [np.ones((1, 2))], "no array of one axis"),
    (Joined(Floats("?", low=0.0)), [np.ones(1), -np.ones(1)], r"\[1\]: it holds -1"),
    (Joined(Labels("?"), length=2), [np.array(["a"])], "size 1 is not the 2"),
    (PAIR, Pair(2.0, 1.0), "wrong way round"),
    (PAIR, Pair(2.0, np.nan), "high: it is nan"),
    (Either(Flag(), Integer(low=0)), -1, "truth value.*less than 0"),
    (MOMENTS, Moments.of(np.ones((2, 1)))._replace(unit=np.array([3.0])), "power of two"),
    (MOMENTS, Moments.of(np.ones((2, 1)))._replace(unit=np.ones(2)), "size 2 is not the 1"),
    (
        COUNTS,
        Counts(np.ones(1), np.ones((1, 2)), np.array([0, 3, 2])),
        "cut the table into columns",
    ),
    (COUNTS, Counts(np.ones(1), np.ones((1, 2)), np.array([0, 1])), "cut the table"),
    (COUNTS, Counts(np.ones(1), np.ones((1, 2)), np.empty(0, int)), "cut the table"),
    (
        FINGERPRINT,
        Fingerprint(np.array([2, 1], np.uint64), np.ones(2, int), 9, 2),
        "do not ascend",
    ),
    (FINGERPRINT, Fingerprint(np.array([9], np.uint64), np.ones(1, int), 8, 1), "above the limit"),
    (Value(), len, "functions cannot be stored"),
    (Value(), np.random.default_rng(0), "integer seed"),
    (Value(), object(), "type object"),
]


@pytest.mark.parametrize(("declaration", "value", "words"), BAD)
def test_what_may_not_be_is_not_stored(declaration, value, words):
    with pytest.raises(Refused, match=f"^value.*{words}"):
        through({"value": declaration}, value=value)


def loosely(value):
    """A declaration under which a bad value can be written, as a forger would."""
    if isinstance(value, Counts):
        fields = {"weight": Floats("?"), "table": Floats("?", "?"), "offsets": Integers("?")}
        return Statistic(Counts, fields)
    if isinstance(value, Moments):
        arrays = {"weight": Floats("?"), "mean": Floats("?", "?")}
        return Statistic(Moments, {**arrays, "scatter": Floats("?", "?"), "unit": Floats("?")})
    if isinstance(value, Fingerprint):
        fields = {"hashes": Integers("?", dtype="uint64"), "copies": Integers("?")}
        return Statistic(Fingerprint, {**fields, "limit": Integer(), "rows": Integer()})
    if isinstance(value, Pair):
        return Statistic(Pair, {"low": Number(nan=True), "high": Number(nan=True)})
    return Value()


@pytest.mark.parametrize(("declaration", "value", "words"), BAD[:-3])
def test_what_may_not_be_is_not_read_either(declaration, value, words):  # noqa: ARG001
    writer = Writer()
    try:
        node = put_state({"value": loosely(value)}, SimpleNamespace(value=value), writer)
    except Refused:
        return  # not even a forger could write it
    if isinstance(declaration, Either):
        node["value"] = {"way": 1, "value": node["value"]}
    with pytest.raises(Refused, match=r"^value"):
        take_state({"value": declaration}, node, Reader(Content({}, writer.arrays, 10_000)))


def test_sizes_agree_between_attributes():
    declarations = {**K2, "theta_": Floats("K", "d"), "n_features_in_": Count("d")}
    values = {"classes_": np.array([0, 1]), "theta_": np.ones((2, 3)), "n_features_in_": 3}
    assert set(through(declarations, **values)) == set(declarations)
    with pytest.raises(Refused, match=r"theta_: its size 3 is not the 2 of 'K'"):
        through(declarations, **values | {"theta_": np.ones((3, 3))})
    with pytest.raises(Refused, match=r"n_features_in_: its size 4 is not the 3 of 'd'"):
        through(declarations, **values | {"n_features_in_": 4})


def test_an_index_lies_below_the_size_that_bounds_it():
    two = np.array(["a", "b"])
    assert through(INDEX, classes_=two, value=np.array([0, 1]))["value"].tolist() == [0, 1]
    with pytest.raises(Refused, match="value: it holds 2, not less than 2"):
        through(INDEX, classes_=two, value=np.array([0, 2]))


def test_an_optional_attribute_may_be_missing_or_none():
    declarations = {"a": Integer(), "b": Integer(optional=True), "c": Floats("n", optional=True)}
    assert through(declarations, a=1, c=None) == {"a": 1, "c": None}


def test_a_missing_attribute_is_refused():
    with pytest.raises(Refused, match=r"^b: it is missing"):
        through({"a": Integer(), "b": Integer()}, a=1)
    with pytest.raises(Refused, match=r"^b: it is missing"):
        take_state({"a": Integer(), "b": Integer()}, {"a": 1}, Reader(Content({}, [], 0)))


def test_no_attribute_at_all_is_a_learner_that_was_not_fitted():
    assert put_state({"a": Integer()}, SimpleNamespace(), Writer()) is None
    assert take_state({"a": Integer()}, None, Reader(Content({}, [], 0))) == {}


def test_an_unknown_attribute_is_refused():
    with pytest.raises(Refused, match="'__class__' is unknown"):
        take_state({}, {"__class__": 1}, Reader(Content({}, [], 0)))


def test_each_array_is_handed_out_once():
    with pytest.raises(Refused, match="no array 0 left"):
        taken(ListOf(Floats("n")), [{"array": 0}, {"array": 0}], np.ones(1))


@pytest.mark.parametrize("node", [None, 0, [], {}, {"array": 1}, {"array": -1}, {"array": True}])
def test_an_odd_name_of_an_array_is_refused(node):
    with pytest.raises(Refused, match=r"^value"):
        taken(Floats("n"), node, np.ones(1))


def test_an_array_that_belongs_to_nothing_is_refused():
    with pytest.raises(Refused, match="array 0 belongs to nothing"):
        Reader(Content({}, [np.ones(1)], 0)).finish()


JOINED = {"arrays": [{"array": 0}], "which": {"array": 1}, "sizes": {"array": 2}}


@pytest.mark.parametrize(
    ("which", "sizes"),
    [
        ([0, 0], [1, 3]), ([0, 1], [1, 1]), ([0, -1], [1, 1]), ([0, 0], [-1, 3]), ([0], [1, 1]),
        ([0, 0], [2**31 - 1, 2**31 - 1]), ([[0], [0]], [[1], [1]]), ([0.0, 0.0], [1.0, 1.0]),
    ],
)  # fmt: skip
def test_parts_that_do_not_fill_what_was_joined_are_refused(which, sizes):
    kind = np.int32 if np.array(sizes).dtype.kind == "i" else np.float64
    arrays = [np.ones(2), np.array(which, kind), np.array(sizes, kind)]
    with pytest.raises(Refused, match="sizes of its parts do not add up"):
        taken(Joined(Floats("?")), JOINED, *arrays)


def test_very_many_parts_of_nothing_are_refused():
    none = np.zeros(300_000, np.int32)
    with pytest.raises(Refused, match="more than such a file may"):
        taken(Joined(Floats("?")), JOINED, np.empty(0), none, none)
    writer = Writer()
    put_state({"a": Joined(Floats("?"))}, SimpleNamespace(a=[np.empty(0)] * 300_000), writer)
    with pytest.raises(Refused, match="too much for a file"):
        writer.finish()


@pytest.mark.parametrize("node", [{"way": 2, "value": 1}, {"way": True, "value": 1}, {"way": 0}, 1])
def test_an_odd_way_is_refused(node):
    with pytest.raises(Refused, match=r"^value"):
        taken(Either(Integer(), Flag()), node)


def test_a_statistic_of_another_class_is_refused():
    with pytest.raises(Refused, match="a Pair is wanted, not tuple"):
        through({"value": PAIR}, value=(1.0, 2.0))


def test_the_text_of_a_trial_that_failed_is_not_counted():
    way = Either(ListOf(Labels("_m"), length=3), ListOf(Labels("_m"), length=2))
    value = [np.array(["a"]), np.array(["b", "c"])]
    assert [list(v) for v in through({"value": way}, value=value)["value"]] == [["a"], ["b", "c"]]
