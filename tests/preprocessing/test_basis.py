"""Basis functions against scikit-learn's, SciPy's and their formulas."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures, SplineTransformer

import learnable
from learnable.core import DataError, ParameterError
from learnable.estimator.persistence import from_bytes, to_bytes
from learnable.preprocessing import BasisFunctions

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(80, 2))
COLUMN = X[:, :1]
BASES = ["polynomial", "radial", "sigmoid", "tanh", "fourier", "spline"]


@pytest.mark.parametrize("bias", [True, False])
def test_powers_are_the_peers(bias):
    ours = BasisFunctions(n_functions=4, include_bias=bias).fit(COLUMN)
    theirs = PolynomialFeatures(4, include_bias=bias).fit(COLUMN)
    assert np.allclose(ours.transform(COLUMN), theirs.transform(COLUMN))
    assert ours.get_feature_names_out().tolist() == theirs.get_feature_names_out().tolist()


@pytest.mark.parametrize("knots", ["uniform", "quantile"])
@pytest.mark.parametrize("degree", [0, 1, 2, 3, 5])
def test_splines_are_the_peers(knots, degree):
    ours = BasisFunctions("spline", 6, degree=degree, knots=knots).fit(X)
    theirs = SplineTransformer(6, degree, knots=knots, extrapolation="constant").fit(X)
    beyond = np.vstack([X, X * 3.0]) if degree else X  # the peer cannot leave the range then
    assert np.allclose(ours.transform(beyond), theirs.transform(beyond), atol=1e-12)
    assert ours.get_feature_names_out().tolist() == theirs.get_feature_names_out().tolist()


def test_local_functions_are_their_formulas():
    low, high = COLUMN.min(), COLUMN.max()
    centers = np.linspace(low, high, 5)
    scale = 2.0 * (high - low) / 4
    z = (COLUMN - centers) / scale
    expected = {"radial": np.exp(-0.5 * z**2), "sigmoid": 1 / (1 + np.exp(-z)), "tanh": np.tanh(z)}
    for basis, values in expected.items():
        found = BasisFunctions(basis, width=2.0).fit_transform(COLUMN)
        assert np.allclose(found, values)


def test_fourier_functions_are_their_formula():
    found = BasisFunctions("fourier", 2, period=3.0).fit_transform(COLUMN)
    turns = 2 * np.pi * (COLUMN - COLUMN.min()) / 3.0
    expected = np.hstack([np.sin(turns), np.cos(turns), np.sin(2 * turns), np.cos(2 * turns)])
    assert np.allclose(found, expected)


@pytest.mark.parametrize("basis", BASES)
def test_a_linear_learner_behind_it_draws_curves(basis):
    x = np.linspace(0, 1, 60)[:, None]
    y = np.sin(5 * x[:, 0])
    straight = LinearRegression().fit(x, y).score(x, y)
    curved = make_pipeline(BasisFunctions(basis, 6), LinearRegression()).fit(x, y).score(x, y)
    assert curved > 0.98 > straight


@pytest.mark.parametrize("basis", BASES)
def test_constant_columns_and_one_row_are_learned(basis):
    assert np.isfinite(BasisFunctions(basis).fit_transform(np.ones((4, 1)))).all()
    assert np.isfinite(BasisFunctions(basis).fit_transform([[3.0]])).all()


@pytest.mark.parametrize("basis", BASES)
def test_model_files_keep_it(basis):
    model = BasisFunctions(basis, include_bias=True).fit(X)
    assert np.array_equal(from_bytes(to_bytes(model)).transform(X), model.transform(X))


def test_a_power_that_overflows_is_named():
    model = BasisFunctions(n_functions=3).fit(COLUMN)
    with pytest.raises(DataError, match="leaves the range") as caught:
        model.transform([[1.0], [1e200]])
    assert (caught.value.row, caught.value.column) == (1, "x0")


def test_splines_need_two_knots():
    with pytest.raises(ParameterError, match="both ends"):
        BasisFunctions("spline", 1).fit(X)


def test_extrapolation_is_explained_and_certified():
    model = BasisFunctions("spline").fit([[0.0], [1.0]])
    why = learnable.explain(model, [[1.5]])[0]
    assert why.score == 0.5
    assert "outside the training range by 0.5" in why.parts[0].evidence
    assert learnable.certify(model, [[0.5], [2.0]]).value == 0.5


def test_sources_of_the_functions():
    model = BasisFunctions(n_functions=2, include_bias=True).fit(X)
    assert model.sources_out() == [None, 0, 0, 1, 1]
