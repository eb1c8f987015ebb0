"""Measures that are asked for their interval."""

from __future__ import annotations

import numpy as np
import pytest

from learnable import metrics
from learnable.core import DataError, ParameterError
from learnable.metrics import interval, metric

Y, P = np.arange(40) % 2, np.arange(40) % 3 == 0


@pytest.mark.parametrize("name", ["accuracy_score", "f1_score", "matthews_corrcoef"])
def test_the_interval_is_that_of_the_function(name):
    found = metric(name, Y, P.astype(int))
    assert found.value == getattr(metrics, name)(Y, P.astype(int)) == float(found)
    assert found.interval(0.9) == interval(name, Y, P.astype(int), 0.9)


def test_options_and_methods_are_handed_on():
    found = metric(metrics.fbeta_score, Y, P.astype(int), beta=2.0)
    expected = interval("fbeta_score", Y, P.astype(int), method="bca", n_resamples=99, beta=2.0)
    assert found.interval(method="bca", n_resamples=99) == expected


def test_what_is_refused():
    with pytest.raises(DataError, match="not one number"):
        metric("f1_score", Y, P.astype(int), average=None)
    with pytest.raises(ParameterError, match="no measure"):
        metric("f1", Y, P)
