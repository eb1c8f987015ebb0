from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_wine

import learnable
from learnable.cluster import KMeans
from learnable.cluster.reasons import least_inertia
from learnable.core import DataError
from learnable.datasets import load_iris
from learnable.stats import Moments


def best_of_all(X, k):
    """Least sum of squares over every partition (small tables only)."""
    best = np.inf
    for labels in product(range(k), repeat=len(X)):
        codes = np.array(labels)
        parts = [X[codes == c] for c in set(labels)]
        best = min(best, sum(((part - part.mean(axis=0)) ** 2).sum() for part in parts))
    return best


@pytest.mark.parametrize("seed", range(8))
def test_no_partition_goes_below_the_spectral_bound(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(7, 3)) * rng.uniform(0.1, 10, 3) + 1e5
    for k in (1, 2, 3):
        least = least_inertia(Moments.of(X, full=True), k)
        assert least <= best_of_all(X, k)
    whole = ((X - X.mean(axis=0)) ** 2).sum()
    assert least_inertia(Moments.of(X, full=True), 1) == pytest.approx(whole, rel=1e-9)
    assert least_inertia(Moments.of(X, full=True), 4) == 0.0


def test_the_bound_is_sharp_for_two_points_and_holds_at_any_scale():
    X = np.repeat([[0.0, 0.0], [3.0, 4.0]], 5, axis=0) + np.tile([[0.0, 0.0], [1e-3, 0.0]], (5, 1))
    for size in (1e-200, 1e-150, 1.0, 1e140):
        least = least_inertia(Moments.of(X * size, full=True), 1)
        np.testing.assert_allclose(least, ((X - X.mean(axis=0)) ** 2).sum() * size * size)


def test_training_rows_certify_how_far_the_optimum_can_be():
    X = load_iris(return_X_y=True)[0]
    model = KMeans(2, random_state=0).fit(X)
    found = learnable.certify(model, X, role="train")
    assert found.kind == "guaranteed"
    assert found.low == 1.0
    values = np.linalg.eigvalsh(np.cov(X.T, bias=True) * len(X))
    assert found.high == pytest.approx(model.inertia_ / values[:-1].sum(), rel=1e-9)
    assert found.high < 3.0
    assert "152.348 here" in found.text
    assert "Nothing can be promised" in learnable.certify(
        KMeans(8, random_state=0).fit(X), X, role="train"
    ).text  # fmt: skip
    every = learnable.certify(KMeans(5, random_state=0).fit(X[:5]), X[:5], role="train")
    assert (every.value, every.high) == (1.0, 1.0)


def test_new_rows_certify_a_distance():
    X = load_wine().data
    model = KMeans(3, random_state=0).fit(X[::2])
    found = learnable.certify(model, X[1::2])
    near = np.sort(model.transform(X[1::2]).min(axis=1))
    assert found.high in near
    assert (near <= found.high).mean() >= 0.9
    assert "have their nearest centre within" in found.text
    with pytest.raises(DataError, match="were among the training rows"):
        learnable.certify(model, X[::2])


@pytest.mark.full
def test_the_promised_distance_holds(record_property):
    rng = np.random.default_rng(0)
    model = KMeans(3, random_state=0).fit(rng.normal(size=(200, 2)))
    future = model.transform(rng.normal(size=(200_000, 2))).min(axis=1)
    kept = []
    for _ in range(2000):
        bound = learnable.certify(model, rng.normal(size=(60, 2)), confidence=0.9).high
        kept.append((future <= bound).mean() >= 0.9)
    record_property("promised at least", "0.9")
    record_property("held", f"{np.mean(kept):.4f}")
    assert np.mean(kept) >= 0.9 - 3 * np.sqrt(0.09 / 2000)


def test_explanations_name_the_columns_and_add_up():
    X = pd.DataFrame(load_iris(return_X_y=True)[0], columns=["a", "b", "c", "d"])
    model = KMeans(3, random_state=0).fit(X)
    near = model.transform(X)
    for i, why in enumerate(learnable.explain(model, X)):
        order = np.sort(near[i])
        assert why.kind == "prototype"
        assert why.prediction == model.labels_[i]
        assert [part.label for part in why.parts] == ["a", "b", "c", "d"]
        assert why.score == pytest.approx(sum(part.weight for part in why.parts))
        assert why.score == pytest.approx(order[1] ** 2 - order[0] ** 2)
    assert f"Cluster {model.labels_[0]}: its centre is" in learnable.explain(model, X[:1])[0].text()


def test_the_evidence_says_which_centre_is_nearer():
    model = KMeans(2, init=[[0.0, 5.0], [4.0, 5.0]]).fit([[0.0, 5.0], [4.0, 5.0]])
    left, even = learnable.explain(model, [[1.0, 7.0]])[0].parts
    assert left == ("x0", 1.0, "centre 0 has 0, centre 1 has 4: nearer to 0", 8.0)
    assert even == ("x1", 7.0, "centre 0 has 5, centre 1 has 5: no nearer to either", 0.0)
    other = learnable.explain(model, [[3.0, 7.0]])[0]
    assert (other.prediction, other.score) == (1, 8.0)
    alone = learnable.explain(KMeans(1).fit([[1.0], [3.0]]), [[5.0]])[0]
    assert alone.summary == "Cluster 0: there is no other; its centre is 3 away."
    assert alone.score == 0.0
