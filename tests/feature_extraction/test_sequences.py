"""Sequences of words, changed words and counts against plain lists."""

from __future__ import annotations

from functools import partial

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from learnable.feature_extraction.documents import Documents, in_blocks
from learnable.feature_extraction.numbering import Numbered, listed, number_documents
from learnable.feature_extraction.sequences import changed_words, counted, sequences
from tests.feature_extraction.test_numbering import spelled

WORDS = st.lists(st.lists(st.sampled_from(["aa", "ab", "b", "a", "a_", "é", "zz"]), max_size=7))


@given(documents=WORDS, least=st.integers(1, 3), more=st.integers(0, 2))
def test_sequences_are_in_the_order_of_their_strings(documents, least, more):
    blocks = [Documents(0, documents[:2]), Documents(2, documents[2:])]
    found = number_documents(partial(listed, list), blocks)
    longer = sequences(found, (least, least + more))
    names = longer.names(longer.order())
    assert names == sorted(set(names))
    plain = [
        sorted(
            " ".join(doc[i : i + n])
            for n in range(least, least + more + 1)
            for i in range(len(doc) - n + 1)
        )
        for doc in documents
    ]
    assert [sorted(doc) for doc in spelled(longer)] == plain


def test_words_that_become_one_are_counted_together():
    found = number_documents(partial(listed, str.split), in_blocks(["a A b", "B x"]))
    small = changed_words(found, lambda word: None if word == "x" else word.lower())
    assert small.words == ["a", "b"]
    table = counted(small, np.array([1, 0]), 2, np.int64)
    assert table.toarray().tolist() == [[1, 2], [1, 0]]


def test_no_documents_are_no_rows():
    assert counted(Numbered([], []), np.empty(0, np.int64), 0, np.int64).shape == (0, 0)
