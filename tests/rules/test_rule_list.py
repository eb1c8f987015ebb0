"""What is printed is what predicts: text, SQL and Python against the model, and against trees."""

from __future__ import annotations

import sqlite3

import numpy as np
import pandas as pd
import pytest

import learnable
from learnable.core import ParameterError
from learnable.datasets import load_iris, load_play_tennis
from learnable.rules import RuleListClassifier, rules_of_tree, same_answers_together
from learnable.tree import C45Classifier, DecisionTreeClassifier, ID3Classifier


def mixed(seed=0, n=400, holes=0.1):
    """Numbers and names that a tree can learn from, with cells missing."""
    rng = np.random.default_rng(seed)
    colour = rng.choice(["red", 'it\'s "blue"', "green", "black"], n).astype(object)
    size, depth = rng.normal(size=n), rng.integers(0, 9, n).astype(float)
    y = np.where((size > 0.3) & (colour == "red") | (depth > 6), "yes", "no")
    y = np.where(rng.random(n) < 0.1, "maybe", y)
    colour[rng.random(n) < holes] = None
    size[rng.random(n) < holes] = np.nan
    return pd.DataFrame({"colour": colour, "size": size, "depth": depth}), y


def by_python(source, X):
    names = {}
    exec(source, names)  # noqa: S102 (our own source is what is tested)
    return [names["predict"](row) for row in X.to_dict("records")]


def by_sql(expression, X):
    store = sqlite3.connect(":memory:")
    X.to_sql("cells", store, index=False)
    return [row[0] for row in store.execute(f"SELECT {expression} FROM cells ORDER BY rowid")]  # noqa: S608


TREES = {
    "subset": DecisionTreeClassifier(nominal="subset", max_depth=5),
    "multiway": DecisionTreeClassifier(nominal="multiway", criterion="gain_ratio", max_depth=5),
    "own branch": DecisionTreeClassifier(missing="own", nominal="multiway", max_depth=5),
    "id3": ID3Classifier(max_depth=4),
}


@pytest.mark.parametrize("name", TREES)
def test_rules_of_a_tree_answer_as_it_does(name):
    X, y = mixed()
    tree = TREES[name].fit(X, y)
    new, _ = mixed(seed=1, holes=0.3)
    expected = tree.predict(new).tolist()
    assert by_python(rules_of_tree(tree, "python"), new) == expected
    assert by_sql(rules_of_tree(tree, "sql"), new) == expected
    listed = RuleListClassifier.from_tree(tree, X, y, prune=False)
    assert listed.predict(new).tolist() == expected
    assert listed.rules_.counts.sum() == len(y)


def test_pruned_rules_print_what_they_apply():
    X, y = mixed()
    model = RuleListClassifier().fit(X, y)
    new, _ = mixed(seed=2, holes=0.3)
    expected = model.predict(new).tolist()
    assert by_python(model.to_python(), new) == expected
    assert by_sql(model.to_sql(), new) == expected
    full = RuleListClassifier(prune=False).fit(X, y)
    assert 0 < len(model.rules_.column) < len(full.rules_.column)


def test_rules_in_sql_for_values_never_seen():
    X, y = mixed(holes=0.2)
    tree = DecisionTreeClassifier(nominal="multiway", max_depth=4).fit(X, y)
    new, _ = mixed(seed=3, holes=0.0)
    new.loc[::7, "colour"] = "mauve"
    with pytest.warns(UserWarning, match="never seen"):
        expected = tree.predict(new).tolist()
    assert by_sql(rules_of_tree(tree, "sql"), new) == expected
    assert by_python(rules_of_tree(tree, "python"), new) == expected


def test_the_rules_of_play_tennis():
    X, y = load_play_tennis(return_X_y=True, as_frame=True)
    tree = ID3Classifier().fit(X, y)
    assert rules_of_tree(tree, "dnf", answer="Yes").count(" or\n") == 2
    lines = rules_of_tree(tree).splitlines()
    assert lines[0] == "if outlook = Overcast then Yes  (4 of 4)"
    assert lines[-1] == "else Yes"


def test_stated_rules_predict_count_and_explain():
    X, y = load_play_tennis(return_X_y=True, as_frame=True)
    rules = [("No", [("outlook", "=", "Sunny"), ("humidity", "=", "High")]),
             ("No", [("outlook", "in", ["Rain"]), ("wind", "=", "Strong")])]  # fmt: skip
    model = RuleListClassifier(rules=rules).fit(X, y)
    assert model.score(X, y) == 1.0
    assert model.rules_.counts.tolist() == [[3.0, 0.0], [2.0, 0.0]]
    why = learnable.explain(model, X[:1])[0]
    assert (why.kind, why.prediction) == ("rule", "No")
    assert why.summary == "No (3 of 3), since outlook = Sunny and humidity = High."
    table = model.rule_table(X, y)
    assert list(table["rows"]) == [3, 2, 9]
    assert list(table["right"]) == [3, 2, 9]


def test_the_first_rule_that_fires_answers():
    rules = [("a", [("x0", "<=", 2)]), ("b", [("x0", "<=", 5)]), ("a", [])]
    model = RuleListClassifier(rules=rules).fit([[1.0], [3.0], [9.0]], ["a", "b", "a"])
    assert model.apply([[2.0], [2.5], [5.5]]).tolist() == [0, 1, 2]
    assert model.predict([[2.0], [2.5], [5.5]]).tolist() == ["a", "b", "a"]


def test_conditions_on_one_column_become_one():
    X, y = load_iris(return_X_y=True)
    tree = DecisionTreeClassifier().fit(X, y)
    listed = RuleListClassifier.from_tree(tree, X, y, prune=False)
    for rule in range(listed.rules_.count):
        asked = [one.column for one in listed.rules_.conditions(rule)]
        assert len(asked) == len(set(asked))


def test_leaves_of_equal_answers_become_one():
    X, y = mixed(holes=0.0)
    tree = DecisionTreeClassifier(max_depth=6).fit(X, y)
    simple = same_answers_together(tree.nodes_)
    answers = simple.value.argmax(axis=1)
    for node in range(simple.count):
        below = simple.children_of(node)
        ends = not np.diff(simple.first)[below].any()
        assert not len(below) or not ends or len(set(answers[below].tolist())) > 1


def test_rules_of_c45_carry_over_to_other_rows():
    X, y = mixed(n=800)
    new, truth = mixed(seed=9, n=800)
    listed = RuleListClassifier().fit(X, y)
    tree = C45Classifier().fit(X, y)
    assert listed.score(new, truth) > tree.score(new, truth) - 0.05


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ([("maybe not", [("x0", ">", 1)])], "no class"),
        ([("a", [("x9", ">", 1)])], "a condition is"),
        ([("a", [("x0", "=", 1)])], "numeric"),
        ([("a", [("x0", ">", "much")])], "numeric"),
        (["a"], "list of"),
    ],
)
def test_stated_rules_are_judged(rules, message):
    with pytest.raises(ParameterError, match=message):
        RuleListClassifier(rules=rules).fit([[1.0], [2.0]], ["a", "b"])
