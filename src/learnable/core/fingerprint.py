"""What compiled code depends on, in two hashes that name its place on the disk.

The stamp covers the library: every file of :mod:`learnable.loops`, the files that make compiled
code of them, and the versions of Python, NumPy and the compiler. The fingerprint of one function
covers what its code can reach, wherever that lives: its own code and file, the values of the
globals and closure cells it names (a compiler freezes them), the functions it calls, and for a
generic all rules registered for it.

Cost: the stamp reads the loops' files once a process; a fingerprint takes well under a
millisecond.
"""

from __future__ import annotations

import hashlib
import sys
import types
from collections.abc import Iterable
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).resolve().parent.parent
LOOPS = str(PACKAGE / "loops")
MAKERS = ("compiler", "disk_cache", "fingerprint", "record")
VERSIONED = frozenset({"builtins", "llvmlite", "math", "numba", "numpy"})
"""Packages whose version in the stamp says all about them."""
PLAIN = (int, float, complex, str, bytes, type(None), type(...), Enum)


@cache
def library_stamp() -> str:
    """Hash the loops of the library and the versions they are compiled by."""
    import llvmlite
    import numba
    import numpy as np

    versions = (sys.version, np.__version__, numba.__version__, llvmlite.__version__)
    switches = (numba.config.OPT, numba.config.BOUNDSCHECK, numba.config.DEBUGINFO_DEFAULT)
    digest = hashlib.sha256(repr((versions, switches)).encode())
    files = [PACKAGE / "core" / f"{name}.py" for name in MAKERS]
    for path in [*files, *sorted(Path(LOOPS).rglob("*.py"))]:
        digest.update(path.name.encode() + _file_hash(str(path)))
    return digest.hexdigest()[:16]


def fingerprint(function: Any) -> str:
    """Hash whatever the code of a function can reach."""
    walk = _Walk()
    walk.visit(function)
    return walk.digest.hexdigest()


class _Walk:
    """A walk over functions and the values they name, each function once."""

    def __init__(self) -> None:
        self.digest = hashlib.sha256()
        self.seen: dict[int, Any] = {}
        self.files: set[str] = set()

    def visit(self, value: Any) -> None:
        value = getattr(value, "py_func", getattr(value, "_defn", value))
        if isinstance(value, types.FunctionType):
            if id(value) not in self.seen:
                self.seen[id(value)] = value
                self.visit_function(value)
        elif isinstance(value, (tuple, list)):
            self.digest.update(f"{type(value).__qualname__} of {len(value)}".encode())
            for item in value:
                self.visit(item)
        else:
            self.digest.update(_frozen(value))

    def visit_function(self, function: types.FunctionType) -> None:
        self.digest.update(f"{function.__module__}.{function.__qualname__}".encode())
        if (function.__module__ or "").partition(".")[0] in VERSIONED:
            return
        self.add_file(function.__code__.co_filename)
        self.add_code(function.__code__, function.__globals__)
        self.visit(function.__defaults__ or ())
        for cell in function.__closure__ or ():
            self.visit(_content(cell))
        rules = getattr(function, "rules", {})
        for form in sorted(rules, key=lambda form: (form.__module__, form.__qualname__)):
            self.visit(form)
            self.visit(rules[form])

    def add_file(self, name: str) -> None:
        if not name.startswith(LOOPS) and name not in self.files:
            self.files.add(name)
            self.digest.update(_file_hash(name))

    def add_code(self, code: types.CodeType, scope: dict[str, Any]) -> None:
        self.digest.update(code.co_code + " ".join(code.co_names).encode())
        for constant in code.co_consts:
            if isinstance(constant, types.CodeType):
                self.add_code(constant, scope)
            else:
                self.digest.update(_frozen(constant))
        for value in _named(code.co_names, scope):
            self.visit(value)


def _named(names: Iterable[str], scope: dict[str, Any]) -> Iterable[Any]:
    """Yield the globals of these names, and for a module those of its members so named."""
    for name in names:
        value = scope.get(name)
        if not isinstance(value, types.ModuleType):
            yield value
        elif value.__name__.partition(".")[0] not in VERSIONED:
            yield from _named((n for n in names if n != name), vars(value))


def _content(cell: types.CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # still empty: a function that names itself before it is bound
        return None


@cache
def _file_hash(name: str) -> bytes:
    try:
        return hashlib.sha256(Path(name).read_bytes()).digest()
    except OSError:
        return b"no file"


def _frozen(value: Any) -> bytes:
    """Return bytes that change whenever a value that a compiler would freeze changes."""
    if isinstance(value, PLAIN):
        return f"{type(value).__name__} {value!r}".encode()
    if isinstance(value, frozenset):
        return " ".join(sorted(map(repr, value))).encode()
    if isinstance(value, type):
        inside = getattr(value, "__members__", getattr(value, "_fields", ""))
        return f"{value.__module__}.{value.__qualname__}{inside}".encode()
    if hasattr(value, "tobytes") and hasattr(value, "dtype"):
        return f"{value.dtype} {value.shape} ".encode() + bytes(value.tobytes())
    spelt = type(value).__module__.startswith(("numba.core.types", "numpy."))  # float32, a dtype
    return (repr(value) if spelt else type(value).__qualname__).encode()
