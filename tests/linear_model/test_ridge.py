from __future__ import annotations

import numpy as np
import pytest

from learnable.core import DataError, ParameterError
from learnable.linear_model import LinearRegression, Ridge, RidgeCV


def drawn(n=50, d=6, seed=0, m=None):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) * np.geomspace(0.1, 10, d) + 3
    beta = rng.normal(size=(d, m or 1))
    y = X @ beta + rng.normal(size=(n, m or 1))
    return X, y if m else y[:, 0]


@pytest.mark.parametrize("constant", [True, False])
@pytest.mark.parametrize("shape", [(50, 6), (6, 50)])
def test_scikit_learn_and_both_forms(shape, constant):
    """The primal and the dual formula of the textbook, and scikit-learn's answer."""
    from sklearn.linear_model import Ridge as Peer

    X, y = drawn(*shape)
    ours = Ridge(2.5, fit_intercept=constant).fit(X, y)
    theirs = Peer(2.5, fit_intercept=constant).fit(X, y)
    assert ours.solver_ == ("primal" if shape == (50, 6) else "dual")
    np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-8)
    np.testing.assert_allclose(ours.intercept_, theirs.intercept_, rtol=1e-8, atol=1e-12)
    Z, t = (X - X.mean(axis=0), y - y.mean()) if constant else (X, y)
    primal = np.linalg.solve(Z.T @ Z + 2.5 * np.eye(Z.shape[1]), Z.T @ t)
    dual = Z.T @ np.linalg.solve(Z @ Z.T + 2.5 * np.eye(len(Z)), t)
    np.testing.assert_allclose(ours.coef_, primal, rtol=1e-7)
    np.testing.assert_allclose(ours.coef_, dual, rtol=1e-7)


def test_no_penalty_is_least_squares():
    X, y = drawn()
    np.testing.assert_allclose(
        Ridge(0.0).fit(X, y).coef_, LinearRegression().fit(X, y).coef_, rtol=1e-9
    )


def test_the_limits_of_the_textbook():
    """Equal columns share the weight; of x2 = 2 x1 the limit is (.8, 1.6)."""
    x = np.arange(1.0, 6.0)
    np.testing.assert_allclose(Ridge(1e-9).fit(np.column_stack([x, x]), 4 * x).coef_, [2, 2], 1e-6)
    np.testing.assert_allclose(
        Ridge(1e-9).fit(np.column_stack([x, 2 * x]), 4 * x).coef_, [0.8, 1.6], 1e-6
    )


def test_a_penalty_for_each_answer_and_for_each_column():
    X, y = drawn(m=2)
    both = Ridge([0.5, 20.0]).fit(X, y)
    for k, alpha in enumerate([0.5, 20.0]):
        np.testing.assert_allclose(both.coef_[k], Ridge(alpha).fit(X, y[:, k]).coef_, rtol=1e-10)
    factor = np.array([0.0, 1.0, 4.0, 0.0, 1.0, 9.0])
    found = Ridge(3.0, penalty_factor=factor).fit(X, y)
    Z, t = X - X.mean(axis=0), y - y.mean(axis=0)
    expected = np.linalg.solve(Z.T @ Z + 3.0 * np.diag(factor), Z.T @ t).T
    np.testing.assert_allclose(found.coef_, expected, rtol=1e-8)
    hat = Z @ np.linalg.solve(Z.T @ Z + 3.0 * np.diag(factor), Z.T)
    np.testing.assert_allclose(found.df_, np.trace(hat) + 1, rtol=1e-10)


def test_standardising_makes_units_matter_no_more():
    X, y = drawn()
    one = Ridge(3.0, standardize=True).fit(X, y)
    other = Ridge(3.0, standardize=True).fit(X * [1, 1e3, 1e-3, 1, 1, 7], y)
    np.testing.assert_allclose(one.predict(X), other.predict(X * [1, 1e3, 1e-3, 1, 1, 7]), 1e-9)
    plain = [Ridge(3.0).fit(X * scale, y).predict(X * scale) for scale in (1.0, 0.01)]
    assert np.abs(plain[0] - plain[1]).max() > 1e-2
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    np.testing.assert_allclose(one.coef_ * X.std(axis=0), Ridge(3.0).fit(Z, y).coef_, rtol=1e-9)


@pytest.mark.parametrize(
    "options", [{}, {"penalty_factor": [0, 1, 4, 0, 1, 9]}, {"fit_intercept": False}]
)
@pytest.mark.parametrize("shape", [(40, 6), (5, 6)])
def test_leaving_one_out_by_the_formula_is_refitting(options, shape):
    if shape == (5, 6) and "penalty_factor" in options:
        options = {"penalty_factor": [0, 1, 4, 1, 1, 9]}
    X, y = drawn(*shape)
    alphas = [0.3, 5.0]
    found = RidgeCV(alphas, store_cv_results=True, **options).fit(X, y)
    for place, alpha in enumerate(alphas):
        errors = []
        for i in range(len(y)):
            rest = np.arange(len(y)) != i
            alone = Ridge(alpha, **options).fit(X[rest], y[rest])
            errors.append((y[i] - alone.predict(X[i : i + 1])[0]) ** 2)
        np.testing.assert_allclose(found.cv_results_[:, place], errors, rtol=1e-7)
        np.testing.assert_allclose(found.errors_[0, place], np.mean(errors), rtol=1e-8)
    assert found.alpha_ == alphas[int(np.argmin(found.errors_[0]))]


