"""Columns chosen in every way."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp

from learnable.compose.choosing import as_rows, chosen, part_of
from learnable.core import LearnableError
from learnable.data import Table

NAMES = ["a", "b", "c"]


@pytest.mark.parametrize(
    ("columns", "places"),
    [("b", [1]), (2, [2]), (-1, [2]), (["c", "a"], [2, 0]), (slice("b", None), [1, 2]),
     (slice(None, 2), [0, 1]), ([True, False, True], [0, 2]), (np.array([1, 0]), [1, 0]), ([], []),
     (lambda _: ["b"], [1])],
)  # fmt: skip
def test_places(columns, places):
    assert chosen(columns, NAMES, 3, None) == places


@pytest.mark.parametrize("columns", ["z", 3, -4, [True], [1.5]])
def test_choices_that_make_no_sense(columns):
    with pytest.raises(LearnableError):
        chosen(columns, NAMES, 3, None)


CELLS = np.arange(6.0).reshape(2, 3)


@pytest.mark.parametrize("make", [
    np.asarray, sp.csr_array, lambda X: pd.DataFrame(X, columns=NAMES),
    lambda X: pl.DataFrame(X, schema=NAMES), lambda X: Table.of(dict(zip(NAMES, X.T, strict=True))),
])  # fmt: skip
def test_parts_of_every_form(make):
    part = part_of(make(CELLS), [2, 0])
    if isinstance(part, Table):
        part = part.numbers().array()
    found = part.toarray() if sp.issparse(part) else np.asarray(part)
    assert found.tolist() == [[2.0, 0.0], [5.0, 3.0]]


def test_lists_keep_numbers_beside_text():
    assert as_rows([[1, "a"]]).dtype == object
    assert as_rows([[1, 2]]).dtype.kind == "i"
