"""scikit-learn's own checks of estimators, on every learner."""

from __future__ import annotations

import warnings

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from learnable.estimator import table_learners
from tests.expected_exceptions import EXPECTED


def all_checks():
    with warnings.catch_warnings():  # it wants its own base class, which is slow to import
        warnings.simplefilter("ignore", UserWarning)
        return parametrize_with_checks(
            [cls() for cls in table_learners().values()],
            expected_failed_checks=lambda learner: EXPECTED.get(type(learner).__name__, {}),
        )


@pytest.mark.filterwarnings("ignore")
@all_checks()
def test_scikit_learn_checks(estimator, check):
    check(estimator)
