from __future__ import annotations

import numpy as np
import pytest
import statsmodels.api as sm
from scipy import sparse
from scipy.optimize import minimize
from sklearn.exceptions import ConvergenceWarning

import learnable
from learnable.core import DataError, ParameterError
from learnable.data import Table
from learnable.linear_model import LogisticRegression


def drawn(n=200, d=3, k=2, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) * np.geomspace(1, 30, d) + 2
    scores = (X - 2) / np.geomspace(1, 30, d) @ rng.normal(size=(d, k)) + rng.gumbel(size=(n, k))
    return X, scores.argmax(axis=1)


def objective(model, X, y, C):
    """The penalised loss, straight from its definition."""
    scores = X @ model.coef_.T + model.intercept_
    both = np.hstack([np.zeros((len(X), 1)), scores]) if scores.shape[1] == 1 else scores
    log = both - np.log(np.exp(both - both.max(1, keepdims=True)).sum(1, keepdims=True))
    log -= both.max(1, keepdims=True)
    return -C * log[np.arange(len(y)), y].sum() + 0.5 * (model.coef_**2).sum()


@pytest.mark.parametrize("solver", ["newton", "lbfgs"])
@pytest.mark.parametrize("constant", [True, False])
@pytest.mark.parametrize("k", [2, 4])
@pytest.mark.parametrize("C", [0.02, 2.0])
def test_scikit_learn_at_the_same_objective(solver, constant, k, C):
    from sklearn.linear_model import LogisticRegression as Peer

    X, y = drawn(k=k)
    ours = LogisticRegression(C=C, solver=solver, fit_intercept=constant, tol=1e-10).fit(X, y)
    theirs = Peer(C=C, fit_intercept=constant, tol=1e-9, max_iter=10000).fit(X, y)
    assert objective(ours, X, y, C) <= objective(theirs, X, y, C) * (1 + 1e-12)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-5)
    assert ours.solver_ == solver


def test_glmnet_with_a_penalty():
    """Mean loss + |w|**2 / 2 at lambda 1: intercept, a, b.

    glmnet prints 0.89230405539, 0.44464569182, 0.01457563448: within 2e-9 of the optimum, which
    was found here in 40 digits.
    """
    a = np.arange(-4.0, 5.0)
    b = np.array([0.0, 0, 1, 0, 1, 1, 1, 0, 0])
    y = np.array([0, 0, 0, 1, 1, 1, 1, 1, 1])
    model = LogisticRegression(C=1 / 9).fit(np.column_stack([a, b]), y)
    found = [*model.intercept_, *model.coef_[0]]
    optimum = [0.89230405664178460, 0.44464569317678855, 0.014575634329614503]
    np.testing.assert_allclose(found, optimum, rtol=1e-11)
    np.testing.assert_allclose(found, [0.89230405539, 0.44464569182, 0.01457563448], atol=2e-9)


def test_wald_of_two_classes_is_that_of_statsmodels():
    X, y = drawn()
    ours = LogisticRegression(penalty=None).fit(X, y)
    theirs = sm.Logit(y, sm.add_constant(X)).fit(disp=0, tol=1e-12, maxiter=100)
    table = ours.inference()
    np.testing.assert_allclose(table.estimate, theirs.params, rtol=1e-8)
    np.testing.assert_allclose(table.std_error, theirs.bse, rtol=1e-7)
    np.testing.assert_allclose(table.p, theirs.pvalues, rtol=1e-6)
    np.testing.assert_allclose(np.column_stack([table.low, table.high]), theirs.conf_int(), 1e-6)
    np.testing.assert_allclose(ours.log_likelihood_, theirs.llf)
    np.testing.assert_allclose(ours.null_loss_, -theirs.llnull)
    np.testing.assert_allclose(ours.pseudo_r2_, theirs.prsquared)
    np.testing.assert_allclose([ours.aic_, ours.bic_], [theirs.aic, theirs.bic])
    np.testing.assert_allclose(ours.covariance_matrix(), theirs.cov_params(), rtol=1e-6)
    assert f"{theirs.bse[2]:.5g}" in ours.summary()


def test_wald_of_four_classes_is_that_of_statsmodels():
    X, y = drawn(400, k=4)
    ours = LogisticRegression(penalty=None).fit(X, y)
    theirs = sm.MNLogit(y, sm.add_constant(X)).fit(disp=0, tol=1e-12, maxiter=100)
    table = ours.inference()
    np.testing.assert_allclose(table.estimate, np.asarray(theirs.params).T.ravel(), rtol=1e-6)
    np.testing.assert_allclose(table.std_error, np.asarray(theirs.bse).T.ravel(), rtol=1e-6)
    np.testing.assert_allclose(ours.coef_.sum(axis=0), 0.0, atol=1e-9)
    assert table.names[:2] == ["1: (Intercept)", "1: x0"]


def loss_at(theta, X, y):
    scores = X @ theta[1:] + theta[0]
    return float(np.sum(np.logaddexp(0, scores) - y * scores))


