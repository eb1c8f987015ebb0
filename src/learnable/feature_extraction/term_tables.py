"""Tables of distinct terms: each has the number of its first appearance, and room is made."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from learnable.loops import term_numbers, tokens
from learnable.stats.arrays import frozen

Numbers = NDArray[Any]
ROOM = 1 << 14


class ByteTerms:
    """The distinct terms so far, as bytes in a row, with a table that finds them.

    Parameters
    ----------
    room : int, optional
        Terms there is room for at first (a power of two).

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.feature_extraction.term_tables import ByteTerms
    >>> terms = ByteTerms()
    >>> terms.add(np.frombuffer(b"tobeto", np.uint8), np.array([2, 4, 6], np.int32)).tolist()
    [0, 1, 0]
    >>> terms.strings()
    ['to', 'be']
    """

    def __init__(self, room: int | None = None) -> None:
        room = ROOM if room is None else room
        self.count = 0
        self._make_room(room, 8 * room)

    def _make_room(self, room: int, size: int) -> None:
        """Move the terms to where there is room for so many terms and bytes."""
        known = (self.text, self.ends) if self.count else None
        self.slots = np.full(2 * room, tokens.NO_ID, np.int32)
        self.keys, self.bounds = np.empty(room, np.int64), np.zeros(room + 1, np.int64)
        self.terms, self.count = np.empty(size, np.uint8), 0
        if known is not None:
            self.number(known[0], *_spans(known[1]))

    def number(self, text: Numbers, lows: Numbers, highs: Numbers) -> Numbers:
        """Return the number of each term of a text; where room runs out, there is made more."""
        ids = np.empty(len(lows), np.int32)
        while True:
            count = tokens.number_spans(
                text, lows, highs, ids, self.slots, self.keys, self.bounds, self.terms, self.count
            )
            if count != tokens.NO_ID:
                self.count = count
                return frozen(ids)
            self._make_room(4 * len(self.keys), 4 * len(self.terms))

    def add(self, text: Numbers, ends: Numbers) -> Numbers:
        """Return the number of each term of a text, given where each ends."""
        return self.number(frozen(text), *_spans(ends))

    @property
    def text(self) -> Numbers:
        """The bytes of all terms."""
        return frozen(self.terms[: self.bounds[self.count]].copy())

    @property
    def ends(self) -> Numbers:
        """Where each term ends."""
        return frozen(self.bounds[1 : self.count + 1].astype(np.int32))

    def strings(self) -> list[str]:
        """Return the terms in order of their numbers."""
        text = self.text.tobytes()
        bounds = self.bounds[: self.count + 1].tolist()
        return [text[a:b].decode("utf-8", "surrogatepass") for a, b in pairwise(bounds)]


def _spans(ends: Any) -> tuple[Numbers, Numbers]:
    """Return where terms in a row begin and end."""
    lows = np.zeros(len(ends), np.int32)
    lows[1:] = ends[:-1]
    return frozen(lows), frozen(ends)


class ListedTerms:
    """The distinct terms so far, as Python objects.

    Examples
    --------
    >>> from learnable.feature_extraction.term_tables import ListedTerms
    >>> ListedTerms().add(["to", "be"], None).tolist()
    [0, 1]
    """

    def __init__(self) -> None:
        self.known: dict[Any, int] = {}

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.known)

    def add(self, terms: list[Any], _: Any) -> Numbers:
        """Return the number of each term."""
        known = self.known
        numbers = [known.setdefault(term, len(known)) for term in terms]
        return frozen(np.array(numbers, np.int32))

    def strings(self) -> list[Any]:
        """Return the terms in order of their numbers."""
        return list(self.known)


class Keys:
    """The distinct sequences of n words so far, as pairs of numbers in one.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.feature_extraction.term_tables import Keys
    >>> Keys().add(np.array([7 << 32 | 1, 7 << 32 | 2, 7 << 32 | 1])).tolist()
    [0, 1, 0]
    """

    def __init__(self) -> None:
        self.count = 0
        self.keys = np.empty(1024, np.int64)
        self.slots = np.full(2048, tokens.NO_ID, np.int32)

    def add(self, new: Numbers) -> Numbers:
        """Return the number of each pair."""
        wanted = self.count + len(new)
        if wanted > len(self.keys):
            known, room = self.keys[: self.count], 1 << (wanted - 1).bit_length()
            self.keys = np.empty(room, np.int64)
            self.slots = np.full(2 * room, tokens.NO_ID, np.int32)
            term_numbers.number_keys(self.slots, self.keys, 0, frozen(known))
        numbers, self.count = term_numbers.number_keys(
            self.slots, self.keys, self.count, frozen(new)
        )
        return frozen(numbers)
