from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning

from learnable.core import DataError
from learnable.linear_model import Perceptron


def apart(n=60, d=3, gap=0.3, seed=0):
    rng = np.random.default_rng(seed)
    line = rng.normal(size=d)
    X = rng.normal(size=(4 * n, d))
    X = X[np.abs(X @ line / np.linalg.norm(line)) > gap][:n]
    return X, (X @ line > 0).astype(int)


def by_hand(X, y, passes):
    """The rule in plain Python: corrections, in the order of the rows."""
    w, mistakes = np.zeros(X.shape[1] + 1), 0
    for _ in range(passes):
        made = 0
        for x, t in zip(np.column_stack([np.ones(len(X)), X]), np.where(y, 1, -1), strict=True):
            if t * (w @ x) <= 0:
                w, made = w + t * x, made + 1
        mistakes += made
        if not made:
            break
    return w, mistakes


def test_the_rule_is_the_textbook_s():
    X, y = apart()
    w, mistakes = by_hand(X, y, 100)
    model = Perceptron(shuffle=False, tol=None).fit(X, y)
    np.testing.assert_allclose([*model.intercept_, *model.coef_[0]], w, rtol=1e-12)
    assert model.mistakes_ == mistakes


@given(st.integers(0, 500), st.sampled_from([0.05, 0.5]), st.sampled_from([2, 3]))
def test_mistakes_keep_novikoff_s_bound(seed, gap, classes):
    X, y = apart(gap=gap, seed=seed)
    if classes == 3:
        X, y = np.vstack([X, X[:10] + 50.0]), np.append(y, np.full(10, 2))
    if len(np.unique(y)) < classes:
        return
    model = Perceptron(tol=None, max_iter=5000, random_state=seed).fit(X, y)
    assert model.score(X, y) == 1.0
    assert model.margin_ > 0
    assert model.mistakes_ <= model.bound_


def test_the_average_is_that_of_all_lines():
    X, y = apart(20)
    lines, w = [], np.zeros(4)
    for x, t in zip(np.column_stack([np.ones(20), X]), np.where(y, 1, -1), strict=True):
        if t * (w @ x) <= 0:
            w = w + t * x
        lines.append(w)
    model = Perceptron(averaged=True).partial_fit(X, y, classes=[0, 1])
    np.testing.assert_allclose([*model.intercept_, *model.coef_[0]], np.mean(lines, axis=0), 1e-12)


def test_parts_go_on_where_the_last_ended():
    X, y = apart()
    once = Perceptron().partial_fit(X, y, classes=[0, 1])
    parts = Perceptron().partial_fit(X[:20], y[:20], classes=[0, 1]).partial_fit(X[20:], y[20:])
    np.testing.assert_allclose(parts.coef_, once.coef_, rtol=1e-12)
    assert parts.mistakes_ == once.mistakes_


def test_exclusive_or_is_proved_not_separable():
    X, y = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]]), np.array([0, 1, 1, 0])
    model = Perceptron().fit(X, y)
    proof = model.not_separable(X, y)
    Z = np.column_stack([np.ones(4), X]) * np.where(y, 1, -1)[:, None]
    np.testing.assert_allclose(proof @ Z, 0.0, atol=1e-9)
    assert (proof >= 0).all()
    assert abs(proof.sum() - 1) < 1e-9
    assert model.bound_ == np.inf
    X, y = apart()
    assert Perceptron().fit(X, y).not_separable(X, y) is None
    with pytest.warns(ConvergenceWarning, match="still made mistakes"):
        Perceptron(max_iter=2, tol=None).fit(*apart(gap=0.001, seed=3))


def test_one_class_is_refused():
    with pytest.raises(DataError, match="only one class"):
        Perceptron().fit([[1.0], [2.0]], [0, 0])
