"""The disk cache behind :func:`learnable.core.loop`: one file for each compiled signature.

A file holds a checksum, the names of the symbols that the machine code needs from the process,
and a pickled compile result. It is written beside its place and moved into it, so that readers
see all of it or nothing; whatever is wrong with a file, the loop is compiled again.

Loading skips what dominates Numba's own path: filling the compiler with all of its type and
lowering rules takes 0.17 s and serves only to compile. A loaded loop needs its symbols alone, so
the rules are filled in when one of those is missing, or when there is nothing to load.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import pickle
import re
import stat
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from functools import reduce
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
from numba.core.caching import _Cache
from numba.core.compiler import CompileResult
from numba.core.compiler_lock import global_compiler_lock
from numba.core.runtime import rtsys
from numba.core.serialize import NumbaPickler
from numba.core.sigutils import normalize_signature

from learnable.core.config import get_config
from learnable.core.fingerprint import fingerprint, library_stamp

DAY = 86400.0
UNUSED = 30 * DAY
STAMPS_KEPT = 8
CHECKSUM = hashlib.sha256().digest_size


def loops_folder() -> Path | None:
    """Return the folder of the compiled loops, or None where there is no home folder."""
    configured = get_config().cache
    try:
        if configured:
            return Path(configured).expanduser().absolute() / "loops"
        return Path.home() / ".cache" / "learnable" / "loops"
    except RuntimeError:
        return None


class LoopCache(_Cache):  # type: ignore[misc]
    """Numba's protocol of a function's cache, over our files.

    Parameters
    ----------
    function : function
        The plain function.
    options : str
        Whatever else decides what the function compiles to.
    """

    def __init__(self, function: Any, options: str) -> None:
        self._function, self._options = function, options
        self._name = f"{function.__module__}.{function.__qualname__}"
        self._enabled = True

    @property
    def cache_path(self) -> str | None:
        """The folder of this version of the loops."""
        folder = loops_folder()
        return None if folder is None else str(folder / library_stamp())

    def enable(self) -> None:
        """Use the disk."""
        self._enabled = True

    def disable(self) -> None:
        """Leave the disk alone."""
        self._enabled = False

    def flush(self) -> None:
        """Remove this function's files."""
        if folder := self.cache_path:
            remove(path for path in Path(folder).glob(f"{self._prefix()}*.loop"))

    def load_overload(self, signature: Any, context: Any) -> Any:
        """Return the compile result kept for a signature; else None, the compiler made ready."""
        result = None
        if path := self._path(signature, context.codegen()):
            # A file may be torn, or made by hand: compiling is right whatever the error is.
            with contextlib.suppress(Exception):
                result = _read(path, context)
        if result is not None and result.signature.args == _arguments(signature):
            return result
        context.refresh()
        return None

    def save_overload(self, signature: Any, result: Any) -> None:
        """Keep a compile result, if it can be kept and the folder can be written."""
        path = self._path(signature, result.codegen)
        if path is None or result.library.has_dynamic_globals or result.lifted:
            return
        with contextlib.suppress(OSError, pickle.PicklingError, TypeError, AttributeError):
            _write(path, _packed(result))

    def _prefix(self) -> str:
        return re.sub(r"[^\w.]", "", self._name)[-80:] + "-"

    def _path(self, signature: Any, codegen: Any) -> Path | None:
        folder = self.cache_path if self._enabled else None
        if folder is None:
            return None
        types = [_words(t) for t in _arguments(signature)]
        seen = fingerprint(self._function)
        key = (self._name, self._options, types, codegen.magic_tuple(), seen)
        name = hashlib.sha256(repr(key).encode()).hexdigest()[:32]
        return Path(folder, f"{self._prefix()}{name}.loop")


def _arguments(signature: Any) -> tuple[Any, ...]:
    return tuple(normalize_signature(signature)[0])


def _words(kind: Any) -> str:
    """Spell a type out: two named tuples of one name from two modules differ."""
    inner = ",".join(_words(t) for t in getattr(kind, "types", ()))
    return f"{kind}{getattr(kind, 'instance_class', '')}({inner})"


