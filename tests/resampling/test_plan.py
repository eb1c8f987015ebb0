from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.model_selection import GridSearchCV, cross_val_score

from learnable.core import DataError, ParameterError
from learnable.datasets import load_iris
from learnable.naive_bayes import GaussianNB
from learnable.resampling import FoldPlan


def codes(n, k, seed=0):
    return np.random.default_rng(seed).integers(0, k, n)


@given(st.integers(4, 60), st.integers(2, 4), st.integers(1, 3), st.integers(0, 99))
def test_every_row_is_asked_once_a_repeat_and_folds_are_even(n, folds, repeats, seed):
    plan = FoldPlan("k-fold", n, folds=folds, repeats=repeats, seed=seed)
    assert len(plan) == len(list(plan)) == folds * repeats
    for number in range(repeats):
        splits = list(plan.repeat(number))
        asked = np.concatenate([test for _, test in splits])
        assert sorted(asked.tolist()) == list(range(n))
        sizes = [len(test) for _, test in splits]
        assert max(sizes) - min(sizes) <= 1
        for train, test in splits:
            assert sorted([*train, *test]) == list(range(n))


@given(st.integers(0, 999), st.integers(2, 5), st.integers(2, 4))
def test_folds_hold_every_class_in_proportion(seed, folds, k):
    y = np.append(codes(60, k, seed), np.repeat(np.arange(k), 2))
    plan = FoldPlan("k-fold", len(y), folds=folds, classes=y, seed=seed)
    counts = np.array([np.bincount(y[test], minlength=k) for _, test in plan])
    assert (counts.max(axis=0) - counts.min(axis=0) <= 1).all()
    assert np.ptp(counts.sum(axis=1)) <= 1


@given(st.integers(0, 999), st.booleans())
def test_no_group_is_on_both_sides(seed, stratified):
    groups, y = codes(80, 12, seed), codes(80, 3, seed + 1)
    plan = FoldPlan("k-fold", 80, folds=4, groups=groups, classes=y if stratified else None)
    for train, test in plan:
        assert not set(groups[train]) & set(groups[test])
        assert len(test) > 0
    for kind in ("hold-out", "bootstrap", "leave one out"):
        for train, test in FoldPlan(kind, 80, groups=groups, seed=seed):
            assert not set(groups[train]) & set(groups[test])


