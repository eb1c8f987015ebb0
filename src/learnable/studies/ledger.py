"""The ledger of a study: every fold is on disk as soon as it ends.

An SQLite file, so that a run that is killed at any moment loses the folds in flight at most. What
was found is keyed by the hash of the plan: another plan never reads it.
"""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

from learnable.core.errors import DataError

_TABLES = """
create table if not exists folds (
    plan text, learner text, fold integer, score real, fit_seconds real, ask_seconds real,
    parameters text, bits real, complaint text, primary key (plan, learner, fold)
);
"""


class Entry(NamedTuple):
    """What came of one fold.

    Attributes
    ----------
    learner : str
        Who learned.
    fold : int
        Its number in the plan.
    score : float
        Larger is better; NaN if the fit failed.
    fit_seconds, ask_seconds : float
        How long learning (with tuning) and asking took.
    parameters : dict
        What was chosen.
    bits : float
        Complexity of the fitted model.
    complaint : str
        Why the fit failed, or empty.

    Examples
    --------
    >>> from learnable.studies.ledger import Entry
    >>> Entry("GaussianNB", 0, 0.9, 0.01, 0.001, {}, 32.0, "").score
    0.9
    """

    learner: str
    fold: int
    score: float
    fit_seconds: float
    ask_seconds: float
    parameters: dict[str, Any]
    bits: float
    complaint: str


class Ledger:
    """The finished folds of a plan.

    Parameters
    ----------
    path : path
        The file; it is made if it is not there.
    plan : str
        Hash of the plan.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from learnable.studies.ledger import Entry, Ledger
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "study.sqlite"
    >>> Ledger(path, "a").keep(Entry("GaussianNB", 0, 0.9, 0.01, 0.001, {}, 32.0, ""))
    >>> Ledger(path, "a").entries()["GaussianNB", 0].score
    0.9
    >>> Ledger(path, "another").entries()
    {}
    """

    def __init__(self, path: str | Path, plan: str) -> None:
        self.path, self.plan, self._lock = Path(path), plan, Lock()
        try:
            self._file = sqlite3.connect(self.path, check_same_thread=False, isolation_level=None)
            self._file.execute("pragma synchronous = full")
            self._file.executescript(_TABLES)
        except sqlite3.DatabaseError as error:
            msg = f"{self.path.name} is no ledger of a study ({error})."
            raise DataError(msg, remedy="Remove it, or write to another folder.") from error

    def keep(self, entry: Entry) -> None:
        """Write one fold; it is on the disk when this returns."""
        score = entry.score if entry.score == entry.score else None
        row = (self.plan, *entry._replace(score=score, parameters=json.dumps(entry.parameters)))
        with self._lock:
            self._file.execute("insert or replace into folds values (?,?,?,?,?,?,?,?,?)", row)

    def entries(self) -> dict[tuple[str, int], Entry]:
        """Return all folds that ended, by learner and number."""
        query = "select * from folds where plan = ? order by learner, fold"
        with self._lock:
            rows = self._file.execute(query, (self.plan,)).fetchall()
        found = {}
        for _, *cells in rows:
            entry = Entry(*cells)
            score = float("nan") if entry.score is None else entry.score
            found[entry.learner, entry.fold] = entry._replace(
                score=score, parameters=json.loads(entry.parameters)
            )
        return found

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._file.close()
