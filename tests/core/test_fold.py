"""``fold``: the same bits whoever runs it, in bounded memory, with errors and traces in order."""

from __future__ import annotations

import operator
import pickle
import threading
import time
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import learnable
from learnable.core import (
    Dask,
    DataError,
    ParameterError,
    Threads,
    emit,
    fold,
    merge_each,
    runner,
    serial,
)
from learnable.core.fold import merge_tree
from learnable.core.pool import inside_task
from learnable.core.trace import learner_at_work

RUNNERS = {
    "serial": "serial",
    "threads": "threads",
    "one thread": Threads(1),
    "two threads": Threads(2),
    "three threads": Threads(3),
    "dask threads": Dask(),
    "dask synchronous": Dask("synchronous"),
    "dask in small batches": Dask("threads", ahead=2),
}
EACH_RUNNER = pytest.mark.parametrize("run", RUNNERS.values(), ids=RUNNERS)


def add_up(block):
    return np.array([block.sum(), (block**2).sum()])


class CrookedCluster:
    """A client over which arrays arrive at odd addresses, as they may from a real one."""

    def submit(self, task, block, pure):
        assert not pure
        task, block = crooked((task, block))
        return crooked(task(block))

    def gather(self, results):
        return results


def crooked(value):
    """What a copy looks like that travelled as one run of bytes, its arrays anywhere in it."""
    buffers = []
    text = pickle.dumps(value, protocol=5, buffer_callback=buffers.append)
    shifted = [memoryview(b"." + bytes(b))[1:] for b in buffers]
    return pickle.loads(text, buffers=shifted)  # noqa: S301 (our own bytes)


def add_up_aligned(scale, block):
    assert scale.flags.aligned
    assert block.flags.aligned
    return add_up(block * scale)


def merge_aligned(left, right):
    assert left.flags.aligned
    assert right.flags.aligned
    return left + right


def test_arrays_keep_to_the_words_of_the_machine_on_a_cluster():
    scale, blocks = np.array([2.0]), numbers(9)
    assert not crooked(scale).flags.aligned
    add = partial(add_up_aligned, scale)
    expected = fold(add, merge_aligned, blocks, run="serial")
    assert fold(add, merge_aligned, blocks, run=CrookedCluster()).tobytes() == expected.tobytes()


def nested_pair(left, right):
    return (left, right)


def numbers(n, seed=0):
    rng = np.random.default_rng(seed)
    return [rng.normal(size=rng.integers(1, 50)) * 10.0 ** rng.integers(-8, 8) for _ in range(n)]


@EACH_RUNNER
@pytest.mark.parametrize("n", [1, 2, 3, 7, 64, 100])
def test_the_same_bits_whoever_runs_it(run, n):
    blocks = numbers(n)
    expected = fold(add_up, operator.add, blocks, run="serial").tobytes()
    assert fold(add_up, operator.add, blocks, run=run).tobytes() == expected
    assert fold(add_up, operator.add, iter(blocks), run=run).tobytes() == expected
    with learnable.config(runner=run):
        assert fold(add_up, operator.add, tuple(blocks)).tobytes() == expected


@given(n=st.integers(1, 300), threads=st.integers(1, 5))
def test_grouping_does_not_change_the_tree(n, threads):
    tree = merge_tree(nested_pair, range(n))
    with learnable.config(threads=threads, runner="serial"):
        assert fold(lambda i: i, nested_pair, range(n)) == tree
        assert fold(lambda i: i, nested_pair, iter(range(n))) == tree


@given(st.integers(1, 200))
def test_the_tree_keeps_the_order_and_is_shallow(n):
    def depth_and_leaves(tree):
        if isinstance(tree, int):
            return 0, [tree]
        (left, one), (right, other) = map(depth_and_leaves, tree)
        return 1 + max(left, right), one + other

    depth, leaves = depth_and_leaves(merge_tree(nested_pair, range(n)))
    assert leaves == list(range(n))
    assert depth <= n.bit_length() + 1


