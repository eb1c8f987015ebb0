"""Whole files on disk: written so that a crash leaves the old or the new one, read once."""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Final

import numpy as np

from learnable.estimator.sealed_zip import TAIL, Piece, check_tail, damaged, too_large

_FLAGS: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)


def write(path: str | os.PathLike[str], pieces: Sequence[Piece]) -> None:
    """Write a file so that at any moment, even after a crash, the old or the new one is there."""
    goal = Path(path).resolve()
    if goal.exists() and not goal.is_file():
        too_large(f"{goal} is no regular file")
    temporary, descriptor = _fresh(goal)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.writelines(pieces)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(goal)
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise
    if os.name == "posix":
        opened = os.open(goal.parent, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)


def _fresh(goal: Path) -> tuple[Path, int]:
    for number in count():
        temporary = goal.with_name(f".{goal.name}.{os.getpid()}-{number}.tmp")
        with suppress(FileExistsError):
            return temporary, os.open(temporary, _FLAGS, 0o666)
    raise AssertionError


def read(path: str | os.PathLike[str]) -> memoryview:
    """Read a file once if it ends as a model file does."""
    with Path(path).open("rb") as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode):
            damaged("it is no regular file")
        file.seek(max(status.st_size - TAIL, 0))
        check_tail(memoryview(file.read(TAIL)))
        file.seek(0)
        data = memoryview(np.empty(status.st_size, np.uint8))
        if file.readinto(data) != status.st_size:
            damaged("it changed while it was read")
    return data
