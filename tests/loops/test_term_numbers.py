"""Loops over numbered terms against plain lists and counters."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from learnable.loops import term_numbers, tokens
from learnable.stats.arrays import frozen


def by_document(items, places):
    return [items[a:b] for a, b in pairwise([0, *places.tolist()])]


DRAWN = st.lists(st.lists(st.integers(0, 5), max_size=8), min_size=1, max_size=6)


def stream(documents):
    ids = np.array([one for document in documents for one in document], np.int32)
    return frozen(ids), frozen(np.cumsum([len(one) for one in documents], dtype=np.int64))


@given(documents=DRAWN)
def test_new_numbers_leave_out_negative_ones(documents):
    numbers = np.array([4, -1, 3, 3, -1, 0], np.int32)
    ids, places = term_numbers.renumber(*stream(documents), frozen(numbers))
    plain = [[numbers[one] for one in doc if numbers[one] >= 0] for doc in documents]
    assert [one.tolist() for one in by_document(ids, places)] == plain


@given(documents=DRAWN)
def test_pairs_make_longer_and_longer_sequences(documents):
    words = stream(documents)
    left, names = words, [(one,) for one in range(6)]
    for n in (2, 3, 4):
        keys, places = term_numbers.pair_up(*left, *words)
        table = np.full(1024, tokens.NO_ID, np.int32), np.empty(512, np.int64)
        numbers, count = term_numbers.number_keys(*table, 0, frozen(keys))
        names = [(*names[key >> 32], key & 0xFFFFFFFF) for key in table[1][:count].tolist()]
        found = [[names[one] for one in doc] for doc in by_document(numbers.tolist(), places)]
        assert found == [list(zip(*[doc[k:] for k in range(n)], strict=False)) for doc in documents]
        assert len(set(names)) == len(names)
        left = frozen(numbers), frozen(places)


@given(documents=DRAWN)
def test_joined_sequences_stay_with_their_documents(documents):
    backwards = [doc[::-1][1:] for doc in documents]
    ids, places = term_numbers.join(*stream(documents), *stream(backwards), 10)
    plain = [a + [one + 10 for one in b] for a, b in zip(documents, backwards, strict=True)]
    assert [one.tolist() for one in by_document(ids, places)] == plain


@given(documents=DRAWN)
def test_counts_ascend_by_column(documents):
    columns = np.array([3, 1, -1, 0, 2, 1], np.int32)
    found, counts, places = term_numbers.count_terms(*stream(documents), frozen(columns), 4)
    pairs = by_document(list(zip(found.tolist(), counts.tolist(), strict=True)), places)
    plain = [Counter(int(columns[one]) for one in doc if columns[one] >= 0) for doc in documents]
    assert pairs == [sorted(one.items()) for one in plain]
