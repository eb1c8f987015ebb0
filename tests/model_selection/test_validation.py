from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import KFold
from sklearn.model_selection import cross_val_predict as their_predict
from sklearn.model_selection import cross_validate as their_validate

from learnable.core import DataError, ParameterError, Threads, config, serial
from learnable.data import Table
from learnable.datasets import load_iris
from learnable.dummy import DummyRegressor
from learnable.model_selection import (
    FoldPlan,
    cross_val_predict,
    cross_val_score,
    cross_validate,
)
from learnable.naive_bayes import GaussianNB

X, Y = load_iris(return_X_y=True)
PLAN = FoldPlan("k-fold", len(Y), folds=4, repeats=2, classes=Y)


@pytest.mark.parametrize("estimator", [GaussianNB(), LogisticRegression(max_iter=300)])
@pytest.mark.parametrize("cv", [PLAN, KFold(5, shuffle=True, random_state=0), list(PLAN)])
def test_scores_are_scikit_learns_on_the_same_folds(estimator, cv):
    ours = cross_validate(estimator, X, Y, cv=cv, return_train_score=True)
    theirs = their_validate(estimator, X, Y, cv=cv, return_train_score=True)
    assert set(ours) == set(theirs)
    for name in ("test_score", "train_score"):
        np.testing.assert_allclose(ours[name], theirs[name], rtol=1e-12)


@pytest.mark.parametrize("method", ["predict", "predict_proba"])
def test_answers_are_scikit_learns_on_the_same_folds(method):
    cv = FoldPlan("k-fold", len(Y), folds=4, classes=Y)
    ours = cross_val_predict(GaussianNB(), X, Y, cv=cv, method=method)
    np.testing.assert_array_equal(ours, their_predict(GaussianNB(), X, Y, cv=cv, method=method))
    with pytest.raises(DataError, match="exactly once"):
        cross_val_predict(GaussianNB(), X, Y, cv=PLAN)


def test_the_runner_changes_nothing():
    with config(runner=serial):
        expected = cross_val_score(GaussianNB(), X, Y, cv=PLAN)
    with config(runner=Threads(3)):
        np.testing.assert_array_equal(cross_val_score(GaussianNB(), X, Y, cv=PLAN), expected)


@pytest.mark.parametrize("form", [pd.DataFrame, sp.csr_array, np.ndarray.tolist, Table.of])
def test_rows_of_any_form_are_cut(form):
    estimator = LogisticRegression(max_iter=300) if form is sp.csr_array else GaussianNB()
    expected = cross_val_score(estimator, X, Y, cv=3)
    np.testing.assert_allclose(cross_val_score(estimator, form(X), Y, cv=3), expected)


def test_the_target_of_a_table_is_taken():
    frame = load_iris(as_frame=True).frame
    table = Table.of(frame).changed({frame.columns[-1]: {"role": "target"}})
    expected = cross_val_score(GaussianNB(), X, Y)
    np.testing.assert_array_equal(cross_val_score(GaussianNB(), table), expected)


def test_folds_of_a_classifier_hold_the_classes_in_proportion():
    found = cross_validate(GaussianNB(), X, Y, return_indices=True, return_estimator=True)
    for test in found["indices"]["test"]:
        assert np.unique(Y[test], return_counts=True)[1].tolist() == [10, 10, 10]
    assert all(model.class_count_.tolist() == [40.0] * 3 for model in found["estimator"])


def test_weights_are_cut_with_the_rows():
    weight = np.random.default_rng(0).integers(0, 3, len(Y)).astype(float)
    found = cross_validate(
        GaussianNB(), X, Y, cv=PLAN, params={"sample_weight": weight}, return_estimator=True
    )
    for model, (train, _) in zip(found["estimator"], PLAN, strict=True):
        assert model.class_count_.sum() == weight[train].sum()


class FailsSometimes(ClassifierMixin, BaseEstimator):
    fits = 0

    def fit(self, X, y):
        type(self).fits += 1
        if len(X) % 2:
            msg = "an odd number of rows"
            raise ValueError(msg)
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.repeat(self.classes_[:1], len(X))


def test_a_fit_that_fails_is_named_or_raised():
    cv = [(np.arange(50), np.arange(50, 60)), (np.arange(51), np.arange(60, 70))]
    with pytest.warns(UserWarning, match="Fold 1 counts nan: its fit failed .an odd number"):
        found = cross_val_score(FailsSometimes(), X, Y, cv=cv)
    assert np.isnan(found).tolist() == [False, True]
    with pytest.raises(ValueError, match="an odd number"):
        cross_val_score(FailsSometimes(), X, Y, cv=cv, error_score="raise")


def test_a_run_that_was_cut_off_goes_on_from_its_checkpoint(tmp_path):
    file = tmp_path / "folds.jsonl"
    expected = cross_val_score(GaussianNB(), X, Y, cv=PLAN)
    whole = cross_val_score(GaussianNB(), X, Y, cv=PLAN, checkpoint=file)
    np.testing.assert_array_equal(whole, expected)
    lines = file.read_bytes().split(b"\n")
    assert len(lines) == len(PLAN) + 1
    for kept in range(0, len(file.read_bytes()), 97):
        torn = tmp_path / f"torn-{kept}.jsonl"
        torn.write_bytes(file.read_bytes()[:kept])
        again = cross_val_score(GaussianNB(), X, Y, cv=PLAN, checkpoint=torn)
        np.testing.assert_array_equal(again, expected)


def test_a_checkpoint_is_not_taken_for_another_run(tmp_path):
    file = tmp_path / "folds.jsonl"
    cross_val_score(GaussianNB(), X, Y, cv=PLAN, checkpoint=file)
    FailsSometimes.fits = 0
    cv = [(np.arange(50), np.arange(50, 60))]
    cross_val_score(FailsSometimes(), X, Y, cv=cv, checkpoint=file)
    assert FailsSometimes.fits == 1
    cross_val_score(FailsSometimes(), X, Y, cv=cv, checkpoint=file)
    assert FailsSometimes.fits == 1
    with pytest.raises(ParameterError, match="not fitted estimators"):
        cross_validate(GaussianNB(), X, Y, checkpoint=file, return_estimator=True)


def test_several_scores_at_once():
    found = cross_validate(
        DummyRegressor(),
        X,
        X[:, 0],
        scoring={"own": lambda m, X, y: m.score(X, y), "two": lambda *_: 2},
    )
    assert found["test_two"].tolist() == [2.0] * 5
    assert (found["test_own"] <= 0.0).all()


def test_scores_by_their_names():
    names = ["accuracy", "balanced_accuracy", "neg_log_loss"]
    ours = cross_validate(GaussianNB(), X, Y, cv=PLAN, scoring=names)
    theirs = their_validate(GaussianNB(), X, Y, cv=PLAN, scoring=names)
    for name in names:
        np.testing.assert_allclose(ours[f"test_{name}"], theirs[f"test_{name}"])
    found = cross_val_score(GaussianNB(), X, Y, cv=PLAN, scoring="accuracy")
    np.testing.assert_allclose(found, ours["test_accuracy"])


def test_answers_to_a_table_with_a_target():
    frame = load_iris(as_frame=True).frame
    table = Table.of(frame).changed({frame.columns[-1]: {"role": "target"}})
    cv = FoldPlan("k-fold", len(Y), folds=3, classes=Y)
    expected = cross_val_predict(GaussianNB(), X, Y, cv=cv)
    np.testing.assert_array_equal(cross_val_predict(GaussianNB(), table, cv=cv), expected)
