from __future__ import annotations

import warnings

import numpy as np
import pytest

from learnable.core.warning import warn
from learnable.naive_bayes import GaussianNB


def test_a_warning_points_at_the_users_line():
    X = np.ones((4, 1))
    with pytest.warns(UserWarning, match="constant in every class") as seen:
        GaussianNB().fit(X, [0, 0, 1, 1])
    assert seen[0].filename == __file__


def test_the_category_is_kept():
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        warn("beware", RuntimeWarning)
    assert seen[0].category is RuntimeWarning
    assert seen[0].filename == __file__
