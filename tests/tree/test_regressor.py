"""Trees for numbers: the same as scikit-learn's, answers far from zero, several outputs."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn import tree as peers

from learnable.core import DataError, ParameterError
from learnable.tree import DecisionTreeRegressor

RNG = np.random.default_rng(2)
X = RNG.normal(size=(300, 5)).astype(np.float32)
Y = np.abs(X[:, 0] * 2 + X[:, 1] ** 2 + RNG.normal(size=300)).astype(float)


@pytest.mark.parametrize(
    ("criterion", "options"),
    [
        ("squared_error", {"max_depth": 5, "min_samples_leaf": 8}),
        ("squared_error", {"min_samples_leaf": 15}),
        ("poisson", {"max_depth": 5, "min_samples_leaf": 8}),
        ("absolute_error", {"max_depth": 3, "min_samples_leaf": 15}),
    ],
)
def test_the_trees_of_scikit_learn(criterion, options):
    ours = DecisionTreeRegressor(criterion=criterion, **options).fit(X, Y)
    theirs = peers.DecisionTreeRegressor(criterion=criterion, random_state=0, **options)
    theirs.fit(X, Y)
    np.testing.assert_array_equal(ours.tree_.threshold, theirs.tree_.threshold)
    np.testing.assert_allclose(ours.tree_.impurity, theirs.tree_.impurity, atol=1e-9)
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X), atol=1e-12)


def test_several_outputs():
    answers = np.column_stack([Y, -3 * Y + RNG.normal(size=300)])
    ours = DecisionTreeRegressor(max_depth=4, min_samples_leaf=9).fit(X, answers)
    theirs = peers.DecisionTreeRegressor(max_depth=4, min_samples_leaf=9, random_state=0).fit(
        X, answers
    )
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X), atol=1e-12)
    assert ours.tree_.value.shape == theirs.tree_.value.shape


def test_weights_are_those_of_scikit_learn():
    weight = RNG.integers(0, 4, 300).astype(float)
    ours = DecisionTreeRegressor(max_depth=4, min_samples_leaf=9).fit(X, Y, weight)
    theirs = peers.DecisionTreeRegressor(max_depth=4, min_samples_leaf=9, random_state=0).fit(
        X, Y, weight
    )
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X), atol=1e-12)


def test_answers_far_from_zero_lose_no_digits():
    near = DecisionTreeRegressor(max_depth=5, min_samples_leaf=9).fit(X, np.round(Y, 1))
    far = DecisionTreeRegressor(max_depth=5, min_samples_leaf=9).fit(X, np.round(Y, 1) + 1e8 + 0.1)
    np.testing.assert_array_equal(near.nodes_.threshold, far.nodes_.threshold)
    np.testing.assert_allclose(far.predict(X) - 1e8 - 0.1, near.predict(X), atol=1e-7)
    assert (far.nodes_.impurity >= 0.0).all()


def test_poisson_refuses_negative_answers():
    with pytest.raises(DataError, match="not negative") as caught:
        DecisionTreeRegressor(criterion="poisson").fit(X, Y - 2.0)
    assert caught.value.row is not None


def test_absolute_errors_take_numeric_columns():
    with pytest.raises(ParameterError, match="squared_error"):
        DecisionTreeRegressor(criterion="absolute_error", missing="own").fit(X, Y)
