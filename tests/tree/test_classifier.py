"""Trees for classes: the same as scikit-learn's, the goldens of the literature, odd data."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn import tree as peers

import learnable
from learnable.core import DataError, ParameterError, SchemaError
from learnable.datasets import load_iris, load_play_tennis
from learnable.tree import DKM, DecisionTreeClassifier, Entropy
from tests.tree.plain_trees import IMPURITY

RNG = np.random.default_rng(5)
X3 = (RNG.normal(size=(400, 6)) + np.repeat(np.arange(4), 100)[:, None] / 2).astype(np.float32)
Y3 = np.repeat(["a", "b", "c", "d"], 100)
NEW = RNG.normal(size=(500, 6)).astype(np.float32) + 1


def assert_same_tree(ours, theirs):
    """The same questions in the same order; scikit-learn draws the order of columns for ties."""
    one, other = ours.tree_, theirs.tree_
    np.testing.assert_array_equal(one.feature, other.feature)
    np.testing.assert_array_equal(one.threshold, other.threshold)
    np.testing.assert_array_equal(one.children_left, other.children_left)
    np.testing.assert_array_equal(one.children_right, other.children_right)
    np.testing.assert_allclose(one.value, other.value, atol=1e-12)
    np.testing.assert_allclose(one.impurity, other.impurity, atol=1e-12)
    np.testing.assert_array_equal(one.n_node_samples, other.n_node_samples)


@pytest.mark.parametrize("criterion", ["gini", "entropy", "log_loss"])
@pytest.mark.parametrize(
    "options",
    [
        {"max_depth": 3},
        {"min_samples_leaf": 20},
        {"min_impurity_decrease": 0.02, "min_samples_leaf": 10},
        {"min_samples_split": 0.2},
        {"max_depth": 3, "class_weight": {"a": 3.0, "d": 0.5}},
        {"ccp_alpha": 0.01, "min_samples_leaf": 8},
        {"min_weight_fraction_leaf": 0.1},
    ],
    ids=str,
)
def test_the_trees_of_scikit_learn(criterion, options):
    ours = DecisionTreeClassifier(criterion=criterion, **options).fit(X3, Y3)
    theirs = peers.DecisionTreeClassifier(criterion=criterion, random_state=0, **options)
    assert_same_tree(ours, theirs.fit(X3, Y3))
    np.testing.assert_allclose(ours.predict_proba(NEW), theirs.predict_proba(NEW), atol=1e-12)
    np.testing.assert_array_equal(ours.apply(NEW), theirs.apply(NEW))
    path = theirs.decision_path(NEW)
    np.testing.assert_array_equal(ours.decision_path(NEW).toarray(), path.toarray())
    np.testing.assert_allclose(ours.feature_importances_, theirs.feature_importances_, atol=1e-12)
    assert ours.get_depth() == theirs.get_depth()
    assert ours.get_n_leaves() == theirs.get_n_leaves()


def test_the_leaves_that_gain_most_first():
    """The nodes are numbered otherwise, and are the same."""
    ours = DecisionTreeClassifier(max_leaf_nodes=9).fit(X3, Y3)
    theirs = peers.DecisionTreeClassifier(max_leaf_nodes=9, random_state=0).fit(X3, Y3)
    np.testing.assert_allclose(ours.predict_proba(NEW), theirs.predict_proba(NEW), atol=1e-12)
    np.testing.assert_array_equal(np.sort(ours.tree_.threshold), np.sort(theirs.tree_.threshold))


def test_missing_cells_go_where_scikit_learn_sends_them():
    X = X3.copy()
    X[RNG.random(X.shape) < 0.2] = np.nan
    ours = DecisionTreeClassifier(max_depth=3).fit(X, Y3)
    theirs = peers.DecisionTreeClassifier(max_depth=3, random_state=0).fit(X, Y3)
    assert_same_tree(ours, theirs)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-12)


def test_the_path_of_cost_and_complexity():
    ours = DecisionTreeClassifier(min_samples_leaf=8).cost_complexity_pruning_path(X3, Y3)
    peer = peers.DecisionTreeClassifier(min_samples_leaf=8, random_state=0)
    theirs = peer.cost_complexity_pruning_path(X3, Y3)
    np.testing.assert_allclose(ours.ccp_alphas, theirs.ccp_alphas, atol=1e-12)
    np.testing.assert_allclose(ours.impurities, theirs.impurities, atol=1e-12)


# ------------------------------------------------------------------------------------- literature

GAINS = {
    "entropy": {"outlook": 0.2467, "temperature": 0.0292, "humidity": 0.1518, "wind": 0.0481},
    "gini": {"outlook": 0.1163, "temperature": 0.0187, "humidity": 0.0918, "wind": 0.0306},
    "dkm": {"outlook": 0.2585, "humidity": 0.1135, "wind": 0.0349, "temperature": 0.0211},
    "gain_ratio": {"outlook": 0.1564, "temperature": 0.0188, "humidity": 0.1518, "wind": 0.0488},
}


def tennis():
    return load_play_tennis(return_X_y=True, as_frame=True)


@pytest.mark.parametrize("criterion", ["entropy", "gini", "dkm"])
def test_the_gains_of_play_tennis(criterion):
    X, y = tennis()
    with learnable.tracing() as trace:
        DecisionTreeClassifier(criterion=criterion, nominal="multiway").fit(X, y)
    root = trace.only("split").events[0].values
    assert root["candidates"] == pytest.approx(GAINS[criterion], abs=6e-5)
    assert root["column"] == "outlook"


def test_the_gain_ratios_of_play_tennis():
    """Quinlan's guard leaves out the two columns of less than average gain."""
    X, y = tennis()
    with learnable.tracing() as trace:
        DecisionTreeClassifier(criterion="gain_ratio", nominal="multiway").fit(X, y)
    found = trace.only("split").events[0].values["candidates"]
    wanted = {name: GAINS["gain_ratio"][name] for name in ("outlook", "humidity")}
    assert found == pytest.approx(wanted, abs=6e-5)


