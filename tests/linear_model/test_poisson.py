from __future__ import annotations

import numpy as np
import pytest
import statsmodels.api as sm

from learnable.core import DataError, ParameterError
from learnable.linear_model import PoissonRegressor


def drawn(n=150, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3)) * [1, 20, 0.1] + 1
    return X, rng.poisson(np.exp(0.3 + X @ [0.4, -0.02, 3.0])).astype(float), rng


@pytest.mark.parametrize("constant", [True, False])
def test_inference_is_that_of_statsmodels(constant):
    X, y, rng = drawn()
    weight = rng.integers(0, 3, len(y)).astype(float)
    design = sm.add_constant(X) if constant else X
    theirs = sm.GLM(y, design, family=sm.families.Poisson(), freq_weights=weight).fit(tol=1e-14)
    ours = PoissonRegressor(alpha=0, fit_intercept=constant).fit(X, y, sample_weight=weight)
    table = ours.inference()
    np.testing.assert_allclose(table.estimate, theirs.params, rtol=1e-8)
    np.testing.assert_allclose(table.std_error, theirs.bse, rtol=1e-7)
    np.testing.assert_allclose(table.p, theirs.pvalues, rtol=1e-5, atol=1e-300)
    np.testing.assert_allclose(2 * ours.loss_, theirs.deviance, rtol=1e-9)
    np.testing.assert_allclose(ours.pearson_, theirs.pearson_chi2, rtol=1e-9)
    if constant:
        np.testing.assert_allclose(2 * ours.null_loss_, theirs.null_deviance, rtol=1e-9)
        quasi = ours.inference(quasi=True).std_error
        np.testing.assert_allclose(quasi, theirs.bse * np.sqrt(ours.dispersion_), rtol=1e-7)


@pytest.mark.parametrize("alpha", [0.01, 2.0])
def test_scikit_learn_at_the_same_objective(alpha):
    from sklearn.linear_model import PoissonRegressor as Peer

    X, y, _ = drawn()
    ours = PoissonRegressor(alpha=alpha).fit(X, y)
    theirs = Peer(alpha=alpha, tol=1e-10, max_iter=5000).fit(X, y)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-4, atol=1e-7)
    np.testing.assert_allclose(ours.score(X, y), theirs.score(X, y), rtol=1e-6)
    with pytest.raises(ParameterError, match="biased on purpose"):
        ours.inference()


def test_one_column_of_two_values_has_their_means():
    y = np.array([1.0, 3.0, 2.0, 7.0, 9.0, 8.0])
    x = np.array([0.0, 0, 0, 1, 1, 1])[:, None]
    model = PoissonRegressor(alpha=0).fit(x, y)
    np.testing.assert_allclose(model.predict([[0.0], [1.0]]), [2.0, 8.0], rtol=1e-12)


def test_bad_input_is_named():
    X, y, _ = drawn(20)
    with pytest.raises(DataError, match="a count is below 0"):
        PoissonRegressor().fit(X, y - 100)
    with pytest.raises(DataError, match="All counts are 0"):
        PoissonRegressor().fit(X, y * 0)
