from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array, csr_matrix, random_array
from sklearn.cluster import KMeans as Peer
from sklearn.datasets import load_breast_cancer, load_digits, load_wine
from sklearn.exceptions import ConvergenceWarning
from sklearn.pipeline import make_pipeline

import learnable
from learnable.cluster import KMeans
from learnable.core import DataError, ParameterError, Threads
from learnable.data.rows import other_grid
from learnable.datasets import load_iris
from learnable.preprocessing import StandardScaler

IRIS = {2: 152.347952, 3: 78.851441, 4: 57.228473, 5: 46.446182}


def drawn(n=600, d=4, k=5, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)) + 4.0 * rng.integers(0, k, (n, 1))


def without_ties(X):
    """Rows moved by a little, for which of equally near centres wins is a matter of rounding."""
    return X + 1e-4 * X.std(axis=0) * np.random.default_rng(0).normal(size=X.shape)


def both(X, k, *, weight=None, **options):
    """Fit ours and scikit-learn's from the same centres."""
    dense = X.toarray() if hasattr(X, "toarray") else np.asarray(X)
    init = dense[np.random.default_rng(0).choice(len(dense), k, replace=False)]
    options = {"init": init, "n_init": 1, **options}
    return KMeans(k, **options).fit(X, sample_weight=weight), Peer(k, **options).fit(
        X, sample_weight=weight
    )


def assert_same(ours, theirs, tolerance=1e-8):
    np.testing.assert_array_equal(ours.labels_, theirs.labels_)
    size = np.abs(theirs.cluster_centers_).max()
    np.testing.assert_allclose(
        ours.cluster_centers_, theirs.cluster_centers_, rtol=tolerance, atol=tolerance * size
    )
    assert ours.inertia_ == pytest.approx(theirs.inertia_, rel=tolerance)
    assert ours.n_iter_ == theirs.n_iter_


@pytest.mark.parametrize("load", [load_iris, load_wine, load_breast_cancer, load_digits])
@pytest.mark.parametrize("tol", [1e-4, 0.0])
@pytest.mark.parametrize("k", [1, 3, 10])
def test_from_the_same_centres_it_is_scikit_learns(load, tol, k):
    X = without_ties(load(return_X_y=True)[0])
    with other_grid(128):
        ours, theirs = both(X, k, tol=tol)
    assert_same(ours, theirs)
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))
    np.testing.assert_allclose(ours.transform(X), theirs.transform(X), rtol=1e-6, atol=1e-6)
    assert ours.score(X) == pytest.approx(theirs.score(X), rel=1e-9)


@pytest.mark.parametrize("max_iter", [1, 2, 3, 17])
def test_stopped_early_it_is_scikit_learns(max_iter):
    X = without_ties(load_digits(return_X_y=True)[0])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        assert_same(*both(X, 12, max_iter=max_iter, tol=0.0))


def test_float32_stays_and_is_scikit_learns():
    X = drawn().astype(np.float32)
    ours, theirs = both(X, 5)
    assert ours.cluster_centers_.dtype == ours.transform(X).dtype == np.float32
    assert_same(ours, theirs, 1e-5)


@pytest.mark.parametrize("form", [csr_array, csr_matrix])
def test_sparse_rows_are_dense_rows_and_scikit_learns(form):
    X = form(random_array((400, 12), density=0.2, rng=np.random.default_rng(0)))
    ours, theirs = both(X, 6)
    assert_same(ours, theirs)
    dense = KMeans(6, init=ours.init).fit(X.toarray())
    assert dense.cluster_centers_.tobytes() == ours.cluster_centers_.tobytes()
    np.testing.assert_array_equal(ours.predict(X), ours.predict(X.toarray()))


def test_weights_are_scikit_learns_and_repetitions():
    X = drawn()
    weight = np.random.default_rng(1).integers(0, 4, len(X)).astype(float)
    ours, theirs = both(X, 5, weight=weight, tol=0.0)
    assert_same(ours, theirs)
    assert ours.score(X, sample_weight=weight) == pytest.approx(-ours.inertia_, rel=1e-12)
    repeated = KMeans(5, init=ours.init, tol=0.0).fit(np.repeat(X, weight.astype(int), axis=0))
    np.testing.assert_allclose(ours.cluster_centers_, repeated.cluster_centers_, rtol=1e-12)
    assert ours.inertia_ == pytest.approx(repeated.inertia_, rel=1e-12)
    assert ours.n_iter_ == repeated.n_iter_


@pytest.mark.parametrize("k", IRIS)
def test_iris_has_its_known_sums_of_squares(k):
    X = load_iris(return_X_y=True)[0]
    model = KMeans(k, n_init=20, random_state=0, tol=0.0).fit(X)
    assert model.inertia_ == pytest.approx(IRIS[k], abs=1e-6)


