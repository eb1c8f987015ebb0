"""Rows outside of what was learned."""

from __future__ import annotations

import numpy as np
import pytest

from learnable.core import ParameterError
from learnable.data import Rows
from learnable.data.rows import other_grid
from learnable.preprocessing.outside import refuse_training_rows, share_outside


def test_rows_are_counted_once_and_missing_cells_never():
    X = np.array([[0.5, 0.5], [2.0, -1.0], [np.nan, 0.5], [0.5, 1.5], [0.0, 1.0]])
    with other_grid(2):
        found = share_outside(
            Rows(X), np.zeros(2), np.ones(2), quantity="q", told="lie outside", confidence=0.9
        )
    assert found.value == 2 / 5
    assert found.kind == "guaranteed"


def test_training_rows_are_refused():
    with pytest.raises(ParameterError, match="The range is that of the training rows"):
        refuse_training_rows("The range is that", "train")
    refuse_training_rows("The range is that", "test")
