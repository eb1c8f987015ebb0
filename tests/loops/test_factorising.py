"""Places of keys among the different ones, against a dictionary."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as draw

from learnable.loops.factorising import places_of_keys, places_of_words
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
