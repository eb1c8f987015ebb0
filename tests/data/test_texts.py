from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from learnable.checks import check_statistic
from learnable.data.inference import COUNTED, Facts, infer
from learnable.data.texts import MISSING, Texts, text_of

CELLS = st.lists(st.none() | st.text(max_size=3), max_size=30)


@given(CELLS)
def test_cells_come_back(cells):
    texts = Texts.of(cells)
    assert texts.objects().tolist() == cells
    assert len(set(texts.values)) == len(texts.values)
    assert texts.counts().tolist() == [cells.count(value) for value in texts.values]
    assert texts.present() == texts.values


@given(CELLS, CELLS)
def test_joined_columns_are_one_column(one, other):
    joined = Texts.of(one).joined(Texts.of(other))
    whole = Texts.of(one + other)
    assert joined.objects().tolist() == one + other
    assert joined.values == whole.values


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        ("a", "a"), ("nan", "nan"), ("None", "None"), (1, "1"), (1.0, "1"), (2.5, "2.5"),
        (np.float32(3), "3"), (np.int8(4), "4"), (True, "True"), (np.nan, None), (None, None),
        (pd.NA, None), (pd.NaT, None), (np.datetime64("NaT"), None),
    ],
)  # fmt: skip
def test_a_value_is_known_by_its_text(cell, text):
    assert text_of(cell) == text
    assert Texts.of([cell]).codes[0] == (MISSING if text is None else 0)


def kind_of(*cells):
    return infer("x", Facts.of(Texts.of(cells)))


@pytest.mark.parametrize(
    ("cells", "kind"),
    [
        (["1", "2.5", "-3e4", None], "numeric"),
        ([" 7 ", "+8"], "numeric"),
        (["1", "2", "x"], "nominal"),
        (["0x10", "1_000"], "nominal"),
        (["2026-01-31", "1999-12-01 12:30"], "date"),
        (["2026-01-31", "soon"], "nominal"),
        (["true", "FALSE"], "boolean"),
        (["true", "false", "true"], "boolean"),
        ([None, None], "nominal"),
        ([f"id-{i}" for i in range(100)], "identifier"),
        ([f"{i % 30} of many" for i in range(300)], "nominal"),
        (["a long remark that somebody wrote about a thing they saw"] * 3, "text"),
    ],
)
def test_kinds(cells, kind):
    assert kind_of(*cells).kind == kind


def test_reasons_are_told_in_words():
    column = kind_of(*[f"c{i % 17}" for i in range(4000)])
    assert column.reason == "17 distinct strings in 4,000 rows"
    assert column.values == tuple(sorted(f"c{i}" for i in range(17)))
    few = kind_of(*[str(i % 3) for i in range(60)])
    assert few.kind == "numeric"
    assert few.notes == ('few values; {"x": "nominal"} takes them as names',)


def test_false_comes_before_true():
    assert kind_of("true", "false").values == ("false", "true")


def test_facts_are_a_statistic():
    blocks = [["1", None, "2"], ["2", "x", "x"], ["y"] * 5 + [None]]
    check_statistic(
        lambda cells: Facts.of(Texts.of(cells)),
        blocks,
        lambda one, other: one + other,
        zero=Facts.zero(),
        view=lambda facts: facts._replace(counts=dict(sorted(facts.counts.items()))),
    )


def test_more_texts_than_are_counted_are_noticed():
    many = [f"word {i}" for i in range(COUNTED + 5)]
    facts = Facts.of(Texts.of(many[:3000])).merge(Facts.of(Texts.of(many[3000:])))
    assert facts.crowded
    assert facts.distinct == COUNTED
    assert infer("x", facts).kind == "identifier"
