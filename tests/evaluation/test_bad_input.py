"""Bad input to every test of a difference: refused by name, or a verdict that says nothing."""

from __future__ import annotations

import numpy as np
import pytest

from learnable.core import DataError
from learnable.datasets import load_iris
from learnable.dummy import DummyClassifier
from learnable.evaluation import (
    bayesian_signed_rank,
    bonferroni_dunn,
    compare,
    corrected_resampled_t,
    correlated_t,
    five_by_two_f,
    five_by_two_t,
    friedman,
    hierarchical,
    holm,
    nemenyi,
    paired_t,
    sign_test,
    welch_t,
    wilcoxon,
)
from learnable.model_selection import (
    bootstrap_error,
    cross_val_predict,
    cross_validate,
    learning_curve,
)
from learnable.naive_bayes import GaussianNB
from learnable.resampling import FoldPlan

RNG = np.random.default_rng(0)
A, B = RNG.random(10), RNG.random(10)
PAIRS = {
    "paired_t": paired_t,
    "corrected_resampled_t": lambda a, b: corrected_resampled_t(a, b, ratio=1 / 9),
    "welch_t": welch_t,
    "five_by_two_t": five_by_two_t,
    "five_by_two_f": five_by_two_f,
    "sign_test": sign_test,
    "wilcoxon": wilcoxon,
    "correlated_t": lambda a, b: correlated_t(a, b, ratio=1 / 9),
    "bayesian_signed_rank": bayesian_signed_rank,
}
TABLES = {
    "friedman": friedman,
    "nemenyi": nemenyi,
    "holm": holm,
    "bonferroni_dunn": lambda t: bonferroni_dunn(t, control="a"),
}
each_pair = pytest.mark.parametrize("test", PAIRS.values(), ids=PAIRS)
each_table = pytest.mark.parametrize("test", TABLES.values(), ids=TABLES)


@each_pair
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_a_score_that_is_not_finite(test, bad):
    with pytest.raises(DataError, match="not finite"):
        test(np.append(A[:9], bad), B)


@each_pair
def test_none_and_words(test):
    with pytest.raises(DataError):
        test([], [])
    with pytest.raises(DataError):
        test(["high"] * 10, B)
    if test is not welch_t:
        with pytest.raises(DataError):
            test(A[:7], B)


@each_pair
def test_no_difference_at_all(test):
    """Equal scores everywhere: no verdict, whatever the spread."""
    try:
        found = test(A, A)
    except DataError:
        return
    assert not found.told_apart
    assert found.effect == pytest.approx(0.0, abs=1e-12) or found.effect == pytest.approx(0.5)


@each_pair
def test_zero_variance_is_refused_or_said(test):
    """The same difference everywhere: tests that need a spread refuse it, by name."""
    try:
        found = test(A + 0.25, A)
    except DataError:
        return
    assert np.isfinite(found.statistic) or found.statistic == np.inf
    assert found.p is None or 0.0 <= found.p <= 1.0


@each_table
def test_tables_that_cannot_be_ranked(test):
    with pytest.raises(DataError):
        test({"a": [0.5, np.nan, 0.2], "b": [0.1, 0.2, 0.3], "c": [0.3, 0.1, 0.2]})
    with pytest.raises(DataError):
        test({"a": [0.5, 0.4], "b": [0.1], "c": [0.3, 0.1]})
    with pytest.raises(DataError):
        test({"a": [0.5, 0.4]})


@each_table
def test_ties_everywhere(test):
    flat = {name: [0.5] * 8 for name in "abc"}
    found = test(flat)
    pairs = getattr(found, "pairs", (found,))
    assert not any(pair.told_apart for pair in pairs)


def test_hierarchical():
    gaps = RNG.normal(size=(5, 10))
    for broken in (np.where(gaps > 1, np.nan, gaps), gaps[:, :1], gaps[0]):
        with pytest.raises(DataError):
            hierarchical(broken, ratio=1 / 9)


X, Y = load_iris(return_X_y=True)


def test_one_class_in_a_fold():
    """Folds of a sorted table: each asks a class that was not learned, and is judged wrong."""
    splits = [(np.flatnonzero(c != Y), np.flatnonzero(c == Y)) for c in np.unique(Y)]
    found = cross_validate(GaussianNB(), X, Y, cv=splits)
    assert found["test_score"].tolist() == [0.0, 0.0, 0.0]
    assert not (cross_val_predict(GaussianNB(), X, Y, cv=splits) == Y).any()
    alone = [(np.arange(50), np.arange(50, 60))]
    assert cross_validate(GaussianNB(), X, Y, cv=alone)["test_score"].tolist() == [0.0]


def test_rows_that_cannot_be_dealt():
    with pytest.raises(DataError, match="single row"):
        FoldPlan("k-fold", 5, folds=2, classes=["a", "a", "a", "a", "b"])
    with pytest.raises(DataError, match="cannot be dealt"):
        cross_validate(GaussianNB(), X[:3], Y[:3], cv=5)
    for name in ("classes", "groups"):
        with pytest.raises(DataError, match=name):
            FoldPlan("k-fold", 6, folds=2, **{name: ["a", None, "a", "b", "b", "b"]})


def test_a_constant_learner_and_nan_in_the_rows():
    same = {"one": DummyClassifier(), "two": DummyClassifier(strategy="most_frequent")}
    found = compare(same, X, Y)
    assert not found.pairs[0].told_apart
    assert found.pairs[0].effect == 0.0
    holed = np.where(X > 6, np.nan, X)
    for function in (learning_curve, bootstrap_error):
        with pytest.raises(DataError):
            function(GaussianNB(), holed, Y)
    with pytest.raises(DataError):
        cross_validate(GaussianNB(), holed, Y, error_score="raise")
