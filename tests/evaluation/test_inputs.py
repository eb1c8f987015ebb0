"""What tests are given: differences without rounding, tables from anything that holds them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest

from learnable.core import DataError
from learnable.evaluation.inputs import differences, steady, table


def test_differences_that_print_alike_are_ties():
    first, second = np.arange(1, 9) / 10 + 0.1, np.arange(1, 9) / 10
    assert np.ptp(first - second) > 0.0
    assert np.ptp(differences(first, second)) == 0.0


def test_real_differences_stay():
    gaps = np.array([1e-9, 2e-9, -3e-12])
    assert steady(gaps, 1.0) == pytest.approx(gaps, abs=1e-13)
    assert (steady(np.zeros(3)) == 0.0).all()


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame, dict])
def test_tables_of_any_kind(frame):
    names, found = table(frame({"a": [0.1, 0.2], "b": [0.3, 0.4]}))
    assert names == ("a", "b")
    assert found.tolist() == [[0.1, 0.3], [0.2, 0.4]]


def test_arrays_are_named_or_numbered():
    assert table([[1, 2], [3, 4]])[0] == ("learner 1", "learner 2")
    assert table([[1, 2], [3, 4]], ["x", "y"])[0] == ("x", "y")
    for wrong in (["x"], ["x", "x"]):
        with pytest.raises(DataError, match="a name of its own"):
            table([[1, 2], [3, 4]], wrong)
    with pytest.raises(DataError, match="1 dimensions"):
        table([1, 2, 3])
