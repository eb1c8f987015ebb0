"""What becomes of numbered terms: words are changed or left out, join to sequences, are counted.

Sequences of n words are pairs of a sequence of n - 1 words and the word after it, so that no string
is made before it is known which sequences stay.

Cost: a few operations a term, one look-up a pair.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from learnable.core.fold import runner
from learnable.core.trace import emit
from learnable.feature_extraction.numbering import Numbered
from learnable.feature_extraction.term_tables import Keys, Numbers
from learnable.loops import term_numbers
from learnable.loops.tokens import NO_ID
from learnable.stats.arrays import frozen


def changed_words(found: Numbered, change: Callable[[str], Any]) -> Numbered:
    """Put another word in the place of each; where ``change`` gives None, the word is left out.

    Examples
    --------
    >>> from functools import partial
    >>> from learnable.feature_extraction.documents import in_blocks
    >>> from learnable.feature_extraction.numbering import listed, number_documents
    >>> from learnable.feature_extraction.sequences import changed_words
    >>> found = number_documents(partial(listed, str.split), in_blocks(["go goes the"]))
    >>> changed_words(found, {"go": "go", "goes": "go"}.get).words
    ['go']
    """
    known: dict[Any, int] = {}
    changes = [change(word) for word in found.words]
    numbers = [NO_ID if word is None else known.setdefault(word, len(known)) for word in changes]
    emit("words", words=len(numbers), left_out=changes.count(None), terms=len(known))
    renumber = partial(_renumbered, frozen(np.array(numbers, np.int32)))
    return Numbered(list(runner()(renumber, found.blocks)), list(known))


def _renumbered(numbers: Numbers, block: tuple[Numbers, Numbers]) -> tuple[Numbers, Numbers]:
    ids, places = term_numbers.renumber(*map(frozen, block), frozen(numbers))
    return frozen(ids), frozen(places)


def sequences(found: Numbered, ngram_range: tuple[int, int]) -> Numbered:
    """Make sequences of neighbouring words the terms.

    Examples
    --------
    >>> from functools import partial
    >>> from learnable.feature_extraction.documents import in_blocks
    >>> from learnable.feature_extraction.numbering import listed, number_documents
    >>> from learnable.feature_extraction.sequences import sequences
    >>> found = number_documents(partial(listed, str.split), in_blocks(["to be or"]))
    >>> both = sequences(found, (1, 2))
    >>> both.names(both.order())
    ['be', 'be or', 'or', 'to', 'to be']
    """
    least, most = ngram_range
    left, grams = found.blocks, np.arange(len(found.words))[:, None]
    kept: list[Numbers] = []
    blocks: list[Any] = []
    for n in range(1, most + 1):
        if n > 1:
            left, first, last = _longer(left, found.blocks)
            grams = np.column_stack([grams[first], last])
            emit("sequences", n, terms=len(grams))
        if n >= least:
            shift = sum(map(len, kept))
            items = list(zip(blocks, left, strict=True)) if kept else []
            blocks = list(runner()(partial(_joined, shift), items)) if kept else left
            padding = np.full((len(grams), most - n), -1)
            kept.append(np.hstack([grams, padding]))
    return Numbered(blocks, found.words, np.vstack(kept))


def _longer(left: list[Any], words: list[Any]) -> tuple[list[Any], Numbers, Numbers]:
    """Return sequences one word longer: by block, and which two parts each consists of."""
    known, blocks = Keys(), []
    for numbers, keys, places in runner()(_paired, list(zip(left, words, strict=True))):
        blocks.append((frozen(known.add(keys)[numbers]), frozen(places)))
    keys = known.keys[: known.count]
    return blocks, keys >> 32, keys & ((1 << 32) - 1)


def _paired(both: tuple[Any, Any]) -> tuple[Numbers, Numbers, Numbers]:
    (left, left_places), (words, word_places) = both
    keys, places = term_numbers.pair_up(*map(frozen, (left, left_places, words, word_places)))
    room = 1 << max(len(keys) - 1, 1).bit_length()
    distinct, slots = np.empty(room, np.int64), np.full(2 * room, NO_ID, np.int32)
    numbers, count = term_numbers.number_keys(slots, distinct, 0, frozen(keys))
    return numbers, distinct[:count], places


def _joined(shift: int, both: tuple[Any, Any]) -> tuple[Numbers, Numbers]:
    (ids, places), (more, more_places) = both
    joined = term_numbers.join(*map(frozen, (ids, places, more, more_places)), shift)
    return frozen(joined[0]), frozen(joined[1])


def counted(found: Numbered, columns: Numbers, width: int, dtype: Any) -> Any:
    """Return the counts of each document, a column a term, as compressed rows.

    Parameters
    ----------
    found : Numbered
        The documents.
    columns : array of int
        The column of each term, or a negative number.
    width : int
        How many columns there are.
    dtype : dtype
        The kind of number.

    Examples
    --------
    >>> from functools import partial
    >>> import numpy as np
    >>> from learnable.feature_extraction.documents import in_blocks
    >>> from learnable.feature_extraction.numbering import listed, number_documents
    >>> from learnable.feature_extraction.sequences import counted
    >>> found = number_documents(partial(listed, str.split), in_blocks(["to be to", ""]))
    >>> counted(found, np.arange(2), 2, np.int64).toarray().tolist()
    [[2, 1], [0, 0]]
    """
    from scipy.sparse import csr_matrix

    task = partial(_count, frozen(columns.astype(np.int32)), width, np.dtype(dtype))
    parts = list(runner()(task, found.blocks))
    stored = sum(len(indices) for indices, _, _ in parts)
    kind = np.int32 if stored <= np.iinfo(np.int32).max else np.int64
    ends, base = [np.zeros(1, kind)], 0
    for indices, _, places in parts:
        ends.append((places + base).astype(kind))
        base += len(indices)
    indices = np.concatenate([np.empty(0, kind), *[one for one, _, _ in parts]], dtype=kind)
    data = np.concatenate([np.empty(0, dtype), *[one for _, one, _ in parts]], dtype=dtype)
    indptr = np.concatenate(ends)
    made = csr_matrix((data, indices, indptr), shape=(len(indptr) - 1, width), copy=False)
    made.has_sorted_indices = made.has_canonical_format = True
    return made


def _count(columns: Numbers, width: int, dtype: Any, block: tuple[Any, Any]) -> tuple[Any, ...]:
    indices, counts, places = term_numbers.count_terms(*map(frozen, block), frozen(columns), width)
    return indices, counts.astype(dtype, copy=False), places