@pytest.mark.parametrize(("name", "k"), [("letter", 26), ("satimage", 6)])
def test_real_tables_are_clustered_as_by_scikit_learn(needs_data, name, k):
    assert_same(*both(without_ties(needs_data(name).X), k))


def test_seeds_of_equal_quality():
    X = load_digits(return_X_y=True)[0]
    ours = [KMeans(10, random_state=seed).fit(X).inertia_ for seed in range(12)]
    theirs = [Peer(10, random_state=seed).fit(X).inertia_ for seed in range(12)]
    assert np.mean(ours) < 1.02 * np.mean(theirs)


@pytest.mark.parametrize("kind", [np.float64, np.float32])
@pytest.mark.parametrize("options", [{"random_state": 3}, {"init": "random", "random_state": 3}])
def test_the_bits_are_those_of_one_thread(kind, options):
    X = drawn(5000, 6).astype(kind)
    weight = np.random.default_rng(0).uniform(size=len(X))
    found = set()
    for runner in ("serial", Threads(1), Threads(2), Threads(3), learnable.core.Dask("threads")):
        with other_grid(256), learnable.config(runner=runner):
            model = KMeans(9, **options).fit(X, sample_weight=weight)
            found.add((model.cluster_centers_.tobytes(), model.labels_.tobytes(), model.inertia_))
    assert len(found) == 1


@pytest.mark.slow
def test_workers_of_a_cluster_give_the_same_bits():
    from distributed import Client

    X = drawn(2000, 3)
    here = KMeans(5, random_state=0).fit(X)
    with (
        Client(n_workers=1, threads_per_worker=2, dashboard_address=None) as client,
        other_grid(512),
        learnable.config(runner=client),
    ):
        there = KMeans(5, random_state=0).fit(X)
    with other_grid(512):
        here = KMeans(5, random_state=0).fit(X)
    assert there.cluster_centers_.tobytes() == here.cluster_centers_.tobytes()
    assert there.labels_.tobytes() == here.labels_.tobytes()


@pytest.mark.parametrize("shift", [1e6, -1e9])
def test_data_far_from_0_lose_only_what_their_own_digits_lose(shift):
    X = np.ldexp(np.round(np.ldexp(drawn(), 20)), -20)  # so that the shift is exact
    plain = KMeans(5, random_state=0, tol=0.0).fit(X)
    far = KMeans(5, random_state=0, tol=0.0).fit(X + shift)
    np.testing.assert_array_equal(far.labels_, plain.labels_)
    assert far.inertia_ == pytest.approx(plain.inertia_, rel=1e-14 * abs(shift))
    np.testing.assert_allclose(
        far.cluster_centers_ - shift, plain.cluster_centers_, atol=1e-15 * abs(shift)
    )


@pytest.mark.parametrize("exponent", [-660, -60, 60, 490])
def test_powers_of_two_change_no_bit(exponent):
    X = drawn()
    plain = KMeans(5, random_state=0).fit(X)
    scaled = KMeans(5, random_state=0).fit(np.ldexp(X, exponent))
    np.testing.assert_array_equal(scaled.labels_, plain.labels_)
    np.testing.assert_array_equal(
        scaled.cluster_centers_, np.ldexp(plain.cluster_centers_, exponent)
    )
    assert scaled.n_iter_ == plain.n_iter_
    assert scaled.inertia_ == np.ldexp(plain.inertia_, 2 * exponent)


def test_scales_beyond_squares_are_refused():
    with pytest.raises(DataError, match="range of floats"):
        KMeans(2, random_state=0).fit(drawn() * 1e200)


def test_of_centres_equally_near_the_first_wins_for_whole_numbers_and_tenths():
    cells = np.random.default_rng(0).integers(0, 20, (400, 3))
    for X in (cells.astype(float), cells / 16.0 + 1000.0):
        init = X[:12]
        model = KMeans(12, init=init, max_iter=1).fit(X)
        labels = ((cells[:, None] - cells[:12]) ** 2).sum(axis=2).argmin(axis=1)
        means = [X[labels == c].mean(axis=0) for c in range(12)]
        np.testing.assert_allclose(model.cluster_centers_, means, rtol=1e-12)


def test_columns_that_never_vary_change_nothing():
    X = drawn()
    plain = KMeans(4, random_state=0).fit(X)
    more = KMeans(4, random_state=0).fit(np.column_stack([X, np.full(len(X), 1e8)]))
    np.testing.assert_array_equal(plain.labels_, more.labels_)
    assert (more.cluster_centers_[:, -1] == 1e8).all()