def test_the_tree_holds_few_parts_at_a_time():
    class Part:
        alive = most = 0

        def __init__(self):
            Part.alive += 1
            Part.most = max(Part.most, Part.alive)

        def __del__(self):
            Part.alive -= 1

    fold(lambda _: Part(), lambda _, __: Part(), iter(range(1000)), run="serial")
    assert Part.most <= 14


def counted(n, read):
    for i in range(n):
        read.append(i)
        yield np.ones(3)


@pytest.mark.parametrize(("run", "ahead"), [("serial", 1), (Threads(2), 4), (Dask(ahead=3), 3)])
def test_a_stream_is_read_a_few_blocks_ahead(run, ahead):
    read, furthest = [], []

    def merge(left, right):
        furthest.append(len(read))
        return left + right

    fold(add_up, merge, counted(64, read), run=run)
    assert len(read) == 64
    # The first merge needs two results, the last one comes when all were read.
    assert furthest[0] <= 2 + ahead
    assert all(seen <= 2 * i + 2 + ahead for i, seen in enumerate(furthest[:31]))


def test_a_stream_longer_than_memory_is_released_as_it_goes():
    class Block:
        alive = most = 0
        lock = threading.Lock()

        def __init__(self):
            with Block.lock:
                Block.alive += 1
                Block.most = max(Block.most, Block.alive)

        def __del__(self):
            with Block.lock:
                Block.alive -= 1

    total = fold(lambda _: 1, operator.add, (Block() for _ in range(500)), run=Threads(2))
    assert total == 500
    assert Block.most <= 8


@EACH_RUNNER
@pytest.mark.parametrize("kind", [list, iter])
def test_no_rows(run, kind):
    with pytest.raises(DataError, match=r"There are no rows\. Give at least one block"):
        fold(len, operator.add, kind([]), run=run)


def fail_at(bad, block):
    if block == bad:
        raise DataError("A cell is unusable.", row=block)
    return block


@EACH_RUNNER
@pytest.mark.parametrize("kind", [list, iter])
def test_the_first_error_reaches_the_caller(run, kind):
    with pytest.raises(DataError) as caught:
        fold(partial(fail_at, 7), operator.add, kind(range(40)), run=run)
    assert caught.value.row == 7
    assert fold(partial(fail_at, -1), operator.add, kind(range(40)), run=run) == 780


@EACH_RUNNER
def test_an_error_of_the_source_or_of_merge_reaches_the_caller(run):
    def source():
        yield 1
        raise OSError("the disk is gone")

    def refuse(left, right):
        raise ArithmeticError((left, right))

    with pytest.raises(OSError, match="the disk is gone"):
        fold(partial(fail_at, -1), operator.add, source(), run=run)
    with pytest.raises(ArithmeticError):
        fold(partial(fail_at, -1), refuse, range(40), run=run)


@pytest.mark.parametrize("kind", [list, iter])
def test_after_an_error_no_further_task_begins(kind):
    begun = []

    def of(i):
        begun.append(i)
        if i == 0:
            raise RuntimeError
        time.sleep(0.01)
        return i

    with pytest.raises(RuntimeError), learnable.config(threads=2):
        fold(of, operator.add, kind(range(40)))
    count = len(begun)
    assert count <= 8
    time.sleep(0.1)
    assert len(begun) <= count + 2


def test_after_an_error_of_merge_no_further_task_begins():
    begun, kept, go = [], [], threading.Event()

    def of(i):
        begun.append(i)
        if i > 1:
            go.wait(10)
        return i

    def refuse(left, right):
        raise RuntimeError((left, right))

    try:
        fold(of, refuse, iter(range(200)), run=Threads(2))
    except RuntimeError as error:
        kept.append(error)  # its traceback holds the frames of the fold
    go.set()
    time.sleep(0.1)
    assert max(begun) <= 3  # two tasks were running, those behind them were cancelled


