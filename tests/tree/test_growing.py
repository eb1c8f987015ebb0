"""Every split is the best there is, by looking at all of them."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import learnable
from learnable.core.fold import serial
from learnable.data import Column, Schema, Table
from learnable.tree import DecisionTreeClassifier, DecisionTreeRegressor
from tests.tree.plain_trees import best_gain, cost

CLASSES = ("gini", "entropy", "dkm")
WAYS, POLICIES = ("multiway", "subset"), ("learned", "own", "majority")
NOMINAL = (False, True, False, True)
VALUES = 5


def drawn(seed, *, holes, classes=None, nominal=True, n=60):
    rng = np.random.default_rng(seed)
    X = np.column_stack(
        [
            rng.integers(0, 9, n),
            rng.integers(0, VALUES, n),
            rng.normal(size=n).round(2),
            rng.integers(0, 3, n),
        ]
    ).astype(float)
    score = X[:, 0] / 3 + (X[:, 1] == 2) + X[:, 2] + rng.normal(size=n)
    y = np.digitize(score, np.quantile(score, np.linspace(0, 1, (classes or 2) + 1)[1:-1]))
    if classes is None:
        y = np.abs(np.round(score, 1))
    X[rng.random(X.shape) < holes] = np.nan
    kinds = NOMINAL if nominal else (False,) * 4
    return X, y, rng.integers(1, 4, n).astype(float), kinds


def as_table(X, kinds):
    columns, arrays = [], []
    for j, is_nominal in enumerate(kinds):
        if is_nominal:
            columns.append(Column(f"x{j}", "nominal", tuple("abcde"[:VALUES])))
            arrays.append(np.where(np.isnan(X[:, j]), -1, X[:, j]).astype(np.int32))
        else:
            columns.append(Column(f"x{j}", "numeric"))
            arrays.append(X[:, j])
    return Table(Schema(tuple(columns)), arrays)


def assert_greedy(model, table, X, y, w, kinds, name, way, policy, min_leaf):
    """Every inner node gains the most that can be gained there, and no leaf could be divided."""
    nodes, codes = model.nodes_, y
    paths = model.decision_path(table).toarray().astype(bool)
    for node in range(nodes.count):
        rows = paths[:, node]
        assert rows.sum() == nodes.rows[node]
        np.testing.assert_allclose(w[rows].sum(), nodes.weight[node])
        here = cost(name, [rows], codes, w)
        assert nodes.impurity[node] * nodes.weight[node] == pytest.approx(here, abs=1e-9)
        best = best_gain(name, X[rows], kinds, codes[rows], w[rows], policy, way, min_leaf)
        below = nodes.children_of(node)
        if not len(below):
            assert here < 1e-9 or not np.isfinite(best) or rows.sum() < 2 * min_leaf
            continue
        j = nodes.column[node]
        kept = rows & ~np.isnan(X[:, j]) if policy == "majority" else rows
        parts = [paths[:, child] & kept for child in below]
        gained = cost(name, [kept], codes, w) - cost(name, parts, codes, w)
        assert gained == pytest.approx(best, abs=1e-9)


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", CLASSES)
def test_classification_trees_are_greedy(name, way, policy):
    X, y, w, kinds = drawn(0, holes=0.15, classes=2)
    table = as_table(X, kinds)
    model = DecisionTreeClassifier(criterion=name, nominal=way, missing=policy)
    assert_greedy(model.fit(table, y, w), table, X, y, w, kinds, name, way, policy, 1)


@pytest.mark.parametrize(
    ("name", "way", "policy"),
    [
        *product(("squared_error", "poisson"), WAYS, POLICIES),
        ("absolute_error", "subset", "learned"),
    ],
)
def test_regression_trees_are_greedy(name, way, policy):
    X, y, w, kinds = drawn(0, holes=0.15, nominal=name != "absolute_error")
    y = y + 0.5
    table = as_table(X, kinds)
    model = DecisionTreeRegressor(criterion=name, nominal=way, missing=policy, max_depth=4)
    model.fit(table, y, w)
    shallow = model.nodes_.depth < 4
    if name == "poisson":
        shallow &= model.nodes_.impurity > 0
    paths = model.decision_path(table).toarray().astype(bool)
    for node in np.flatnonzero(shallow & (model.nodes_.column >= 0)):
        rows = paths[:, node]
        best = best_gain(name, X[rows], kinds, y[rows], w[rows], policy, way)
        j = model.nodes_.column[node]
        kept = rows & ~np.isnan(X[:, j]) if policy == "majority" else rows
        parts = [paths[:, child] & kept for child in model.nodes_.children_of(node)]
        gained = cost(name, [kept], y, w) - cost(name, parts, y, w)
        assert gained == pytest.approx(best, abs=1e-8)


@pytest.mark.parametrize("name", CLASSES)
def test_minimum_leaves_and_three_classes(name):
    X, y, w, kinds = drawn(7, holes=0.1, classes=3, nominal=False, n=90)
    model = DecisionTreeClassifier(criterion=name, min_samples_leaf=4)
    assert_greedy(model.fit(X, y, w), X, X, y, w, kinds, name, "subset", "learned", 4)


def test_nominal_sets_of_three_classes_keep_the_stated_bound():
    """No two sets of values gain more than one branch a value does."""
    rng = np.random.default_rng(3)
    x, y = rng.integers(0, 5, 200).astype(float), rng.integers(0, 3, 200)
    table = as_table(np.column_stack([x, x, x, x]), (True,) * 4)
    one = DecisionTreeClassifier(max_depth=1, nominal="subset").fit(table, y).nodes_
    gained = cost("gini", [np.ones(200, bool)], y, np.ones(200))
    gained -= float((one.weight * one.impurity)[1:].sum())
    best = best_gain("gini", x[:, None], (True,), y, np.ones(200), "learned", "subset")
    bound = best_gain("gini", x[:, None], (True,), y, np.ones(200), "learned", "multiway")
    assert 0.0 < gained <= best + 1e-9 <= bound + 2e-9


def test_binned_on_few_values_is_exact():
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 40, (500, 5)) / 4.0, rng.integers(0, 3, 500)
    exact, binned = DecisionTreeClassifier(), DecisionTreeClassifier(max_bins=40)
    for one, other in zip(exact.fit(X, y).nodes_, binned.fit(X, y).nodes_, strict=True):
        np.testing.assert_array_equal(one, other)


def test_bins_cut_between_quantiles():
    x = np.arange(1000.0)
    model = DecisionTreeClassifier(max_bins=4, max_depth=1).fit(x[:, None], x >= 510)
    assert model.nodes_.threshold[0] == pytest.approx(499.5, abs=1.0)


def test_any_number_of_threads_gives_the_same_bits():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(20_000, 9)), rng.integers(0, 3, 20_000)
    X[:, 0] += y
    found = []
    for settings in ({"runner": serial}, {"threads": 1}, {"threads": 3}):
        with learnable.config(**settings):
            found.append(DecisionTreeClassifier(max_depth=9).fit(X, y).nodes_)
    for other in found[1:]:
        for one, two in zip(found[0], other, strict=True):
            np.testing.assert_array_equal(one, two)


def test_ties_go_to_the_first_column_and_are_told():
    x = np.array([0.0, 1.0, 2.0, 3.0])
    with learnable.tracing() as trace:
        model = DecisionTreeClassifier().fit(np.column_stack([x * 0, x, -x]), [0, 0, 1, 1])
    assert model.nodes_.column[0] == 1
    split = trace.only("split").events[0].values
    assert split["tie"]
    assert split["margin"] == 0.0
    assert split["candidates"] == {"x1": 0.5, "x2": 0.5}


def test_stated_thresholds_are_the_only_ones():
    x = np.arange(20.0)
    model = DecisionTreeClassifier(thresholds={"x0": [3.25, 12.0]}).fit(x[:, None], x > 8)
    assert set(model.nodes_.threshold[model.nodes_.column >= 0]) <= {3.25, 12.0}


def test_drawn_columns_follow_the_seed():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(300, 12)), rng.integers(0, 2, 300)

    def fit(seed):
        return DecisionTreeClassifier(max_features=2, random_state=seed).fit(X, y).nodes_

    np.testing.assert_array_equal(fit(1).column, fit(1).column)
    assert not np.array_equal(fit(1).column[:5], fit(2).column[:5])
    assert (fit(1).impurity[fit(1).leaves] == 0.0).all()