@given(
    n=st.integers(1, 40), d=st.integers(1, 5), k=st.integers(1, 8), seed=st.integers(0, 999),
    values=st.sampled_from([2, 5, 1000]), init=st.sampled_from(["k-means++", "random"]),
)  # fmt: skip
def test_what_every_clustering_keeps(n, d, k, seed, values, init):
    X = np.random.default_rng(seed).integers(0, values, (n, d)).astype(float)
    model = KMeans(min(k, n), init=init, n_init=1, random_state=seed, tol=0.0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(X)
    squares = ((X[:, None] - model.cluster_centers_) ** 2).sum(axis=2)
    np.testing.assert_allclose(squares[np.arange(n), model.labels_], squares.min(axis=1), atol=1e-9)
    assert model.inertia_ == pytest.approx(squares.min(axis=1).sum(), abs=1e-9)
    np.testing.assert_array_equal(model.predict(X), model.labels_)
    for c in set(model.labels_):
        own = X[model.labels_ == c].mean(axis=0)
        np.testing.assert_allclose(model.cluster_centers_[c], own, atol=1e-9)
    assert len(set(model.labels_)) == min(k, n, len(np.unique(X, axis=0)))


def test_as_many_clusters_as_rows_and_one_cluster():
    X = drawn(20)
    every = KMeans(20, random_state=0).fit(X)
    assert every.inertia_ < 1e-25
    assert sorted(every.labels_) == list(range(20))
    one = KMeans(1, random_state=0).fit(X)
    np.testing.assert_allclose(one.cluster_centers_[0], X.mean(axis=0), rtol=1e-14)
    assert KMeans(1).fit(X[:1]).cluster_centers_.tolist() == [X[0].tolist()]


def test_fewer_distinct_rows_than_clusters_are_told():
    with pytest.warns(ConvergenceWarning, match=r"distinct clusters \(2\) found smaller than n_cl"):
        model = KMeans(4, random_state=0).fit([[0.0], [0.0], [1.0], [1.0], [1.0]])
    assert model.inertia_ == 0.0


def test_fewer_rows_than_clusters_are_refused():
    with pytest.raises(DataError, match=r"n_samples=3 should be >= n_clusters=4\."):
        KMeans(4).fit(np.zeros((3, 1)))
    with pytest.raises(DataError, match="n_samples=2 should be >= n_clusters=3"):
        KMeans(3).fit(drawn(5), sample_weight=[0.0, 1.0, 0.0, 2.0, 0.0])


@pytest.mark.parametrize("wrong", [np.nan, np.inf])
def test_cells_that_are_no_numbers_are_named_whatever_their_weight(wrong):
    X = pd.DataFrame(drawn(50), columns=list("abcd"))
    X.loc[7, "c"] = wrong
    for weight in (None, np.ones(50), np.where(np.arange(50) == 7, 0.0, 1.0)):
        with learnable.tracing() as trace, pytest.raises(DataError) as refused:
            KMeans(3).fit(X, sample_weight=weight)
        assert (refused.value.row, refused.value.column) == (7, "c")
        assert not trace.events  # before anything was learned


def test_wrong_parameters_are_refused():
    for name, wrong in (
        ("n_clusters", 0), ("n_init", "many"), ("n_init", 0), ("max_iter", 0), ("tol", -1.0),
        ("algorithm", "auto"), ("random_state", "a"), ("copy_x", 2), ("verbose", -1),
    ):  # fmt: skip
        with pytest.raises(ParameterError, match=f"{name} of KMeans"):
            KMeans(**{name: wrong}).fit(drawn())


def test_it_stands_in_scikit_learns_pipelines_and_frames():
    X = pd.DataFrame(drawn(), columns=list("abcd"))
    pipeline = make_pipeline(StandardScaler(), KMeans(3, random_state=0)).fit(X)
    assert pipeline.predict(X).dtype == np.int32
    model = KMeans(3, random_state=0).set_output(transform="pandas").fit(X)
    found = model.transform(X)
    assert list(found.columns) == ["kmeans0", "kmeans1", "kmeans2"]
    labels = KMeans(3, random_state=0).fit_predict(X)
    np.testing.assert_array_equal(labels, model.labels_)
    again = KMeans(3, random_state=0).fit_transform(X)
    np.testing.assert_array_equal(found.to_numpy(), again)


def test_a_model_comes_back_from_its_file_and_labels_without_centre_do_not(tmp_path):
    model = KMeans(3, random_state=0).fit(drawn())
    path = tmp_path / "clusters.model"
    learnable.save(model, path)
    back = learnable.load(path)
    np.testing.assert_array_equal(back.transform(drawn()), model.transform(drawn()))
    model.labels_ = model.labels_ + np.int32(1)
    with pytest.raises(ParameterError, match="labels_: it holds 3, not less than 3"):
        learnable.save(model, path)


@pytest.mark.alone
def test_rows_are_not_copied():
    import tracemalloc

    X = np.random.default_rng(0).normal(size=(200_000, 40))
    KMeans(8, random_state=0, max_iter=3).fit(X[:5000])
    tracemalloc.start()
    KMeans(8, random_state=0, max_iter=8).fit(X)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 0.35 * X.nbytes
