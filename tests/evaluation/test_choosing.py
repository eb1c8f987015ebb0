"""Choosing the test: what fits what is given, and what cannot be decided at all."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

from learnable.core import DataError, ParameterError
from learnable.data import Table
from learnable.datasets import load_iris
from learnable.dummy import DummyClassifier, DummyRegressor
from learnable.evaluation import compare, corrected_resampled_t, wilcoxon
from learnable.evaluation.over_sets import least_data_sets
from learnable.model_selection import FoldPlan, cross_val_score
from learnable.naive_bayes import GaussianNB

X, Y = load_iris(return_X_y=True)
BAYES, TREE = GaussianNB(), DecisionTreeClassifier(max_depth=2, random_state=0)
PLAN = FoldPlan("k-fold", 150, folds=5, repeats=2, classes=Y)


def test_learners_on_one_data_set_by_the_corrected_test():
    found = compare([BAYES, TREE], X, Y, plan=PLAN)
    scores = [cross_val_score(one, X, Y, cv=PLAN) for one in (BAYES, TREE)]
    assert found.pairs[0].p == corrected_resampled_t(*scores, ratio=1 / 4).p
    assert found.names == ("GaussianNB", "DecisionTreeClassifier")
    assert found.method == "corrected resampled t test"
    assert "share training rows" in found.why
    assert any("learning from 120 of the 150 rows" in note for note in found.notes)


def test_results_of_a_plan_are_compared_as_the_learners_were():
    scores = {
        "bayes": cross_val_score(BAYES, X, Y, cv=PLAN),
        "tree": cross_val_score(TREE, X, Y, cv=PLAN),
    }
    found = compare(scores, plan=PLAN)
    assert found.pairs[0].p == compare({"bayes": BAYES, "tree": TREE}, X, Y, plan=PLAN).pairs[0].p


def test_the_default_is_ten_repeats_of_ten_folds():
    found = compare({"bayes": BAYES, "tree": TREE, "none": DummyClassifier()}, X, Y)
    assert found.n == 100
    assert found.method.endswith("adjusted by Holm")
    assert found.order() == [0, 1, 2]
    assert any("A fold asks 15 rows only" in note for note in found.notes)


def test_a_difference_that_is_the_same_in_every_fold():
    stump = DecisionTreeClassifier(max_depth=1)
    found = compare({"stump": stump, "none": DummyClassifier()}, X, Y)
    assert found.pairs[0].told_apart
    assert found.pairs[0].low < 1 / 3 < found.pairs[0].high
    assert any("the same in every fold" in note for note in found.notes)
    half_a_row = 0.5 / 15 * np.sqrt(100 / 99)
    wanted = 1.98422 * half_a_row * np.sqrt(1 / 100 + 1 / 9)
    assert found.pairs[0].high - 1 / 3 == pytest.approx(wanted, rel=1e-4)
    with pytest.raises(DataError, match="all the same"):
        compare({"a": np.full(10, 0.5), "b": np.full(10, 0.123)}, plan=PLAN)


def test_regressors_too():
    y = X[:, 3]
    found = compare(
        {"mean": DummyRegressor(), "median": DummyRegressor(strategy="median")}, X[:, :3], y
    )
    assert found.n == 100


def test_seven_and_more_data_sets_by_wilcoxon():
    rng = np.random.default_rng(0)
    scores = {"a": {k: 0.8 + 0.01 * rng.random() for k in range(9)}}
    scores["b"] = {k: v - 0.05 for k, v in scores["a"].items()}
    found = compare(scores)
    a, b = (np.array(list(one.values())) for one in scores.values())
    assert found.pairs[0].p == wilcoxon(a, b).p
    assert found.overall is None
    assert "Wilcoxon" in found.method
    scores["c"] = scores["b"]
    found = compare(scores)
    assert found.overall.method.startswith("Friedman")
    assert not found.between("b", "c").told_apart
    assert any("b and c score the same on 9 of 9" in note for note in found.notes)
    assert compare(scores, lower_is_better=True).order()[-1] == 0


def test_fold_scores_of_several_data_sets_are_averaged():
    rng = np.random.default_rng(1)
    folds = {name: {k: rng.random(10) for k in range(8)} for name in "ab"}
    means = {name: {k: v.mean() for k, v in one.items()} for name, one in folds.items()}
    assert compare(folds).pairs[0].p == compare(means).pairs[0].p


def test_learners_on_several_data_sets():
    sets = {k: (X[k::6], Y[k::6]) for k in range(6)}
    found = compare([BAYES, DummyClassifier()], sets)
    assert found.n == 6
    assert found.pairs[0].p == pytest.approx(2 / 2**6)
    with pytest.raises(ParameterError, match="a plan is of one data set"):
        compare([BAYES, TREE], sets, plan=PLAN)


@pytest.mark.parametrize(("pairs", "least"), [(1, 6), (3, 7), (10, 9)])
def test_too_few_data_sets_are_refused_with_how_many_would_do(pairs, least):
    assert least_data_sets(pairs, 0.95) == least
    assert 2 / 2**least <= 0.05 / pairs < 2 / 2 ** (least - 1)
    k = {1: 2, 3: 3, 10: 5}[pairs]
    scores = {f"l{j}": {i: i + j for i in range(least - 1)} for j in range(k)}
    with pytest.raises(DataError, match=f"Give {least} data sets or more"):
        compare(scores)


def test_what_is_missing_is_named():
    with pytest.raises(DataError, match="nothing to compare with: 1"):
        compare([BAYES], X, Y)
    with pytest.raises(DataError, match="no rows to learn from"):
        compare([BAYES, TREE])
    with pytest.raises(DataError, match="no learners to learn from it"):
        compare({"a": [1, 2], "b": [2, 1]}, X)
    with pytest.raises(DataError, match="Give the plan of the folds"):
        compare({"a": [1, 2], "b": [2, 1]})
    with pytest.raises(ParameterError, match="different names"):
        compare([BAYES, TREE], X, Y, names=["a", "a"])


def test_learners_of_one_class_are_numbered():
    found = compare([TREE, DecisionTreeClassifier(max_depth=1), BAYES], X, Y, plan=PLAN)
    assert found.names == ("DecisionTreeClassifier 1", "DecisionTreeClassifier 2", "GaussianNB")


def test_tables_bring_their_answers():
    columns = {f"x{j}": X[:, j] for j in range(4)} | {"kind": np.asarray(Y).astype(str)}
    table = Table.of(columns).changed({"kind": {"role": "target"}})
    found = compare({"bayes": BAYES, "none": DummyClassifier()}, table)
    assert found.n == 100
    assert found.pairs[0].told_apart


def test_rare_and_missing_classes():
    rare = np.where(np.arange(150) < 4, "rare", "common").astype(object)
    assert compare([BAYES, DummyClassifier()], X, rare).n == 40
    rare[1:4] = "common"
    with pytest.raises(DataError, match="A class has a single row"):
        compare([BAYES, DummyClassifier()], X, rare)
    rare[0] = None
    with pytest.raises(DataError, match="A row has no classes"):
        compare([BAYES, DummyClassifier()], X, rare)


def test_one_row_at_a_time():
    plan = FoldPlan("leave one out", 150)
    found = compare({"bayes": BAYES, "none": DummyClassifier()}, X, Y, plan=plan)
    assert found.n == 150
    assert found.pairs[0].told_apart


def test_folds_are_checked():
    with pytest.raises(DataError, match=r"One fold.*repeats=10"):
        compare({"a": [1], "b": [2]}, plan=FoldPlan("hold-out", 50))
    with pytest.raises(DataError, match="3 scores a learner, but the plan has 10 folds"):
        compare({"a": [1, 2, 3], "b": [2, 1, 4]}, plan=PLAN)
    with pytest.raises(DataError, match="scores of b hold a value"):
        compare({"a": [1.0] * 10, "b": [np.nan] * 10}, plan=PLAN)
    with pytest.raises(DataError, match="different numbers of scores"):
        compare({"a": [1.0] * 10, "b": [1.0] * 9}, plan=PLAN)


def test_a_kind_of_plan_the_correction_was_not_made_for_is_told():
    plan = FoldPlan("bootstrap", 150, folds=12)
    found = compare({"bayes": BAYES, "tree": TREE}, X, Y, plan=plan)
    assert any("level is not known" in note for note in found.notes)
