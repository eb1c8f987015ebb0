"""Rare values share a place."""

from __future__ import annotations

import numpy as np
import pytest

from learnable.preprocessing.frequency import RARE, grouped

COUNTS = np.array([5, 1, 2, 2])


@pytest.mark.parametrize(
    ("least", "most", "rare"),
    [(2, None, [1]), (0.25, None, [1, 2, 3]), (None, 2, [1, 2, 3]), (None, 1, [0, 1, 2, 3]),
     (2, 3, [1, 2]), (None, None, [])],
)  # fmt: skip
def test_which_are_rare(least, most, rare):
    group = grouped(COUNTS, 10, least, most, None)
    assert group.rare.tolist() == rare
    assert group.size == 4 - max(len(rare) - 1, 0)


def test_missing_cells_keep_a_place_of_their_own():
    values = np.array([1.0, 2.0, 3.0, np.nan])
    group = grouped(COUNTS, 10, None, 1, values)
    assert group.places.tolist() == [0, 0, 0, 1]


def test_names_of_the_places():
    values = np.array(["a", "b", "c", "d"])
    assert grouped(COUNTS, 10, 2, None, None).names(values).tolist() == ["a", "c", "d", RARE]
