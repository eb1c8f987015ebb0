"""What columns are filled with."""

from __future__ import annotations

import numpy as np
import pytest

from learnable.data.texts import Texts
from learnable.impute.fills import is_missing, median, most_frequent, with_gaps

TEXTS = Texts(np.array([0, -1, 1, 1], np.int32), ["a", "b"])


def test_missing_cells_of_every_kind():
    assert is_missing(TEXTS, np.nan).tolist() == [False, True, False, False]
    assert is_missing(TEXTS, "b").tolist() == [False, False, True, True]
    objects = np.array([None, np.nan, "a"], dtype=object)
    assert is_missing(objects, np.nan).tolist() == [True, True, False]
    assert is_missing(objects, None).tolist() == [True, False, False]
    assert is_missing(np.array([1, 2]), np.nan).tolist() == [False, False]


def test_the_smallest_of_several_most_frequent_values():
    assert most_frequent(np.array([3.0, 1.0, 1.0, 3.0, 0.0]), np.zeros(5, bool)) == 1.0
    assert most_frequent(TEXTS, TEXTS.codes < 0) == "b"


def test_nothing_known():
    everything = np.ones(2, bool)
    assert np.isnan(median(np.empty(0)))
    assert np.isnan(most_frequent(np.array([1.0, 2.0]), everything))


@pytest.mark.parametrize("kind", [np.float64, np.int64])
def test_gaps_are_written_into_a_copy(kind):
    column = np.array([1, 2], dtype=kind)
    assert np.isnan(with_gaps(column, np.array([True, False]))[0])
    assert column[0] == 1