def test_the_tree_of_play_tennis():
    X, y = tennis()
    model = DecisionTreeClassifier(criterion="entropy", nominal="multiway").fit(X, y)
    names = [model.feature_names_in_[j] for j in model.nodes_.column if j >= 0]
    assert names == ["outlook", "wind", "humidity"]
    row = pd.DataFrame([["Sunny", "Cool", "High", "Strong"]], columns=list(X.columns))
    assert model.predict(row).tolist() == ["No"]
    why = learnable.explain(model, row)[0]
    assert why.kind == "path"
    assert [part.label for part in why.parts] == ["outlook", "humidity"]
    assert "outlook = Sunny" in why.summary


@pytest.mark.parametrize(
    ("criterion", "counts", "value"),
    [("entropy", (9, 5), 0.9403), ("entropy", (6, 2), 0.8113), ("entropy", (3, 3), 1.0)],
)
def test_entropies(criterion, counts, value):
    y = np.repeat([0, 1], counts)
    model = DecisionTreeClassifier(criterion=criterion).fit(np.zeros((len(y), 1)), y)
    assert model.nodes_.impurity[0] == pytest.approx(value, abs=5e-5)
    assert IMPURITY[criterion](y, np.ones(len(y))) == pytest.approx(value, abs=5e-5)


# --------------------------------------------------------------------------------------- odd data


def test_neighbours_in_float64_are_two_values():
    x = np.array([[16777216.0], [16777217.0]])
    assert DecisionTreeClassifier().fit(x, [0, 1]).predict(x).tolist() == [0, 1]
    close = np.array([[1.0], [np.nextafter(1.0, 2.0)]])
    assert DecisionTreeClassifier().fit(close, [0, 1]).predict(close).tolist() == [0, 1]


def test_huge_cells_have_a_threshold_between_them():
    x = np.array([[-1.7e308], [1.7e308]])
    assert DecisionTreeClassifier().fit(x, [0, 1]).predict(x).tolist() == [0, 1]


def test_all_missing_constant_and_one_class():
    X = np.column_stack([np.full(6, np.nan), np.ones(6)])
    model = DecisionTreeClassifier().fit(X, [0, 1] * 3)
    assert model.get_n_leaves() == 1
    assert DecisionTreeClassifier().fit(X, ["a"] * 6).predict(X).tolist() == ["a"] * 6


