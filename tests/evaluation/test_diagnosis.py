"""Over- and underfit, told apart from an optimiser that stopped; the bias of estimates."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from learnable.core import DataError
from learnable.dummy import DummyClassifier
from learnable.evaluation import diagnose, estimation_bias, overfits
from learnable.naive_bayes import GaussianNB
from learnable.resampling import FoldPlan


def rows(rng, n, noise=0.2):
    X = rng.normal(size=(n, 3))
    return X, rng.random(n) < np.where(X[:, 0] > 0, 1 - noise, noise)


X, Y = rows(np.random.default_rng(0), 300)
PLAN = FoldPlan("k-fold", 300, folds=5, repeats=2)


@pytest.mark.parametrize(
    ("learner", "options", "verdict"),
    [
        (DecisionTreeClassifier(random_state=0), {}, "overfits"),
        (DecisionTreeClassifier(max_depth=1), {}, "nothing found"),
        (DecisionTreeClassifier(max_depth=1), {"reachable": 0.9}, "underfits"),
        (DummyClassifier(), {}, "learns nothing"),
        (LogisticRegression(max_iter=1), {}, "not converged"),
        (make_pipeline(StandardScaler(), LogisticRegression(max_iter=1)), {}, "not converged"),
    ],
)
def test_verdicts(learner, options, verdict):
    found = diagnose(learner, X, Y, plan=PLAN, **options)
    assert found.verdict == verdict
    assert found.gap.effect == pytest.approx(found.train - found.test)
    assert found.text.startswith(type(learner).__name__)


def test_regressors():
    y = X[:, 0] + np.random.default_rng(1).normal(size=300)
    assert diagnose(DecisionTreeRegressor(random_state=0), X, y, plan=PLAN).verdict == "overfits"
    assert diagnose(LinearRegression(), X, y, plan=PLAN).verdict == "nothing found"


def test_overfits_by_the_definition():
    deep = DecisionTreeClassifier(random_state=0).fit(X[:150], Y[:150])
    stump = DecisionTreeClassifier(max_depth=1).fit(X[:150], Y[:150])
    new = rows(np.random.default_rng(5), 400)
    found = overfits(deep, stump, (X[:150], Y[:150]), new, names=("deep", "stump"))
    assert found.verdict
    assert found.train_errors[0] == 0.0 < found.train_errors[1]
    assert found.comparison.kind == "guaranteed"
    assert "deep overfits beside stump" in found.text
    back = overfits(stump, deep, (X[:150], Y[:150]), new)
    assert not back.verdict
    assert "is not shown to overfit" in back.text


def test_regressors_that_overfit():
    rng = np.random.default_rng(2)
    y = X[:, 0] + rng.normal(size=300)
    deep = DecisionTreeRegressor(random_state=0).fit(X[:150], y[:150])
    line = LinearRegression().fit(X[:150], y[:150])
    assert overfits(deep, line, (X[:150], y[:150]), (X[150:], y[150:])).verdict


def false_verdicts(draws, seed):
    rng, found = np.random.default_rng(seed), 0
    for _ in range(draws):
        right = rng.random((2, 60)) < 0.7
        models = [Fixed(one) for one in right]
        new = np.arange(60)[:, None], np.ones(60, bool)
        found += overfits(
            *models, (np.zeros((1, 1), int), [right[0, 0]]), new
        ).comparison.told_apart
    return found / draws


class Fixed:
    """A model that answers rows by their number."""

    kind = "classifier"

    def __init__(self, answers):
        self.answers = answers

    def predict(self, rows):
        return self.answers[rows[:, 0]]


def test_equal_errors_are_seldom_called_overfit():
    # 0.05 at most, and four standard deviations of 400 draws.
    assert false_verdicts(400, 3) <= 0.05 + 4 * np.sqrt(0.05 * 0.95 / 400)


def test_resubstitution_is_biased_and_an_independent_sample_is_not():
    found = estimation_bias(GaussianNB(), rows, n=30, draws=80, n_true=500)
    assert found.resubstitution.high < 0.0
    assert found.independent.low < 0.0 < found.independent.high
    assert 0.2 < found.true_error < 0.5
    assert "off by" in found.text


def test_what_is_refused():
    with pytest.raises(DataError, match="cannot be averaged"):
        estimation_bias(GaussianNB(), rows, draws=1)
    with pytest.raises(DataError, match="same error"):
        estimation_bias(DummyClassifier(), lambda _, n: (np.zeros((n, 1)), np.zeros(n)), draws=5)
    with pytest.raises(DataError, match="right answers"):
        overfits(Fixed(Y), Fixed(Y), (np.zeros((2, 1), int), Y[:3]), (X, Y))
