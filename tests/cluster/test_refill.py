from __future__ import annotations

import numpy as np

import learnable
from learnable.cluster import KMeans
from learnable.cluster.frame import Frame, Targets
from learnable.cluster.problem import Problem
from learnable.cluster.refill import RowState, refill
from learnable.data import Rows
from learnable.data.rows import other_grid
from learnable.stats import Shifts


def test_empty_clusters_take_the_rows_farthest_from_their_centres():
    X = np.array([[0.0], [1.0], [2.0], [20.0], [21.0], [50.0]])
    init = np.array([[10.0], [1000.0], [2000.0]])
    with learnable.tracing() as trace:
        model = KMeans(3, init=init, tol=0.0).fit(X)
    assert trace.only("lloyd").events[0].values["repaired"] == 2
    assert sorted(np.bincount(model.labels_)) == [1, 2, 3]
    assert sorted(model.cluster_centers_[:, 0]) == [1.0, 20.5, 50.0]


def test_of_rows_equally_far_the_first_fills_the_empty_cluster():
    X = np.array([[-4.0, 0.0], [4.0, 0.0], [0.0, 4.0], [0.0, -4.0], [0.0, 0.0]])
    init = np.array([[0.0, 0.0], [99.0, 99.0]])
    for rows in (16, 2):
        with other_grid(rows):
            model = KMeans(2, init=init, max_iter=1).fit(X)
        np.testing.assert_allclose(model.cluster_centers_, [[1.0, 0.0], [-4.0, 0.0]], atol=1e-15)


def test_a_row_alone_in_its_cluster_is_not_taken_from_it():
    X = np.array([[0.0], [1.0], [100.0]])
    model = KMeans(3, init=np.array([[0.4], [70.0], [9e9]]), max_iter=1).fit(X)
    assert model.cluster_centers_[:, 0].tolist() == [0.0, 100.0, 1.0]
    assert model.inertia_ == 0.0


def test_rows_of_weight_0_fill_no_cluster():
    X = np.array([[0.0], [1.0], [2.0], [500.0]])
    weight = np.array([1.0, 1.0, 1.0, 0.0])
    model = KMeans(2, init=np.array([[1.2], [9e9]])).fit(X, sample_weight=weight)
    assert sorted(model.cluster_centers_[:, 0]) == [0.0, 1.5]


def test_the_bounds_of_a_row_that_changed_its_cluster_are_void():
    X = np.array([[0.0], [1.0], [2.0], [7.0]])
    X.flags.writeable = False
    frame = Frame(np.zeros(1), 1.0)
    with other_grid(2):
        problem = Problem(Rows(X).blocks(), 4, 2, frame, 1.0, 1.0, X.dtype)
    targets = Targets.of(frame, np.array([[2.5], [99.0]]), X.dtype)
    states = tuple(
        RowState(np.zeros(2, np.int32), np.full(2, 4.5), np.full(2, 92.0)) for _ in range(2)
    )
    labels = np.zeros(4, np.int32)
    totals, after, filled = refill(problem, targets, Shifts.of(X, labels, 2), states)
    assert filled == 1
    assert [state.labels.tolist() for state in after] == [[0, 0], [0, 1]]
    assert after[1].upper.tolist() == [4.5, np.inf]
    assert after[1].lower.tolist() == [92.0, 0.0]
    assert after[0] is states[0]
    assert states[1].labels.tolist() == [0, 0]
    assert (totals.rows.tolist(), totals.sums[:, 0].tolist()) == ([3, 1], [3.0, 7.0])
