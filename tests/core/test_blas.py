"""BLAS at one thread: inside, nested, from several threads, after errors and forks."""

from __future__ import annotations

import subprocess
import sys
import threading

import numpy as np
import pytest
import scipy.linalg  # noqa: F401 (it brings a BLAS of its own)
from threadpoolctl import threadpool_info, threadpool_limits

import learnable
from learnable.core import Threads, fold, one_blas_thread


def blas_threads():
    return [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"]


@pytest.fixture(autouse=True)
def _three_threads():
    with threadpool_limits(3, user_api="blas"):
        yield


ALL, ONE = 2 * [3], 2 * [1]


def test_held_inside_and_restored_after():
    assert blas_threads() == ALL
    with one_blas_thread():
        assert blas_threads() == ONE
        with one_blas_thread():
            assert blas_threads() == ONE
        assert blas_threads() == ONE
    assert blas_threads() == ALL


def test_restored_after_an_error():
    with pytest.raises(RuntimeError), one_blas_thread(), one_blas_thread():
        raise RuntimeError
    assert blas_threads() == ALL


def test_held_until_the_last_thread_leaves():
    inside, leave = threading.Barrier(3, timeout=20), [threading.Event() for _ in range(2)]

    def hold(event):
        with one_blas_thread():
            inside.wait()
            event.wait(20)

    threads = [threading.Thread(target=hold, args=(event,)) for event in leave]
    for thread in threads:
        thread.start()
    inside.wait()
    assert blas_threads() == ONE
    for thread, event, after in zip(threads, leave, (ONE, ALL), strict=True):
        event.set()
        thread.join()
        assert blas_threads() == after


def test_a_thread_is_heard_whoever_set_a_limit_before():
    """Here the main thread did, after which threadpoolctl 3.8 ignores every other one."""
    seen = []

    def work():
        with one_blas_thread():
            seen.append(blas_threads())
        seen.append(blas_threads())

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert seen == [ONE, ALL]


def test_a_limit_that_was_lifted_inside_is_set_again():
    with one_blas_thread():
        with threadpool_limits(3, user_api="blas"), one_blas_thread():
            assert blas_threads() == ONE
        assert blas_threads() == ONE
    assert blas_threads() == ALL


def test_many_threads_at_once_leave_it_as_it_was():
    def work():
        for _ in range(200):
            with one_blas_thread():
                seen.add(tuple(blas_threads()) if len(seen) < 5 else (1, 1))

    seen = set()
    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == {(1, 1)}
    assert blas_threads() == ALL


def test_free_where_bits_may_differ():
    with learnable.config(deterministic=False), one_blas_thread():
        assert blas_threads() == ALL
    assert blas_threads() == ALL


def test_held_by_a_fold_and_in_the_tasks_of_the_pool():
    def of(_):
        return {tuple(blas_threads())}

    for run in ("serial", Threads(2), "synchronous"):
        run = learnable.core.Dask(run) if run == "synchronous" else run  # noqa: PLW2901
        assert fold(of, set.union, range(6), run=run) == {(1, 1)}
    assert set(map(tuple, Threads(2)(lambda _: blas_threads(), range(4)))) == {(1, 1)}
    assert blas_threads() == ALL


def test_a_generator_that_is_dropped_lets_go():
    def held():
        with one_blas_thread():
            yield 1
            yield 2

    assert next(held()) == 1
    assert blas_threads() == ALL


def test_a_library_that_arrives_later_is_held_too():
    code = """
import numpy, sys
from threadpoolctl import threadpool_info, threadpool_limits
from learnable.core import one_blas_thread
counts = lambda: [p["num_threads"] for p in threadpool_info() if p["user_api"] == "blas"]
threadpool_limits(3, user_api="blas")
assert counts() == [3]
with one_blas_thread():
    assert "scipy.linalg" not in sys.modules
    import scipy.linalg
    with one_blas_thread():
        assert counts() == [1, 1], counts()
    assert counts() == [1, 1], counts()
assert len(counts()) == 2 and 3 in counts(), counts()
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


FORK = """
import os, sys, threading
import numpy, scipy.linalg
from threadpoolctl import threadpool_info, threadpool_limits
from learnable.core import one_blas_thread
counts = lambda: [p["num_threads"] for p in threadpool_info() if p["user_api"] == "blas"]
threadpool_limits(3, user_api="blas")
hold, leave = threading.Event(), threading.Event()
def other():
    with one_blas_thread():
        hold.set()
        leave.wait(20)
def child(inside):
    if inside == "nothing":
        assert counts() in ([1, 1], [3, 3])
    with one_blas_thread():
        assert counts() == [1, 1]
        with one_blas_thread():
            assert counts() == [1, 1]
        assert counts() == [1, 1]
    assert counts() == [3, 3], counts()
    with one_blas_thread():
        assert counts() == [1, 1]
    return 7
how = sys.argv[1]
def fork(how):
    pid = os.fork()
    if pid == 0:
        return None
    leave.set()
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
if how == "other thread":
    thread = threading.Thread(target=other)
    thread.start()
    hold.wait(20)
    code = fork(how)
elif how == "inside":
    with one_blas_thread():
        code = fork(how)
else:
    code = fork(how)
if code is None:
    try:
        os._exit(child(how))
    except BaseException as error:
        sys.stderr.write(repr(error))
        os._exit(1)
assert code == 7, code
assert counts() == [3, 3] or how == "other thread", counts()
"""


@pytest.mark.parametrize("how", ["nothing", "inside", "other thread"])
def test_a_child_counts_from_zero(how):
    """Fork outside, inside the block (the child then leaves it), and while a thread holds it."""
    command = [sys.executable, "-W", "ignore", "-c", FORK, how]
    subprocess.run(command, check=True, timeout=60)


def test_products_have_the_same_bits_with_any_number_of_threads():
    a = np.random.default_rng(0).normal(size=(300, 300))
    with one_blas_thread():
        held = (a @ a).tobytes()
    with threadpool_limits(1, user_api="blas"):
        assert (a @ a).tobytes() == held
