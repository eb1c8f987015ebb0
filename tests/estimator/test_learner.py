from __future__ import annotations

import copy

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError

from learnable.checks import same_bits
from learnable.core import DataError, ParameterError, SchemaError, get_config
from learnable.core.blas import one_blas_thread
from learnable.dummy import DummyRegressor
from learnable.estimator import Learner, Regressor, answering, fitting
from learnable.estimator.learner import same_length
from learnable.estimator.params import Number
from learnable.naive_bayes import GaussianNB

RNG = np.random.default_rng(0)
X, y = RNG.normal(size=(60, 3)), np.tile([0, 1, 2], 20)
FRAME = pd.DataFrame(X, columns=["a", "b", "c"])


class Centre(Learner):
    """The mean of the rows, as small as a learner can be."""

    parameters = {"share": Number(low=0.0, high=1.0)}

    def __init__(self, share=1.0):
        self.share = share

    @fitting
    def fit(self, X, y=None, sample_weight=None):  # noqa: ARG002 (y is there for pipelines)
        rows = self._read(X, reset=True)
        weight = self._read_weights(sample_weight, rows.n)
        self.centre_ = np.average(rows.array(), axis=0, weights=weight if len(weight) else None)
        return self

    @answering
    def distance(self, X):
        return np.abs(self._read(X).array() - self.share * self.centre_).sum(axis=1)


def test_the_smallest_learner_works():
    model = Centre(share=0.5).fit(X)
    np.testing.assert_allclose(model.distance(X), np.abs(X - 0.5 * X.mean(axis=0)).sum(axis=1))
    assert repr(model) == "Centre(share=0.5)"


def test_parameters_are_checked_when_fit_begins_and_not_before():
    model = Centre(share=2.0)
    with pytest.raises(ParameterError, match="share of Centre must be a finite number"):
        model.fit(X)


def test_asking_before_learning_is_refused_with_scikit_learns_error():
    with pytest.raises(NotFittedError, match="This Centre is not fitted yet"):
        Centre().distance(X)


FAILURES = {
    "a wrong cell": lambda: (FRAME.mask(FRAME > 2), y),
    "too few answers": lambda: (FRAME, y[:5]),
    "answers missing": lambda: (FRAME, np.full(60, None)),
    "another width": lambda: (np.zeros((0, 2)), y),
}


@pytest.mark.parametrize("what", FAILURES)
@pytest.mark.parametrize("first", [True, False])
def test_a_fit_that_fails_leaves_the_learner_as_it_was(what, first):
    model = GaussianNB() if first else GaussianNB().fit(FRAME, y + 5)
    before = copy.deepcopy(vars(model))
    for act in (model.fit, lambda X, y: model.partial_fit(X, y, classes=[5, 6, 7])):
        with pytest.raises(DataError):
            act(*FAILURES[what]())
        same_bits(vars(model), before, "the learner")
    assert model.__sklearn_is_fitted__() is not first


def test_columns_are_known_by_number_and_name():
    model = Centre().fit(FRAME)
    assert model.n_features_in_ == 3
    assert model.feature_names_in_.tolist() == ["a", "b", "c"]
    assert model.feature_names_in_.dtype == object
    assert model._column_names() == ["a", "b", "c"]
    plain = model.fit(X)
    assert not hasattr(plain, "feature_names_in_")
    assert plain._column_names() == ["x0", "x1", "x2"]


def test_names_that_differ_are_told_one_by_one():
    model = Centre().fit(FRAME)
    with pytest.raises(SchemaError, match=r"unseen at fit time:\n- z\n.*now missing:\n- b"):
        model.distance(FRAME.rename(columns={"b": "z"}))
    with pytest.raises(SchemaError, match="same order"):
        model.distance(FRAME[["c", "b", "a"]])
    with pytest.raises(SchemaError, match=r"now missing:\n- a\n- c"):
        model.distance(FRAME[["b"]])
    many = FRAME.assign(**{f"new{j}": 0.0 for j in range(9)})
    with pytest.raises(SchemaError, match=r"- new4\n- \.\.\."):
        model.distance(many)


def test_another_number_of_columns_is_refused_and_names_on_one_side_are_warned_of():
    named, plain = Centre().fit(FRAME), Centre().fit(X)
    with pytest.raises(SchemaError, match="X has 2 features, but Centre is expecting 3 features"):
        plain.distance(X[:, :2])
    with pytest.warns(UserWarning, match="Centre was fitted without feature names") as seen:
        plain.distance(FRAME)
    assert seen[0].filename == __file__
    with pytest.warns(UserWarning, match="does not have valid feature names") as seen:
        named.distance(X)
    assert seen[0].filename == __file__


