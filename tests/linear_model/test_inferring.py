"""Inference on least squares, held against statsmodels."""

from __future__ import annotations

import numpy as np
import pytest
import statsmodels.api as sm

from learnable.core import DataError, ParameterError
from learnable.linear_model import LinearRegression


def drawn(n=60, d=3, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) * [1.0, 100.0, 0.01][:d] + 5.0
    noise = rng.normal(size=n) * (0.5 + np.abs(X[:, 0] - 5))
    return X, X @ [1.0, -0.02, 30.0][:d] + 2 + noise, rng


def design(X, constant):
    return sm.add_constant(X) if constant else X


@pytest.mark.parametrize("constant", [True, False])
@pytest.mark.parametrize("kind", ["classical", "HC0", "HC1", "HC2", "HC3"])
def test_standard_errors_are_those_of_statsmodels(kind, constant):
    X, y, _ = drawn()
    ours = LinearRegression(fit_intercept=constant, covariance=kind).fit(X, y)
    theirs = sm.OLS(y, design(X, constant)).fit(
        cov_type="nonrobust" if kind == "classical" else kind, use_t=True
    )
    table = ours.inference()
    np.testing.assert_allclose(table.estimate, theirs.params, rtol=1e-9)
    np.testing.assert_allclose(table.std_error, theirs.bse, rtol=1e-9)
    np.testing.assert_allclose(table.t, theirs.tvalues, rtol=1e-9)
    np.testing.assert_allclose(table.p, theirs.pvalues, rtol=1e-8)
    np.testing.assert_allclose(np.column_stack([table.low, table.high]), theirs.conf_int(), 1e-8)
    np.testing.assert_allclose(ours.covariance_matrix(), theirs.cov_params(), rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(ours.f_test(["x1", "x2"]).statistic, theirs.f_test(
        np.eye(len(theirs.params))[-2:]).fvalue, rtol=1e-8)  # fmt: skip


def test_clustered_standard_errors_are_those_of_statsmodels():
    X, y, rng = drawn()
    groups = rng.integers(0, 9, len(y))
    ours = LinearRegression(covariance="cluster").fit(X, y, groups=groups).inference()
    theirs = sm.OLS(y, sm.add_constant(X)).fit(
        cov_type="cluster", cov_kwds={"groups": groups}, use_t=True
    )
    np.testing.assert_allclose(ours.std_error, theirs.bse, rtol=1e-9)
    np.testing.assert_allclose(ours.p, theirs.pvalues, rtol=1e-8)


def test_the_fit_as_numbers():
    X, y, _ = drawn()
    ours, theirs = LinearRegression().fit(X, y), sm.OLS(y, sm.add_constant(X)).fit()
    np.testing.assert_allclose(ours.r2_, theirs.rsquared)
    np.testing.assert_allclose(ours.log_likelihood_, theirs.llf)
    np.testing.assert_allclose(ours.aic_, theirs.aic + 2)  # the variance is a parameter too
    np.testing.assert_allclose(ours.bic_, theirs.bic + np.log(len(y)))
    np.testing.assert_allclose(ours.noise_variance_, theirs.mse_resid)
    np.testing.assert_allclose(ours.noise_variance_ml_, theirs.mse_resid * 56 / 60)
    np.testing.assert_allclose(ours.f_test().statistic, theirs.fvalue)
    np.testing.assert_allclose(float(ours.f_test().p), theirs.f_pvalue)
    np.testing.assert_allclose(
        ours.singular_, np.linalg.svd(X - X.mean(axis=0), compute_uv=False), rtol=1e-10
    )


def test_intervals_of_means_and_predictions():
    X, y, _ = drawn()
    new = X[:7] + 0.3
    frame = sm.OLS(y, sm.add_constant(X)).fit().get_prediction(sm.add_constant(new)).summary_frame()
    model = LinearRegression().fit(X, y)
    for kind, name in (("mean", "mean_ci"), ("prediction", "obs_ci")):
        low, high = model.predict_interval(new, kind)
        np.testing.assert_allclose(low, frame[f"{name}_lower"], rtol=1e-9)
        np.testing.assert_allclose(high, frame[f"{name}_upper"], rtol=1e-9)


def test_influence_is_that_of_statsmodels_and_leaving_out_is_refitting():
    X, y, _ = drawn(25)
    ours = LinearRegression().fit(X, y).influence(X, y)
    theirs = sm.OLS(y, sm.add_constant(X)).fit().get_influence()
    np.testing.assert_allclose(ours.leverage, theirs.hat_matrix_diag)
    np.testing.assert_allclose(ours.studentized, theirs.resid_studentized_internal)
    np.testing.assert_allclose(ours.cook, theirs.cooks_distance[0])
    for i in range(3):
        rest = np.arange(25) != i
        alone = LinearRegression().fit(X[rest], y[rest])
        np.testing.assert_allclose(ours.left_out[i], y[i] - alone.predict(X[i : i + 1])[0])


def test_variance_inflation():
    from statsmodels.stats.outliers_influence import variance_inflation_factor

    X, y, _ = drawn()
    X[:, 2] = X[:, 0] * 0.01 + X[:, 2] * 0.2
    design = sm.add_constant(X)
    expected = [variance_inflation_factor(design, j) for j in (1, 2, 3)]
    np.testing.assert_allclose(LinearRegression().fit(X, y).vif(), expected)


def test_nested_models():
    X, y, _ = drawn()
    small = sm.OLS(y, sm.add_constant(X[:, :1])).fit()
    expected = sm.OLS(y, sm.add_constant(X)).fit().compare_f_test(small)
    found = LinearRegression().fit(X, y).compare(LinearRegression().fit(X[:, :1], y))
    np.testing.assert_allclose((found.statistic, found.p, found.df), expected)


def test_the_interval_of_the_noise_variance():
    from scipy.stats import chi2

    X, y, _ = drawn()
    model = LinearRegression().fit(X, y)
    sums = model.noise_variance_ * 56
    np.testing.assert_allclose(
        model.noise_variance_interval(0.9), sums / chi2.ppf([0.95, 0.05], 56)
    )


def test_a_weight_is_a_repetition_in_inference_too():
    X, y, rng = drawn()
    weight = rng.integers(0, 4, len(y))
    for kind in ("classical", "HC3"):
        one = LinearRegression(covariance=kind).fit(X, y, sample_weight=weight).inference()
        repeated = np.repeat(X, weight, axis=0), np.repeat(y, weight)
        other = LinearRegression(covariance=kind).fit(*repeated).inference()
        np.testing.assert_allclose(one.std_error, other.std_error, rtol=1e-9)
        np.testing.assert_allclose(one.p, other.p, rtol=1e-7, atol=1e-30)


def test_several_answers_are_each_their_own():
    X, y, rng = drawn()
    both = np.column_stack([y, rng.normal(size=len(y))])
    model = LinearRegression().fit(X, both)
    for k in (0, 1):
        alone = LinearRegression().fit(X, both[:, k])
        np.testing.assert_allclose(
            model.inference(output=k).std_error, alone.inference().std_error, rtol=1e-9
        )
        np.testing.assert_allclose(model.r2_[k], alone.r2_)


def test_what_has_no_inference_says_why():
    X, y, _ = drawn()
    with pytest.raises(ParameterError, match="positive=True"):
        LinearRegression(positive=True).fit(X, y).inference()
    with pytest.raises(DataError, match="no degree of freedom"):
        LinearRegression().fit(X[:4], y[:4]).inference()
    with pytest.raises(ParameterError, match="needs the groups"):
        LinearRegression(covariance="cluster").fit(X, y)
    with pytest.raises(ParameterError, match="keeps no single rows"):
        LinearRegression(covariance="HC3").partial_fit(X, y)
    with pytest.raises(ParameterError, match="no column 'z'"):
        LinearRegression().fit(X, y).f_test(["z"])


def test_coefficients_that_the_data_do_not_determine_have_no_standard_error():
    X, y, _ = drawn()
    X = np.column_stack([X, X[:, 0] + X[:, 1], np.full(len(X), 3.0)])
    with pytest.warns(UserWarning, match=r"x3 is a combination|x1 is a combination|is constant"):
        model = LinearRegression().fit(X, y)
    assert model.rank_ == 3
    table = model.inference()
    assert np.isfinite(table.std_error).tolist() == [False, False, False, True, False, False]
    sound = LinearRegression().fit(X[:, :3], y)
    np.testing.assert_allclose(model.predict(X), sound.predict(X[:, :3]), rtol=1e-9)
    np.testing.assert_allclose(table.std_error[3], sound.inference().std_error[3], rtol=1e-7)
    assert model.f_test().df == 3.0
    assert "is constant" in model.summary()
    expected = np.linalg.pinv(X - X.mean(axis=0)) @ (y - y.mean())
    np.testing.assert_allclose(model.coef_, expected, rtol=1e-7, atol=1e-12)


def test_the_summary_has_the_figures():
    X, y, _ = drawn()
    text = LinearRegression().fit(X, y).summary()
    theirs = sm.OLS(y, sm.add_constant(X)).fit()
    for figure in (theirs.params[1], theirs.bse[2], theirs.tvalues[3]):
        assert f"{figure:.5g}" in text
    assert f"F-statistic: {theirs.fvalue:.4g} on 3 and 56" in text


@pytest.mark.full
def test_intervals_cover_as_often_as_they_say(record_property):
    """2000 draws of 30 rows: 95% intervals of a coefficient, a mean and a new answer."""
    rng = np.random.default_rng(0)
    hits = np.zeros(3)
    draws = 2000
    for _ in range(draws):
        X = rng.normal(size=(30, 2))
        y = X @ [1.0, -2.0] + 0.5 + rng.normal(size=30)
        model = LinearRegression().fit(X, y)
        table = model.inference()
        new = rng.normal(size=(1, 2))
        truth = float((new @ [1.0, -2.0])[0] + 0.5)
        low, high = model.predict_interval(new, "mean")
        below, above = model.predict_interval(new)
        later = truth + rng.normal()
        hits += [table.low[1] <= 1.0 <= table.high[1], low[0] <= truth <= high[0],
                 below[0] <= later <= above[0]]  # fmt: skip
    for name, share in zip(("coefficient", "mean", "new answer"), hits / draws, strict=True):
        record_property(name, float(share))
        assert abs(share - 0.95) < 4 * np.sqrt(0.95 * 0.05 / draws)


def test_intervals_cover_in_a_small_simulation():
    rng = np.random.default_rng(1)
    hits = 0
    for _ in range(150):
        x = rng.normal(size=(12, 1))
        table = LinearRegression().fit(x, 2.0 * x[:, 0] + rng.normal(size=12)).inference(0.8)
        hits += table.low[1] <= 2.0 <= table.high[1]
    assert abs(hits / 150 - 0.8) < 4 * np.sqrt(0.16 / 150)
