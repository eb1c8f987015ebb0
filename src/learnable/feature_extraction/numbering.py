"""Every term of every document as a number: the part of the work that grows with the texts.

Blocks of documents are cut into terms and numbered each on its own, in the pool, and the tables
of the blocks merge in their order, so that numbers never depend on who ran the blocks. Words,
and slices of characters are found by compiled loops; what functions of the user's find is numbered
in Python.

Cost: one pass over the text, one look-up a term; held are four bytes a term of the texts, and
the distinct terms.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np

from learnable.core.errors import DataError
from learnable.core.fold import Threads, runner, serial
from learnable.core.trace import emit
from learnable.feature_extraction.analysis import Decoder
from learnable.feature_extraction.characters import ASCII, classes_of
from learnable.feature_extraction.documents import Documents
from learnable.feature_extraction.term_tables import ByteTerms, ListedTerms, Numbers
from learnable.loops import tokens
from learnable.stats.arrays import frozen

_LARGEST = np.iinfo(np.int32).max
_BITS = 63


class Scan(NamedTuple):
    """How documents are cut by the compiled loops.

    Examples
    --------
    >>> from learnable.feature_extraction.analysis import Decoder
    >>> from learnable.feature_extraction.documents import Documents
    >>> from learnable.feature_extraction.numbering import Scan
    >>> piece = Scan(Decoder(), None, True, "word", (1, 1))(Documents(0, ["To be", "be to BE"]))
    >>> piece.ids.tolist(), piece.places.tolist(), piece.text.tobytes()
    ([0, 1, 1, 0, 1], [2, 5], b'tobe')
    """

    decode: Decoder
    preprocess: Callable[[str], str] | None
    lower: bool
    analyzer: str
    ngram_range: tuple[int, int]

    def __call__(self, block: Documents) -> Piece:
        """Cut and number the documents of a block."""
        text, ends, ascii_only = self._bytes(block)
        classes = classes_of(ASCII) if ascii_only else classes_of()
        # A function may make capitals out of other characters: they are to stay.
        lower = self.lower and self.preprocess is None
        if self.analyzer == "word":
            lows, highs, places = tokens.word_spans(text, ends, classes, lower)
        else:
            padded = self.analyzer == "char_wb"
            text, ends = map(frozen, tokens.squeeze(text, ends, classes, lower, padded))
            lows, highs, places = tokens.slice_spans(text, ends, *self.ngram_range, padded)
        terms = ByteTerms()
        ids = terms.number(frozen(text), frozen(lows), frozen(highs))
        return Piece(ids, frozen(places), terms.text, terms.ends)

    def _bytes(self, block: Documents) -> tuple[Numbers, Numbers, bool]:
        """Return the documents as UTF-8, where each ends, and whether it is all ASCII."""
        plain = self.decode.input == "content" and set(map(type, block.given)) <= {str}
        texts = block.given if plain else list(block.read(self.decode))
        if self.preprocess is not None:
            texts = list(map(self.preprocess, texts))
        elif self.lower:
            texts = [doc if doc.isascii() else doc.lower() for doc in texts]
        pieces = [doc.encode("utf-8", "surrogatepass") for doc in texts]
        ends = np.cumsum(np.fromiter(map(len, pieces), np.int64, len(pieces)))
        if ends[-1] > _LARGEST:
            raise DataError(
                "A document takes more than 2**31 bytes.",
                row=block.start + len(pieces) - 1,
                remedy="Cut it into parts.",
            )
        text = np.frombuffer(bytearray().join(pieces), np.uint8)
        return text, frozen(ends), all(map(str.isascii, texts))


class Piece(NamedTuple):
    """The terms of a block of documents: their numbers, place by place, and the terms.

    Examples
    --------
    >>> from learnable.feature_extraction.numbering import Piece
    >>> Piece._fields
    ('ids', 'places', 'text', 'ends')
    """

    ids: Numbers
    places: Numbers
    text: Any
    ends: Numbers | None = None


def listed(analyze: Callable[[Any], Iterable[Any]], block: Documents) -> Piece:
    """Give numbers to the terms that a function finds; ``text`` is the list of them.

    Examples
    --------
    >>> from learnable.feature_extraction.documents import Documents
    >>> from learnable.feature_extraction.numbering import listed
    >>> listed(str.split, Documents(0, ["b a b"])).text
    ['b', 'a']
    """
    known: dict[Any, int] = {}
    ids: list[int] = []
    places = []
    for terms in block.read(analyze):
        ids.extend([known.setdefault(term, len(known)) for term in terms])
        places.append(len(ids))
    arrays = np.array(ids, np.int32), np.array(places, np.int64)
    return Piece(*map(frozen, arrays), list(known))


class Numbered(NamedTuple):
    """Documents whose terms are numbers, in blocks of ``(ids, places)``.

    Attributes
    ----------
    blocks : list of (ids, places)
        The number of the term at each place, and where each document's places end.
    words : list
        The words (or the terms, where there are no sequences) in order of their numbers.
    grams : array (terms, n) of int64, optional
        The words of each term, where terms are sequences of words; -1 after its end.

    Examples
    --------
    >>> from learnable.feature_extraction.numbering import Numbered
    >>> Numbered([], ["to", "be"], None).order().tolist()
    [1, 0]
    """

    blocks: list[tuple[Numbers, Numbers]]
    words: list[Any]
    grams: Numbers | None = None

    @property
    def size(self) -> int:
        """How many distinct terms there are."""
        return len(self.words) if self.grams is None else len(self.grams)

    def order(self) -> Numbers:
        """Return the numbers of the terms in alphabetical order.

        No character of a word comes before the blank, so sequences of words are in the order of
        their strings when they are in the order of their words.
        """
        order = np.array(sorted(range(len(self.words)), key=self.words.__getitem__), np.int64)
        if self.grams is None:
            return order
        rank = np.zeros(len(order) + 1, np.int64)
        rank[order] = np.arange(1, len(order) + 1)
        bits = len(order).bit_length()
        if bits * self.grams.shape[1] > _BITS:
            return np.lexsort(rank[self.grams].T[::-1])
        key = np.zeros(len(self.grams), np.int64)  # the ranks of the words side by side
        for words in self.grams.T:
            key <<= bits
            key |= rank[words]
        return np.argsort(key)

    def names(self, which: Numbers) -> list[Any]:
        """Return the terms of these numbers."""
        if self.grams is None:
            return [self.words[one] for one in which.tolist()]
        words, grams = np.array([*self.words, None], dtype=object), self.grams[which]
        spaced = np.array([*[f"{word} " for word in self.words], None], dtype=object)
        names = np.empty(len(which), dtype=object)
        lengths = (grams >= 0).sum(axis=1)
        for n in np.unique(lengths).tolist():
            here = lengths == n
            of_n = grams[here].T
            made = spaced[of_n[0]] if n > 1 else words[of_n[0]]
            for j in range(1, n):
                made = made + (spaced if j < n - 1 else words)[of_n[j]]
            names[here] = made
        return names.tolist()


def number_documents(task: Callable[[Documents], Piece], blocks: Iterable[Documents]) -> Numbered:
    """Give numbers to the terms of all documents, block by block.

    Parameters
    ----------
    task : Scan or partial of listed
        What cuts a block.
    blocks : iterable of Documents
        Read a few ahead.

    Examples
    --------
    >>> from functools import partial
    >>> from learnable.feature_extraction.documents import in_blocks
    >>> from learnable.feature_extraction.numbering import listed, number_documents
    >>> number_documents(partial(listed, str.split), in_blocks(["to be", "be"])).words
    ['to', 'be']
    """
    compiled = isinstance(task, Scan)
    terms: Any = ByteTerms() if compiled else ListedTerms()
    run = runner()
    if not compiled and isinstance(run, Threads):
        run = serial  # Python functions hold the interpreter: threads would only wait for it.
    made, documents = [], 0
    for turn, piece in enumerate(run(task, blocks)):
        known = terms.count
        numbers = terms.add(piece.text, piece.ends)
        ids = frozen(numbers[piece.ids]) if len(numbers) else piece.ids
        made.append((ids, frozen(piece.places)))
        documents += len(piece.places)
        emit(
            "terms", turn, documents=documents, places=len(ids), new=terms.count - known,
            terms=terms.count,
        )  # fmt: skip
    return Numbered(made, terms.strings())
