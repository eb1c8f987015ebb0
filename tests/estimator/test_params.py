from __future__ import annotations

import copy

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from learnable.core import ParameterError
from learnable.estimator.params import (
    ArrayLike,
    Choice,
    Either,
    Flag,
    Function,
    Integer,
    Number,
    Parameters,
    Seed,
    generator,
)
from learnable.naive_bayes import GaussianNB

NAN, INF = float("nan"), float("inf")

ACCEPTED = [
    (Integer(low=1), [1, np.int8(3), np.uint64(2**64 - 1), 10**400]),
    (Integer(none=True), [None, -5]),
    (Number(), [0, -1.5, np.float32(2.0), np.int16(3), 10**300]),
    (Number(low=0.0, high=1.0), [0, 1, 0.5]),
    (Number(low=0.0, open=True, none=True), [1e-300, None]),
    (Choice("l1", "l2", None, 2), ["l1", None, 2]),
    (Flag(), [True, False, np.True_]),
    (ArrayLike(), [None, [1.0], (2,), np.ones(2), pd.Series([1.0])]),
    (ArrayLike(scalar=True), [1, 2.5, "a", np.int8(1)]),
    (Seed(), [None, 0, np.int64(7), np.random.RandomState(0), np.random.default_rng(0)]),
    (Either(Choice("auto"), Integer(low=1)), ["auto", 3]),
    (Function(), [len, lambda x: x]),
]
REFUSED = [
    (Integer(low=1), [0, -1, 1.0, True, None, "1", NAN]),
    (Number(), [NAN, INF, -INF, None, True, "1", 1j, 10**400, np.ones(1)]),
    (Number(low=0.0, high=1.0), [-1e-300, 1.0000001, -(10**400)]),
    (Number(low=0.0, open=True), [0, 0.0, -0.0]),
    (Choice("l1", 1), ["L1", True, 1.0, None, np.array(["l1"])]),
    (Flag(), [0, 1, None, "True"]),
    (ArrayLike(), ["abc", 1.0, {1: 2}, len]),
    (Seed(), [-1, 1.5, "0", True, np.random]),
    (Either(Choice("auto"), Integer(low=1)), ["Auto", 0, None]),
    (Function(), ["len", 3]),
]


@pytest.mark.parametrize(("rule", "values"), ACCEPTED)
def test_what_a_rule_accepts(rule, values):
    assert all(rule.accepts(value) is True for value in values)


@pytest.mark.parametrize(("rule", "values"), REFUSED)
def test_what_a_rule_refuses(rule, values):
    assert [value for value in values if rule.accepts(value)] == []


@pytest.mark.parametrize(("rule", "values"), REFUSED)
def test_a_rule_says_what_it_wants(rule, values):
    class Toy(Parameters):
        parameters = {"tol": rule}

        def __init__(self, tol=None):
            self.tol = tol

    for value in values:
        with pytest.raises(ParameterError) as caught:
            Toy(value)._check_params()
        assert f"tol of Toy must be {rule}, not {value!r}" in str(caught.value)


def test_ends_are_told_as_they_are_checked():
    assert str(Number(low=0.0, open=True)) == "a finite number above 0.0"
    assert str(Number(low=0.0, high=1.0)) == "a finite number of at least 0.0 and of at most 1.0"
    assert str(Integer(low=2, none=True)) == "an integer of at least 2 or None"


class Inner(Parameters):
    def __init__(self, length=1.0, depth=2):
        self.length, self.depth = length, depth


class Outer(Parameters):
    def __init__(self, alpha=0.5, inner=None, table=None, *, word="a"):
        self.alpha, self.inner, self.table, self.word = alpha, inner, table, word


def test_parameters_are_read_and_changed_through_nested_objects():
    outer = Outer(inner=Inner(depth=7))
    assert outer.get_params() == {
        "alpha": 0.5,
        "inner": outer.inner,
        "inner__depth": 7,
        "inner__length": 1.0,
        "table": None,
        "word": "a",
    }
    assert set(outer.get_params(deep=False)) == {"alpha", "inner", "table", "word"}
    assert outer.set_params(inner__depth=3, alpha=2.0) is outer
    assert (outer.inner.depth, outer.alpha) == (3, 2.0)


def test_a_new_nested_object_gets_the_changes_named_beside_it():
    outer, new = Outer(inner=Inner()), Inner()
    outer.set_params(inner__depth=9, inner=new)
    assert outer.inner is new
    assert new.depth == 9


def test_a_class_as_parameter_is_a_value():
    assert set(Outer(inner=Inner).get_params()) == {"alpha", "inner", "table", "word"}


@pytest.mark.parametrize("change", [{"beta": 1}, {"inner__": 1, "bogus__x": 2}])
def test_unknown_names_are_refused_with_the_known_ones(change):
    with pytest.raises(ParameterError, match=r"Valid parameters are: \['alpha'"):
        Outer(inner=Inner()).set_params(**change)
    with pytest.raises(ParameterError, match="Invalid parameter 'size' for estimator Inner"):
        Outer(inner=Inner()).set_params(inner__size=1)


def test_changing_inside_what_has_no_parameters_is_refused():
    with pytest.raises(ParameterError, match=r"inner of Outer .*has no parameters"):
        Outer().set_params(inner__depth=1)


def test_only_what_differs_from_the_default_is_shown():
    assert repr(Outer()) == "Outer()"
    assert repr(Outer(1, Inner(depth=3))) == "Outer(alpha=1, inner=Inner(depth=3))"
    assert repr(Outer(0.5, word="b")) == "Outer(word='b')"
    assert repr(Outer(table=np.arange(2))) == "Outer(table=array([0, 1]))"
    assert repr(Outer(NAN)) == "Outer(alpha=nan)"


def test_defaults_that_are_arrays_or_nan_are_compared_by_value():
    three = np.arange(3)

    class Odd(Parameters):
        def __init__(self, grid=three, gap=NAN, pair=(1, 2)):
            self.grid, self.gap, self.pair = grid, gap, pair

    assert repr(Odd(np.arange(3), float("nan"), (1, 2))) == "Odd()"
    assert repr(Odd(np.arange(2))) == "Odd(grid=array([0, 1]))"


def test_clones_and_copies_have_the_parameters_and_nothing_else():
    model = GaussianNB(var_smoothing=0.25).fit([[0.0], [1.0], [3.0], [5.0]], [0, 0, 1, 1])
    twin = clone(model)
    assert vars(twin) == {"priors": None, "var_smoothing": 0.25}
    assert copy.deepcopy(model).get_params() == model.get_params()


def test_generators_follow_their_seeds():
    assert generator(3).random() == generator(3).random()
    state = np.random.RandomState(0)
    first, second = generator(state).random(), generator(state).random()
    assert first != second
    assert generator(np.random.RandomState(0)).random() == first
    own = np.random.default_rng(5)
    assert generator(own) is own
