from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import learnable
from learnable.cluster import KMeans
from learnable.cluster.lloyd import ANEW, Look, half_gaps
from learnable.data.rows import other_grid


def plain_turn(X, weight, centres):
    """One turn as the textbook has it."""
    labels = ((X[:, None] - centres) ** 2).sum(axis=2).argmin(axis=1)
    moved = centres.copy()
    for c in range(len(centres)):
        if weight[labels == c].sum() > 0:
            moved[c] = np.average(X[labels == c], 0, weight[labels == c])
    return labels, moved


@given(
    seed=st.integers(0, 50),
    k=st.integers(1, 6),
    turns=st.integers(1, 40),
    weighted=st.booleans(),
    algorithm=st.sampled_from(["lloyd", "elkan"]),
)
def test_turns_are_those_of_the_textbook(seed, k, turns, weighted, algorithm):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(90, 3)) + 2.0 * rng.integers(0, 3, (90, 1))
    weight = rng.integers(1, 4, 90).astype(float) if weighted else np.ones(90)
    centres = X[:k].copy()  # rows themselves: no cluster is empty
    model = KMeans(k, init=X[:k], max_iter=turns, tol=0.0, algorithm=algorithm)
    with other_grid(32):
        model.fit(X, sample_weight=weight if weighted else None)
    for _ in range(turns):
        _, centres = plain_turn(X, weight, centres)
    np.testing.assert_allclose(model.cluster_centers_, centres, rtol=1e-11, atol=1e-11)
    labels, _ = plain_turn(X, weight, centres)
    np.testing.assert_array_equal(model.labels_, labels)


@pytest.mark.parametrize("kind", [np.float64, np.float32])
def test_bounds_spare_work_and_change_no_bit(kind):
    rng = np.random.default_rng(5)
    X = (rng.normal(size=(4000, 6)) + 9.0 * rng.integers(0, 2, (4000, 6))).astype(kind)
    found = {}
    for algorithm in ("lloyd", "elkan"):
        with learnable.tracing() as trace:
            model = KMeans(30, init=X[:30], tol=0.0, algorithm=algorithm).fit(X)
        measured = [event.values["measured"] for event in trace.only("lloyd")]
        found[algorithm] = model, measured
    (one, a), (other, b) = found.values()
    assert one.cluster_centers_.tobytes() == other.cluster_centers_.tobytes()
    assert one.labels_.tobytes() == other.labels_.tobytes()
    assert one.n_iter_ == other.n_iter_ > ANEW
    assert a[:2] == [4000, 4000]
    assert a[-1] < 400
    assert b[1] < 4000


def test_the_look_of_turns_follows_the_share_that_bounds_leave_open():
    look = Look(bounds=False, used=False, wait=1, patience=1)
    look = look.after(1.0, always=False)
    assert (look.bounds, look.used) == (True, False)
    look = look.after(1.0, always=False)
    assert look.used
    assert look.after(0.3, always=False) == look
    assert look.after(1.0, always=True) == look
    waits = []
    for _ in range(6):
        look, turns = look.after(1.0, always=False), 0
        while not look.bounds:
            look, turns = look.after(1.0, always=False), turns + 1
        waits.append(turns)
        look = look.after(1.0, always=False)
    assert waits == [2, 4, 8, 8, 8, 8]


def test_half_gaps_are_below_half_of_the_distance_to_the_nearest_centre():
    centres = np.random.default_rng(0).normal(size=(40, 7))
    apart = np.sqrt(((centres[:, None] - centres) ** 2).sum(axis=2)) + np.diag(np.full(40, np.inf))
    found = half_gaps(centres)
    assert (found <= apart.min(axis=1) / 2).all()
    np.testing.assert_allclose(found, apart.min(axis=1) / 2, rtol=1e-9)
    assert half_gaps(centres[:1]).tolist() == [np.inf]


def test_inertia_never_rises_and_ends_where_it_is_measured():
    rng = np.random.default_rng(2)
    X = rng.normal(size=(3000, 5)) + 1e6
    with learnable.tracing() as trace:
        model = KMeans(12, random_state=1, tol=0.0).fit(X)
    inertia = [event.values["inertia"] for event in trace.only("lloyd")]
    assert (np.diff(inertia) <= 1e-9).all()
    assert inertia[-1] == pytest.approx(model.inertia_, rel=1e-10)
    last = trace.only("lloyd").events[-1].values
    assert (last["change"], last["changed"]) == (0.0, 0)


def test_the_trace_tells_which_rows_moved_and_how_many_more():
    X = np.random.default_rng(0).normal(size=(300, 2))
    with learnable.tracing() as trace:
        model = KMeans(5, init=X[:5], n_init=1).fit(X)
    moves = trace.only("move").to_frame()
    for event in trace.only("lloyd").events[1:]:
        assert (moves["turn"] == event.turn).sum() == event.values["changed"]
    last = moves.groupby("row")["new"].last()
    np.testing.assert_array_equal(model.labels_[last.index.astype(int)], last)

    X = np.random.default_rng(0).normal(size=(20_000, 2))
    with learnable.tracing() as trace:
        KMeans(50, init=X[:50], n_init=1, max_iter=2).fit(X)
    told = trace.only("move").events
    changed = trace.only("lloyd").events[1].values["changed"]
    assert told[-1].values == {"lost": changed - (len(told) - 1)}
