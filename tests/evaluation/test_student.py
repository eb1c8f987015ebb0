"""Student's t: the quantiles of the documents, and one that is printed wrong."""

from __future__ import annotations

import pytest

from learnable.evaluation.student import Student


@pytest.mark.parametrize(("df", "quantile"), [(4, 2.776), (9, 2.262), (29, 2.045), (30, 2.042)])
def test_quantiles_of_the_documents(df, quantile):
    low, high = Student(0.0, 0.0, 1.0, df, 0.95, "two-sided").critical
    assert round(high, 3) == quantile
    assert low == -high


def test_the_quantile_that_a_document_prints_wrong():
    (_, high) = Student(0.0, 0.0, 1.0, 5, 0.9995, "greater").critical
    assert round(high, 3) == 6.869
