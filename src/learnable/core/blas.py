"""One BLAS thread while anything is learned or answered.

OpenBLAS gives other bits with two threads than with one, and its limit is global to the process.
So one reference-counted limit holds it at one thread from the first public method that enters
until the last one leaves; our own pool keeps the cores busy.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from learnable.core.config import get_config

# Modules that bring a BLAS of their own: once another one is loaded the limit must reach it too.
_CARRIERS = ("numpy", "scipy.linalg", "scipy.linalg.cython_blas", "torch", "sklearn", "faiss")


Undo = list[tuple[Any, int]]


class _Limit:
    """How many hold BLAS at one thread, and what undoes it.

    The lock is reentrant because the collector may close a generator that holds the limit while
    this very thread is inside.
    """

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.holders = 0
        self.forks = 0
        self.undo: Undo = []
        self.libraries: list[Any] = []
        self.seen: tuple[str, ...] = ()

    def enter(self) -> tuple[int, Undo]:
        mine: Undo = []
        with self.lock:
            self.look_for_libraries()
            for library in self.libraries:
                threads = library.get_num_threads()
                if threads != 1:
                    _set(library, 1)
                    (mine if _of_a_thread(library) else self.undo).append((library, threads))
            self.holders += 1
            return self.forks, mine

    def look_for_libraries(self) -> None:
        present = tuple(name for name in _CARRIERS if name in sys.modules)
        if present != self.seen:
            from threadpoolctl import ThreadpoolController

            found = ThreadpoolController().select(user_api="blas")
            self.libraries, self.seen = found.lib_controllers, present

    def leave(self, forks: int, mine: Undo) -> None:
        _restore(mine)
        if forks != self.forks:  # entered before a fork, which took the count to 0
            return
        with self.lock:
            self.holders -= 1
            if self.holders == 0:
                _restore(self.undo)

    def forget_holders(self) -> None:
        """After a fork only the forking thread lives on; BLAS stays as it is until the next use."""
        self.lock, self.holders, self.forks = threading.RLock(), 0, self.forks + 1


def _of_a_thread(library: Any) -> bool:
    """Whether a limit holds in the thread that sets it alone."""
    return library.internal_api == "mkl" or getattr(library, "threading_layer", "") == "openmp"


def _set(library: Any, threads: int) -> None:
    """Set the limit from any thread: threadpoolctl 3.8 leaves that to one thread a process."""
    getattr(library, "_real_set_num_threads", library.set_num_threads)(threads)


def _restore(undo: Undo) -> None:
    while undo:
        _set(*undo.pop())


_limit = _Limit()
os.register_at_fork(after_in_child=_limit.forget_holders)


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Hold BLAS at one thread inside the block; nested and concurrent use is fine.

    Examples
    --------
    >>> from learnable.core import one_blas_thread
    >>> with one_blas_thread():
    ...     pass
    """
    if not get_config().deterministic:
        yield
        return
    held = _limit.enter()
    try:
        yield
    finally:
        _limit.leave(*held)