@pytest.mark.parametrize("weight", [2.0, 3, np.float32(0.5)])
def test_one_weight_is_that_of_every_row(weight):
    np.testing.assert_allclose(Centre().fit(X, sample_weight=weight).centre_, X.mean(axis=0))


@pytest.mark.parametrize(
    ("weight", "message", "row"),
    [
        (np.ones((60, 1)), "must be 1D array or scalar", None),
        (np.ones(59), r"expected \(60,\)", None),
        (np.where(np.arange(60) == 7, np.nan, 1.0), "not finite", 7),
        (np.where(np.arange(60) == 8, np.inf, 1.0), "not finite", 8),
        (np.where(np.arange(60) == 9, -1e-9, 1.0), "negative", 9),
        (np.zeros(60), "Every weight is zero", None),
        (np.full(60, 1e308), "leaves the range of floats", None),
        (["a"] * 60, "no numbers", None),
        (np.ones(60) * 1j, "no numbers", None),
    ],
)
def test_weights_are_checked(weight, message, row):
    with pytest.raises(DataError, match=message) as caught:
        Centre().fit(X, sample_weight=weight)
    assert caught.value.row == row


def test_weights_in_any_form_give_the_same_bits():
    weight = RNG.uniform(size=60)
    expected = Centre().fit(X, sample_weight=weight).centre_
    for form in (
        weight.tolist(),
        pd.Series(weight, index=range(60, 0, -1)),
        weight[::-1].copy()[::-1],
    ):
        np.testing.assert_array_equal(Centre().fit(X, sample_weight=form).centre_, expected)


def test_callers_keep_their_arrays():
    rows, weight = X.copy(), np.ones(60)
    Centre().fit(rows, sample_weight=weight)
    rows[0, 0] = weight[0] = 9.0


def test_same_length():
    same_length(3, 3)
    with pytest.raises(DataError, match=r"\[3, 4\]"):
        same_length(3, 4)


def test_a_fit_leaves_settings_and_threads_alone():
    from threadpoolctl import threadpool_info

    def threads():
        return [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"]

    with one_blas_thread():
        inside = threads()
    before, settings = threads(), get_config()
    Centre().fit(X)
    with pytest.raises(DataError):
        Centre().fit(X[:0])
    assert threads() == before
    assert get_config() == settings
    assert set(inside) <= {1}


class Constant(Regressor):
    def __init__(self, value=0.0):
        self.value = value

    @fitting
    def fit(self, X, y):
        self._read_answers(y, self._read(X, reset=True))
        return self

    def predict(self, X):
        return np.full(self._read(X).n, self.value)


@pytest.mark.parametrize("weight", [None, np.arange(1.0, 61.0)])
def test_r2_is_scikit_learns(weight):
    from sklearn.metrics import r2_score

    answers = RNG.normal(size=60)
    model = Constant(0.3).fit(X, answers)
    expected = r2_score(answers, model.predict(X), sample_weight=weight)
    assert model.score(X, answers, weight) == pytest.approx(expected, rel=1e-12)
    flat = np.full(60, 0.3)
    assert model.score(X, flat) == 1.0
    assert Constant(0.5).fit(X, flat).score(X, flat) == 0.0


@pytest.mark.parametrize(
    ("answers", "message"),
    [
        (None, "requires y"),
        (["a"] * 60, "text"),
        (np.full(60, 1j), "Complex"),
        (np.zeros((60, 1, 1)), "1d or 2d"),
        (np.where(np.arange(60) == 5, np.nan, 0.0), "contains NaN"),
        (np.where(np.arange(60) == 5, np.inf, 0.0), "contains infinity"),
        (np.ma.array(np.zeros(60), mask=np.arange(60) == 5), "contains NaN"),
        (np.zeros(59), "inconsistent numbers"),
    ],
)
def test_answers_that_are_no_numbers_are_refused(answers, message):
    with pytest.raises(DataError, match=message) as caught:
        Constant().fit(X, answers)
    if "contains" in message:
        assert caught.value.row == 5


def test_r2_wants_one_answer_a_row():
    model = DummyRegressor().fit(X, np.zeros(60))
    with pytest.raises(DataError, match="inconsistent numbers"):
        model.score(X, np.zeros(59))
    with pytest.raises(DataError, match="shape"):
        model.score(X, np.zeros((60, 2)))
