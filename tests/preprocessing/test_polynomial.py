"""Products of columns against scikit-learn's."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.preprocessing import PolynomialFeatures as Peer

import learnable
from learnable.core import DataError, ParameterError
from learnable.estimator.persistence import from_bytes, to_bytes
from learnable.preprocessing import PolynomialFeatures

X = np.random.default_rng(0).normal(size=(70, 4))


@pytest.mark.parametrize("once", [False, True])
@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("degree", [1, 2, 3, (2, 3), (0, 2), (3, 3), 6])
def test_the_peers_products(degree, bias, once):
    options = {"degree": degree, "include_bias": bias, "interaction_only": once}
    ours, theirs = PolynomialFeatures(**options).fit(X), Peer(**options).fit(X)
    assert np.allclose(ours.transform(X), theirs.transform(X), 1e-12, 0)
    assert ours.get_feature_names_out().tolist() == theirs.get_feature_names_out().tolist()
    assert ours.powers_.tolist() == theirs.powers_.tolist()
    assert ours.n_output_features_ == theirs.n_output_features_


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int64])
def test_the_kind_of_number_is_the_peers(dtype):
    made = (X * 4).astype(dtype)
    found, expected = PolynomialFeatures().fit_transform(made), Peer().fit_transform(made)
    assert found.dtype == (expected.dtype if dtype != np.int64 else np.float64)
    assert np.allclose(found, expected, 1e-6)


def test_columns_in_one_piece():
    found = PolynomialFeatures(order="F").fit_transform(X)
    assert found.flags.f_contiguous
    assert np.array_equal(found, PolynomialFeatures().fit_transform(X))


def test_names_and_sources_are_those_of_the_columns():
    frame = pd.DataFrame(X[:, :2], columns=["a", "b"])
    model = PolynomialFeatures(2).fit(frame)
    assert model.get_feature_names_out().tolist() == ["1", "a", "b", "a^2", "a b", "b^2"]
    assert model.sources_out() == [None, 0, 1, 0, None, 1]


@pytest.mark.parametrize("degree", [-1, (2, 1), (1.5, 2), (1, 2, 3)])
def test_degrees_that_mean_nothing_are_refused(degree):
    with pytest.raises(ParameterError, match="degree"):
        PolynomialFeatures(degree).fit(X)


def test_a_constant_without_the_bias_is_refused():
    with pytest.raises(ParameterError, match="leaves no column"):
        PolynomialFeatures(0, include_bias=False).fit(X)


def test_a_product_that_overflows_is_named():
    with pytest.raises(DataError, match="range of floats") as caught:
        PolynomialFeatures(3).fit(X).transform([[1.0] * 4, [1.0, 1e200, 1.0, 1.0]])
    assert (caught.value.row, caught.value.column) == (1, "x1")


def test_model_files_explanations_and_certificates():
    model = PolynomialFeatures(2, interaction_only=True).fit(X)
    assert np.array_equal(from_bytes(to_bytes(model)).transform(X), model.transform(X))
    why = learnable.explain(model, X[:1])[0]
    assert why.parts[0].evidence.startswith("largest: x0 = ")
    assert learnable.certify(model, X, role="test").value == 0.0


@pytest.mark.parametrize("degree", [2, (2, 3)])
@pytest.mark.parametrize("form", [sparse.csr_matrix, sparse.csc_array])
def test_compressed_rows_stay_compressed(form, degree):
    holed = np.where(np.abs(X) < 1.0, 0.0, X)
    model = PolynomialFeatures(degree)
    found = model.fit_transform(form(holed))
    assert sparse.issparse(found)
    assert np.allclose(found.toarray(), model.transform(holed))
    assert found.nnz == np.count_nonzero(model.transform(holed))
    with pytest.raises(DataError, match="range of floats") as caught:
        model.transform(form([[0.0] * 4, [0.0, 0.0, 1e200, 0.0]]))
    assert (caught.value.row, caught.value.column) == (1, "x2")