def test_likelihood_ratio_tests_are_two_fits():
    X, y = drawn()
    model = LogisticRegression(penalty=None).fit(X, y)
    found = model.profile(X, y)
    for j in range(3):
        less = LogisticRegression(penalty=None).fit(np.delete(X, j, axis=1), y)
        np.testing.assert_allclose(
            found.statistic[1 + j], 2 * (less.loss_ - model.loss_), rtol=1e-6
        )


def test_the_ends_of_profile_intervals_lose_the_likelihood_they_should():
    from scipy.stats import chi2

    X, y = drawn(60)
    model = LogisticRegression(penalty=None).fit(X, y)
    found = model.profile(X, y, confidence=0.9)
    start = np.concatenate([model.intercept_, model.coef_[0]])
    for place in range(4):
        for end in (found.low[place], found.high[place]):

            def held(rest, place=place, end=end):
                return loss_at(np.insert(rest, place, end), X, y)

            best = minimize(held, np.delete(start, place), method="BFGS", tol=1e-10)
            np.testing.assert_allclose(2 * (best.fun - model.loss_), chi2.ppf(0.9, 1), rtol=1e-4)


def separated():
    x = np.array([-3.0, -2.0, -1.0, 1.0, 2.0, 3.0])
    return np.column_stack([x, np.array([1.0, -1, 1, -1, 1, -1])]), (x > 0).astype(int)


@pytest.mark.parametrize("quasi", [False, True])
def test_separation_is_found_with_a_witness(quasi):
    X, y = separated()
    if quasi:
        X, y = np.vstack([X, [[0.0, 1.0], [0.0, 1.0]]]), np.append(y, [0, 1])
    with pytest.warns(ConvergenceWarning, match="separated by a combination"):
        model = LogisticRegression(penalty=None).fit(X, y)
    lead = (X @ model.separating_[0, 1:] + model.separating_[0, 0]) * np.where(y, 1, -1)
    assert lead.min() > -1e-9
    assert lead.max() > 1e-6
    with pytest.raises(DataError, match="likelihood has no maximum"):
        model.inference()
    assert "separated" in model.summary()


def test_separation_of_iris_is_found_and_overlap_is_not():
    from learnable.datasets import load_iris

    X, y = load_iris(return_X_y=True)
    two = y != "virginica" if y.dtype.kind in "UO" else y != 2
    with pytest.warns(ConvergenceWarning, match="separated"):
        LogisticRegression(penalty=None).fit(X[two], y[two])
    with pytest.warns(ConvergenceWarning, match="separated"):
        model = LogisticRegression(penalty=None).fit(X, y)  # setosa lies apart
    assert model.separating_.shape == (3, 5)
    overlapping = y != y[0]
    found = LogisticRegression(penalty=None).fit(X[overlapping], y[overlapping])
    assert "separating_" not in vars(found)
    assert np.isfinite(found.inference().std_error).all()


def test_firth_is_its_definition_and_finite_where_classes_are_separated():
    X, y = separated()
    model = LogisticRegression(penalty="firth").fit(X, y)
    Z = np.column_stack([np.ones(6), X])

    def loss(theta):
        p = 1 / (1 + np.exp(-Z @ theta))
        information = (Z * (p * (1 - p))[:, None]).T @ Z
        return loss_at(theta, X, y) - 0.5 * np.linalg.slogdet(information)[1]

    best = minimize(loss, np.zeros(3), method="BFGS", tol=1e-10)
    np.testing.assert_allclose([*model.intercept_, *model.coef_[0]], best.x, atol=1e-5)
    table, profile = model.inference(), model.profile(X, y)
    assert np.isfinite(table.std_error).all()
    assert profile.low[1] < model.coef_[0, 0] < profile.high[1]
    again = LogisticRegression(penalty="firth").fit(X * 1000 + 5, y)
    np.testing.assert_allclose(again.coef_ * 1000, model.coef_, rtol=1e-8)


def test_a_penalised_fit_has_no_intervals_and_says_why():
    X, y = drawn()
    model = LogisticRegression().fit(X, y)
    for act in (model.inference, lambda: model.profile(X, y), lambda: model.aic_):
        with pytest.raises(ParameterError, match="biased on purpose"):
            act()
    assert "No standard errors, p values or intervals: the fit is penalised" in model.summary()


def test_weights_of_classes():
    X, y = drawn()
    weight = np.where(y == 1, 3.0, 0.5)
    one = LogisticRegression(class_weight={0: 0.5, 1: 3.0}).fit(X, y)
    np.testing.assert_allclose(one.coef_, LogisticRegression().fit(X, y, weight).coef_, rtol=1e-9)
    with pytest.raises(ParameterError, match="names 'z'"):
        LogisticRegression(class_weight={"z": 1.0}).fit(X, y)