def test_the_choice_on_diabetes():
    """The least error of leaving one out on the diabetes data, over 61 penalties."""
    from sklearn.datasets import load_diabetes

    X, y = load_diabetes(return_X_y=True)
    found = RidgeCV(np.logspace(-4, 2, 61)).fit(X, y)
    assert abs(found.alpha_ - 0.003981) < 1e-6
    assert abs(found.best_score_ + 2999.7725) < 1e-4
    simple = RidgeCV(np.logspace(-4, 2, 61), rule="1se").fit(X, y)
    place = np.flatnonzero(np.logspace(-4, 2, 61) == simple.alpha_)[0]
    best = np.argmin(found.errors_[0])
    limit = found.errors_[0, best] + found.standard_errors_[0, best]
    assert found.errors_[0, place] <= limit < found.errors_[0, place + 1]


@pytest.mark.parametrize("weighted", [False, True])
def test_folds_are_those_of_refitting(weighted):
    from sklearn.model_selection import KFold

    X, y = drawn()
    weight = np.random.default_rng(0).integers(1, 4, len(y)).astype(float) if weighted else None
    by_number = RidgeCV([0.1, 1.0, 50.0], cv=5).fit(X, y, sample_weight=weight)
    by_splitter = RidgeCV([0.1, 1.0, 50.0], cv=KFold(5)).fit(X, y, sample_weight=weight)
    np.testing.assert_allclose(by_number.errors_, by_splitter.errors_, rtol=1e-8)
    for place, alpha in enumerate([0.1, 1.0, 50.0]):
        errors = []
        for learn, ask in KFold(5).split(X):
            own = [None if weight is None else weight[side] for side in (learn, ask)]
            alone = Ridge(alpha).fit(X[learn], y[learn], sample_weight=own[0])
            squares = (alone.predict(X[ask]) - y[ask]) ** 2
            errors.append(np.average(squares, weights=own[1]))
        np.testing.assert_allclose(by_number.errors_[0, place], np.mean(errors), rtol=1e-8)


def test_scikit_learn_chooses_the_same():
    from sklearn.linear_model import RidgeCV as Peer

    alphas = np.geomspace(1e-3, 1e3, 13)
    for shape in ((60, 6), (20, 40)):
        X, y = drawn(*shape, m=3)
        for own in (False, True):
            ours = RidgeCV(alphas, alpha_per_target=own).fit(X, y)
            theirs = Peer(alphas, alpha_per_target=own).fit(X, y)
            np.testing.assert_allclose(ours.alpha_, theirs.alpha_)
            np.testing.assert_allclose(ours.best_score_, theirs.best_score_, rtol=1e-6)
            np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-6)


def test_gcv_and_evidence_are_their_definitions():
    X, y = drawn(30, 4)
    path = Ridge().fit(X, y).path([0.5, 5.0])
    n, Z, t = 30, X - X.mean(axis=0), y - y.mean()
    for place, alpha in enumerate(path.alphas):
        hat = Z @ np.linalg.solve(Z.T @ Z + alpha * np.eye(4), Z.T) + 1 / n
        left = y - hat @ y
        np.testing.assert_allclose(path.squares[place], (left**2).sum(), rtol=1e-9)
        np.testing.assert_allclose(path.gcv[place], n * (left**2).sum() / (n - np.trace(hat)) ** 2)
        # Flat in the mean: the density of the answers in the n - 1 directions beside it.
        basis = np.linalg.svd(np.ones((1, n)))[2][1:]
        C = np.eye(n - 1) + basis @ Z @ Z.T @ basis.T / alpha
        u = basis @ t
        noise = u @ np.linalg.solve(C, u) / (n - 1)
        log = -0.5 * ((n - 1) * (np.log(2 * np.pi * noise) + 1) + np.linalg.slogdet(C)[1])
        np.testing.assert_allclose(path.evidence[place], log, rtol=1e-9)
    alphas = np.geomspace(0.01, 100, 9)
    by = {c: RidgeCV(alphas, criterion=c).fit(X, y).alpha_ for c in ("gcv", "evidence")}
    whole = Ridge().fit(X, y).path(np.geomspace(0.01, 100, 9))
    assert by["gcv"] == whole.alphas[np.argmin(whole.gcv)]
    assert by["evidence"] == whole.alphas[np.argmax(whole.evidence)]


def test_not_negative():
    from sklearn.linear_model import Ridge as Peer

    X, y = drawn()
    ours, theirs = (
        Ridge(2.0, positive=True).fit(X, y),
        Peer(2.0, positive=True, tol=1e-12).fit(X, y),
    )
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-6)


@pytest.mark.parametrize("scale", [1e-200, 1e150])
def test_units_of_any_size(scale):
    """The penalty swamps tiny columns and means nothing to huge ones."""
    X, y = drawn()
    found = Ridge(1.0).fit(X * scale, y)
    expected = np.zeros(6) if scale < 1 else LinearRegression().fit(X, y).coef_
    np.testing.assert_allclose(found.coef_ * scale, expected, rtol=1e-9, atol=1e-12)


def test_bad_input_is_named():
    X, y = drawn()
    for model, match in (
        (Ridge([1.0, 2.0]), "Number of targets"),
        (Ridge(-1.0), "alpha"),
        (Ridge(penalty_factor=[1.0]), "penalty_factor must hold 6"),
        (RidgeCV([0.0]), "above 0"),
        (RidgeCV(cv=99), "make no 99 folds"),
        (RidgeCV(cv=3, store_cv_results=True), "one at a time"),
    ):
        with pytest.raises(ParameterError, match=match):
            model.fit(X, y)
    X[:, 1] = X[:, 0]
    with pytest.raises(DataError, match="depend on each other"):
        Ridge(penalty_factor=[0, 0, 1, 1, 1, 1]).fit(X, y)
    assert np.isfinite(Ridge(1.0).fit(X.astype(np.uint8), y).coef_).all()
