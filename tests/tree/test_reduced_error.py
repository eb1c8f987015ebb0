"""Reduced-error pruning against all prunings of small trees."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from learnable.core import ParameterError
from learnable.tree import DecisionTreeClassifier, reduced_error_pruned
from learnable.tree.complexity import cut_at


def small(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(160, 3))
    y = np.where((X[:, 0] + rng.normal(size=160) > 0), "a", "b")
    tree = DecisionTreeClassifier(max_leaf_nodes=8).fit(X[:80], y[:80])
    return tree, X[80:], y[80:]


def best_of_all(tree, X, y):
    """The most rows that any pruning answers rightly, and the fewest leaves that do."""
    inner = np.flatnonzero(tree.nodes_.column >= 0)
    found = []
    for keep in product((False, True), repeat=len(inner)):
        nodes = cut_at(tree.nodes_, inner[np.array(keep)])
        tried = DecisionTreeClassifier().fit(X, y)
        tried.nodes_, tried.classes_ = nodes, tree.classes_
        found.append((int((tried.predict(X) == y).sum()), -len(nodes.leaves)))
    right, leaves = max(found)
    return right, -leaves


@pytest.mark.parametrize("seed", range(4))
def test_post_order_finds_the_smallest_best_pruning(seed):
    tree, X, y = small(seed)
    pruned = reduced_error_pruned(tree, X, y)
    found = int((pruned.predict(X) == y).sum()), pruned.get_n_leaves()
    assert found == best_of_all(tree, X, y)


@pytest.mark.parametrize("seed", range(4))
def test_the_order_and_ties(seed):
    tree, X, y = small(seed)
    every = {
        (order, ties): reduced_error_pruned(tree, X, y, order=order, ties=ties)
        for order in ("post", "best first")
        for ties in ("prune", "keep")
    }
    scores = {key: model.score(X, y) for key, model in every.items()}
    assert min(scores.values()) >= tree.score(X, y)
    for order in ("post", "best first"):
        leaves = [every[order, ties].get_n_leaves() for ties in ("prune", "keep")]
        assert leaves[0] <= leaves[1]
    assert tree.get_n_leaves() == 8  # stays as it is


def test_branches_that_no_row_reaches_are_ties():
    X, y = [[0.0], [1.0], [2.0], [3.0]], ["a", "a", "b", "a"]
    tree = DecisionTreeClassifier().fit(X, y)
    kept = reduced_error_pruned(tree, [[0.5]], ["a"], ties="keep")
    cut = reduced_error_pruned(tree, [[0.5]], ["a"])
    assert (kept.get_n_leaves(), cut.get_n_leaves()) == (3, 1)


def test_words_are_judged():
    tree, X, y = small(0)
    with pytest.raises(ParameterError, match="order"):
        reduced_error_pruned(tree, X, y, order="first")
