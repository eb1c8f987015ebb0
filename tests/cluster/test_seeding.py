from __future__ import annotations

import numpy as np
import pytest

import learnable
from learnable.cluster import KMeans
from learnable.cluster.seeding import Starts, _place, runs_wanted
from learnable.core import DataError, ParameterError
from learnable.data.rows import other_grid


def seeds(X, k, seed, **options):
    with learnable.tracing() as trace:
        KMeans(k, random_state=seed, max_iter=1, **options).fit(X)
    return np.array(trace.only("seed").events[0].values["centres"])


def test_seeds_are_rows_and_no_row_of_weight_0():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(500, 3))
    weight = (rng.random(500) < 0.1).astype(float)
    for init in ("k-means++", "random"):
        with learnable.tracing() as trace:
            KMeans(20, random_state=3, init=init, n_init=1).fit(X, sample_weight=weight)
        found = np.array(trace.only("seed").events[0].values["centres"])
        apart = np.abs(found[:, None] - X).max(axis=2)
        assert apart.min(axis=1).max() < 1e-12
        assert (weight[apart.argmin(axis=1)] == 1.0).all()
        assert len(set(apart.argmin(axis=1))) == 20


def test_blocks_draw_the_same_rows_as_the_whole():
    X = np.random.default_rng(1).normal(size=(700, 2))
    whole = seeds(X, 9, 4)
    with other_grid(64):
        np.testing.assert_allclose(seeds(X, 9, 4), whole, atol=1e-12)


def test_plus_plus_finds_groups_that_lie_far_apart():
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(size=(50, 2)) + 1e4 * c for c in range(8)])
    hits = [len(np.unique(np.round(seeds(X, 8, seed)[:, 0], -4))) for seed in range(20)]
    assert hits == [8] * 20


def test_the_second_seed_is_drawn_by_squared_distance():
    X = np.array([[0.0], [1.0], [3.0]])
    options = {"init": "k-means++", "n_init": 1}
    drawn = np.array([seeds(X, 2, seed, **options).ravel() for seed in range(800)]).round(9)
    first = np.bincount(drawn[:, 0].astype(int), minlength=4)[[0, 1, 3]] / 800
    assert np.abs(first - 1 / 3).max() < 4.0 * np.sqrt(2 / 9 / 800)
    second = drawn[drawn[:, 0] == 1.0, 1]
    # two candidates a draw: 3 wins whenever it is drawn, for it leaves 1 rather than 4
    share = (second == 3.0).mean()
    assert abs(share - (1 - 0.2**2)) < 4.0 * np.sqrt(0.04 * 0.96 / len(second))


@pytest.mark.parametrize(("value", "place"), [(0.0, 2), (0.9, 2), (1.0, 4), (3.0, 4), (9.0, 4)])
def test_a_place_without_a_chance_is_never_drawn(value, place):
    assert _place(np.array([0.0, 0.0, 1.0, 1.0, 3.0, 3.0]), value) == place


def test_runs_and_their_number():
    assert runs_wanted("k-means++", "auto") == 1
    assert runs_wanted("random", "auto") == 10
    assert runs_wanted(len, "auto") == 10
    assert runs_wanted(len, 3) == 3
    assert runs_wanted(np.zeros((2, 2)), 5) == 1


def test_more_starts_are_no_worse():
    X = np.random.default_rng(0).normal(size=(400, 4))
    one = KMeans(15, init="random", n_init=1, random_state=0).fit(X).inertia_
    with learnable.tracing() as trace:
        ten = KMeans(15, init="random", random_state=0).fit(X)
    ends = [event.values["inertia"] for event in trace.only("finish")]
    assert len(ends) == 10
    assert ten.inertia_ == min(ends) <= one == ends[0]


def test_a_function_gives_the_centres():
    X = np.random.default_rng(0).normal(size=(30, 2))

    def start(X, n_clusters, random_state):
        return X[random_state.permutation(len(X))[:n_clusters]]

    one, other = (KMeans(3, init=start, random_state=5).fit(X) for _ in range(2))
    assert one.cluster_centers_.tobytes() == other.cluster_centers_.tobytes()


def test_wrong_starts_are_refused():
    X = np.zeros((9, 2))
    with pytest.raises(DataError, match=r"\(3, 2\) does not match the number of clusters 2"):
        KMeans(2, init=np.zeros((3, 2))).fit(X)
    with pytest.raises(DataError, match=r"\(2, 3\) does not match the number of features of the"):
        KMeans(2, init=np.zeros((2, 3))).fit(X)
    with pytest.raises(DataError, match="NaN or infinity") as refused:
        KMeans(2, init=[[0.0, 1.0], [2.0, np.nan]]).fit(X)
    assert (refused.value.row, refused.value.column) == (1, 1)
    for init in ("kmeans++", None, 3):
        assert not Starts().accepts(init)
        with pytest.raises(ParameterError, match="init of KMeans must be 'k-means\\+\\+'"):
            KMeans(2, init=init).fit(X)
