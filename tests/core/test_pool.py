"""The pool: in order, bounded, interruptible, and none the worse for a fork."""

from __future__ import annotations

import contextvars
import gc
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import learnable
from learnable.core import Threads, fold
from learnable.core.pool import inside_task, ordered_map, thread_count


def pool_threads():
    return {t.name for t in threading.enumerate() if t.name.startswith("learnable")}


def test_results_come_in_the_order_of_the_items():
    def slow_first(i):
        time.sleep(0.01 * (i < 2))
        return i

    assert list(ordered_map(slow_first, range(30), size=3, ahead=6)) == list(range(30))


@pytest.mark.parametrize("ahead", [1, 4, 9])
def test_no_more_than_ahead_are_under_way(ahead):
    read = []
    made = ordered_map(lambda i: i, (read.append(i) or i for i in range(50)), size=2, ahead=ahead)
    for i, result in enumerate(made):
        assert result == i
        assert len(read) <= i + ahead
    assert len(read) == 50


@pytest.mark.parametrize("size", [1, 2, 3])
def test_no_more_threads_than_asked_for(size):
    lock, now, most = threading.Lock(), [0], [0]

    def work(_):
        with lock:
            now[0] += 1
            most[0] = max(most[0], now[0])
        time.sleep(0.005)
        with lock:
            now[0] -= 1

    list(Threads(4)(lambda _: time.sleep(0.005), range(8)))  # a larger pool came before
    list(Threads(size)(work, range(20)))
    assert most[0] == size


def test_outgrown_pools_end_their_threads():
    for size in (2, 5, 3, 6, 2):
        list(Threads(size)(lambda _: time.sleep(0.002), range(12)))
    gc.collect()
    deadline = time.time() + 5
    while len(pool_threads()) > 2 and time.time() < deadline:
        time.sleep(0.01)
    assert len(pool_threads()) <= 2


def test_a_map_outlives_the_pool_it_began_with():
    early = ordered_map(lambda i: i, iter(range(40)), size=2, ahead=4)
    assert next(early) == 0
    list(Threads(5)(lambda i: i, range(10)))
    gc.collect()
    assert list(early) == list(range(1, 40))


def test_concurrent_folds_of_different_size_give_the_same_bits():
    blocks = [np.random.default_rng(i).normal(size=200) for i in range(64)]
    expected = fold(np.sum, np.add, blocks, run="serial")
    wrong = []

    def work(size):
        made = [fold(np.sum, np.add, blocks, run=Threads(size)) for _ in range(20)]
        wrong.extend(value for value in made if value != expected)

    threads = [threading.Thread(target=work, args=(size,)) for size in (2, 3, 4, 2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert wrong == []
    assert not any(thread.is_alive() for thread in threads)


def test_tasks_carry_the_context_of_their_caller():
    mark = contextvars.ContextVar("mark", default="none")
    mark.set("mine")

    def work(_):
        seen = (mark.get(), learnable.get_config().threads, inside_task())
        mark.set("changed")
        return seen

    with learnable.config(threads=2):
        assert set(ordered_map(work, range(9), size=2, ahead=4)) == {("mine", 2, True)}
    assert mark.get() == "mine"
    assert not inside_task()


def test_a_dropped_map_cancels_what_has_not_begun():
    begun, go = [], threading.Event()

    def work(i):
        begun.append(i)
        go.wait(5)
        return i

    made = ordered_map(lambda i: i if i == 0 else work(i), range(100), size=2, ahead=20)
    assert next(made) == 0
    made.close()
    go.set()
    time.sleep(0.1)
    assert len(begun) <= 4


def test_an_error_leaves_the_pool_usable():
    def work(i):
        if i == 3:
            raise RuntimeError(i)
        return i

    for _ in range(3):
        with pytest.raises(RuntimeError, match="3"):
            list(Threads(2)(work, range(20)))
    assert list(Threads(2)(str, range(3))) == ["0", "1", "2"]


def test_thread_count_follows_the_setting():
    with learnable.config(threads=7):
        assert thread_count() == 7
    assert thread_count() >= 1


def run(code, *arguments, timeout=60):
    command = [sys.executable, "-W", "ignore", "-c", code, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=timeout, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


FORK = """
import operator, os, signal, sys, threading, time
import numpy as np
from learnable.core import Threads, fold
from learnable.core.pool import _pool, inside_task

blocks = [np.ones(100) * i for i in range(30)]
def total():
    return float(fold(np.sum, operator.add, blocks, run=Threads(2)))
def in_child(work):
    pid = os.fork()
    if pid == 0:
        signal.alarm(20)
        try:
            os._exit(0 if work() else 1)
        finally:
            os._exit(2)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
def right():
    return total() == 43500.0 and not inside_task()
assert right()
how = sys.argv[1]
if how == "after use":
    assert in_child(right) == 0
elif how == "a child of a child":
    assert in_child(lambda: right() and in_child(right) == 0) == 0
elif how == "while the lock is held":
    held, leave = threading.Event(), threading.Event()
    def hold():
        with _pool.lock:
            held.set()
            leave.wait(20)
    thread = threading.Thread(target=hold)
    thread.start()
    held.wait(20)
    code = in_child(right)
    leave.set()
    assert code == 0
elif how == "while others fold":
    stop = []
    def keep_folding():
        while not stop:
            assert total() == 43500.0
    threads = [threading.Thread(target=keep_folding) for _ in range(2)]
    for thread in threads:
        thread.start()
    codes = [in_child(right) for _ in range(10)]
    stop.append(1)
    for thread in threads:
        thread.join(20)
    assert codes == 10 * [0], codes
elif how == "inside a task":
    assert list(Threads(2)(lambda i: in_child(right), range(4))) == 4 * [0]
assert right()
"""
HOW = [
    "after use",
    "a child of a child",
    "while the lock is held",
    "while others fold",
    "inside a task",
]


@pytest.mark.parametrize("how", HOW)
def test_a_child_folds_without_a_hang(how):
    run(FORK, how)


CTRL_C = """
import os, signal, sys, threading, time
from learnable.core import Threads, fold
begun = []
def of(i):
    begun.append(i)
    time.sleep(0.05)
    return i
def interrupt():
    while len(begun) < 4:
        time.sleep(0.001)
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=interrupt, daemon=True).start()
start = time.time()
blocks = range(2000) if sys.argv[1] == "list" else iter(range(2000))
try:
    fold(of, lambda a, b: a + b, blocks, run=Threads(2))
except KeyboardInterrupt:
    took = time.time() - start
count = len(begun)
assert took < 2 and count < 200, (took, count)
time.sleep(0.3)
after = len(begun)
assert fold(lambda i: i, lambda a, b: a + b, range(50), run=Threads(2)) == 1225
print(count, after)
"""


@pytest.mark.parametrize("kind", ["stream", "list"])
def test_ctrl_c_ends_a_fold_and_leaves_nothing_behind(kind):
    count, after = map(int, run(CTRL_C, kind))
    assert after - count <= 2  # a task of a list is a run of many blocks, and ends between them


def test_signals_are_ours_again():
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
