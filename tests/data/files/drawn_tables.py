"""Tables of every kind of column, odd names and odd texts among them."""

from __future__ import annotations

import datetime as dt

import numpy as np
from hypothesis import strategies as st

from learnable.data import Column, Schema, Table
from learnable.data.texts import MISSING
from learnable.stats.arrays import frozen

ODD = ["", "?", "NA", "-", " a", "a ", "a b", '"', "'", '""', "a,b", "1;2", "\t", "\n", "\r\n", "%",
       "{x}", "\\", "\\n", "007", "1.5", "1,5", "nan", "inf", "None", "\ufeff", "@data", "é", "字",
       "\u2028", "#", "=1", "0", "don't", "\x00", "x" * 300]  # fmt: skip
TEXTS = st.sampled_from(ODD) | st.text(max_size=8)
NAMES = st.sampled_from([odd for odd in ODD if odd]) | st.text(min_size=1, max_size=8)
NUMBERS = st.floats(allow_nan=True, allow_infinity=True, width=64)
DATES = st.datetimes(dt.datetime(1, 1, 1), dt.datetime(9999, 12, 31)) | st.none()  # noqa: DTZ001


@st.composite
def columns(draw, name, n):
    kind = draw(st.sampled_from(["numeric", "nominal", "ordinal", "boolean", "date", "text"]))
    if kind == "numeric":
        cells = draw(st.lists(NUMBERS, min_size=n, max_size=n))
        return Column(name, kind), np.array(cells, dtype=np.float64)
    if kind == "date":
        cells = draw(st.lists(DATES, min_size=n, max_size=n))
        return Column(name, kind), np.array(cells, dtype="datetime64[us]")
    if kind == "text":
        cells = np.empty(n, dtype=object)
        cells[:] = draw(st.lists(TEXTS | st.none(), min_size=n, max_size=n))
        return Column(name, kind, role=draw(st.sampled_from(["feature", "ignored"]))), cells
    most = 2 if kind == "boolean" else 5
    values = draw(st.lists(TEXTS, min_size=2, max_size=most, unique=True))
    codes = st.integers(MISSING, len(values) - 1)
    cells = draw(st.lists(codes, min_size=n, max_size=n))
    return Column(name, kind, tuple(values)), np.array(cells, dtype=np.int32)


@st.composite
def tables(draw):
    n = draw(st.integers(0, 6))
    names = draw(st.lists(NAMES, min_size=1, max_size=4, unique=True))
    made = [draw(columns(name, n)) for name in names]
    return Table(Schema(tuple(c for c, _ in made)), [frozen(array) for _, array in made])
