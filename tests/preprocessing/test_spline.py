"""B-splines against scikit-learn's."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from sklearn.preprocessing import SplineTransformer as Peer

import learnable
from learnable.core import DataError, ParameterError
from learnable.estimator.persistence import from_bytes, to_bytes
from learnable.preprocessing import SplineTransformer

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(80, 2))
BEYOND = np.vstack([X, 3.0 * X])
STATED = np.array([[-2.0, -1.5], [-0.5, 0.0], [0.0, 0.25], [0.5, 1.0], [3.0, 2.0]])


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("knots", ["uniform", "quantile", STATED], ids=["even", "shares", "stated"])
@pytest.mark.parametrize("extrapolation", ["constant", "linear", "continue", "periodic"])
@pytest.mark.parametrize("degree", [0, 1, 2, 3, 4])
def test_the_peers_splines(degree, extrapolation, knots, bias):
    d = 2
    if extrapolation == "linear" and degree < 2:
        d = 1  # the peer raises its degree at every column
        knots = knots if isinstance(knots, str) else knots[:, :1]
    options = {"knots": knots, "extrapolation": extrapolation, "include_bias": bias}
    ours = SplineTransformer(6, degree, **options).fit(X[:, :d])
    theirs = Peer(6, degree, **options).fit(X[:, :d])
    # Without a degree the peer fails where rows lie beyond the knots.
    low, high = ours.knots_[:, 0], ours.knots_[:, -1]
    rows = BEYOND[:, :d]
    inside = ((low <= rows) & (high >= rows)).all(axis=1)
    rows = rows[inside] if degree == 0 else rows
    assert np.allclose(ours.transform(rows), theirs.transform(rows), 1e-9, 1e-9)
    assert ours.get_feature_names_out().tolist() == theirs.get_feature_names_out().tolist()
    assert ours.n_features_out_ == theirs.n_features_out_


@pytest.mark.parametrize("knots", ["uniform", "quantile"])
def test_weighted_rows(knots):
    weight = RANDOM.integers(0, 4, len(X)).astype(float)
    ours = SplineTransformer(5, knots=knots).fit(X, sample_weight=weight)
    theirs = Peer(5, knots=knots).fit(X, sample_weight=weight)
    for j, spline in enumerate(theirs.bsplines_):
        assert np.allclose(ours.knots_[j], spline.t[3:-3])


def test_missing_cells_become_zeros():
    holed = X.copy()
    holed[3, 0] = np.nan
    ours = SplineTransformer(handle_missing="zeros").fit_transform(holed)
    theirs = Peer(handle_missing="zeros").fit_transform(holed)
    assert np.allclose(ours, theirs, 1e-12, 1e-12)
    with pytest.raises(DataError, match="NaN"):
        SplineTransformer().fit(holed)


def test_compressed_rows():
    ours = SplineTransformer(sparse_output=True).fit_transform(X)
    assert sparse.issparse(ours)
    assert ours.format == "csr"
    assert np.allclose(ours.toarray(), Peer(sparse_output=True).fit_transform(X).toarray())


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_the_kind_of_number_stays(dtype):
    assert SplineTransformer().fit_transform(X.astype(dtype)).dtype == dtype


def test_beyond_the_knots_is_refused_where_that_is_asked_for():
    model = SplineTransformer(extrapolation="error").fit(X)
    assert np.allclose(model.transform(X), SplineTransformer().fit_transform(X))
    with pytest.raises(DataError, match="beyond the limits") as caught:
        model.transform([[0.0, 0.0], [0.0, 99.0]])
    assert (caught.value.row, caught.value.column) == (1, "x1")


@pytest.mark.parametrize(
    ("knots", "told"),
    [([[0.0, 1.0]], "must be >= 2"), ([[0.0], [1.0]], "n_features"), ([[0.0] * 2] * 2, "sorted")],
)
def test_stated_knots_that_mean_nothing_are_refused(knots, told):
    with pytest.raises(ParameterError, match=told):
        SplineTransformer(knots=knots).fit(X)


def test_periods_need_knots():
    with pytest.raises(ParameterError, match="Periodic splines require degree < n_knots"):
        SplineTransformer(3, 3, extrapolation="periodic").fit(X)


def test_splines_sum_to_one():
    found = SplineTransformer(7, 3).fit_transform(X)
    assert np.allclose(found.sum(axis=1), 2.0)


def test_model_files_explanations_and_certificates():
    model = SplineTransformer(knots="quantile", include_bias=False).fit(X)
    assert np.array_equal(from_bytes(to_bytes(model)).transform(X), model.transform(X))
    assert "largest: x0_sp_" in learnable.explain(model, X[:1])[0].parts[0].evidence
    assert learnable.certify(model, 9.0 * X, role="test").value > 0.5
    assert model.sources_out() == [0] * 6 + [1] * 6
