"""Strings read where they lie, against a dictionary."""

from __future__ import annotations

import gc
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as draw

from learnable.data import string_layout
from learnable.data.string_layout import first_and_counts, first_and_places, known_gaps
from learnable.preprocessing.cells import factorised


def as_column(cells):
    column = np.empty(len(cells), dtype=object)
    column[:] = cells
    return column


def check(cells):
    column = as_column(cells)
    rows, places = first_and_places(column)
    assert column[rows][places].tolist() == cells
    again, counts = first_and_counts(column)
    assert again.tolist() == rows.tolist()
    assert counts.tolist() == np.bincount(places, minlength=len(rows)).tolist()
    texts = [cell for cell in column[rows].tolist() if type(cell) is str]
    assert len(set(texts)) == len(texts)


def test_this_interpreter_is_understood():
    known = sys.implementation.name == "cpython" and sys.byteorder == "little"
    assert (string_layout.string_layout() is not None) == known


@given(draw.lists(draw.text() | draw.text("ab\0", max_size=3) | draw.none() | draw.integers()))
def test_any_cells(cells):
    check([*cells, *["".join(list(c)) if isinstance(c, str) else c for c in cells]])


@pytest.mark.parametrize("alphabet", ["ab", "\xe0\xe9", "\u4e00\u4e01", "\U0001f600\U0001f601"])
def test_strings_that_differ_in_one_character(alphabet):
    one, other = alphabet
    words = [one * k + other + one * (n - k - 1) for n in range(1, 20) for k in range(n)]
    check([*words, *[word[:] for word in words]])


def test_a_string_whose_other_form_was_asked_for():
    words = ["\xe9t\xe9" * 3, "\u20ac" * 9]
    for word in words:
        hash(word), word.encode(), sys.intern(word)
    check([*words, *["".join(list(word)) for word in words]])


def test_kinds_of_strings_of_their_own_are_told_apart_by_python():
    class Own(str):
        __slots__ = ()

    cells = as_column([Own("a"), "a", np.str_("a"), "b"])
    values, codes = factorised(cells)
    assert values.tolist() == ["a", "b"]
    assert codes.tolist() == [0, 0, 0, 1]


def test_columns_with_steps_between_their_cells():
    table = np.array([["a", 1], ["b", 2], ["a", 3]], dtype=object)
    for column in (table[:, 0], table[::-1, 0], table[::2, 0]):
        rows, places = first_and_places(column)
        assert column[rows][places].tolist() == column.tolist()


def test_several_blocks(monkeypatch):
    monkeypatch.setattr(string_layout, "_BLOCK", 3)
    cells = as_column([*"abcabcdaab", None, "a"])
    values, codes = factorised(cells)
    assert values[codes].tolist() == cells.tolist()
    assert len(values) == 5


def test_nothing_is_held_or_let_go():
    word = "".join(list("some word"))
    column = as_column([word, word])
    gc.collect()
    before = sys.getrefcount(word)
    found = first_and_places(column)
    assert found is not None
    assert sys.getrefcount(word) == before


def test_the_slow_way_finds_the_same(monkeypatch):
    cells = as_column(["b", None, "a", float("nan"), 1, True, "b", float("nan")])
    fast = factorised(cells)
    monkeypatch.setattr(string_layout, "string_layout", lambda: None)
    assert first_and_places(cells) is None
    slow = factorised(cells)
    assert [str(v) for v in fast[0]] == [str(v) for v in slow[0]]
    assert fast[1].tolist() == slow[1].tolist()


@given(draw.lists(draw.text(max_size=3) | draw.none() | draw.floats() | draw.integers()))
def test_gaps_are_known_without_asking(cells):
    found = known_gaps(as_column(cells), (None,))
    asked = [-1 if isinstance(cell, int) else int(cell is None or cell != cell) for cell in cells]  # noqa: PLR0124
    assert found.tolist() == asked