def test_groups_are_dealt_out_by_class_better_than_blindly():
    rng = np.random.default_rng(0)
    groups = np.repeat(np.arange(60), 5)
    y = (rng.random(60) < 0.2).astype(int)[groups]

    def spread(**options):
        plan = FoldPlan("k-fold", 300, folds=5, groups=groups, **options)
        return np.std([y[test].mean() for _, test in plan])

    plan = FoldPlan("k-fold", 300, folds=5, groups=groups, classes=y)
    positive = len(np.unique(groups[y == 1]))
    dealt = [len(np.unique(groups[test][y[test] == 1])) for _, test in plan]
    assert set(dealt) <= {positive // 5, positive // 5 + 1}
    assert spread(classes=y) < np.mean([spread(seed=seed) for seed in range(10)])


@given(st.integers(0, 999), st.floats(0.1, 0.6))
def test_a_hold_out_sets_its_share_of_every_class_aside(seed, share):
    y = codes(200, 3, seed)
    ((train, test),) = FoldPlan("hold-out", 200, share=share, classes=y, seed=seed)
    assert sorted([*train, *test]) == list(range(200))
    for label in range(3):
        wanted = share * (y == label).sum()
        assert abs((y[test] == label).sum() - wanted) <= 1.0


def test_a_bootstrap_asks_who_was_not_drawn():
    plan = FoldPlan("bootstrap", 500, folds=50, seed=3)
    for train, test in plan:
        assert len(train) == 500
        assert set(train) | set(test) == set(range(500))
        assert not set(train) & set(test)
    left = np.mean([len(test) / 500 for _, test in plan])
    assert abs(left - np.exp(-1)) < 0.01


def test_ordered_folds_learn_from_the_past_alone():
    when = np.random.default_rng(0).permutation(100)
    plan = FoldPlan("ordered", 100, folds=4, order=when, gap=3)
    asked = []
    for train, test in plan:
        assert when[train].max() + 3 < when[test].min()
        asked += when[test].tolist()
    assert asked != sorted(asked) or len(asked) == 80
    assert sorted(asked) == list(range(20, 100))


def test_leave_one_out():
    plan = FoldPlan("leave one out", 5)
    assert [test.tolist() for _, test in plan] == [[0], [1], [2], [3], [4]]


def test_a_plan_is_a_value():
    y = codes(30, 2)
    plan = FoldPlan("k-fold", 30, folds=3, classes=y, seed=1)
    same = FoldPlan("k-fold", 30, folds=3, classes=np.array(["no", "yes"])[y], seed=1)
    swapped = FoldPlan("k-fold", 30, folds=3, classes=1 - y, seed=1)
    assert plan == same == swapped
    assert hash(plan) == hash(same)
    for (a, b), (c, d) in zip(plan, same, strict=True):
        np.testing.assert_array_equal(a, c)
        np.testing.assert_array_equal(b, d)
    others = [
        FoldPlan("k-fold", 30, folds=3, classes=y, seed=2),
        FoldPlan("k-fold", 30, folds=3, seed=1),
        FoldPlan("k-fold", 30, folds=3, groups=y * 30 + np.arange(30), seed=1),
    ]
    assert len({plan, *others}) == 4
    first = [test.tolist() for _, test in FoldPlan("k-fold", 6, folds=3)]
    assert first == [test.tolist() for _, test in FoldPlan("k-fold", 6, folds=3)]


def test_the_folds_of_a_seed_stay_what_they_are():
    found = [test.tolist() for _, test in FoldPlan("k-fold", 7, folds=3, seed=5, repeats=2)]
    assert found == GOLDEN


GOLDEN = [[0, 1, 3], [4, 6], [2, 5], [1, 4, 6], [2, 5], [0, 3]]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"folds": 1}, "1 folds cannot be dealt out of 10 rows"),
        ({"folds": 11}, "11 folds cannot be dealt out of 10 rows"),
        ({"folds": 4, "groups": [0, 1, 2] * 3 + [0]}, "4 folds cannot be dealt out of 3 groups"),
        ({"folds": 2, "classes": [0] * 9 + [1]}, "a single row"),
        ({"folds": 2, "classes": [0] * 9}, "classes has 9 rows, the plan 10"),
        ({"folds": 2, "groups": [0] * 9 + [None]}, "A row has no groups"),
    ],
)
def test_what_cannot_be_dealt_is_refused(options, message):
    with pytest.raises(DataError, match=message):
        FoldPlan("k-fold", 10, **options)


@pytest.mark.parametrize(
    "options", [{"kind": "folds"}, {"repeats": 0}, {"share": 1.0}, {"gap": -1}]
)
def test_senseless_plans_are_refused(options):
    with pytest.raises(ParameterError):
        FoldPlan(**{"kind": "hold-out", "n": 10, **options})


def test_scikit_learns_tools_take_a_plan():
    X, y = load_iris(return_X_y=True)
    plan = FoldPlan("k-fold", len(y), folds=5, repeats=2, classes=y)
    scores = cross_val_score(GaussianNB(), X, y, cv=plan)
    assert len(scores) == 10
    assert scores.mean() > 0.9
    search = GridSearchCV(GaussianNB(), {"var_smoothing": [1e-9, 1e-2]}, cv=plan).fit(X, y)
    assert search.n_splits_ == 10
    with pytest.raises(DataError, match="X has 10 rows, the plan 150"):
        next(plan.split(X[:10]))
