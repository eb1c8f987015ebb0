"""Places of keys among the different ones, against a dictionary."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as draw

from learnable.loops.factorising import (
    count_places,
    places_of_floats,
    places_of_keys,
    places_of_words,
)
from learnable.stats.arrays import frozen


def by_dictionary(keys):
    places = {}
    codes = [places.setdefault(key, len(places)) for key in keys]
    return list(places), codes


def check(keys):
    array, codes = np.array(keys, dtype=np.int64), np.empty(len(keys), np.int32)
    first = places_of_keys(frozen(array), codes)
    assert (array[first].tolist(), codes.tolist()) == by_dictionary(keys)


@given(draw.lists(draw.integers(-(2**63), 2**63 - 1)))
def test_any_keys(keys):
    check(keys)


@pytest.mark.parametrize("step", [1, 2**32, 2**20])
def test_a_table_that_grows(step):
    check([int(k) * step for k in np.random.default_rng(0).integers(0, 5000, 20_000)])


@pytest.mark.parametrize("many", [5, 4000])
def test_words(many):
    texts = np.random.default_rng(0).integers(0, many, 9000).astype(str)
    words = frozen(texts.view(np.uint32).reshape(len(texts), -1))
    codes = np.empty(len(texts), np.int32)
    first = places_of_words(words, codes)
    assert (texts[first].tolist(), codes.tolist()) == by_dictionary(texts.tolist())


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_floats_are_told_apart_by_their_value(dtype):
    cells = np.random.default_rng(0).integers(-3, 4, 500).astype(dtype) / 2
    cells[::7], cells[1::7], cells[2::7] = np.nan, -0.0, 0.0
    cells[3::14] = -cells[0]  # NaN with other bits
    codes = np.empty(len(cells), np.int32)
    first = places_of_floats(frozen(cells), codes)
    expected = by_dictionary(["nan" if cell != cell else float(cell) for cell in cells])  # noqa: PLR0124
    assert codes.tolist() == expected[1]
    assert len(first) == len(expected[0])
    strided = np.repeat(cells, 2)[::2]
    again = np.empty(len(cells), np.int32)
    places_of_floats(frozen(strided), again)
    assert again.tolist() == codes.tolist()


def test_places_are_counted():
    codes = frozen(np.random.default_rng(0).integers(0, 9, 300).astype(np.int32))
    assert count_places(codes, 11).tolist() == np.bincount(codes, minlength=11).tolist()
