"""``iterate``: when it stops, what it says, who looks on."""

from __future__ import annotations

import pytest

import learnable
from learnable.core import ParameterError, Run, iterate


def halve(name):
    return lambda x: (x / 2, {name: x / 2})


@pytest.mark.parametrize("name", ["gap", "change"])
def test_it_stops_at_the_tolerance(name):
    run = iterate(halve(name), 8.0, tol=1.0, max_iter=50)
    assert run == Run(1.0, 3, True, {name: 1.0})


def test_it_stops_at_the_last_turn():
    assert iterate(halve("gap"), 8.0, tol=0.0, max_iter=2) == Run(2.0, 2, False, {"gap": 2.0})


def test_the_gap_goes_before_the_change():
    def step(x):
        return x + 1, {"change": 0.0, "gap": 3.0 - x}

    assert iterate(step, 0, tol=0.5, max_iter=9).n_iter == 4


def test_no_turns_is_no_learning():
    assert iterate(halve("gap"), 8.0, tol=9.0, max_iter=0) == Run(8.0, 0, False, {})


def test_a_gap_that_is_no_number_never_converges():
    run = iterate(lambda x: (x, {"gap": float("nan")}), 0, tol=1.0, max_iter=3)
    assert (run.n_iter, run.converged) == (3, False)


def test_a_step_must_say_its_gap_or_its_change():
    with pytest.raises(ParameterError, match="'lloyd' says neither its gap nor its change"):
        iterate(lambda x: (x, {"loss": 1.0}), 0, tol=1.0, max_iter=3, name="lloyd")


def test_every_turn_is_traced():
    with learnable.tracing() as trace:
        iterate(halve("gap"), 8.0, tol=1.0, max_iter=50, name="halve")
    assert [(event.step, event.turn, event.values) for event in trace] == [
        ("halve", turn, {"gap": 8.0 / 2**turn}) for turn in (1, 2, 3)
    ]


def test_all_observers_see_every_turn_and_any_may_stop():
    seen, other = [], []
    with learnable.observing(seen.append), learnable.observing(other.append):
        run = iterate(halve("gap"), 8.0, tol=0.0, max_iter=9, observe=lambda turn: turn.state == 2)
    assert (run.n_iter, run.converged) == (2, False)
    assert seen == other
    assert [(turn.number, turn.most, turn.state) for turn in seen] == [(1, 9, 4.0), (2, 9, 2.0)]


def test_an_observer_that_stops_at_the_tolerance_has_converged():
    assert iterate(halve("gap"), 8.0, tol=4.0, max_iter=9, observe=lambda _: True).converged


def test_observers_leave_with_their_block():
    seen = []
    with pytest.raises(RuntimeError), learnable.observing(seen.append):
        raise RuntimeError
    iterate(halve("gap"), 8.0, tol=1.0, max_iter=9)
    assert seen == []


def test_an_error_of_an_observer_reaches_the_caller():
    def refuse(turn):
        raise OSError(turn.number)

    with pytest.raises(OSError, match="1"), learnable.observing(refuse):
        iterate(halve("gap"), 8.0, tol=1.0, max_iter=9)