def test_rows_of_weight_zero_take_no_part():
    weight = np.tile([1.0, 0.0], 200)
    one = DecisionTreeClassifier().fit(X3, Y3, weight).nodes_
    other = DecisionTreeClassifier().fit(X3[::2], Y3[::2]).nodes_
    for mine, theirs in zip(one, other, strict=True):
        np.testing.assert_array_equal(mine, theirs)


def test_values_never_seen_are_missing_with_one_warning():
    X, y = tennis()
    model = DecisionTreeClassifier(nominal="multiway").fit(X, y)
    row = pd.DataFrame([["Fog", "Cool", "High", "Strong"]], columns=list(X.columns))
    with pytest.warns(UserWarning, match="never seen"):
        assert model.predict(row).tolist() == ["No"]  # as Rain, which most rows have


def test_identifier_columns_are_warned_of():
    X, y = tennis()
    days = pd.DataFrame(X).assign(day=pd.Categorical([f"day {i}" for i in range(14)]))
    with pytest.warns(UserWarning, match="names the rows"):
        DecisionTreeClassifier(categorical_features=["day"]).fit(days, y)


def test_many_nominal_values():
    n = 100_000
    codes = np.arange(n) // 2
    model = DecisionTreeClassifier(categorical_features=[0], max_depth=1)
    model.fit(codes[:, None], codes % 2)
    assert model.nodes_.impurity[1:].max() == 0.0
    assert (model.predict(codes[:100, None]) == codes[:100] % 2).all()


def test_numbers_can_be_nominal():
    x = np.array([[0.0], [1.0], [2.0], [3.0]] * 3)
    y = (x.ravel() % 2).astype(int)
    model = DecisionTreeClassifier(categorical_features=[0]).fit(x, y)
    assert model.get_n_leaves() == 2
    assert (model.predict(x) == y).all()


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"criterion": "chance"}, "criterion"),
        ({"max_depth": 0}, "max_depth"),
        ({"categorical_features": [9]}, "not there"),
        ({"thresholds": {"nobody": [1.0]}}, "no column"),
        ({"class_weight": {"z": 1.0}}, "no class"),
    ],
)
def test_parameters_are_refused_by_name(parameters, message):
    with pytest.raises(ParameterError, match=message):
        DecisionTreeClassifier(**parameters).fit(X3, Y3)


def test_other_columns_and_texts_are_refused():
    X, y = tennis()
    model = DecisionTreeClassifier().fit(X, y)
    with pytest.raises(SchemaError):
        model.predict(X[["outlook", "wind"]])
    with pytest.raises(DataError):
        DecisionTreeClassifier().fit(
            pd.DataFrame({"when": pd.to_datetime(["2020-01-01"] * 3)}), [0, 1, 1]
        )


def test_criteria_are_records():
    words = [("entropy", Entropy()), ("dkm", DKM())]
    for word, criterion in words:
        one = DecisionTreeClassifier(criterion=word).fit(X3, Y3).nodes_
        other = DecisionTreeClassifier(criterion=criterion).fit(X3, Y3).nodes_
        np.testing.assert_array_equal(one.threshold, other.threshold)


# ------------------------------------------------------------------------------------ certificates


def test_certificates_of_test_and_training_rows():
    X, y = load_iris(return_X_y=True)
    model = DecisionTreeClassifier(max_depth=2).fit(X[::2], y[::2])
    tested = learnable.certify(model, X[1::2], y[1::2])
    assert tested.low < tested.value < tested.high
    trained = learnable.certify(model, X[::2], y[::2], role="train")
    assert trained.method.startswith("Occam")
    assert 0.5 < trained.high < 1.0


@pytest.mark.full
def test_the_occam_bound_holds(record_property):
    """Over draws of labels that no column knows, the bound is never below the true error."""
    broken = 0
    for seed in range(200):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=(2000, 3)), rng.random(2000) < 0.3
        model = DecisionTreeClassifier(max_leaf_nodes=4).fit(X, y)
        high = learnable.certify(model, X, y, role="train").high
        broken += high < 0.3
    record_property("bounds below the true error, of 200", broken)
    assert broken <= 10
