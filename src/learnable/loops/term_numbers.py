"""Numbered terms, document by document: left out, joined to sequences, counted.

The terms of all documents lie one after the other in ``ids``; ``places`` says where those of each
document end. Sequences of n words are pairs of a sequence of n - 1 and a word.

Cost: a few operations a term, and one look-up a pair.
"""

from __future__ import annotations

import numpy as np

from learnable.core.compiler import loop
from learnable.loops.tokens import NO_ID, slot_of


@loop(ahead=[("const int32[::1]", "const int64[::1]", "const int32[::1]")])
def renumber(ids, places, numbers):
    """Give each term its new number; those of a negative one are left out."""
    out, ends = np.empty(ids.shape[0], np.int32), np.empty(places.shape[0], np.int64)
    made = p = 0
    for document in range(places.shape[0]):
        while p < places[document]:
            if numbers[ids[p]] >= 0:
                out[made] = numbers[ids[p]]
                made += 1
            p += 1
        ends[document] = made
    return out[:made].copy(), ends


@loop(ahead=[("int32[::1]", "int64[::1]", "int64", "const int64[::1]")])
def number_keys(slots, keys, count, new):
    """Find or give numbers for whole numbers among ``count`` known ``keys``; room is there."""
    numbers = np.empty(new.shape[0], np.int32)
    mask = slots.shape[0] - 1
    for p in range(new.shape[0]):
        slot = slot_of(new[p], mask)
        while slots[slot] >= 0 and keys[slots[slot]] != new[p]:
            slot = (slot + 1) & mask
        if slots[slot] < 0:
            slots[slot] = count
            keys[count] = new[p]
            count += 1
        numbers[p] = slots[slot]
    return numbers, count


@loop(ahead=[("const int32[::1]", "const int64[::1]", "const int32[::1]", "const int64[::1]")])
def pair_up(left, left_places, words, word_places):
    """Join sequences of n - 1 words to the word that follows; n is what the lengths say.

    Returns a key for each sequence of n words, ``left * 2**32 + word``, and where the documents
    end.
    """
    out, ends = np.empty(left.shape[0], np.int64), np.empty(left_places.shape[0], np.int64)
    made = p = w = 0
    for document in range(left_places.shape[0]):
        size, all_words = left_places[document] - p, word_places[document] - w
        ahead = all_words - size + 1
        for k in range(size - 1):
            out[made] = (np.int64(left[p + k]) << 32) | np.int64(words[w + k + ahead])
            made += 1
        p, w = left_places[document], word_places[document]
        ends[document] = made
    return out[:made].copy(), ends


@loop(
    ahead=[
        ("const int32[::1]", "const int64[::1]", "const int32[::1]", "const int64[::1]", "int64")
    ]
)
def join(ids, places, more, more_places, shift):
    """Put the terms of two sequences of the same documents together, the second ones shifted."""
    out = np.empty(ids.shape[0] + more.shape[0], np.int32)
    ends = np.empty(places.shape[0], np.int64)
    made = p = m = 0
    for document in range(places.shape[0]):
        while p < places[document]:
            out[made] = ids[p]
            made += 1
            p += 1
        while m < more_places[document]:
            out[made] = more[m] + np.int32(shift)
            made += 1
            m += 1
        ends[document] = made
    return out, ends


@loop(ahead=[("const int32[::1]", "const int64[::1]", "const int32[::1]", "int64")])
def count_terms(ids, places, columns, width):
    """Count the columns of each document; a term of a negative column counts nowhere.

    Returns columns (ascending in a document), counts, and where the documents end. They are sorted
    by column first and then by document, both times by counting.
    """
    found, counts = np.empty(ids.shape[0], np.int32), np.empty(ids.shape[0], np.int32)
    documents, ends = np.empty(ids.shape[0], np.int32), np.empty(places.shape[0], np.int64)
    seen, starts = np.full(width, NO_ID, np.int64), np.zeros(width + 1, np.int64)
    made = p = 0
    for document in range(places.shape[0]):
        begin = made
        while p < places[document]:
            column = columns[ids[p]]
            p += 1
            if column < 0:
                continue
            if seen[column] >= begin:
                counts[seen[column]] += 1
            else:
                seen[column] = made
                found[made], counts[made], documents[made] = column, 1, document
                starts[column + 1] += 1
                made += 1
        ends[document] = made
    for column in range(width):
        starts[column + 1] += starts[column]
    order = np.empty(made, np.int32)
    for q in range(made):
        order[starts[found[q]]] = q
        starts[found[q]] += 1
    out, sorted_counts = np.empty(made, np.int32), np.empty(made, np.int32)
    following = np.zeros(places.shape[0], np.int64)
    following[1:] = ends[:-1]
    for q in order:
        at = following[documents[q]]
        out[at], sorted_counts[at] = found[q], counts[q]
        following[documents[q]] += 1
    return out, sorted_counts, ends
