"""C4.5: the trees that the literature and J48 print."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import learnable
from learnable.core import ParameterError
from learnable.tree import C45Classifier, export_text
from learnable.tree.pessimistic import added_errors
from tests.tree.shared_tables import as_table


@pytest.mark.parametrize(
    ("name", "leaves", "size"),
    [
        ("lenses", 4, 7),
        ("iris", 5, 9),
        ("labor", 3, 5),
        ("votes", 6, 11),
        ("weather-numeric", 5, 8),
    ],
)
def test_the_trees_of_j48(needs_data, name, leaves, size):
    model = C45Classifier().fit(*as_table(needs_data(name)))
    assert (model.get_n_leaves(), model.nodes_.count) == (leaves, size)


def leaf_counts(model):
    nodes = model.nodes_
    wrong = nodes.weight * (1.0 - nodes.value.max(axis=1))
    return list(zip(nodes.weight[nodes.leaves], wrong[nodes.leaves], strict=True))


def test_the_leaves_of_labor(needs_data):
    model = C45Classifier().fit(*as_table(needs_data("labor")))
    found = [(round(n, 2), round(wrong, 2)) for n, wrong in leaf_counts(model)]
    assert found == [(15.27, 2.27), (10.77, 4.77), (30.96, 1.0)]


GOLF = """sunny 75 70 true Play|sunny 80 90 true Don't|sunny 85 85 false Don't
sunny 72 95 false Don't|sunny 69 70 false Play|? 72 90 true Play|overcast 83 78 false Play
overcast 64 65 true Play|overcast 81 75 false Play|rain 71 80 true Don't|rain 65 70 true Don't
rain 75 80 false Play|rain 68 80 false Play|rain 70 96 false Play"""


def golf():
    rows = [row.split() for row in GOLF.replace("\n", "|").split("|")]
    frame = pd.DataFrame(rows, columns=["outlook", "temperature", "humidity", "windy", "play"])
    frame["outlook"] = frame["outlook"].where(frame["outlook"] != "?", None)
    frame[["temperature", "humidity"]] = frame[["temperature", "humidity"]].astype(float)
    return frame.drop(columns="play"), frame["play"].to_numpy()


def test_golf_with_a_missing_cell():
    """Chapter 3 of Quinlan's book: leaf weights, and a case that reaches two leaves."""
    X, y = golf()
    model = C45Classifier(prune=False, mdl_correction=False).fit(X, y)
    found = sorted((round(n, 2), round(wrong, 2)) for n, wrong in leaf_counts(model))
    assert found == [(2.0, 0.0), (2.38, 0.38), (3.0, 0.0), (3.23, 0.0), (3.38, 0.38)]
    case = pd.DataFrame({"outlook": ["sunny"], "temperature": [70.0], "humidity": [np.nan],
                         "windy": ["false"]})  # fmt: skip
    assert model.classes_.tolist() == ["Don't", "Play"]
    assert model.predict_proba(case)[0] == pytest.approx([0.557, 0.443], abs=2e-3)
    why = learnable.explain(model, case)[0]
    assert why.prediction == model.predict(case)[0] == "Don't"


@pytest.mark.parametrize(("n", "errors", "expected"), [(6, 0, 0.206), (9, 0, 0.143), (1, 0, 0.750)])
def test_the_limits_of_quinlans_book(n, errors, expected):
    """U_25%(0, N), printed in chapter 4."""
    assert (errors + added_errors(n, errors, 0.25)) / n == pytest.approx(expected, abs=1e-3)


def test_pruning_and_raising_make_no_larger_trees(needs_data):
    X, y = as_table(needs_data("glass"))
    full = C45Classifier(prune=False).fit(X, y)
    cut = C45Classifier(subtree_raising=False).fit(X, y)
    raised = C45Classifier().fit(X, y)
    strict = C45Classifier(confidence_factor=0.01).fit(X, y)
    sizes = [model.get_n_leaves() for model in (full, cut, raised, strict)]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] > sizes[1] > sizes[3]


def test_thresholds_are_training_values(needs_data):
    X, y = as_table(needs_data("iris"))
    model = C45Classifier().fit(X, y)
    for column, threshold in zip(model.nodes_.column, model.nodes_.threshold, strict=True):
        assert column < 0 or threshold in X.arrays[column]
    assert "petal" in export_text(model)


def test_the_confidence_factor_is_at_most_a_half():
    with pytest.raises(ParameterError, match="confidence_factor"):
        C45Classifier(confidence_factor=0.6).fit([[0.0], [1.0]], [0, 1])
