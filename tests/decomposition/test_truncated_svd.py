"""The strongest directions against LAPACK's and scikit-learn's, dense and sparse."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from sklearn.decomposition import TruncatedSVD as Peer

import learnable
from learnable.core import DataError, Threads, config, serial
from learnable.data.rows import other_grid
from learnable.decomposition import TruncatedSVD

RNG = np.random.default_rng(0)
LEFT, RIGHT = (np.linalg.qr(RNG.normal(size=(n, 30)))[0] for n in (300, 40))
VALUES = 0.6 ** np.arange(30.0)
DENSE = LEFT * VALUES @ RIGHT.T
SPARSE = sparse.random(500, 60, density=0.05, random_state=0, format="csr")
WORDS = [{}, {"algorithm": "arpack"}, {"power_iteration_normalizer": "LU"},
         {"power_iteration_normalizer": "none"}]  # fmt: skip


@pytest.mark.parametrize("parameters", WORDS, ids=str)
def test_known_singular_values_are_found(parameters):
    model = TruncatedSVD(5, random_state=0, **parameters).fit(DENSE)
    np.testing.assert_allclose(model.singular_values_, VALUES[:5], rtol=1e-10)
    V = model.components_
    np.testing.assert_allclose(V @ V.T, np.eye(5), atol=1e-12)
    np.testing.assert_allclose(np.abs(np.sum(V * RIGHT.T[:5], axis=1)), 1.0, rtol=1e-9)


def test_small_singular_values_keep_their_digits():
    """Squares of 1e-9 beside 1 would be lost."""
    X = LEFT[:, :4] * [1.0, 1e-3, 1e-6, 1e-9] @ RIGHT[:, :4].T
    model = TruncatedSVD(4, random_state=0).fit(X)
    np.testing.assert_allclose(model.singular_values_, [1.0, 1e-3, 1e-6, 1e-9], rtol=1e-4)


@pytest.mark.parametrize("X", [DENSE + 1.0, SPARSE, SPARSE.toarray()], ids=["d", "s", "a"])
def test_everything_is_scikit_learn_s(X):
    peer = Peer(3, algorithm="arpack", random_state=0)
    expected = peer.fit_transform(X)
    for parameters in ({"n_iter": 60}, {"algorithm": "arpack"}):
        ours = TruncatedSVD(3, random_state=0, **parameters)
        found = ours.fit_transform(X)
        for name in ("singular_values_", "explained_variance_", "explained_variance_ratio_"):
            np.testing.assert_allclose(getattr(ours, name), getattr(peer, name), rtol=1e-8)
        np.testing.assert_allclose(ours.components_, peer.components_, atol=1e-6)
        np.testing.assert_allclose(found, expected, atol=1e-6)
        np.testing.assert_allclose(ours.transform(X), found, atol=1e-12)
        back = ours.inverse_transform(found)
        np.testing.assert_allclose(back, peer.inverse_transform(expected), atol=1e-6)
    assert ours.get_feature_names_out().tolist() == peer.get_feature_names_out().tolist()


def test_sparse_and_dense_rows_and_any_threads_give_the_same():
    with other_grid(64), config(runner=serial):
        first = TruncatedSVD(4, random_state=1).fit(SPARSE)
    for runner in (Threads(2), Threads(3)):
        with other_grid(64), config(runner=runner):
            again = TruncatedSVD(4, random_state=1).fit(SPARSE)
        assert again.components_.tobytes() == first.components_.tobytes()
        assert again.singular_values_.tobytes() == first.singular_values_.tobytes()
    dense = TruncatedSVD(4, random_state=1).fit(SPARSE.toarray())
    np.testing.assert_allclose(dense.components_, first.components_, atol=1e-9)


def test_the_entry_of_largest_size_is_positive():
    for parameters in WORDS[:2]:
        V = TruncatedSVD(3, random_state=2, **parameters).fit(-DENSE).components_
        assert (V[np.arange(3), np.abs(V).argmax(axis=1)] > 0).all()


def test_what_is_left_is_bounded_and_the_bound_is_near():
    for X in (SPARSE, DENSE):
        model = TruncatedSVD(4, random_state=0).fit(X)
        dense = X.toarray() if sparse.issparse(X) else X
        V = model.components_
        truth = np.linalg.norm(dense - dense @ V.T @ V, 2)
        certificate = learnable.certify(model, X)
        assert certificate.low <= truth * (1 + 1e-9)
        assert truth <= certificate.high <= 1.3 * truth
        assert certificate.low >= 0.9 * truth


def test_nothing_left_is_bounded_by_nothing():
    X = np.outer(np.arange(5.0), [1.0, 2.0])
    model = TruncatedSVD(2, random_state=0).fit(X)
    assert learnable.certify(model, X).high < 1e-12
    np.testing.assert_allclose(model.singular_values_[1], 0.0, atol=1e-12)


def test_more_directions_than_rows():
    model = TruncatedSVD(3, random_state=0).fit([[3.0, 0.0, 4.0, 0.0]])
    np.testing.assert_allclose(model.singular_values_, [5.0, 0.0, 0.0], atol=1e-12)
    np.testing.assert_allclose(model.components_ @ model.components_.T, np.eye(3), atol=1e-12)
    zeros = TruncatedSVD(2, algorithm="arpack").fit(np.zeros((5, 4)))
    assert zeros.explained_variance_ratio_.tolist() == [0.0, 0.0]


def test_too_many_directions_are_refused():
    with pytest.raises(DataError, match=r"n_components\(5\) must be <= n_features\(4\)"):
        TruncatedSVD(5).fit(np.ones((9, 4)))
    with pytest.raises(DataError, match="both sides"):
        TruncatedSVD(4, algorithm="arpack").fit(np.ones((9, 4)))
    with pytest.raises(DataError, match="2 directions"):
        TruncatedSVD(2).fit(DENSE).inverse_transform(np.ones((3, 3)))


def test_the_trace_shows_the_turns():
    with learnable.tracing() as trace:
        TruncatedSVD(2, n_iter=3, random_state=0).fit(DENSE)
    assert len(trace.only("power")) == 4
    assert trace.only("directions").events[0].values["largest"] == pytest.approx(1.0)


def test_explanations_add_up_to_the_place_along_the_strongest_direction():
    model = TruncatedSVD(2, random_state=0).fit(SPARSE)
    why = learnable.explain(model, SPARSE[:3])[1]
    scores = model.transform(SPARSE[1:2])[0]
    assert why.score == pytest.approx(scores[np.abs(scores).argmax()])
