"""The .632 and .632+ estimates: the definitions, and what they are for."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeRegressor

from learnable.core import DataError
from learnable.dummy import DummyClassifier
from learnable.model_selection import bootstrap_error
from learnable.naive_bayes import GaussianNB
from learnable.resampling import FoldPlan

RNG = np.random.default_rng(0)
X, Y = RNG.normal(size=(60, 3)), np.array(["a", "b"])[RNG.integers(0, 2, 60)]


def test_the_definition():
    found = bootstrap_error(GaussianNB(), X, Y, draws=30, seed=2)
    lost, asked = np.zeros(60), np.zeros(60)
    for train, test in FoldPlan("bootstrap", 60, folds=30, seed=2):
        model = GaussianNB().fit(X[train], Y[train])
        lost[test] += model.predict(X[test]) != Y[test]
        asked[test] += 1
    answers = GaussianNB().fit(X, Y).predict(X)
    a, o = (answers != Y).mean(), (lost / asked).mean()
    g = (answers[:, None] != Y).mean()
    assert (found.apparent, found.left_out) == pytest.approx((a, o))
    assert found.no_information == pytest.approx(g)
    assert found.plain == pytest.approx(0.368 * a + 0.632 * o)
    rate = (min(o, g) - a) / (g - a)
    w = 0.632 / (1 - 0.368 * rate)
    assert found.error == pytest.approx((1 - w) * a + w * min(o, g))
    assert found.overfitting == pytest.approx(rate)


def test_a_neighbour_that_knows_its_rows_by_heart():
    # Answers are coins: the true error is one half; the apparent one is 0.
    rng = np.random.default_rng(0)
    rows, coins = rng.normal(size=(300, 3)), rng.integers(0, 2, 300)
    found = bootstrap_error(KNeighborsClassifier(1), rows, coins, draws=40)
    assert found.apparent == 0.0
    assert found.plain < 0.4
    assert found.error == pytest.approx(0.5, abs=0.1)
    assert found.overfitting > 0.8


def test_worse_than_no_information_counts_as_none():
    # Every row beside its twin of the other class: what is left out is answered wrong.
    rows = np.repeat(np.arange(40.0), 2)[:, None] + np.tile([0.0, 0.1], 40)[:, None]
    found = bootstrap_error(KNeighborsClassifier(1), rows, np.arange(80) % 2, draws=20)
    assert found.left_out > found.no_information == 0.5
    assert (found.error, found.overfitting) == pytest.approx((0.5, 1.0))


def test_numbers_and_groups():
    y = X[:, 0] + 0.5 * RNG.normal(size=60)
    line = bootstrap_error(LinearRegression(), X, y)
    assert line.apparent < line.error < line.left_out < line.no_information
    answers = LinearRegression().fit(X, y).predict(X)
    assert line.no_information == pytest.approx(((y[:, None] - answers) ** 2).mean())
    twice = np.repeat(X, 2, axis=0), np.repeat(y, 2)
    tree = DecisionTreeRegressor(random_state=0)
    torn = bootstrap_error(tree, *twice)
    whole = bootstrap_error(tree, *twice, groups=np.arange(120) // 2)
    assert torn.left_out < 0.7 * whole.left_out


def test_degenerate_answers_and_what_is_refused():
    same = bootstrap_error(DummyClassifier(), X, np.full(60, "a"))
    assert (same.error, same.overfitting) == (0.0, 0.0)
    with pytest.raises(DataError, match="left a row out"):
        bootstrap_error(DummyClassifier(), X[:1], Y[:1], draws=3)
    with pytest.raises(DataError):
        bootstrap_error(LinearRegression(), X, np.where(X[:, 0] > 1, np.nan, 1.0))
