"""Scorers: scikit-learn's names and figures, in its own searches."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from sklearn import metrics as peers
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_validate
from sklearn.multioutput import MultiOutputClassifier
from sklearn.naive_bayes import GaussianNB as PeerNB

from learnable.core import ParameterError
from learnable.metrics import f1_score, fbeta_score, get_scorer, get_scorer_names, make_scorer
from learnable.naive_bayes import GaussianNB
from tests.metrics.draws import quietly

rng = np.random.default_rng(0)
X = rng.normal(size=(120, 3))
TWO = (X[:, 0] + rng.normal(size=120) > 0).astype(int)
THREE = TWO + (X[:, 1] > 0.5)
LABELS = np.stack([TWO, X[:, 2] > 0], axis=1).astype(int)
SEVERAL = ("_macro", "_micro", "_weighted", "_ovr", "_ovo")


@pytest.mark.parametrize("name", get_scorer_names())
def test_scikit_learns_figures(name):
    if "samples" in name:
        model, y = MultiOutputClassifier(PeerNB()).fit(X, LABELS), LABELS
    elif any(end in name for end in SEVERAL):
        model, y = GaussianNB().fit(X, THREE), THREE
    elif "error" in name or name in ("r2", "explained_variance"):
        model, y = LinearRegression().fit(X, X[:, 0] + TWO), X[:, 0] + TWO
    else:
        model, y = GaussianNB().fit(X, TWO), TWO
    ours, theirs = get_scorer(name), peers.get_scorer(name)
    found = quietly(ours, model, X, y)
    assert found == pytest.approx(quietly(theirs, model, X, y), rel=1e-10)
    assert quietly(pickle.loads(pickle.dumps(ours)), model, X, y) == found  # noqa: S301


@pytest.mark.parametrize("name", ["neg_log_loss", "neg_brier_score", "roc_auc_ovr"])
def test_probabilities_of_several_classes(name):
    model = GaussianNB().fit(X, THREE)
    made = get_scorer(name)(model, X, THREE)
    assert made == pytest.approx(peers.get_scorer(name)(model, X, THREE), rel=1e-10)


def test_rows_that_lack_a_class():
    model = GaussianNB().fit(X, THREE)
    few = THREE < 2
    made = get_scorer("neg_log_loss")(model, X[few], THREE[few])
    proba = model.predict_proba(X[few])
    assert made == pytest.approx(-peers.log_loss(THREE[few], proba, labels=[0, 1, 2]))


@pytest.mark.parametrize("model", [LogisticRegression(), RandomForestClassifier(9, random_state=0)])
def test_text_labels_and_the_positive_class(model):
    y = np.array(["no", "yes"])[TWO]
    model.fit(X, y)
    for positive in ("no", "yes"):
        options = {
            "response_method": ("decision_function", "predict_proba"),
            "pos_label": positive,
        }
        ours = make_scorer(get_scorer("average_precision")._score_func, **options)
        theirs = peers.make_scorer(peers.average_precision_score, **options)
        assert ours(model, X, y) == pytest.approx(theirs(model, X, y), rel=1e-10)


def test_weights():
    model, weight = GaussianNB().fit(X, TWO), rng.random(120)
    ours = make_scorer(fbeta_score, beta=2.0)(model, X, TWO, sample_weight=weight)
    theirs = peers.fbeta_score(TWO, model.predict(X), beta=2.0, sample_weight=weight)
    assert ours == pytest.approx(theirs, rel=1e-12)


@pytest.mark.parametrize("name", ["roc_auc", "neg_log_loss", "f1"])
def test_scikit_learns_grid_search(name):
    grid = {"var_smoothing": [1e-9, 0.1, 1.0]}
    ours, theirs = (
        GridSearchCV(PeerNB(), grid, scoring=scoring, cv=3).fit(X, TWO)
        for scoring in (get_scorer(name), name)
    )
    assert ours.cv_results_["mean_test_score"] == pytest.approx(
        theirs.cv_results_["mean_test_score"], rel=1e-10
    )
    assert ours.best_params_ == theirs.best_params_


def test_several_scorers_at_once():
    scoring = {name: get_scorer(name) for name in ("accuracy", "roc_auc")}
    found = cross_validate(PeerNB(), X, TWO, scoring=scoring, cv=3)
    peer = cross_validate(PeerNB(), X, TWO, scoring=list(scoring), cv=3)
    for name in scoring:
        assert found[f"test_{name}"] == pytest.approx(peer[f"test_{name}"])


def test_names_are_a_part_of_scikit_learns():
    assert set(get_scorer_names()) <= set(peers.get_scorer_names())


def test_what_is_refused():
    with pytest.raises(ParameterError, match="not a valid scoring value"):
        get_scorer("acuracy")
    with pytest.raises(ParameterError, match="response_method"):
        make_scorer(f1_score, response_method="transform")
    with pytest.raises(AttributeError, match="LinearRegression has none"):
        get_scorer("neg_log_loss")(LinearRegression().fit(X, TWO), X, TWO)
    assert get_scorer(f1_score) is f1_score
