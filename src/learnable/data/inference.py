"""What a column is: the kind that its cells allow, and the reason in words.

Numbers stay numeric; a few-valued column of whole numbers is noted with the line that would make
it nominal. Texts are numeric if every one of them is a number, dates if every one is a date,
boolean if they are false and true; otherwise nominal while the values repeat, an identifier if
nearly every row has a short one of its own, and text if they are long.

A pass over a block gives :class:`Facts`; facts merge, so a stream is judged as a whole.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import NamedTuple

from learnable.data.schema import Column
from learnable.data.texts import Texts

FEW, ENOUGH = 10, 50
"""Whole numbers with so few values, in so many rows, are noted."""
LONG = 40.0
"""Texts longer than this on average, in characters, are no names of values."""
SOME, SHARE = 20, 0.5
"""So few different texts are always nominal; more are, while they are fewer than this share."""
COUNTED = 4096
"""So many different texts are counted; a column with more of them is no nominal one."""

NUMBER = re.compile(r"\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*")
WHOLE = re.compile(r"\s*[+-]?\d+\s*")
PADDED = re.compile(r"\s*[+-]?0\d+\s*")
DATE = re.compile(r"\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?)?")


class Facts(NamedTuple):
    """What a pass over the texts of a column found.

    Attributes
    ----------
    known, missing : int
        Cells with and without a text.
    counts : dict
        Rows of each different text, in order of first appearance, ``COUNTED`` at most.
    crowded : bool
        Whether there were more different texts than are counted.
    length : int
        Characters of all texts.
    numeric, whole, dates : bool
        Whether every text is a number, a whole number, a date.
    padded : bool
        Whether some number begins with a 0 that says nothing, as codes do.

    Examples
    --------
    >>> from learnable.data.inference import Facts, infer
    >>> from learnable.data.texts import Texts
    >>> facts = Facts.of(Texts.of(["a", "b", "a", None]))
    >>> infer("wind", facts).kind, facts.missing
    ('nominal', 1)
    """

    known: int
    missing: int
    counts: dict[str, int]
    crowded: bool
    length: int
    numeric: bool
    whole: bool
    dates: bool
    padded: bool

    @classmethod
    def zero(cls) -> Facts:
        """Return the facts of no cells."""
        return cls(0, 0, {}, False, 0, True, True, True, False)

    @classmethod
    def of(cls, texts: Texts) -> Facts:
        """Look at one block of texts."""
        times = texts.counts().tolist()
        counts = {text: n for text, n in zip(texts.values, times, strict=True) if n}
        known = sum(times)
        return cls(
            known,
            len(texts) - known,
            dict(islice(counts.items(), COUNTED)),
            len(counts) > COUNTED,
            sum(len(text) * n for text, n in counts.items()),
            all(map(NUMBER.fullmatch, counts)),
            all(map(WHOLE.fullmatch, counts)),
            all(map(DATE.fullmatch, counts)),
            any(map(PADDED.fullmatch, counts)),
        )

    def merge(self, other: Facts) -> Facts:
        """Return the facts of both blocks."""
        counts = dict(self.counts)
        for text, times in other.counts.items():
            if text in counts or len(counts) < COUNTED:
                counts[text] = counts.get(text, 0) + times
        crowded = self.crowded or other.crowded or len({**self.counts, **other.counts}) > COUNTED
        return Facts(
            self.known + other.known,
            self.missing + other.missing,
            counts,
            crowded,
            self.length + other.length,
            self.numeric and other.numeric,
            self.whole and other.whole,
            self.dates and other.dates,
            self.padded or other.padded,
        )

    @property
    def rows(self) -> int:
        """Cells seen."""
        return self.known + self.missing

    @property
    def distinct(self) -> int:
        """Different texts that were counted."""
        return len(self.counts)


def infer(name: str, facts: Facts) -> Column:
    """Return the column that the facts speak for, with the reason.

    Parameters
    ----------
    name : str
        Its name.
    facts : Facts
        What its cells are.

    Examples
    --------
    >>> from learnable.data.inference import Facts, infer
    >>> from learnable.data.texts import Texts
    >>> infer("zip", Facts.of(Texts.of(["01234", "04711"] * 30))).notes
    ('some begin with 0, as codes do; {"zip": "nominal"} takes them as such',)
    """
    if facts.known == 0:
        return Column(name, "nominal", reason=f"no cell of {_rows(facts.rows)} is known")
    if facts.numeric:
        return _numeric(name, facts)
    if facts.dates:
        return Column(name, "date", reason=f"all {facts.known:,} known cells are dates")
    truths = [text.strip().lower() for text in facts.counts]
    if not facts.crowded and set(truths) == {"false", "true"} and facts.distinct == 2:
        order = tuple(sorted(facts.counts, key=str.lower))
        return Column(name, "boolean", order, reason="false and true are its only values")
    return _worded(name, facts)


def _numeric(name: str, facts: Facts) -> Column:
    what = "whole numbers" if facts.whole else "numbers"
    told = f"{_many(facts)} distinct {what} in {_rows(facts.rows)}"
    notes = []
    if facts.padded:
        notes.append(f'some begin with 0, as codes do; {{"{name}": "nominal"}} takes them as such')
    elif facts.whole and facts.distinct <= FEW and facts.known >= ENOUGH:
        notes.append(f'few values; {{"{name}": "nominal"}} takes them as names')
    return Column(name, "numeric", reason=told, notes=tuple(notes))


def _worded(name: str, facts: Facts) -> Column:
    told = f"{_many(facts)} distinct strings in {_rows(facts.rows)}"
    if facts.length > LONG * facts.known:
        average = round(facts.length / facts.known)
        return Column(name, "text", reason=f"{told}, {average} characters each on average")
    if not facts.crowded and (facts.distinct <= SOME or facts.distinct <= SHARE * facts.known):
        return Column(name, "nominal", tuple(sorted(facts.counts)), reason=told)
    if facts.crowded or facts.distinct > 0.95 * facts.known:
        return Column(name, "identifier", reason=f"{told}, nearly one a row")
    return Column(name, "text", reason=told)


def _many(facts: Facts) -> str:
    return f"more than {COUNTED:,}" if facts.crowded else f"{facts.distinct:,}"


def _rows(count: int) -> str:
    return f"{count:,} row" + ("" if count == 1 else "s")
