"""Loops over text against plain Python: regular expressions, slices, dicts."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from learnable.feature_extraction.characters import ASCII, classes_of
from learnable.loops import tokens
from learnable.stats.arrays import frozen
from tests.feature_extraction.texts import DOCUMENTS, ODD

WORD = re.compile(r"\b\w\w+\b")


def joined(texts):
    pieces = [text.encode("utf-8", "surrogatepass") for text in texts]
    text = np.frombuffer(bytearray(b"".join(pieces)), np.uint8)
    return text, frozen(np.cumsum([len(piece) for piece in pieces], dtype=np.int64))


def cut(text, lows, highs):
    blob = text.tobytes()
    ends = zip(lows.tolist(), highs.tolist(), strict=True)
    return [blob[a:b].decode("utf-8", "surrogatepass") for a, b in ends]


def by_document(items, places):
    return [items[a:b] for a, b in pairwise([0, *places.tolist()])]


def ascii_lower(text):
    return "".join(c.lower() if c.isascii() else c for c in text)


@given(texts=DOCUMENTS, lower=st.booleans())
def test_word_spans_are_those_of_the_pattern(texts, lower):
    for some in (texts, ODD):
        text, ends = joined(some)
        lows, highs, places = tokens.word_spans(text, ends, classes_of(), lower)
        found = by_document(cut(text, lows, highs), places)
        plain = [ascii_lower(one) if lower else one for one in some]
        assert found == [WORD.findall(one) for one in plain]


def test_a_short_table_of_classes_will_do_for_ascii():
    text, ends = joined(["To be, or_not 2", "b c"])
    lows, highs, places = tokens.word_spans(text, ends, classes_of(ASCII), True)
    assert by_document(cut(text, lows, highs), places) == [["to", "be", "or_not"], []]


def test_classes_are_those_of_python():
    table = classes_of()
    for code in [*range(0x3000), *range(0x1D400, 0x1D800), 0xD800, 0x10FFFF]:
        assert bool(table[code] & tokens.WORD) == bool(re.match(r"\w", chr(code)))
        assert bool(table[code] & tokens.SPACE) == chr(code).isspace()


@given(texts=DOCUMENTS)
def test_squeezed_text_has_single_white_space(texts):
    for some in (texts, ODD):
        for padded in (False, True):
            text, ends = joined(some)
            out, stops = tokens.squeeze(text, ends, classes_of(), False, padded)
            lows = np.concatenate([[0], stops[:-1]]) if len(stops) else stops
            found = cut(out, lows, stops)
            if padded:
                plain = [f" {' '.join(one.split())} " if one.split() else "" for one in some]
            else:
                plain = [re.sub(r"\s\s+", " ", one) for one in some]
            assert found == plain


def plain_slices(text, least, most, inside):
    if not inside:
        return [text[i : i + n] for n in range(least, most + 1) for i in range(len(text) - n + 1)]
    found = []
    for word in text.split():
        padded = f" {word} "
        longest = min(most, max(least, len(padded)))
        for n in range(least, longest + 1):
            found += [padded[i : i + n] for i in range(max(len(padded) - n, 0) + 1)]
    return found


@given(texts=DOCUMENTS, least=st.integers(1, 4), more=st.integers(0, 4), inside=st.booleans())
def test_slices(texts, least, more, inside):
    text, ends = joined(texts)
    text, ends = map(frozen, tokens.squeeze(text, ends, classes_of(), False, True))
    if not inside:
        text, ends = joined(texts)
    lows, highs, places = tokens.slice_spans(frozen(text), ends, least, least + more, inside)
    assert len(lows) == places[-1]
    found = by_document(cut(text, lows, highs), places)
    plain = [plain_slices(one, least, least + more, inside) for one in texts]
    assert [Counter(one) for one in found] == [Counter(one) for one in plain]


def room(terms, size):
    return (
        np.full(2 * terms, tokens.NO_ID, np.int32), np.empty(terms, np.int64),
        np.zeros(terms + 1, np.int64), np.empty(size, np.uint8),
    )  # fmt: skip


@given(words=st.lists(st.text("ab\x00é", max_size=12), max_size=60), cut_at=st.integers(0, 60))
def test_terms_are_numbered_by_first_appearance(words, cut_at):
    known = {}
    plain = [known.setdefault(word, len(known)) for word in words]
    table, count, found = room(64, 4096), 0, []
    for part in (words[:cut_at], words[cut_at:]):
        text, ends = joined(part)
        lows = np.concatenate([[0], ends[:-1]]).astype(np.int32)[: len(ends)]
        ids = np.empty(len(part), np.int32)
        count = tokens.number_spans(
            frozen(text), frozen(lows), frozen(ends.astype(np.int32)), ids, *table, count
        )
        found += ids.tolist()
    assert found == plain
    assert count == len(known)
    bounds, terms = table[2], table[3]
    assert cut(terms, bounds[:count], bounds[1 : count + 1]) == list(known)


@pytest.mark.parametrize(("terms", "size"), [(2, 4096), (64, 5)])
def test_a_full_table_is_reported(terms, size):
    text, ends = joined(["aaa", "bbb", "ccc"])
    lows = frozen(np.array([0, 3, 6], np.int32))
    ids = np.empty(3, np.int32)
    count = tokens.number_spans(
        frozen(text), lows, frozen(ends.astype(np.int32)), ids, *room(terms, size), 0
    )
    assert count == tokens.NO_ID


def test_long_terms_of_one_key_are_told_apart(monkeypatch):
    """Plain Python, with a hash that is the same for all long terms."""
    monkeypatch.setattr(tokens, "_key_of", lambda *_: tokens.LONG)
    monkeypatch.setattr(tokens, "slot_of", lambda *_: 0)
    text, ends = joined(["abcdefgh1", "abcdefgh2", "abcdefgh", "abcdefgh1"])
    lows = np.array([0, 9, 18, 26], np.int32)
    ids = np.empty(4, np.int32)
    number_spans = getattr(tokens.number_spans, "py_func", tokens.number_spans)
    count = number_spans(text, lows, ends.astype(np.int32), ids, *room(8, 99), 0)
    assert ids.tolist() == [0, 1, 2, 0]
    assert count == 3
