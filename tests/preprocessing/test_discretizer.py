"""The discretizer against scikit-learn's, and the entropy rule against a plain search."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.preprocessing import KBinsDiscretizer as Peer

import learnable
from learnable.core import ParameterError, tracing
from learnable.datasets import load_iris
from learnable.estimator.persistence import from_bytes, to_bytes
from learnable.preprocessing import Discretizer

RANDOM = np.random.default_rng(0)
TABLES = {
    "normal": RANDOM.normal(size=(300, 3)),
    "whole numbers": RANDOM.integers(0, 12, (90, 2)).astype(float),
    "constant": np.ones((20, 2)),
    "two groups": np.repeat([[0.0], [10.0]], 20, axis=0) + RANDOM.random((40, 2)),
}
IRIS = load_iris()


def dense(answer):
    return answer.toarray() if hasattr(answer, "toarray") else answer


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("encode", ["ordinal", "onehot", "onehot-dense"])
@pytest.mark.parametrize("strategy", ["uniform", "quantile"])
@pytest.mark.parametrize("X", TABLES.values(), ids=TABLES)
def test_the_peers_answers(X, strategy, encode):
    ours = Discretizer(4, strategy=strategy, encode=encode).fit(X)
    theirs = Peer(
        4, strategy=strategy, encode=encode, subsample=None, quantile_method="linear"
    ).fit(X)
    assert ours.n_bins_.tolist() == theirs.n_bins_.tolist()
    for mine, other in zip(ours.bin_edges_, theirs.bin_edges_, strict=True):
        assert np.allclose(mine, other)
    found, expected = ours.transform(X), theirs.transform(X)
    assert type(found) is type(expected)
    assert np.array_equal(dense(found), dense(expected))
    back, other = ours.inverse_transform(found), theirs.inverse_transform(dense(expected))
    assert np.allclose(back, other, equal_nan=True)
    assert ours.get_feature_names_out().tolist() == theirs.get_feature_names_out().tolist()


def inertia(X, edges):
    places = np.searchsorted(edges[1:-1], X, side="right")
    return sum(((X[places == p] - X[places == p].mean()) ** 2).sum() for p in np.unique(places))


@pytest.mark.parametrize("X", [TABLES["normal"], TABLES["two groups"]])
def test_means_converge_at_least_as_far_as_the_peers(X):
    ours = Discretizer(3, strategy="kmeans").fit(X)
    theirs = Peer(3, strategy="kmeans", subsample=None).fit(X)
    for column, mine, other in zip(X.T, ours.bin_edges_, theirs.bin_edges_, strict=True):
        assert inertia(column, mine) <= inertia(column, other) * (1 + 1e-3)


def entropy(y):
    share = np.unique(y, return_counts=True)[1] / max(len(y), 1)
    return -(share * np.log2(share)).sum()


def plain_cuts(x, y):
    """Cut as the article says, one candidate after the other."""
    order = np.argsort(x, kind="stable")
    x, y = x[order], y[order]
    best = (-1.0, None)
    for i in range(1, len(x)):
        if x[i] != x[i - 1]:
            left, right = y[:i], y[i:]
            gain = entropy(y) - (len(left) * entropy(left) + len(right) * entropy(right)) / len(y)
            if gain > best[0] + 1e-12:
                best = (gain, i)
    gain, i = best
    if i is None:
        return []
    parts = (y, y[:i], y[i:])
    saved = len(set(y)) * entropy(y) - sum(len(set(p)) * entropy(p) for p in parts[1:])
    delta = np.log2(3 ** len(set(y)) - 2) - saved
    if gain <= (np.log2(len(y) - 1) + delta) / len(y):
        return []
    middle = x[i - 1] + (x[i] - x[i - 1]) / 2
    return [*plain_cuts(x[:i], y[:i]), middle, *plain_cuts(x[i:], y[i:])]


@pytest.mark.parametrize("j", range(4))
def test_the_entropy_rule_is_that_of_the_article(j):
    cutter = Discretizer(strategy="entropy").fit(IRIS.data, IRIS.target)
    found = cutter.bin_edges_[j][1:-1]
    assert len(found) >= 1
    assert np.allclose(found, plain_cuts(IRIS.data[:, j], np.asarray(IRIS.target)))


def test_noise_is_not_cut():
    X, y = RANDOM.normal(size=(200, 1)), RANDOM.integers(0, 2, 200)
    assert Discretizer(strategy="entropy").fit(X, y).n_bins_.tolist() == [1]


def test_the_entropy_rule_needs_classes():
    with pytest.raises(ParameterError, match="pass y"):
        Discretizer(strategy="entropy").fit(TABLES["normal"])


def test_the_trace_shows_every_cut_with_its_gain():
    with tracing() as trace:
        Discretizer(strategy="entropy").fit(IRIS.data, IRIS.target)
    cuts = [event for event in trace if event.step == "cut"]
    assert cuts
    assert all(cut.values["gain"] > cut.values["needed"] for cut in cuts)


def test_missing_cells_stay_missing():
    X = np.array([[0.0], [1.0], [np.nan], [3.0]])
    codes = Discretizer(2, encode="ordinal", strategy="uniform").fit_transform(X)
    assert np.array_equal(codes, [[0.0], [0.0], [np.nan], [1.0]], equal_nan=True)
    marks = Discretizer(2, encode="onehot-dense", strategy="uniform").fit_transform(X)
    assert marks[2].tolist() == [0.0, 0.0]


@pytest.mark.parametrize("wanted", [1, [2], 2.5, [2, 3, 1], "many"])
def test_numbers_of_intervals_that_make_no_sense(wanted):
    with pytest.raises(ParameterError):
        Discretizer(wanted).fit(TABLES["normal"])


def test_numbers_of_intervals_by_column():
    assert Discretizer([2, 3, 4]).fit(TABLES["normal"]).n_bins_.tolist() == [2, 3, 4]


def test_a_constant_column_is_one_interval_and_said_to_be():
    with pytest.warns(UserWarning, match="Feature 0 is constant"):
        cutter = Discretizer(encode="ordinal").fit([[1.0], [1.0]])
    assert cutter.transform([[5.0]])[0, 0] == 0.0


def test_sources_of_the_indicators():
    assert Discretizer([2, 3, 2]).fit(TABLES["normal"]).sources_out() == [0, 0, 1, 1, 1, 2, 2]


def test_model_files_explanation_and_certificate():
    X = TABLES["normal"]
    cutter = Discretizer(encode="ordinal", dtype=np.float32).fit(X)
    again = from_bytes(to_bytes(cutter))
    assert np.array_equal(again.transform(X), cutter.transform(X))
    assert again.transform(X).dtype == np.float32
    why = learnable.explain(cutter, X[:1])[0]
    assert "with 60 of 300 training rows" in why.summary
    assert learnable.certify(cutter, X).value == 0.0
