from __future__ import annotations

from functools import partial

import numpy as np
import pytest

import learnable
from learnable.core import EventBuffer, fold, loop
from learnable.loops.events import note


@loop
def find_large(x, start, limit, buffer):
    for i in range(len(x)):
        if x[i] > limit:
            note(buffer, (start + i, x[i]))


def large_of_block(capacity, block):
    start, x = block
    buffer = EventBuffer.of(capacity, 2)
    find_large(x, start, 0.9, buffer)
    return buffer


def found(capacity, run="serial"):
    x = np.random.default_rng(0).random(1000)
    blocks = [(start, x[start : start + 64]) for start in range(0, len(x), 64)]
    return x, fold(partial(large_of_block, capacity), EventBuffer.merge, blocks, run=run)


@pytest.mark.parametrize("run", ["serial", "threads"])
def test_events_merge_in_the_order_of_the_blocks(run):
    x, buffer = found(64, run)
    expected = np.flatnonzero(x > 0.9)
    np.testing.assert_array_equal(buffer.kept[:, 0], expected)
    np.testing.assert_array_equal(buffer.kept[:, 1], x[expected])
    assert buffer.lost == 0


def test_a_full_buffer_counts_what_it_loses():
    x, buffer = found(2)
    total = int((x > 0.9).sum())
    assert len(buffer.kept) + buffer.lost == total
    assert buffer.lost > 0
    with learnable.tracing() as trace:
        buffer.tell("large", 3, row=int, value=float)
    assert len(trace) == len(buffer.kept) + 1
    assert trace.events[-1].values == {"lost": buffer.lost}
    assert trace.events[0].values == {"row": int(np.argmax(x > 0.9)), "value": x[x > 0.9][0]}


def test_a_buffer_without_room_only_counts():
    x, buffer = found(0)
    assert (len(buffer.kept), buffer.lost) == (0, int((x > 0.9).sum()))


def test_lost_events_stay_lost_when_buffers_merge():
    full, spare = EventBuffer.of(1, 1), EventBuffer.of(5, 1)
    for value in range(3):
        note(full, (value,))
    note(spare, (9,))
    merged = full.merge(spare)
    assert merged.kept.ravel().tolist() == [0.0, 9.0]
    assert merged.lost == 2
