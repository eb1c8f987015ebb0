from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.linear_model import Ridge
from sklearn.model_selection import validation_curve as their_curve

from learnable.core import DataError, ParameterError, Threads, config, serial
from learnable.datasets import load_iris
from learnable.model_selection import (
    FoldPlan,
    LearningCurve,
    PowerLaw,
    learning_curve,
    validation_curve,
)
from learnable.naive_bayes import GaussianNB

X, Y = load_iris(return_X_y=True)
PLAN = FoldPlan("k-fold", len(Y), folds=4, classes=Y)


@given(st.floats(0.0, 0.3), st.floats(0.3, 3.0), st.sampled_from([0.2, 0.5, 1.0]))
def test_a_curve_that_is_a_power_law_is_found(left, height, exponent):
    sizes = np.array([20, 50, 100, 300, 1000, 3000])
    scores = 1.0 - left - height * sizes**-exponent
    law = LearningCurve(sizes, np.ones((6, 1)), scores[:, None]).power_law()
    for n in (100, 10_000):
        expected = 1.0 - left - height * n**-exponent
        assert law.score(n) == pytest.approx(expected, abs=0.01)
    assert law.residual < 1e-3


@given(st.floats(0.01, 0.2), st.floats(0.1, 3.0), st.floats(0.1, 2.0), st.floats(0.5, 0.99))
def test_the_rows_for_a_score_are_the_fewest(left, height, exponent, score):
    law = PowerLaw(left, height, exponent, 0.0)
    needed = law.rows_for(score)
    if needed is None:
        assert law.score(1e300) <= score + 1e-9
    elif 2 <= needed < 1e9:
        assert law.score(needed) >= score - 1e-7
        assert law.score(needed - 1) < score + 1e-7


def test_more_rows_are_told_in_words():
    sizes = np.array([100, 200, 400, 800])
    scores = (1.0 - 0.1 - 1.0 * sizes**-0.5)[:, None]
    curve = LearningCurve(sizes, scores, scores)
    assert "0.88 takes about 2,500 rows, 3.1 times the 800 tried" in curve.more_rows(0.88)
    assert "no number of rows reaches 0.95: it levels off at 0.9" in curve.more_rows(0.95)
    assert "0.8 is reached with 100 rows" in curve.more_rows(0.8)
    with pytest.raises(DataError, match="three sizes"):
        LearningCurve(sizes[:2], scores[:2], scores[:2]).power_law()


def test_larger_sets_hold_the_smaller_ones_and_the_last_is_the_fold():
    curve = learning_curve(GaussianNB(), X, Y, cv=PLAN, train_sizes=[20, 50, 112])
    assert curve.train_sizes.tolist() == [20, 50, 112]
    assert curve.test_scores.shape == curve.train_scores.shape == (3, 4)
    for k, (train, test) in enumerate(PLAN):
        if len(train) == 112:
            model = GaussianNB().fit(X[train], Y[train])
            assert curve.test_scores[2, k] == model.score(X[test], Y[test])
            assert curve.train_scores[2, k] == model.score(X[train], Y[train])


def test_the_runner_changes_nothing():
    with config(runner=serial):
        expected = learning_curve(GaussianNB(), X, Y, cv=PLAN)
    with config(runner=Threads(3)):
        found = learning_curve(GaussianNB(), X, Y, cv=PLAN)
    np.testing.assert_array_equal(found.test_scores, expected.test_scores)


def test_a_validation_curve_is_scikit_learns():
    values = [0.01, 1.0, 100.0]
    ours = validation_curve(
        Ridge(), X, X[:, 0] * Y.size, cv=PLAN, param_name="alpha", param_range=values
    )
    train, test = their_curve(
        Ridge(), X, X[:, 0] * Y.size, cv=PLAN, param_name="alpha", param_range=values
    )
    np.testing.assert_allclose(ours.train_scores, train)
    np.testing.assert_allclose(ours.test_scores, test)


@pytest.mark.parametrize("sizes", [[0], [500], [1.5], []])
def test_sizes_that_cannot_be_are_refused(sizes):
    with pytest.raises(ParameterError, match="train_sizes"):
        learning_curve(GaussianNB(), X, Y, train_sizes=sizes)
