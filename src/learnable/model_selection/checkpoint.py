"""Finished folds, kept on disk as they end: a line of JSON each, with its length.

A run that was cut off goes on from there. Lines are keyed by the plan's hash, what is evaluated and
the number of the fold; a torn last line counts as absent.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from threading import Lock
from typing import Any


class Checkpoint:
    """A file of finished folds.

    Parameters
    ----------
    path : path
        The file; it is made if it is not there.
    key : str
        What is evaluated, and by which plan.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from learnable.model_selection.checkpoint import Checkpoint
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "folds.jsonl"
    >>> Checkpoint(file, "a plan").keep(0, {"test_score": 0.5})
    >>> Checkpoint(file, "a plan").finished
    {0: {'test_score': 0.5}}
    """

    def __init__(self, path: str | os.PathLike[str], key: str) -> None:
        self.path, self.key, self._lock = Path(path), key, Lock()
        self.finished: dict[int, dict[str, Any]] = {}
        for line in self._lines():
            if line.get("key") == key:
                self.finished[line["fold"]] = line["result"]

    def keep(self, fold: int, result: dict[str, Any]) -> None:
        """Write one finished fold; it is on the disk when this returns."""
        body = json.dumps({"key": self.key, "fold": fold, "result": result})
        with self._lock, self.path.open("ab") as file:
            file.write(f"{len(body)} {body}\n".encode())
            file.flush()
            os.fsync(file.fileno())
        self.finished[fold] = result

    def _lines(self) -> list[dict[str, Any]]:
        found = []
        for line in self.path.read_bytes().split(b"\n") if self.path.exists() else ():
            length, _, body = line.partition(b" ")
            if length.isdigit() and int(length) == len(body):
                found.append(json.loads(body))
        return found