class _Pickler(NumbaPickler):  # type: ignore[misc]
    """Names the forms of records instead of copying them, which keeps them who they are."""

    def persistent_id(self, item: Any) -> tuple[str, str] | None:
        if isinstance(item, type) and item.__qualname__.endswith(".form"):
            return item.__module__, item.__qualname__
        return None


class _Unpickler(pickle.Unpickler):
    def persistent_load(self, name: tuple[str, str]) -> Any:
        return reduce(getattr, name[1].split("."), sys.modules[name[0]])


def _packed(result: Any) -> bytes:
    final = result.library._final_module  # noqa: SLF001
    named = [*final.functions, *final.global_variables]
    symbols = [v.name for v in named if v.is_declaration and not v.name.startswith("llvm.")]
    stream = io.BytesIO()
    _Pickler(stream, protocol=4).dump((symbols, result._reduce()))  # noqa: SLF001
    body = stream.getvalue()
    return hashlib.sha256(body).digest() + body


def _read(path: Path, context: Any) -> Any:
    data = _own(path)
    if hashlib.sha256(data[CHECKSUM:]).digest() != data[:CHECKSUM]:
        return None
    symbols, parts = _Unpickler(io.BytesIO(data[CHECKSUM:])).load()
    if time.time() - path.stat().st_mtime > DAY:
        with contextlib.suppress(OSError):
            os.utime(path)
    rtsys.initialize(context)
    if not _resolved(symbols):
        context.refresh()
        if not _resolved(symbols):
            return None
    return CompileResult._rebuild(context, *parts)  # noqa: SLF001


def _own(path: Path) -> bytes:
    """Read a file that nobody but this user, or the administrator, can have written."""
    with path.open("rb") as stream:
        state = os.fstat(stream.fileno())
        if state.st_uid not in {0, os.geteuid()} or state.st_mode & stat.S_IWOTH:
            raise PermissionError(path)
        return stream.read()


def _resolved(symbols: Iterable[str]) -> bool:
    return all(llvm.address_of_symbol(name) for name in symbols)


def _write(path: Path, data: bytes) -> None:
    if not path.parent.exists():
        sweep(path.parent.parent)
    handle, name = _beside(path)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        Path(name).replace(path)
    except BaseException:
        remove([Path(name)])
        raise


def _beside(path: Path) -> tuple[int, str]:
    """Open a temporary file; once more if another process sweeps the folder while it is empty."""
    for _ in range(5):
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with contextlib.suppress(FileNotFoundError):
            return tempfile.mkstemp(dir=path.parent, prefix="tmp-", suffix=".loop")
    raise FileNotFoundError(path.parent)


def remove(paths: Iterable[Path]) -> int:
    """Remove files, then their folders if these are empty; return the bytes freed."""
    freed, folders = 0, set()
    for path in paths:
        folders.add(path.parent)
        with contextlib.suppress(OSError):
            size = path.stat().st_size
            path.unlink()
            freed += size
    for folder in folders:
        with contextlib.suppress(OSError):
            folder.rmdir()
    return freed


def sweep(folder: Path) -> int:
    """Remove what no process has used for a month, and the least used of too many versions.

    Only files whose use was noted a day ago or more can go, so that a process of another version
    that runs at this moment keeps its own; it would compile again anyhow.
    """
    now = time.time()
    stamps = sorted(((_last_use(path), path) for path in _stamps(folder)), reverse=True)
    freed = 0
    for rank, (used, path) in enumerate(stamps):
        limit = DAY if rank >= STAMPS_KEPT and now - used > DAY else UNUSED
        freed += remove(p for p in path.glob("*.loop") if now - _modified(p) > limit)
    return freed


def _stamps(folder: Path) -> Iterator[Path]:
    return (path for path in folder.glob("*") if path.is_dir())


def _last_use(folder: Path) -> float:
    return max((_modified(path) for path in folder.glob("*.loop")), default=0.0)


def _modified(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return time.time()


def _hold_compiler_while_forking() -> None:
    """Make a fork wait for a compilation under way: the child could never finish it."""
    if hasattr(os, "register_at_fork"):
        lock = global_compiler_lock
        os.register_at_fork(
            before=lock.acquire, after_in_parent=lock.release, after_in_child=lock.release
        )


_hold_compiler_while_forking()
