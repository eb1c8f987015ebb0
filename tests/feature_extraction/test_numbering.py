"""Compiled and plain numbering give the same documents; tables grow; order is that of strings."""

from __future__ import annotations

from functools import partial
from itertools import pairwise

import numpy as np
import pytest

from learnable.core import DataError
from learnable.feature_extraction import term_tables
from learnable.feature_extraction.analysis import DEFAULT_PATTERN, Decoder, pattern_tokenizer
from learnable.feature_extraction.documents import Documents, documents_of, in_blocks
from learnable.feature_extraction.numbering import Scan, listed, number_documents
from tests.feature_extraction.texts import ODD

SCAN = Scan(Decoder(), None, True, "word", (1, 1))


def spelled(found):
    words = found.names(np.arange(found.size))
    documents = []
    for ids, places in found.blocks:
        ends = pairwise([0, *places.tolist()])
        documents += [[words[i] for i in ids[a:b]] for a, b in ends]
    return documents


def test_compiled_and_plain_numbers_are_the_same():
    plain = number_documents(partial(listed, small_words), in_blocks(ODD))
    fast = number_documents(SCAN, in_blocks(ODD))
    assert fast.words == plain.words
    assert spelled(fast) == spelled(plain)


def small_words(doc):
    return pattern_tokenizer(DEFAULT_PATTERN)(doc.lower())


@pytest.mark.parametrize("room", [1, 2, 64])
def test_tables_that_are_full_grow(monkeypatch, room):
    monkeypatch.setattr(term_tables, "ROOM", room)
    texts = [" ".join(f"word{i * j % 101}" for i in range(50)) for j in range(9)]
    found = number_documents(SCAN, [Documents(i, [text]) for i, text in enumerate(texts)])
    assert spelled(found) == [text.split() for text in texts]


def test_a_document_of_the_wrong_kind_is_named_by_its_row():
    blocks = list(in_blocks(["a"] * 4096 + [None]))
    with pytest.raises(DataError) as caught:
        number_documents(SCAN, blocks)
    assert caught.value.row == 4096


def test_blocks_end_at_a_million_characters_or_at_sixteen_files():
    sizes = [len(block.given) for block in in_blocks(["x" * 600_000] * 5)]
    assert sizes == [2, 2, 1]
    assert [len(block.given) for block in in_blocks(["name"] * 20, files=True)] == [16, 4]


def test_columns_of_frames_are_documents_and_frames_are_not():
    import pandas as pd
    import polars as pl

    for library in (pd, pl):
        frame = library.DataFrame({"text": ["to be", "or"]})
        assert number_documents(SCAN, in_blocks(documents_of(frame["text"]))).words == [
            "to",
            "be",
            "or",
        ]
        with pytest.raises(DataError, match="one column"):
            documents_of(frame)


def test_a_table_of_one_column_is_documents():
    from learnable.data import Table

    texts = ["to be or not to be", "that is", "the question"]
    table = Table.of({"text": texts})
    plain = number_documents(SCAN, in_blocks(texts))
    assert number_documents(SCAN, in_blocks(documents_of(table))).words == plain.words
    with pytest.raises(DataError, match="not as a table"):
        documents_of(Table.of({"text": texts, "more": texts}))