def test_a_fold_inside_a_task_is_serial():
    def inner(_):
        here = threading.get_ident()
        return fold(lambda _: {threading.get_ident()}, set.union, range(50)) == {here}

    for run in (Threads(2), Dask("threads")):
        assert fold(lambda i: [inner(i), inside_task()], operator.add, range(9), run=run) == 18 * [
            True
        ]
    assert not inside_task()


def test_one_group_stays_in_this_thread():
    here = threading.get_ident()
    with learnable.config(threads=4):
        assert fold(lambda _: {threading.get_ident()}, set.union, [1]) == {here}


@EACH_RUNNER
@pytest.mark.parametrize("kind", [list, iter])
def test_events_come_in_the_order_of_the_blocks(run, kind):
    def of(i):
        time.sleep(0.002 * (i % 3 == 0))
        emit("block", i)
        return i

    with learnable.tracing() as trace, learner_at_work("Sum"):
        fold(of, operator.add, kind(range(40)), run=run)
    assert [event.turn for event in trace] == list(range(40))
    assert {event.learner for event in trace} == {"Sum"}


@EACH_RUNNER
def test_settings_reach_the_tasks(run):
    def of(_):
        settings = learnable.get_config()
        return {(settings.memory, settings.deterministic)}

    with learnable.config(memory=12345, deterministic=False):
        assert fold(of, set.union, range(20), run=run) == {(12345, False)}


def test_runners_by_name():
    assert runner("serial") is serial
    assert isinstance(runner(), Threads)
    assert isinstance(runner("threads"), Threads)
    assert runner(serial) is serial
    with learnable.config(runner="serial"):
        assert runner() is serial
    for wrong in ("dask", 3):
        with pytest.raises(ParameterError, match="run must be"):
            runner(wrong)
    with pytest.raises(ParameterError, match="at least one thread"):
        Threads(0)


def test_a_runner_of_ones_own():
    seen = []

    def loud(task, blocks):
        for block in blocks:
            seen.append(len(block))
            yield task(block)

    with learnable.config(threads=1):
        assert fold(sum, operator.add, [[1], [2], [3]], run=loud) == 6
    assert seen


def test_merge_each_pairs_up():
    class Total(int):
        def merge(self, other):
            return Total(self + other)

    assert merge_each((Total(1), Total(2)), (Total(3), Total(4))) == (4, 6)
    with pytest.raises(ValueError, match="argument"):
        merge_each((Total(1),), ())


def sum_and_trace(block):
    emit("block", int(block[0]), threads=learnable.get_config().threads)
    return add_up(block)


@pytest.mark.slow
def test_a_cluster_of_processes_gives_the_same_bits():
    from distributed import Client, LocalCluster

    blocks = [np.concatenate([[i], block]) for i, block in enumerate(numbers(90))]
    expected = fold(add_up, operator.add, blocks, run="serial").tobytes()
    settings = {"n_workers": 2, "threads_per_worker": 1, "processes": True}
    with (
        LocalCluster(**settings, dashboard_address=None) as cluster,
        Client(cluster) as client,
        learnable.config(threads=5),
    ):
        for kind in (list, iter):
            with learnable.tracing() as trace:
                made = fold(sum_and_trace, operator.add, kind(blocks), run=client)
            assert made.tobytes() == expected
            assert [event.turn for event in trace] == list(range(90))
            assert {event.values["threads"] for event in trace} == {5}
        with learnable.config(runner=client):
            assert fold(add_up, operator.add, blocks).tobytes() == expected
        with pytest.raises(DataError) as caught:
            fold(partial(fail_at, 7), operator.add, range(40), run=client)
        assert caught.value.row == 7
        # Blocks of a size that a real table has, several to a task.
        large = [np.full(400_000, float(i)) for i in range(40)]
        assert fold(add_up, operator.add, large, run=client)[0] == 400_000 * 780
