from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.naive_bayes import CategoricalNB as Peer

import learnable
from learnable.core import DataError, ParameterError, SchemaError
from learnable.datasets import load_play_tennis
from learnable.naive_bayes import CategoricalNB

QUERY = [["Sunny", "Cool", "High", "Strong"]]


def drawn(n=300, d=4, k=3, seed=0, most=5):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, k, n)
    return np.clip(rng.poisson(1 + y[:, None], (n, d)), 0, most), y


def test_play_tennis_without_smoothing():
    X, y = load_play_tennis(return_X_y=True)
    model = CategoricalNB(alpha=0).fit(X, y)
    joint = np.exp(model.predict_joint_log_proba(QUERY))[0]
    assert model.classes_.tolist() == ["No", "Yes"]
    np.testing.assert_allclose(joint, [0.020571, 0.005291], atol=5e-7)
    np.testing.assert_allclose(model.predict_proba(QUERY)[0, 0], 0.7954, atol=5e-5)


def test_all_twenty_conditionals_of_play_tennis_are_exact():
    X, y = load_play_tennis(return_X_y=True)
    model = CategoricalNB(alpha=0).fit(X, y)
    rows = {
        ("Sunny", 0): (3 / 5, 2 / 9), ("Overcast", 0): (0, 4 / 9), ("Rain", 0): (2 / 5, 3 / 9),
        ("Hot", 1): (2 / 5, 2 / 9), ("Mild", 1): (2 / 5, 4 / 9), ("Cool", 1): (1 / 5, 3 / 9),
        ("High", 2): (4 / 5, 3 / 9), ("Normal", 2): (1 / 5, 6 / 9),
        ("Strong", 3): (3 / 5, 3 / 9), ("Weak", 3): (2 / 5, 6 / 9),
    }  # fmt: skip
    assert sum(map(len, model.categories_)) == len(rows)
    for (value, j), expected in rows.items():
        code = model.categories_[j].tolist().index(value)
        found = np.exp(model.feature_log_prob_[j][:, code])
        np.testing.assert_allclose(found, expected, rtol=1e-14)


def test_one_row_of_each_value_is_the_m_estimate_with_equal_priors():
    X, y = load_play_tennis(return_X_y=True)
    laplace = CategoricalNB(alpha=1).fit(X, y)
    for j, values in enumerate(laplace.categories_):
        stated = CategoricalNB(m=len(values)).fit(X, y)
        np.testing.assert_allclose(
            stated.feature_log_prob_[j], laplace.feature_log_prob_[j], rtol=1e-13
        )


def test_m_estimate_with_a_stated_prior():
    X, y = load_play_tennis(return_X_y=True)
    p = [[0.5, 0.3, 0.2], [0.2, 0.4, 0.4], [0.5, 0.5], [0.1, 0.9]]
    model = CategoricalNB(m=10, p=p).fit(X, y)
    sunny = model.categories_[0].tolist().index("Sunny")
    expected = [(3 + 10 * 0.2) / (5 + 10), (2 + 10 * 0.2) / (9 + 10)]
    np.testing.assert_allclose(np.exp(model.feature_log_prob_[0][:, sunny]), expected)
    with pytest.raises(ParameterError, match=r"p\[1\] must hold 3 probabilities"):
        CategoricalNB(m=1, p=[p[0], [0.5, 0.5], p[2], p[3]]).fit(X, y)
    with pytest.raises(ParameterError, match="one array for each of the 4 columns"):
        CategoricalNB(m=1, p=p[:2]).fit(X, y)


@pytest.mark.parametrize(
    "params",
    [
        {},
        {"alpha": 0.1},
        {"fit_prior": False},
        {"min_categories": 9},
        {"class_prior": [0.1, 0.2, 0.7]},
    ],
)
def test_it_is_scikit_learns_on_codes(params):
    X, y = drawn()
    weight = np.random.default_rng(1).uniform(0, 2, len(y))
    ours, theirs = CategoricalNB(**params), Peer(**params)
    for options in ({}, {"sample_weight": weight}):
        ours.fit(X, y, **options)
        theirs.fit(X, y, **options)
        np.testing.assert_allclose(
            ours.predict_joint_log_proba(X), theirs.predict_joint_log_proba(X), rtol=1e-12
        )
        np.testing.assert_array_equal(ours.n_categories_, theirs.n_categories_)
        for mine, other in zip(ours.category_count_, theirs.category_count_, strict=True):
            np.testing.assert_allclose(mine, other, rtol=1e-12)


def test_a_missing_cell_says_nothing():
    X, y = drawn()
    X = X.astype(float)
    X[::3, 1] = np.nan
    model = CategoricalNB().fit(X, y)
    known = ~np.isnan(X[:, 1])
    fewer = CategoricalNB().fit(X[known][:, [1]], y[known])
    np.testing.assert_allclose(model.feature_log_prob_[1], fewer.feature_log_prob_[0], rtol=1e-13)
    without = X[:5].copy()
    without[:, 1] = np.nan
    rest = CategoricalNB().fit(X[:, [0, 2, 3]], y)
    np.testing.assert_allclose(
        model.predict_proba(without), rest.predict_proba(X[:5, [0, 2, 3]]), rtol=1e-12
    )


