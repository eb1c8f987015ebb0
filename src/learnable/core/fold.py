"""``fold``: the only code that scales.

A learner built on sums is ``of`` (block -> statistic), ``merge`` (statistic x statistic) and a
pure ``solve``. The blocks lie on a fixed grid and merge in a fixed binary tree, so the bits depend
neither on who ran them nor on how many threads there were; a stream is read a few blocks ahead
and merges into log n partial results, so a source larger than memory folds in constant memory.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextvars import ContextVar
from dataclasses import replace
from functools import partial
from typing import Any, Protocol, TypeVar

from learnable.core.blas import one_blas_thread
from learnable.core.config import BLOCK_BYTES, Settings, config, get_config
from learnable.core.errors import DataError, ParameterError
from learnable.core.pool import as_task, inside_task, ordered_map, thread_count, until_over
from learnable.core.progress import counted
from learnable.core.trace import absorb, listening, recorder

Statistic = TypeVar("Statistic")
Of = Callable[[Any], Statistic]
Merge = Callable[[Statistic, Statistic], Statistic]


class Runner(Protocol):
    """Whoever runs tasks on blocks and hands the results back in block order."""

    def __call__(self, task: Callable[[Any], Any], blocks: Iterable[Any]) -> Iterator[Any]:
        """Yield the result of every block."""
        ...


def serial(task: Callable[[Any], Any], blocks: Iterable[Any]) -> Iterator[Any]:
    """Run the blocks one after the other.

    Examples
    --------
    >>> from learnable.core import serial
    >>> list(serial(len, ["a", "bb"]))
    [1, 2]
    """
    return map(task, blocks)


class Threads:
    """Run the blocks in the pool.

    Parameters
    ----------
    size : int, optional
        Number of threads; the setting ``threads`` by default.

    Examples
    --------
    >>> from learnable.core import Threads
    >>> list(Threads(2)(len, ["a", "bb"]))
    [1, 2]
    """

    def __init__(self, size: int | None = None) -> None:
        if size is not None and size < 1:
            msg = f"a pool has at least one thread, not {size!r}"
            raise ParameterError(msg)
        self.size = size

    def __call__(self, task: Callable[[Any], Any], blocks: Iterable[Any]) -> Iterator[Any]:
        """Run them; a single block stays in this thread, where handing it over costs more."""
        size = self.size or thread_count()
        alone = isinstance(blocks, Sequence) and len(blocks) <= 1
        if size == 1 or alone or inside_task():
            return serial(task, blocks)
        return _joined(partial(ordered_map, size=size, ahead=window(2 * size)), task, blocks)


class Dask:
    """Run the blocks on Dask: a distributed client, or one of its local schedulers.

    Parameters
    ----------
    client : distributed.Client or str, default="threads"
        A client, or the name of a local scheduler ("threads", "processes", "synchronous").
    ahead : int, default=16
        Blocks under way at a time.

    Examples
    --------
    >>> from learnable.core import Dask
    >>> list(Dask("synchronous")(len, ["a", "bb"]))
    [1, 2]
    """

    def __init__(self, client: Any = "threads", *, ahead: int = 16) -> None:
        self.client, self.ahead = client, ahead

    def __call__(self, task: Callable[[Any], Any], blocks: Iterable[Any]) -> Iterator[Any]:
        """Run them; the settings of this context hold for the tasks too."""
        run = self._scheduled if isinstance(self.client, str) else self._submitted
        here = replace(get_config(), runner="serial")
        told = {name: variable.get() for name, variable in _CARRIED.items()}
        return _joined(run, partial(_elsewhere, here, told, task), blocks)

    def _scheduled(self, task: Callable[[Any], Any], blocks: Iterable[Any]) -> Iterator[Any]:
        from dask import compute, delayed

        lazy = delayed(task, pure=False, traverse=False)
        for batch in _batches(blocks, window(self.ahead)):
            yield from compute(*[lazy(block) for block in batch], scheduler=self.client)

    def _submitted(self, task: Callable[[Any], Any], blocks: Iterable[Any]) -> Iterator[Any]:
        there = partial(_unpacked, _Parcel(task))
        for batch in _batches(blocks, window(self.ahead)):
            sent = [self.client.submit(there, _Parcel(block), pure=False) for block in batch]
            for parcel in self.client.gather(sent):
                yield parcel.content


class _Parcel:
    """Something that travels as one string of bytes.

    A cluster lays arrays that travel by themselves at any address, and BLAS gives other bits for
    arrays whose numbers straddle the words of the machine.
    """

    def __init__(self, content: Any) -> None:
        self.content = content

    def __reduce__(self) -> tuple[Any, ...]:
        from cloudpickle import dumps

        return _opened, (dumps(self.content),)


def _opened(data: bytes) -> _Parcel:
    return _Parcel(pickle.loads(data))  # noqa: S301 (the cluster sends functions anyway)


def _unpacked(task: _Parcel, block: _Parcel) -> _Parcel:
    return _Parcel(task.content(block.content))


_CARRIED: dict[str, ContextVar[Any]] = {}


def carried(variable: ContextVar[Any]) -> ContextVar[Any]:
    """Let a context variable hold in the tasks of a cluster too; its values travel.

    Examples
    --------
    >>> from contextvars import ContextVar
    >>> from learnable.core.fold import carried
    >>> carried(ContextVar("learnable_example", default=3)).get()
    3
    """
    _CARRIED[variable.name] = variable
    return variable


def _elsewhere(
    settings: Settings, told: dict[str, Any], task: Callable[[Any], Any], block: Any
) -> Any:
    """Run in a worker: another thread or process, which knows nothing of our context."""
    known = [(_CARRIED[name], value) for name, value in told.items() if name in _CARRIED]
    tokens = [(variable, variable.set(value)) for variable, value in known]
    try:
        with config(**vars(settings)):
            return as_task(task, block)
    finally:
        for variable, token in tokens:
            variable.reset(token)


def window(wanted: int) -> int:
    """Return how many blocks may be under way: as many as wanted, or as memory allows.

    Examples
    --------
    >>> import learnable
    >>> from learnable.core.fold import window
    >>> with learnable.config(memory=10_000_000):
    ...     window(16)
    2
    """
    memory = get_config().memory
    return wanted if isinstance(memory, str) else max(min(wanted, memory // BLOCK_BYTES), 1)


def _batches(blocks: Iterable[Any], size: int) -> Iterator[list[Any]]:
    batch: list[Any] = []
    for block in blocks:
        batch.append(block)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch


def _joined(
    run: Callable[..., Iterator[Any]], task: Callable[[Any], Any], blocks: Iterable[Any]
) -> Iterator[Any]:
    """Run tasks elsewhere; what they trace comes back with their results, in block order."""
    if not listening():
        yield from run(task, blocks)
        return
    for result, events in run(recorder(task), blocks):
        absorb(events)
        yield result


def runner(run: Any = None) -> Runner:
    """Return the runner that a ``run`` argument or the settings name.

    Examples
    --------
    >>> from learnable.core import runner, serial
    >>> runner("serial") is serial
    True
    """
    run = get_config().runner if run is None else run
    if run is None or run == "threads":
        return Threads()
    if run == "serial":
        return serial
    if hasattr(run, "submit") and hasattr(run, "gather"):
        return Dask(run)
    if callable(run):
        return run  # type: ignore[no-any-return]
    msg = f'run must be "serial", "threads", a Dask client or a runner, not {run!r}'
    raise ParameterError(msg)


def merge_tree(merge: Merge[Statistic], parts: Iterable[Statistic]) -> Statistic | None:
    """Merge a stream in a fixed binary tree, holding log n partial results (None: no parts).

    ``counter[i]`` is a finished subtree of ``2**i`` parts, as in a binary counter.
    """
    counter: list[Statistic | None] = []
    for part in parts:
        level, total = 0, part
        while level < len(counter) and (left := counter[level]) is not None:
            counter[level] = None
            total = merge(left, total)
            level += 1
        if level == len(counter):
            counter.append(None)
        counter[level] = total
    done = [subtree for subtree in counter if subtree is not None]
    if not done:
        return None
    total = done[0]
    for earlier in done[1:]:
        total = merge(earlier, total)
    return total


def merge_each(left: tuple[Any, ...], right: tuple[Any, ...]) -> tuple[Any, ...]:
    """Merge statistics that were taken together, pair by pair.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.core import merge_each
    >>> from learnable.stats import Extent
    >>> one, other = Extent.of(np.array([[1.0]])), Extent.of(np.array([[2.0]]))
    >>> merge_each((one,), (other,))[0].n
    2
    """
    return tuple(a.merge(b) for a, b in zip(left, right, strict=True))


def _group(of: Of[Statistic], merge: Merge[Statistic], blocks: Sequence[Any]) -> Statistic | None:
    return merge_tree(merge, map(of, until_over(blocks)))


def _grouped(blocks: Sequence[Any]) -> list[Sequence[Any]]:
    """Cut into runs of 2**g blocks: each is a subtree of the tree, so any g gives the same bits.

    About eight runs a thread keep every core busy to the end and the calls few.
    """
    size = 1
    while 2 * size * 8 * thread_count() <= len(blocks):
        size *= 2
    return [blocks[i : i + size] for i in range(0, len(blocks), size)]


def fold(
    of: Of[Statistic], merge: Merge[Statistic], blocks: Iterable[Any], *, run: Any = None
) -> Statistic:
    """Summarise blocks of rows: ``merge`` of ``of`` over all of them, in a fixed tree.

    Parameters
    ----------
    of : callable
        Block to statistic. For processes and clusters: a module-level function or a ``partial``.
    merge : callable
        Two statistics of neighbouring blocks to one.
    blocks : sequence or iterable
        The blocks on their grid. An iterable is read a few blocks ahead, never as a whole.
    run : {"serial", "threads"}, Dask client or runner, optional
        Who runs them; the setting ``runner`` by default.

    Returns
    -------
    statistic
        The same bits for any runner and any number of threads.

    Notes
    -----
    Cost: one ``of`` a block, one ``merge`` less than that, log n partial results in memory.

    References
    ----------
    Chan, T. F., Golub, G. H., LeVeque, R. J. (1979). Updating formulae and a pairwise algorithm
    for computing sample variances.

    Examples
    --------
    >>> import operator
    >>> from learnable.core import fold
    >>> fold(len, operator.add, ["ab", "c", "def"])
    6
    """
    runs = runner(run)
    with one_blas_thread():
        if isinstance(blocks, Sequence):
            groups = _grouped(list(blocks))
            parts, count = runs(partial(_group, of, merge), groups), len(groups)
        else:
            parts, count = runs(of, blocks), None
        total: Statistic | None = _merged(merge, parts, count)
    if total is None:
        msg = "There are no rows."
        raise DataError(msg, remedy="Give at least one block with at least one row.")
    return total


def _merged(
    merge: Merge[Statistic], parts: Iterator[Statistic], count: int | None
) -> Statistic | None:
    """Merge what a runner yields; if that fails, tell the runner to stop."""
    try:
        return merge_tree(merge, counted(parts, count))
    finally:
        if close := getattr(parts, "close", None):
            close()
