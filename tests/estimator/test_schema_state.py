"""Schemas in model files: they come back whole, and forged ones do not."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from learnable.data import Column, Schema
from learnable.estimator.ledger import Content, Reader, Refused, Writer
from learnable.estimator.schema_state import Columns
from learnable.estimator.state import put_state, take_state

SCHEMA = Schema(
    (
        Column("größe", "numeric", reason="numbers"),
        Column("wind", "nominal", ("Strong", "Weak")),
        Column("play", "boolean", ("no", "yes"), "target"),
        Column("none", "nominal"),
    )
)
DECLARED = {"schema_": Columns("d")}


def written():
    writer = Writer()
    node = put_state(DECLARED, SimpleNamespace(schema_=SCHEMA), writer)
    return node, writer.arrays


def read(node, arrays, size=10_000):
    reader = Reader(Content({}, arrays, size))
    return take_state(DECLARED, node, reader)["schema_"]


def test_a_schema_comes_back_without_its_reasons():
    assert read(*written()) == SCHEMA
    assert read(*written()).columns[0].reason == ""


@pytest.mark.parametrize(
    ("place", "array", "words"),
    [
        (2, np.zeros((2, 4), np.uint8) + 99, "index out of range"),
        (2, np.zeros((2, 3), np.uint8), "do not fit together"),
        (2, np.zeros((2, 4), np.int32), "do not fit together"),
        (2, np.zeros((2, 4), np.uint8), "a numeric column has no list of values"),
        (3, np.int32([0, 2, 1, 0]), "do not fit together"),
        (3, np.int32([-1, 2, 2, 1]), "do not fit together"),
        (3, np.int32([0, 3, 1, 0]), "boolean column has two values"),
        (3, np.int64([0, 2, 2, 0]), "do not fit together"),
    ],
)
def test_parts_that_contradict_each_other_are_refused(place, array, words):
    node, arrays = written()
    arrays[place] = array
    with pytest.raises(Refused, match=words):
        read(node, arrays)


def test_too_many_columns_are_refused():
    many = Schema(tuple(Column(f"x{j}", "numeric") for j in range(200_001)))
    with pytest.raises(Refused, match="200001 columns, more than 200000"):
        put_state(DECLARED, SimpleNamespace(schema_=many), Writer())
    with pytest.raises(Refused, match="a Schema is wanted, not list"):
        put_state(DECLARED, SimpleNamespace(schema_=[]), Writer())
