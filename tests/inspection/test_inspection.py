from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.inspection import partial_dependence as their_dependence
from sklearn.inspection import permutation_importance as their_importance
from sklearn.linear_model import LinearRegression, LogisticRegression

from learnable.core import DataError, ParameterError, Threads, config, serial
from learnable.data import Table
from learnable.datasets import load_iris, load_play_tennis
from learnable.inspection import partial_dependence, permutation_importance
from learnable.naive_bayes import CategoricalNB, GaussianNB

X, Y = load_iris(return_X_y=True)
NAMES = ["a", "b", "c", "d"]


@pytest.fixture(scope="module")
def model():
    return GaussianNB().fit(X[::2], Y[::2])


def test_importances_are_scikit_learns_up_to_the_draws(model):
    ours = permutation_importance(model, X[1::2], Y[1::2], n_repeats=200)
    theirs = their_importance(model, X[1::2], Y[1::2], n_repeats=200, random_state=0)
    tolerance = 5 * theirs.importances_std / np.sqrt(200) * np.sqrt(2)
    assert (np.abs(ours.importances_mean - theirs.importances_mean) <= tolerance + 1e-12).all()
    assert ours.importances.shape == (4, 200)


def test_a_column_that_is_not_used_is_worth_nothing():
    rng = np.random.default_rng(0)
    Z = rng.normal(size=(500, 3))
    line = LinearRegression().fit(Z, 3 * Z[:, 0] - Z[:, 1])
    line.coef_[2] = 0.0
    found = permutation_importance(line, Z, 3 * Z[:, 0] - Z[:, 1], n_repeats=50)
    # Shuffling adds the variance of a difference of two independent draws, 2 b^2.
    np.testing.assert_allclose(found.importances_mean, [18.0, 2.0, 0.0], rtol=0.15, atol=1e-12)
    assert (found.low <= found.importances_mean).all()
    assert found.high[2] == 0.0


def test_intervals_hold_for_new_rows(model):
    rng = np.random.default_rng(1)
    draws = [rng.choice(150, 60, replace=False) for _ in range(60)]
    whole = permutation_importance(model, X, Y, n_repeats=100).importances_mean
    inside = []
    for rows in draws:
        found = permutation_importance(model, X[rows], Y[rows], n_repeats=5, confidence=0.9)
        inside.append((found.low <= whole) & (whole <= found.high))
    assert np.mean(inside) >= 0.8


def test_a_scorer_of_ones_own_has_no_interval_over_rows(model):
    found = permutation_importance(model, X, Y, scoring=lambda m, X, y: m.score(X, y))
    assert np.isnan(found.low).all()
    assert found.importances_mean[2] > 0.1


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, Table.of])
def test_frames_and_tables_keep_their_names(make):
    frame = make(dict(zip(NAMES, X.T, strict=True)))
    found = permutation_importance(GaussianNB().fit(frame, Y), frame, Y)
    plain = permutation_importance(GaussianNB().fit(X, Y), X, Y)
    assert found.names == NAMES
    np.testing.assert_array_equal(found.importances, plain.importances)
    assert found.to_frame()["column"].tolist()[0] in {"c", "d"}


def test_the_runner_changes_nothing(model):
    with config(runner=serial):
        expected = permutation_importance(model, X, Y)
    with config(runner=Threads(3)):
        np.testing.assert_array_equal(
            permutation_importance(model, X, Y).importances, expected.importances
        )


def test_nominal_columns_are_shuffled_too():
    days = Table.of(load_play_tennis(as_frame=True).frame).changed({"play": {"role": "target"}})
    model = CategoricalNB().fit(days)
    found = permutation_importance(model, days, n_repeats=30)
    assert found.names == ["outlook", "temperature", "humidity", "wind"]
    along = partial_dependence(model, days, "outlook")
    assert along.grid_values[0].tolist() == ["Overcast", "Rain", "Sunny"]
    assert along.average[1].argmax() == 0
    np.testing.assert_allclose(along.average.sum(axis=0), 1.0)


@pytest.mark.parametrize("features", [[0], [2, 3]])
@pytest.mark.parametrize("make", [LinearRegression, LogisticRegression])
def test_dependence_is_scikit_learns_on_the_same_grid(features, make):
    rng = np.random.default_rng(0)
    Z = rng.normal(size=(80, 4))
    line = Z @ [1.0, 2.0, 3.0, 4.0]
    model = make().fit(Z, line > 0 if make is LogisticRegression else line)
    ours = partial_dependence(model, Z, features, grid_resolution=7, kind="both")
    theirs = their_dependence(
        model,
        Z,
        features,
        kind="both",
        method="brute",
        custom_values=dict(zip(features, ours.grid_values, strict=True)),
        response_method="predict_proba" if make is LogisticRegression else "auto",
    )
    np.testing.assert_allclose(ours.average[-1], theirs["average"][0], rtol=1e-9)
    np.testing.assert_allclose(ours.individual[-1], theirs["individual"][0], rtol=1e-9)
    low, high = np.quantile(Z[:, features[0]], [0.05, 0.95])
    np.testing.assert_allclose(ours.grid_values[0], np.linspace(low, high, 7))


def test_dependence_is_the_mean_over_rows(model):
    found = partial_dependence(model, X, ["x2"], grid_resolution=5, kind="individual")
    for k, value in enumerate(found.grid_values[0]):
        moved = X.copy()
        moved[:, 2] = value
        np.testing.assert_allclose(found.individual[:, :, k].T, model.predict_proba(moved))
    np.testing.assert_allclose(found.average, found.individual.mean(axis=1))


def test_whole_numbers_become_fractions_where_the_grid_has_them():
    Z = np.arange(200).reshape(100, 2)
    line = LinearRegression().fit(Z, Z[:, 0])
    found = partial_dependence(line, Z, 0, grid_resolution=4)
    assert found.grid_values[0].dtype == np.float64
    frame = pd.DataFrame(Z, columns=["a", "b"])
    named = partial_dependence(
        LinearRegression().fit(frame, Z[:, 0]), frame, "a", grid_resolution=4
    )
    np.testing.assert_allclose(named.average, found.average)


def test_what_is_not_there_is_refused(model):
    with pytest.raises(DataError, match="no such column"):
        partial_dependence(model, X, "petal")
    with pytest.raises(DataError, match="no such column"):
        partial_dependence(model, X, 4)
    with pytest.raises(ParameterError, match="kind is"):
        partial_dependence(model, X, 0, kind="all")
    with pytest.raises(ParameterError, match="n_repeats"):
        permutation_importance(model, X, Y, n_repeats=0)
