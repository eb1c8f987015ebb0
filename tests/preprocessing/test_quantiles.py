"""Quantiles by selection against NumPy's."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as draw

from learnable.preprocessing.quantiles import quantiles

FLOATS = draw.floats(-1e9, 1e9)


@given(draw.lists(FLOATS, min_size=1), draw.lists(draw.floats(0, 1), min_size=1))
def test_numpys_quantiles(cells, shares):
    found = quantiles(np.array(cells), np.array(shares))
    expected = np.quantile(np.array(cells), shares)
    assert np.allclose(found, expected, rtol=1e-12, atol=1e-12 * np.abs(cells).max())


def test_no_cell_has_no_quantile():
    assert np.isnan(quantiles(np.empty(0), np.array([0.5]))).all()
