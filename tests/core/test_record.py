"""Records: equal by value, lowered for loops, told apart by rules."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

from learnable.core import ParameterError, generic, loop, record, rule


@record
class L1:
    "lam |w|"

    lam: float = 1.0


@record
class Box:
    "low <= w <= high, in so many pieces"

    low: float = 0.0
    high: float | None = None
    pieces: int = 3
    open: bool = False


@record
class Nothing:
    "0"


@record
class Sum:
    "one + other, weighted"

    one: Any
    other: Any
    weights: tuple[float, ...] = (1.0, 1.0)


def test_equal_by_type_and_value():
    assert L1(1) == L1(1.0)
    assert hash(L1(1)) == hash(L1(1.0))
    assert L1(1) != L1(2)
    assert L1(1) != Box(1)
    assert L1(1) != 1.0
    assert Sum(L1(1), Nothing()) == Sum(L1(1.0), Nothing())
    assert Sum(L1(1), Nothing()) != Sum(L1(2), Nothing())


def test_equality_knows_nan_and_arrays():
    assert L1(float("nan")) == L1(float("nan"))
    assert hash(L1(float("nan"))) == hash(L1(np.float64("nan")))
    one, other = (Sum(L1(), L1(), np.array([1.0, 2.0])) for _ in range(2))
    assert one == other
    assert hash(one) == hash(other)
    assert one == Sum(L1(), L1(), (1, 2))
    assert one != Sum(L1(), L1(), np.array([[1.0, 2.0]]))
    assert len({one, other, Sum(L1(), L1(), (1, 2))}) == 1


def test_frozen():
    with pytest.raises(AttributeError):
        L1().lam = 2.0


def test_pickles_and_prints_as_itself():
    both = Sum(L1(2), Nothing(), (0.5, 0.25))
    assert pickle.loads(pickle.dumps(both)) == both  # noqa: S301
    assert pickle.loads(pickle.dumps(Box().lowered())) == Box().lowered()  # noqa: S301
    assert repr(L1(2.0)) == "L1(lam=2.0)"


def test_lowering_settles_the_types():
    low = Box(1, 2, np.int32(4), 1).lowered()
    assert [type(v) for v in low] == [np.float64, np.float64, np.int64, np.bool_]
    assert low == (1.0, 2.0, 4, True)
    assert Box().lowered().high is None
    assert type(L1(np.float32(0.5)).lowered().lam) is np.float64
    assert len(Nothing().lowered()) == 1


def test_lowered_arrays_are_read_only_copies():
    weights = np.array([1, 2], np.int32)
    low = Sum(L1(3), Nothing(), weights).lowered()
    assert low.one == L1(3).lowered()
    assert low.weights.dtype == np.float64
    assert not low.weights.flags.writeable
    weights[0] = 9
    assert low.weights[0] == 1.0


@pytest.mark.parametrize("made", [L1("much"), Box(pieces=2.5), Box(low=[1, "x"]), Box(low=1j)])
def test_what_is_no_number_is_refused(made):
    with pytest.raises(ParameterError, match=type(made).__name__):
        made.lowered()


def test_parameters_reach_into_inner_records():
    both = Sum(L1(2), Sum(L1(3), Nothing()))
    params = both.get_params()
    assert params["one__lam"] == 2
    assert params["other__one__lam"] == 3
    assert set(both.get_params(deep=False)) == {"one", "other", "weights"}
    changed = both.replaced(one__lam=5, other__one__lam=6, weights=(1, 2))
    assert changed == Sum(L1(5), Sum(L1(6), Nothing()), (1, 2))
    assert both.one.lam == 2
    assert both.replaced(one=Box(), one__low=-1.0).one == Box(-1.0)


def test_unknown_parameters_are_named():
    with pytest.raises(ParameterError, match=r"L1 has no parameter 'ratio'; it has \['lam'\]"):
        L1().replaced(ratio=1)
    with pytest.raises(ParameterError, match="which has no parameters"):
        L1().replaced(lam__x=1)


@generic
def penalty(kind, w):
    "What w costs."


@rule(penalty, L1)
def _l1(kind, w):
    return kind.lam * abs(w)


@rule(penalty, Nothing)
def _nothing(_, w):
    return 0.0 * w


@rule(penalty, Sum)
def _sum(kind, w):
    return kind.weights[0] * penalty(kind.one, w) + kind.weights[1] * penalty(kind.other, w)


@loop
def total(kind, w):
    out = 0.0
    for value in w:
        out += penalty(kind, value)
    return out


def test_rules_say_what_a_generic_does_in_loops_and_in_python():
    w = np.array([1.0, -2.0])
    for kind, expected in [(L1(2), 6.0), (Nothing(), 0.0), (Sum(L1(2), L1(3), (1, 10)), 96.0)]:
        low = kind.lowered()
        assert total(low, w) == expected
        assert sum(penalty(low, v) for v in w) == expected


def test_numbers_of_any_kind_are_one_signature():
    w = np.array([1.0])
    total(L1(1).lowered(), w)
    before = len(total.signatures)
    for lam in (1, 1.0, np.float32(1), True, np.int8(2)):
        total(L1(lam).lowered(), w)
    assert len(total.signatures) == before


def test_without_a_rule_python_says_so():
    with pytest.raises(TypeError, match="no rule of penalty is registered for BoxForm"):
        penalty(Box().lowered(), 1.0)


def test_a_second_rule_for_one_kind_is_refused():
    with pytest.raises(ParameterError, match="already has a rule for L1"):
        rule(penalty, L1)(_nothing)


def test_a_generic_stays_what_it_was_called():
    assert penalty.__name__ == "penalty"
    assert penalty.__doc__ == "What w costs."
    assert penalty.__module__ == __name__
