"""Bayesian linear regression: priors stated, and priors learned."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import multivariate_normal, multivariate_t

from learnable.core import DataError, ParameterError
from learnable.linear_model import BayesianLinearRegression, BayesianRidge, Ridge


def drawn(n=40, d=4, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) + 2
    return X, X @ rng.normal(size=d) + 0.5 * rng.normal(size=n)


@pytest.mark.parametrize("shape", [(40, 4), (6, 20)])
@pytest.mark.parametrize("constant", [True, False])
def test_scikit_learn(shape, constant):
    from sklearn.linear_model import BayesianRidge as Peer

    X, y = drawn(*shape)
    options = {"alpha_1": 0.5, "alpha_2": 0.3, "lambda_1": 0.4, "lambda_2": 0.2}
    options |= {"fit_intercept": constant, "compute_score": True, "max_iter": 2000}
    ours = BayesianRidge(tol=1e-12, **options).fit(X, y)
    theirs = Peer(tol=1e-12, **options).fit(X, y)
    np.testing.assert_allclose([ours.alpha_, ours.lambda_], [theirs.alpha_, theirs.lambda_], 1e-6)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-6)
    np.testing.assert_allclose(ours.sigma_, theirs.sigma_, rtol=1e-5, atol=1e-8)
    np.testing.assert_allclose(ours.scores_[-1], theirs.scores_[-1], rtol=1e-8)
    found, expected = ours.predict(X + 1, return_std=True), theirs.predict(X + 1, return_std=True)
    np.testing.assert_allclose(found[1], expected[1], rtol=1e-6)


@pytest.mark.parametrize("shape", [(40, 4), (6, 20)])
def test_the_evidence_rises_to_its_maximum(shape):
    X, y = drawn(*shape)
    model = BayesianRidge(compute_score=True).fit(X, y)
    assert (np.diff(model.scores_) > -1e-9 * np.abs(model.scores_[1:])).all()
    best = model.scores_[-1]
    for alpha, lam in ((1.3, 1.0), (0.8, 1.0), (1.0, 1.3), (1.0, 0.8)):
        other = BayesianRidge(
            alpha_init=model.alpha_ * alpha, lambda_init=model.lambda_ * lam, compute_score=True
        )
        assert other.fit(X, y).scores_[0] < best


def test_the_mean_is_ridge_regression():
    X, y = drawn()
    model = BayesianRidge().fit(X, y)
    np.testing.assert_allclose(
        model.coef_, Ridge(model.lambda_ / model.alpha_).fit(X, y).coef_, rtol=1e-10
    )
    stated = BayesianLinearRegression(noise_variance=0.3, prior_variance=2.0).fit(X, y)
    np.testing.assert_allclose(stated.coef_, Ridge(0.15).fit(X, y).coef_, rtol=1e-10)
    np.testing.assert_allclose(stated.intercept_, Ridge(0.15).fit(X, y).intercept_, rtol=1e-10)


def test_the_posterior_is_its_formula():
    X, y = drawn()
    m0, S0 = np.array([1.0, -1, 0, 2]), np.diag([1.0, 2, 3, 4]) + 0.5
    options = {"prior_mean": m0, "prior_variance": S0, "fit_intercept": False}
    model = BayesianLinearRegression(noise_variance=0.25, **options).fit(X, y)
    found = model.posterior()
    covariance = np.linalg.inv(np.linalg.inv(S0) + X.T @ X / 0.25)
    mean = covariance @ (np.linalg.solve(S0, m0) + X.T @ y / 0.25)
    np.testing.assert_allclose(found.mean, mean, rtol=1e-9)
    np.testing.assert_allclose(found.root @ found.root.T, covariance, rtol=1e-8)
    density = multivariate_normal(X @ m0, X @ S0 @ X.T + 0.25 * np.eye(40)).logpdf(y)
    np.testing.assert_allclose(found.evidence, density, rtol=1e-9)
    answer, spread = model.predict(X[:5], return_std=True)
    np.testing.assert_allclose(answer, X[:5] @ mean, rtol=1e-9)
    np.testing.assert_allclose(
        spread, np.sqrt(0.25 + np.einsum("ij,jk,ik->i", X[:5], covariance, X[:5])), rtol=1e-9
    )
    unknown = BayesianLinearRegression(noise_shape=2.0, noise_rate=0.7, **options).fit(X, y)
    scale = 0.7 / 2.0 * (np.eye(40) + X @ S0 @ X.T)
    density = multivariate_t(X @ m0, scale, df=4.0).logpdf(y)
    np.testing.assert_allclose(unknown.posterior().evidence, density, rtol=1e-8)


def test_row_by_row_is_all_at_once_and_more_rows_are_surer():
    X, y = drawn()
    model = BayesianLinearRegression()
    for i in range(40):
        model.partial_fit(X[i : i + 1], y[i : i + 1])
    whole = BayesianLinearRegression().fit(X, y)
    np.testing.assert_allclose(model.coef_, whole.coef_, rtol=1e-10)
    np.testing.assert_allclose(model.posterior().evidence, whole.posterior().evidence, rtol=1e-10)
    few = BayesianLinearRegression(noise_variance=0.25).fit(X[:10], y[:10])
    many = BayesianLinearRegression(noise_variance=0.25).fit(X, y)
    assert (few.predict(X, return_std=True)[1] > many.predict(X, return_std=True)[1]).all()


def test_the_evidence_chooses_the_basis_that_drew_the_answers():
    x = np.linspace(-1, 1, 40)
    y = 1 - 2 * x + 1.5 * x**2 + 0.1 * np.random.default_rng(0).normal(size=40)
    found = []
    for degree in range(1, 6):
        X = np.column_stack([x**k for k in range(1, degree + 1)])
        model = BayesianLinearRegression(noise_variance=0.01).fit(X, y)
        found.append(model.posterior().evidence)
    assert int(np.argmax(found)) == 1


def test_a_weight_is_a_repetition():
    X, y = drawn()
    weight = np.random.default_rng(1).integers(0, 3, 40)
    for model in (BayesianRidge, BayesianLinearRegression):
        one = model().fit(X, y, sample_weight=weight)
        two = model().fit(np.repeat(X, weight, axis=0), np.repeat(y, weight))
        np.testing.assert_allclose(one.coef_, two.coef_, rtol=1e-8)


def test_intervals_hold_what_they_should():
    """Answers drawn from the model itself: 80% intervals hold 80%, to 4 standard errors."""
    rng = np.random.default_rng(0)
    hits = 0
    for _ in range(300):
        noise = 1.0 / rng.gamma(3.0, 1.0 / 2.0)
        beta = rng.normal(size=2) * np.sqrt(noise)
        X = rng.normal(size=(6, 2))
        y = X @ beta + np.sqrt(noise) * rng.normal(size=6)
        model = BayesianLinearRegression(noise_shape=3.0, noise_rate=2.0, fit_intercept=False)
        low, high = model.fit(X[:5], y[:5]).predict_interval(X[5:], 0.8)
        hits += int(low[0] <= y[5] <= high[0])
    assert abs(hits / 300 - 0.8) < 4 * np.sqrt(0.16 / 300)


def test_bad_input_is_named():
    X, y = drawn()
    with pytest.raises(ParameterError, match="positive variances"):
        BayesianLinearRegression(prior_variance=-1.0).fit(X, y)
    with pytest.raises(ParameterError, match="of 4 coefficients"):
        BayesianLinearRegression(prior_mean=[1.0, 2.0]).fit(X, y)
    with pytest.raises(DataError, match="1d array"):
        BayesianRidge().fit(X, np.column_stack([y, y]))
