"""How far a study is: one line that is rewritten on a terminal, a few plain lines elsewhere."""

from __future__ import annotations

import sys
import time
from collections import defaultdict
from typing import TextIO

import numpy as np

from learnable.studies.ledger import Entry

EVERY = 0.1
PLAIN_EVERY = 10.0
"""Seconds between two lines where no line can be rewritten."""


class Live:
    """A watch for people.

    Parameters
    ----------
    stream : text stream, optional
        Where to write; standard error by default.
    quiet : bool
        Whether nothing is written.

    Examples
    --------
    >>> import sys
    >>> from learnable.cli.live import Live
    >>> Live(sys.stdout).say("reading the table")
    reading the table
    """

    def __init__(self, stream: TextIO | None = None, *, quiet: bool = False) -> None:
        self.stream = stream or sys.stderr
        self.quiet, self.tty = quiet, self.stream.isatty()
        self.total = self.done = self.had = self.width = 0
        self.scores: dict[str, list[float]] = defaultdict(list)
        self.begun = self.last = time.monotonic()

    def begin(self, total: int, done: int) -> None:
        """Hear how many folds there are, and how many were there already."""
        self.total, self.done, self.had, self.begun = total, done, done, time.monotonic()
        more = f", {done} of them were there already" if done else ""
        self.say(f"{total} folds{more}")

    def fold(self, entry: Entry) -> None:
        """Hear of a fold that ended."""
        self.done += 1
        if np.isfinite(entry.score):
            self.scores[entry.learner].append(entry.score)
        now = time.monotonic()
        if now - self.last >= (EVERY if self.tty else PLAIN_EVERY) or self.done == self.total:
            self.last = now
            self._show(self._line(entry), lasting=not self.tty)

    def dropped(self, learner: str, repeat: int, chance: float) -> None:
        """Hear of a learner that was dropped."""
        self.say(f"{learner} is dropped after repeat {repeat}: worse with probability {chance:.4f}")

    def say(self, text: str) -> None:
        """Write a line that stays."""
        self._show(text, lasting=True)

    def close(self) -> None:
        """Clear the line that was rewritten."""
        if self.width and not self.quiet:
            self.stream.write("\r" + " " * self.width + "\r")
            self.stream.flush()
            self.width = 0

    def _line(self, entry: Entry) -> str:
        new, spent = self.done - self.had, time.monotonic() - self.begun
        left = spent / max(new, 1) * (self.total - self.done)
        told = f"{self.done}/{self.total} folds, about {_clock(left)} left; {entry.learner}"
        if not self.scores:
            return told
        best = max(self.scores, key=lambda name: float(np.mean(self.scores[name])))
        found = np.array(self.scores[best])
        reach = found.std(ddof=1) if len(found) > 1 else 0.0
        return f"{told}; best so far {best} {found.mean():.4f} (folds vary by {reach:.4f})"

    def _show(self, text: str, *, lasting: bool) -> None:
        if self.quiet:
            return
        end = "\n" if lasting else ""
        begin = "\r" if self.tty else ""
        self.stream.write(f"{begin}{text:<{self.width}}{end}")
        self.stream.flush()
        self.width = 0 if lasting else len(text)


def _clock(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"
