"""The compiler of inner loops: Numba's ``njit`` with a disk cache that no edit leaves stale.

Numba stamps a cached function with its own file alone, so an edit of a callee or of a registered
rule in another file goes unseen. Here the name of a cache file is one hash of all that the
compiled code depends on: every file of :mod:`learnable.loops`, the versions of the compiler, the
processor, the signature, and for a loop or a rule that lives elsewhere whatever its code can
reach (:mod:`learnable.core.fingerprint`). The folder is ours: sources may be read-only, nothing
process-wide is set, and files that nobody has used for a month are swept away. A file that is
torn, foreign or unreadable counts as absent, and a folder that cannot be written means that
loops are compiled in memory.

Numba is imported when the first loop is decorated.

References
----------
.. [1] S. K. Lam, A. Pitrou, S. Seibert: Numba, a LLVM-based Python JIT compiler. LLVM-HPC 2015.
"""

from __future__ import annotations

import importlib
import pkgutil
import time
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any, overload

FAST = frozenset({"reassoc", "contract", "nsz"})
Ahead = Iterable[tuple[Any, ...]] | Callable[[], Iterable[tuple[Any, ...]]]

_ahead: list[tuple[Any, Ahead]] = []


@overload
def loop(
    function: Callable[..., Any],
    *,
    fastmath: bool | Iterable[str] = ...,
    inline: bool = ...,
    locked: bool = ...,
    ahead: Ahead = ...,
) -> Any: ...
@overload
def loop(
    *,
    fastmath: bool | Iterable[str] = ...,
    inline: bool = ...,
    locked: bool = ...,
    ahead: Ahead = ...,
) -> Callable[[Callable[..., Any]], Any]: ...


def loop(
    function: Callable[..., Any] | None = None,
    *,
    fastmath: bool | Iterable[str] = True,
    inline: bool = False,
    locked: bool = False,
    ahead: Ahead = (),
) -> Any:
    """Compile a function of arrays, numbers and lowered records; keep the result on disk.

    The loop runs without the interpreter's lock (unless it asks for it), divides as NumPy does
    (``1 / 0`` is ``inf``), and assumes nothing about NaN or infinity.

    Parameters
    ----------
    function : callable
        The loop.
    fastmath : bool or set of str, default=True
        True lets the compiler reorder sums, contract ``a * b + c`` and ignore the sign of zero;
        False keeps every operation exact and in order; a set names LLVM's flags.
    inline : bool, default=False
        Copy the compiled function into its callers (for kernels on single numbers).
    locked : bool, default=False
        Keep the interpreter's lock, for a loop over objects that other threads may let go of.
    ahead : iterable of tuples, or a function that returns it, optional
        Signatures that :func:`warm_up` compiles. A tuple holds one item for each argument: a
        type such as ``"float64"``, ``"int64[::1]"`` (an array that the loop may write) or
        ``"const float64[:, ::1]"`` (a read-only array), or an example value (a record, a tuple,
        None). The word ``real`` stands for float64 and float32 in turn.

    Returns
    -------
    dispatcher
        The compiled loop; ``dispatcher.py_func`` is the plain function.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.core import loop
    >>> @loop
    ... def total(x):
    ...     s = 0.0
    ...     for value in x:
    ...         s += value
    ...     return s
    >>> total(np.arange(4.0))
    6.0
    """
    if function is None:
        return partial(loop, fastmath=fastmath, inline=inline, locked=locked, ahead=ahead)
    from numba import njit

    from learnable.core.disk_cache import LoopCache
    from learnable.core.record import install_generics

    install_generics()
    flags = set(fastmath) if not isinstance(fastmath, bool) else set(FAST if fastmath else ())
    options = {"nogil": not locked, "error_model": "numpy", "forceinline": inline}
    dispatcher = njit(fastmath=flags or False, **options)(function)
    if dispatcher is function:  # under NUMBA_DISABLE_JIT
        return function
    dispatcher._cache = LoopCache(function, f"{sorted(flags)}{inline}{locked}")  # noqa: SLF001
    if ahead:
        _ahead.append((dispatcher, ahead))
    return dispatcher


def cache_folder() -> Path | None:
    """Return the folder of the compiled loops, or None where there is no home folder.

    Examples
    --------
    >>> import learnable
    >>> from learnable.core import cache_folder
    >>> with learnable.config(cache="/tmp/mine"):
    ...     cache_folder().as_posix()
    '/tmp/mine/loops'
    """
    from learnable.core.disk_cache import loops_folder

    return loops_folder()


def clear_cache() -> int:
    """Remove every compiled loop from the disk and return how many bytes that freed.

    Examples
    --------
    >>> import learnable, tempfile
    >>> from learnable.core import clear_cache
    >>> with tempfile.TemporaryDirectory() as folder, learnable.config(cache=folder):
    ...     clear_cache()
    0
    """
    from learnable.core.disk_cache import remove

    folder = cache_folder()
    return 0 if folder is None else remove(folder.glob("*/*.loop"))


def warm_up(report: Callable[[str, float], object] | None = None) -> int:
    """Compile every loop of the library for the signatures it states, so that no fit waits.

    Parameters
    ----------
    report : callable, optional
        Called after each signature with the name of the loop and the seconds it took.

    Returns
    -------
    int
        Number of signatures made ready.

    Examples
    --------
    >>> from learnable.core import warm_up
    >>> warm_up() > 0
    True
    """
    package = importlib.import_module("learnable.loops")
    for module in pkgutil.walk_packages(package.__path__, "learnable.loops."):
        importlib.import_module(module.name)
    from learnable.core.signatures import expand

    done = 0
    for dispatcher, ahead in tuple(_ahead):
        if not dispatcher.py_func.__module__.startswith("learnable."):
            continue
        name = f"{dispatcher.py_func.__module__}.{dispatcher.py_func.__name__}"
        for signature in expand(name, ahead() if callable(ahead) else ahead):
            start = time.perf_counter()
            dispatcher.compile(signature)
            done += 1
            if report is not None:
                report(name, time.perf_counter() - start)
    return done
