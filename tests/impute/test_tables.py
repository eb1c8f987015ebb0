"""Tables with their gaps filled."""

from __future__ import annotations

import numpy as np

from learnable.data import Table
from learnable.impute.tables import filled_table


def test_columns_without_gaps_are_shared_and_others_copied():
    table = Table.of({"a": [1.0, 2.0], "b": [1.0, None]})
    gaps = [np.array([False, False]), np.array([False, True])]
    found = filled_table(table, [(0, gaps[0], 0.0), (1, gaps[1], 9.0)], None)
    assert found["a"] is table["a"]
    assert found["b"].tolist() == [1.0, 9.0]
    assert np.isnan(table["b"][1])


def test_a_value_for_every_gap():
    table = Table.of({"w": ["x", None, "y", None]})
    gaps = np.array([False, True, False, True])
    found = filled_table(table, [(0, gaps, np.array(["y", "z"], object))], None)
    assert found.labels("w").tolist() == ["x", "y", "y", "z"]