def test_a_value_never_seen_is_missing_and_named_once():
    X, y = drawn()
    model = CategoricalNB().fit(X, y)
    odd = X[:3].astype(float)
    odd[:, 2] = 77
    blank = odd.copy()
    blank[:, 2] = np.nan
    expected = model.predict_proba(blank)
    with pytest.warns(
        UserWarning, match=r"value 77 of column x2 was never seen.*3 such cells"
    ) as seen:
        found = model.predict_proba(odd)
    assert len(seen) == 1
    np.testing.assert_array_equal(found, expected)

    table, play = load_play_tennis(return_X_y=True)
    text = CategoricalNB().fit(pd.DataFrame(table, columns=list("abcd")), play)
    with pytest.warns(UserWarning, match="value Foggy of column a was never seen"):
        text.predict(pd.DataFrame([["Foggy", "Cool", None, "Weak"]], columns=list("abcd")))


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame])
def test_frames_of_text_and_numbers_are_nominal_throughout(make):
    rng = np.random.default_rng(0)
    colours, sizes = np.array(["red", "green", "blue"]), np.array([10, 20])
    y = rng.integers(0, 2, 200)
    columns = {
        "colour": colours[np.clip(rng.integers(0, 2, 200) + y, 0, 2)].tolist(),
        "size": sizes[rng.integers(0, 2, 200)].tolist(),
        "sold": (y == 1).tolist(),
    }
    model = CategoricalNB().fit(make(columns), y)
    assert [values.tolist() for values in model.categories_] == [
        ["blue", "green", "red"], ["10", "20"], ["False", "True"],
    ]  # fmt: skip
    assert model.feature_names_in_.tolist() == ["colour", "size", "sold"]
    assert model.score(make(columns), y) == 1.0


def test_text_and_codes_are_not_confused():
    X, y = drawn(d=1)
    text = X.astype(str)
    with pytest.raises(SchemaError, match="X holds text, but CategoricalNB learned from codes"):
        CategoricalNB().fit(X, y).predict(text)
    with pytest.raises(SchemaError, match="X holds codes, but CategoricalNB learned from text"):
        CategoricalNB().fit(text, y).predict(X)


@pytest.mark.parametrize(
    ("value", "message"),
    [(-1, "Negative values in data"), (0.5, "whole number"), (1e9, "16777216"), (np.inf, "whole")],
)
def test_a_number_that_is_no_code_is_named(value, message):
    X, y = drawn()
    X = X.astype(float)
    X[7, 3] = value
    with pytest.raises(DataError, match=message) as caught:
        CategoricalNB().fit(X, y)
    assert (caught.value.row, caught.value.column, caught.value.value) == (7, 3, value)


@given(st.integers(0, 10**6), st.integers(1, 40), st.booleans())
def test_partial_fit_is_fit_also_when_values_come_up_later(seed, step, text):
    X, y = drawn(80, 3, 2, seed)
    table = np.array(["kappa", "alpha", "omega", "beta", "psi", "chi"])[X] if text else X
    whole = CategoricalNB().fit(table, y)
    parts = CategoricalNB()
    for start in range(0, len(y), step):
        stop = start + step
        parts.partial_fit(table[start:stop], y[start:stop], classes=[0, 1])
    np.testing.assert_allclose(parts.predict_proba(table), whole.predict_proba(table), rtol=1e-12)
    np.testing.assert_array_equal(parts.fingerprint_.hashes, whole.fingerprint_.hashes)


def test_a_row_impossible_in_every_class_is_answered_by_the_prior_and_named():
    model = CategoricalNB(alpha=0).fit([["a", "x"], ["b", "y"], ["b", "y"]], ["A", "B", "B"])
    with pytest.warns(UserWarning, match="impossible in every class"):
        proba = model.predict_proba([["a", "y"], ["a", "x"]])
    np.testing.assert_allclose(proba, [[1 / 3, 2 / 3], [1, 0]])


def test_no_warning_where_nothing_is_wrong():
    X, y = load_play_tennis(return_X_y=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = CategoricalNB(alpha=0).fit(X, y)
        model.predict_proba(X)
        learnable.explain(model, X)


def test_the_trace_counts_the_zeros():
    X, y = load_play_tennis(return_X_y=True)
    with learnable.tracing() as trace:
        CategoricalNB(alpha=0).fit(X, y)
    outlook = trace.only("counts").events[0].values
    assert outlook["zeros"] == 1
    assert outlook["counts"][0][outlook["values"].index("Overcast")] == 0.0


def test_explanations_name_the_values():
    X, y = load_play_tennis(return_X_y=True)
    model = CategoricalNB(alpha=0).fit(X, y)
    why = learnable.explain(model, QUERY)[0]
    assert {(part.label, part.value) for part in why.parts} == {
        ("prior", ""), ("x0", "Sunny"), ("x1", "Cool"), ("x2", "High"), ("x3", "Strong"),
    }  # fmt: skip
    np.testing.assert_allclose(why.score, np.log(0.0205714285714 / 0.0052910052910))
