"""The pool: serial loops inside, threads outside, results in the order of the items.

There is one pool a process. It is not nested (a task that folds folds serially), it is forgotten
after a fork (a child that waited for its parent's threads would hang), and every task carries the
context of its caller, so that settings and traces reach it.
"""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from contextvars import copy_context
from threading import Event
from typing import TypeVar

from learnable.core.blas import one_blas_thread
from learnable.core.config import get_config

Item = TypeVar("Item")
Result = TypeVar("Result")


class _Pool:
    """The executor in use, of the size that was asked for last.

    One that was replaced ends its threads by itself once the last map over it is done: nobody
    refers to it any more then.
    """

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.executor: ThreadPoolExecutor | None = None
        self.size = 0
        self.here = threading.local()

    def of_size(self, size: int) -> ThreadPoolExecutor:
        with self.lock:
            if self.executor is None or self.size != size:
                self.executor = ThreadPoolExecutor(size, thread_name_prefix="learnable")
                self.size = size
            return self.executor


_pool = _Pool()
os.register_at_fork(after_in_child=_pool.__init__)  # type: ignore[misc]


def thread_count() -> int:
    """Threads that the pool uses: the setting, or the processors this process may run on.

    Examples
    --------
    >>> import learnable
    >>> from learnable.core import thread_count
    >>> with learnable.config(threads=3):
    ...     thread_count()
    3
    """
    return get_config().threads or len(os.sched_getaffinity(0))


def inside_task() -> bool:
    """Whether this code runs inside a task of the pool."""
    return getattr(_pool.here, "busy", False)


def as_task(task: Callable[[Item], Result], item: Item, over: Event | None = None) -> Result:
    """Run a task on one item: with BLAS at one thread, and folds inside it serial."""
    here = _pool.here
    outer = inside_task(), getattr(here, "over", None)
    here.busy, here.over = True, over
    try:
        with one_blas_thread():
            return task(item)
    finally:
        here.busy, here.over = outer


def until_over(items: Iterable[Item]) -> Iterator[Item]:
    """Yield the items, but none once nobody waits for the result of this task any more."""
    over = getattr(_pool.here, "over", None)
    for item in items:
        if over is not None and over.is_set():
            raise CancelledError
        yield item


def ordered_map(
    task: Callable[[Item], Result], items: Iterable[Item], *, size: int, ahead: int
) -> Iterator[Result]:
    """Run ``task`` on the items in ``size`` threads; at most ``ahead`` are under way at a time.

    Whatever ends the map early (an error, Ctrl-C, a caller who stops listening), tasks that have
    not begun are cancelled, and those that run end with their block (:func:`until_over`).
    """
    executor, pending, over = _pool.of_size(size), deque[Future[Result]](), Event()
    try:
        for item in items:
            pending.append(executor.submit(copy_context().run, as_task, task, item, over))
            if len(pending) >= ahead:
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()
    finally:
        over.set()
        for future in pending:
            future.cancel()