@pytest.mark.parametrize("k", [2, 4])
def test_sparse_rows_give_what_dense_rows_give(k):
    rng = np.random.default_rng(0)
    X = sparse.random(300, 40, 0.1, random_state=0, format="csr") * 3
    y = (X @ rng.normal(size=(40, k)) + rng.gumbel(size=(300, k))).argmax(axis=1)
    dense = LogisticRegression(C=2.0, tol=1e-9).fit(X.toarray(), y)
    found = LogisticRegression(C=2.0, tol=1e-9).fit(X, y)
    np.testing.assert_allclose(found.coef_, dense.coef_, atol=1e-5)
    np.testing.assert_allclose(found.predict_proba(X), dense.predict_proba(X.toarray()), atol=1e-5)


def test_many_rows_begin_on_a_sample_and_end_at_the_same_place(monkeypatch):
    X, y = drawn(20_000, 5)
    with learnable.tracing() as trace:
        found = LogisticRegression().fit(X, y)
    assert any("one row of 16" in event.step for event in trace)
    monkeypatch.setattr("learnable.linear_model.logistic._SAMPLE", 10**9)
    whole = LogisticRegression().fit(X, y)
    np.testing.assert_allclose(found.coef_, whole.coef_, rtol=1e-9)
    assert found.n_iter_[0] < whole.n_iter_[0]


def test_nothing_stops_silently():
    X, y = drawn()
    with pytest.warns(ConvergenceWarning, match="did not converge in 1 turns"):
        LogisticRegression(max_iter=1).fit(X, y)


def test_a_warm_start_begins_where_the_last_fit_ended():
    X, y = drawn()
    model = LogisticRegression(warm_start=True).fit(X, y)
    first = model.n_iter_[0]
    assert model.fit(X, y).n_iter_[0] < first


@pytest.mark.parametrize("scale", [1e-200, 1e150])
def test_units_of_any_size_without_a_penalty(scale):
    X, y = drawn()
    plain = LogisticRegression(penalty=None).fit(X, y)
    found = LogisticRegression(penalty=None).fit(X * scale, y)
    np.testing.assert_allclose(found.coef_ * scale, plain.coef_, rtol=1e-8)
    np.testing.assert_allclose(found.inference().t, plain.inference().t, rtol=1e-7)


def test_collinear_constant_and_few_rows():
    X, y = drawn()
    twice = np.column_stack([X, X[:, 0], np.ones(len(X))])
    found = LogisticRegression().fit(twice, y)
    np.testing.assert_allclose(found.coef_[0, 0], found.coef_[0, 3], rtol=1e-9)
    assert found.coef_[0, 4] == 0.0
    free = LogisticRegression(penalty=None).fit(twice, y)
    plain = LogisticRegression(penalty=None).fit(X, y)
    np.testing.assert_allclose(free.predict_proba(twice), plain.predict_proba(X), atol=1e-7)
    wide = np.random.default_rng(0).normal(size=(20, 50))
    assert LogisticRegression().fit(wide, y[:20]).score(wide, y[:20]) == 1.0
    with pytest.raises(DataError, match="only one class"):
        LogisticRegression().fit(X, np.zeros(len(X)))
    with pytest.raises(DataError, match="Every weight is zero"):
        LogisticRegression().fit(X, y, sample_weight=np.zeros(len(X)))
    whole = np.round(X).astype(np.int8)
    expected = LogisticRegression().fit(whole.astype(float), y).coef_
    np.testing.assert_array_equal(LogisticRegression().fit(whole, y).coef_, expected)


def test_tables_with_nominal_columns():
    rng = np.random.default_rng(0)
    town = rng.choice(["Ayr", "Bath"], 300)
    size = rng.normal(size=300)
    y = np.where(size + (town == "Bath") + rng.logistic(size=300) > 0, "yes", "no")
    table = Table.of({"town": town.tolist(), "size": size})
    model = LogisticRegression(penalty=None).fit(table, y)
    assert model.inference().names == ["(Intercept)", "town_Bath", "size"]
    why = learnable.explain(model, table[:1])[0]
    assert [part.label for part in why.parts] == ["(start)", "town", "size"]
    np.testing.assert_allclose(model.odds_ratios(), np.exp(model.coef_))


def coverage(draws, record=None):
    rng = np.random.default_rng(0)
    hits = np.zeros(2)
    for _ in range(draws):
        X = rng.normal(size=(150, 2))
        y = (X @ [1.0, -0.5] + rng.logistic(size=150) > 0).astype(int)
        model = LogisticRegression(penalty=None).fit(X, y)
        table, profile = model.inference(), model.profile(X, y, names=["x0"])
        hits += [table.low[1] <= 1.0 <= table.high[1], profile.low[0] <= 1.0 <= profile.high[0]]
    for name, share in zip(("Wald", "profile"), hits / draws, strict=True):
        if record is not None:
            record(name, float(share))
        assert abs(share - 0.95) < 0.015 + 4 * np.sqrt(0.95 * 0.05 / draws)


def test_intervals_cover_in_a_small_simulation():
    coverage(40)


@pytest.mark.full
def test_intervals_cover_as_often_as_they_say(record_property):
    """1000 draws of 150 rows; both intervals rest on large numbers, hence the allowance."""
    coverage(1000, record_property)
