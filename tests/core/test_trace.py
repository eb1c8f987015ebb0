"""Traces: what is recorded, by whom, and in which order."""

from __future__ import annotations

import threading

import pytest

import learnable
from learnable.core import Trace, emit, tracing
from learnable.core.trace import learner_at_work, listening


def test_steps_are_recorded_inside_the_block_only():
    emit("before")
    with tracing() as trace:
        assert listening()
        emit("split", 1, column="age", gain=0.25)
        emit("split", 2)
    emit("after")
    assert not listening()
    assert [event.turn for event in trace] == [1, 2]
    assert trace.events[0].values == {"column": "age", "gain": 0.25}
    assert len(trace) == 2


def test_the_inner_of_two_blocks_listens():
    with tracing() as outer:
        emit("one")
        with tracing() as inner:
            emit("two")
        emit("three")
    assert outer.steps() == ["one", "three"]
    assert inner.steps() == ["two"]


def test_an_error_ends_the_recording():
    def fail():
        with tracing() as trace:
            heard.append(trace)
            emit("one")
            raise RuntimeError

    heard = []
    with pytest.raises(RuntimeError):
        fail()
    emit("two")
    assert heard[0].steps() == ["one"]


def test_learners_inside_learners():
    with tracing() as trace:
        with learner_at_work("Pipeline"):
            emit("begin")
            with learner_at_work("KMeans"):
                emit("lloyd", 1)
            emit("end")
        emit("alone")
    assert [event.learner for event in trace] == ["Pipeline", "Pipeline/KMeans", "Pipeline", ""]
    assert trace.only("lloyd").events == trace.only(learner="Pipeline/KMeans").events
    assert len(trace.only("lloyd", "Pipeline")) == 0
    assert len(trace.only()) == 4


def test_threads_do_not_hear_each_other():
    heard = {}

    def work(name):
        with learnable.tracing() as trace:
            for turn in range(50):
                emit(name, turn)
        heard[name] = trace.steps()

    threads = [threading.Thread(target=work, args=(name,)) for name in "abc"]
    with tracing() as mine:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert heard == {name: [name] for name in "abc"}
    assert len(mine) == 0


def example():
    with tracing() as trace, learner_at_work("Tree<script>"):
        emit("split", 1, column="<b>age</b>", gain=0.123456789)
        emit("leaf", 2, text="two\nlines & more")
    return trace


def test_a_frame_has_a_column_a_value():
    frame = example().to_frame()
    assert list(frame.columns) == ["learner", "step", "turn", "column", "gain", "text"]
    assert frame["turn"].tolist() == [1, 2]
    assert frame["text"].isna().tolist() == [True, False]
    assert Trace().to_frame().shape == (0, 3)


def test_a_value_may_be_called_like_a_field():
    with tracing() as trace:
        emit("split", 1, learner="x", step_size=2)
    frame = trace.to_frame()
    assert frame.shape == (1, 5)
    assert frame["learner"].tolist() == [""]
    assert frame["learner_value"].tolist() == ["x"]


def test_text_has_a_line_an_event():
    lines = example().to_text().splitlines()
    assert lines[0] == "Tree<script> split 1: column=<b>age</b>, gain=0.123457"
    assert lines[1] == "Tree<script> leaf 2: text=two lines & more"


def test_html_escapes_whatever_comes_from_data():
    page = example().to_html()
    assert "<script>" not in page
    assert "<b>" not in page
    assert "&lt;script&gt;" in page
    assert "lines &amp; more" in page


def test_a_trace_introduces_itself():
    assert repr(example()) == "<Trace: 2 events, steps split, leaf>"
    assert repr(Trace()) == "<Trace: 0 events, steps none>"
