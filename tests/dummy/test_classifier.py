"""The dummy classifier against scikit-learn's, on rows of any kind."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.dummy import DummyClassifier as Peer
from sklearn.exceptions import NotFittedError

import learnable
from learnable.core import DataError, LearnableError, ParameterError
from learnable.datasets import load_iris, load_play_tennis
from learnable.dummy import DummyClassifier
from learnable.estimator.persistence import from_bytes, to_bytes

SURE = ["most_frequent", "prior", "constant"]
DRAWN = ["stratified", "uniform"]
X, Y = load_play_tennis(return_X_y=True)


def fitted(strategy, y=Y, rows=X, weight=None, **options):
    constant = "No" if strategy == "constant" else None
    return DummyClassifier(strategy=strategy, constant=constant, **options).fit(rows, y, weight)


@pytest.mark.parametrize("weight", [None, np.arange(14.0)])
@pytest.mark.parametrize("strategy", SURE)
def test_answers_of_the_peer(strategy, weight):
    ours = fitted(strategy, weight=weight)
    theirs = Peer(strategy=strategy, constant=ours.constant).fit(X, Y, weight)
    assert np.array_equal(ours.predict(X), theirs.predict(X))
    assert np.allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-15)
    with np.errstate(divide="ignore"):
        assert np.allclose(ours.predict_log_proba(X), theirs.predict_log_proba(X))
    assert np.allclose(ours.class_prior_, theirs.class_prior_, atol=1e-15)
    assert (ours.n_classes_, ours.n_outputs_) == (theirs.n_classes_, theirs.n_outputs_)
    assert ours.n_features_in_ == theirs.n_features_in_
    assert ours.score(X, Y) == theirs.score(X, Y)
    assert ours.score(None, Y, weight) == theirs.score(None, Y, weight)


@pytest.mark.parametrize("strategy", DRAWN)
def test_draws_have_the_shares_they_should(strategy):
    model = fitted(strategy, random_state=0)
    answers = model.predict(np.zeros((20_000, 1)))
    expected = 9 / 14 if strategy == "stratified" else 0.5
    assert abs((answers == "Yes").mean() - expected) < 4 * np.sqrt(0.25 / 20_000)
    assert np.array_equal(answers, model.predict(np.zeros((20_000, 1))))
    chances = model.predict_proba(X)
    assert np.allclose(chances.sum(axis=1), 1.0)
    assert set(np.unique(chances)) == ({0.0, 1.0} if strategy == "stratified" else {0.5})


def test_a_class_without_weight_is_never_drawn():
    y, weight = np.array(["a", "b", "c"]), np.array([1.0, 0.0, 1.0])
    model = fitted("stratified", y=y, rows=None, weight=weight, random_state=3)
    assert set(model.predict(np.zeros(5000))) == {"a", "c"}


@pytest.mark.parametrize("strategy", SURE)
def test_several_outputs(strategy):
    y = np.array([["a", "x"], ["b", "x"], ["a", "z"], ["a", "z"], ["b", "z"]])
    constant = ["b", "x"] if strategy == "constant" else None
    ours = DummyClassifier(strategy=strategy, constant=constant).fit(y, y)
    theirs = Peer(strategy=strategy, constant=constant).fit(y, y)
    assert np.array_equal(ours.predict(y), theirs.predict(y))
    for mine, other in zip(ours.predict_proba(y), theirs.predict_proba(y), strict=True):
        assert np.allclose(mine, other)
    assert len(ours.predict_log_proba(y)) == 2
    assert ours.n_outputs_ == theirs.n_outputs_ == 2
    assert ours.n_classes_ == theirs.n_classes_
    why = learnable.explain(ours, y[:1])[0]
    assert why.prediction == tuple(ours.predict(y)[0])
    again = from_bytes(to_bytes(ours))
    assert np.array_equal(again.predict(y), ours.predict(y))


def test_drawn_outputs_have_one_column_each():
    y = np.array([[0, 5], [1, 5], [1, 6]])
    for strategy in DRAWN:
        assert DummyClassifier(strategy=strategy).fit(y, y).predict(y).shape == (3, 2)


ROWS = {
    "text": np.array([["a"], ["b"], ["c"]]),
    "missing": [[np.nan], [np.inf], [1.0]],
    "list of text": ["one", "two", "three"],
    "sparse": sp.csr_array(np.eye(3)),
    "frame": pd.DataFrame({"u": ["a", "b", None], "v": [1, 2, 3]}),
    "three axes": np.zeros((3, 2, 2)),
}


@pytest.mark.parametrize("rows", ROWS.values(), ids=ROWS)
def test_any_rows_will_do(rows):
    model = DummyClassifier().fit(rows, [1, 1, 2])
    assert model.predict(rows).tolist() == [1, 1, 1]


def test_names_of_columns_are_learned_from_frames():
    model = DummyClassifier().fit(ROWS["frame"], [1, 1, 2])
    assert model.feature_names_in_.tolist() == ["u", "v"]
    model.fit(ROWS["list of text"], [1, 1, 2])
    assert not hasattr(model, "feature_names_in_")
    assert not hasattr(model, "n_features_in_")


@pytest.mark.parametrize(
    ("strategy", "summary"),
    [
        ("prior", "Always Yes: the most frequent of 2 classes, 64.3% of the weight."),
        ("most_frequent", "Always Yes: the most frequent of 2 classes, 64.3% of the weight."),
        ("constant", "Always No: the stated constant, 35.7% of the weight."),
        ("uniform", "Yes here: drawn evenly from 2 classes, 64.3% of the weight."),
        ("stratified", "Yes here: drawn by the shares of 2 classes, 64.3% of the weight."),
    ],
)
def test_explanations(strategy, summary):
    model = fitted(strategy, random_state=0)
    reasons = learnable.explain(model, X)
    assert [why.prediction for why in reasons] == model.predict(X).tolist()
    assert summary in {why.summary for why in reasons}
    assert reasons[0].kind == "rule"
    assert sum(part.weight for part in reasons[0].parts) == pytest.approx(1.0)


def test_certificate_on_new_rows():
    X, y = load_iris(return_X_y=True)
    model = DummyClassifier().fit(X[::2], y[::2])
    certificate = learnable.certify(model, X[1::2], y[1::2])
    assert certificate.kind == "guaranteed"
    assert certificate.value == pytest.approx(1 / 3)
    assert certificate.low < 1 / 3 < certificate.high
    with pytest.raises(ParameterError, match="training rows"):
        learnable.certify(model, X, y, role="train")


def test_trace_tells_the_shares():
    with learnable.tracing() as trace:
        fitted("prior")
    assert trace.steps() == ["shares"]
    found = trace.events[0]._asdict()["values"]
    assert found["classes"] == ["No", "Yes"]
    assert found["shares"] == [5 / 14, 9 / 14]


@pytest.mark.parametrize("strategy", SURE)
def test_files(strategy):
    model = fitted(strategy)
    again = from_bytes(to_bytes(model))
    assert to_bytes(again) == to_bytes(model)
    assert np.array_equal(again.predict(X), model.predict(X))
    assert np.array_equal(again.predict_proba(X), model.predict_proba(X))


@pytest.mark.parametrize(
    "change",
    [{"class_prior_": np.array([0.5, 0.4])}, {"class_prior_": np.ones(1)}, {"n_outputs_": 2}],
)
def test_contradicting_state_is_refused(change):
    model = fitted("prior")
    vars(model).update(change)
    with pytest.raises(LearnableError):
        to_bytes(model)


def test_shares_of_outputs_must_fit_their_classes():
    model = DummyClassifier().fit(None, [["a", "x"], ["b", "x"]])
    model.class_prior_ = [np.array([0.5, 0.5]), np.array([0.5, 0.5])]
    with pytest.raises(LearnableError, match="add up to 1"):
        to_bytes(model)


def test_errors_say_what_is_wrong():
    with pytest.raises(TypeError, match="Constant target value"):
        DummyClassifier(strategy="constant").fit(X, Y)
    with pytest.raises(ParameterError, match="must be present in the training data: 'Perhaps'"):
        DummyClassifier(strategy="constant", constant="Perhaps").fit(X, Y)
    with pytest.raises(ParameterError, match="one label an output: 1, not 2"):
        DummyClassifier(strategy="constant", constant=["Yes", "No"]).fit(X, Y)
    with pytest.raises(ParameterError, match="strategy of DummyClassifier"):
        DummyClassifier(strategy="wild").fit(X, Y)
    with pytest.raises(DataError, match=r"inconsistent numbers of samples: \[13, 14\]"):
        DummyClassifier().fit(X[1:], Y)
    with pytest.raises(DataError, match="must not be empty"):
        DummyClassifier().fit(X, [])
    with pytest.raises(NotFittedError):
        DummyClassifier().predict(X)
    with pytest.raises(TypeError, match="Expected sequence"):
        fitted("prior").predict(3)
