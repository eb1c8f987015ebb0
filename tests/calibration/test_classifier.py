"""Calibrated classifiers: scikit-learn's probabilities, and what they promise."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.calibration import CalibratedClassifierCV as Theirs
from sklearn.datasets import make_classification
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold, StratifiedKFold
from sklearn.naive_bayes import GaussianNB as TheirBayes
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import LinearSVC

import learnable
from learnable.calibration import CalibratedClassifierCV
from learnable.core import DataError, ParameterError
from learnable.metrics import log_loss
from learnable.naive_bayes import GaussianNB

METHODS = ["sigmoid", "isotonic", "temperature"]
DATA = {
    k: make_classification(300, 8, n_informative=6, n_classes=k, random_state=k) for k in (2, 4)
}


@pytest.mark.parametrize("ensemble", [True, False])
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("inner", [LinearSVC(), TheirBayes()], ids=["scores", "probabilities"])
@pytest.mark.parametrize("k", [2, 4])
def test_scikit_learns_probabilities(k, inner, method, ensemble):
    X, y = DATA[k]
    options = {"method": method, "cv": StratifiedKFold(3), "ensemble": ensemble}
    ours = CalibratedClassifierCV(inner, **options).fit(X, y)
    theirs = Theirs(inner, **options).fit(X, y)
    # Theirs stops at a gradient of 1e-6; isotonic steps are exact on both sides.
    assert ours.predict_proba(X) == pytest.approx(theirs.predict_proba(X), abs=3e-7)
    assert len(ours.calibrated_classifiers_) == (3 if ensemble else 1)


@pytest.mark.parametrize("method", METHODS)
def test_weights(method):
    X, y = DATA[2]
    weight = np.random.default_rng(0).random(len(y)) + 0.1
    options = {"method": method, "cv": StratifiedKFold(3)}
    ours = CalibratedClassifierCV(TheirBayes(), **options).fit(X, y, weight)
    theirs = Theirs(TheirBayes(), **options).fit(X, y, weight)
    assert ours.predict_proba(X) == pytest.approx(theirs.predict_proba(X), abs=3e-7)
    with pytest.warns(UserWarning, match="does not appear to accept sample_weight"):
        CalibratedClassifierCV(KNeighborsClassifier()).fit(X, y, weight)


def test_a_frozen_model_is_left_as_it_is():
    X, y = DATA[2]
    frozen = FrozenEstimator(TheirBayes().fit(X[:150], y[:150]))
    ours = CalibratedClassifierCV(frozen).fit(X[150:], y[150:])
    assert len(ours.calibrated_classifiers_) == 1
    theirs = Theirs(frozen, cv=3).fit(X[150:], y[150:])
    assert ours.predict_proba(X) == pytest.approx(theirs.predict_proba(X), abs=3e-7)


def test_calibration_helps_an_overconfident_model():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 2000)
    X = np.repeat(rng.normal(size=(2000, 1)) + y[:, None], 8, axis=1)
    raw = GaussianNB().fit(X[:1000], y[:1000])
    before = log_loss(y[1000:], raw.predict_proba(X[1000:]))
    for method in METHODS:
        made = CalibratedClassifierCV(GaussianNB(), method=method).fit(X[:1000], y[:1000])
        assert log_loss(y[1000:], made.predict_proba(X[1000:])) < 0.8 * before


def test_frames_words_and_rare_classes():
    X, y = DATA[2]
    frame = pd.DataFrame(X, columns=[f"c{j}" for j in range(8)])
    words = np.where(y == 1, "yes", "no")
    made = CalibratedClassifierCV().fit(frame, words)
    assert made.feature_names_in_.tolist() == frame.columns.tolist()
    assert set(made.predict(frame)) == {"yes", "no"}
    few = CalibratedClassifierCV().fit(X[:40], np.r_[np.zeros(37), np.ones(3)])
    assert len(few.calibrated_classifiers_) == 3


def test_a_class_that_a_fold_has_not_seen():
    X, y = DATA[4]
    rows = np.arange(len(y))
    splits = [(rows[y != 3], rows[::2]), (rows, rows[1::2])]
    made = CalibratedClassifierCV(TheirBayes(), cv=splits).fit(X, y)
    found = made.predict_proba(X)
    assert found.sum(axis=1) == pytest.approx(1.0)
    with pytest.raises(DataError, match="without one of the classes"):
        CalibratedClassifierCV(TheirBayes(), method="temperature", cv=splits).fit(X, y)


@pytest.mark.parametrize("method", METHODS)
def test_constant_scores_and_ties(method):
    y = np.arange(40) % 2
    tied = np.tile([[1.0], [2.0], [2.0], [1.0]], (10, 1))
    made = CalibratedClassifierCV(method=method, cv=2).fit(tied, y)
    assert np.isfinite(made.predict_proba([[1.0], [2.0]])).all()
    flat = CalibratedClassifierCV(LogisticRegression(), method=method).fit(np.ones((40, 1)), y)
    assert flat.predict_proba([[1.0]]) == pytest.approx(0.5, abs=0.01)


def test_it_answers_the_four_questions(tmp_path):
    X, y = DATA[2]
    with learnable.tracing() as trace:
        made = CalibratedClassifierCV(GaussianNB(), method="isotonic").fit(X[:200], y[:200])
    assert len(trace.only("map")) == 5
    why = learnable.explain(made, X[:3])
    for one, chance in zip(why, made.predict_proba(X[:3]).max(axis=1), strict=True):
        assert one.score == pytest.approx(chance)
        assert len(one.parts) == 5
    sure = learnable.certify(made, X[200:], y[200:])
    assert sure.kind == "guaranteed"
    with pytest.raises(DataError, match="were among the training rows"):
        learnable.certify(made, X[:150], y[:150])
    learnable.save(made, tmp_path / "calibrated.model")
    again = learnable.load(tmp_path / "calibrated.model")
    np.testing.assert_array_equal(again.predict_proba(X), made.predict_proba(X))


def test_sparse_rows_and_documents():
    from scipy.sparse import csr_matrix
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.naive_bayes import MultinomialNB
    from sklearn.pipeline import make_pipeline

    X, y = DATA[2]
    counts = csr_matrix(np.abs(X).astype(int))
    made = CalibratedClassifierCV(MultinomialNB()).fit(counts[:200], y[:200])
    assert made.predict_proba(counts).shape == (300, 2)
    assert learnable.certify(made, counts[200:], y[200:]).n == 100
    words = np.array(["good fine", "bad poor", "fine", "poor bad"] * 10, dtype=object)
    text = make_pipeline(CountVectorizer(), MultinomialNB())
    told = CalibratedClassifierCV(text, cv=3).fit(words, ["yes", "no"] * 20)
    assert told.predict(words[:2]).tolist() == ["yes", "no"]
    assert told.fingerprint_ is None


def test_what_is_refused():
    X, y = DATA[2]
    with pytest.raises(DataError, match="one class only"):
        CalibratedClassifierCV().fit(X, np.zeros(len(y)))
    with pytest.raises(DataError, match="less than 5 examples"):
        CalibratedClassifierCV(cv=5).fit(X[:40], np.r_[np.zeros(37), np.ones(3)])
    splits = [(np.arange(300), np.arange(100))] * 2
    with pytest.raises(DataError, match="two folds"):
        CalibratedClassifierCV(cv=splits, ensemble=False).fit(X, y)
    with pytest.raises(ParameterError, match="method"):
        CalibratedClassifierCV(method="platt").fit(X, y)
    with pytest.raises(DataError, match="negative weight"):
        CalibratedClassifierCV().fit(X, y, np.full(len(y), -1.0))
    with pytest.raises(DataError, match=r"NaN|missing"):
        CalibratedClassifierCV().fit(np.where(X > 2, np.nan, X), y)
    groups = GroupKFold(3).split(X, y, np.arange(len(y)) % 7)
    assert len(CalibratedClassifierCV(cv=list(groups)).fit(X, y).calibrated_classifiers_) == 3
