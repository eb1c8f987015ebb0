from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression, LogisticRegression

from learnable.calibration import Conformal, predict_interval, predict_set
from learnable.core import DataError, ParameterError
from learnable.dummy import DummyRegressor
from learnable.naive_bayes import GaussianNB


def groups(n, rng, rare=0.5):
    y = (rng.random(n) < rare).astype(int)
    return rng.normal(size=(n, 2)) + y[:, None], y


@pytest.fixture(scope="module")
def model():
    return GaussianNB().fit(*groups(200, np.random.default_rng(0)))


def test_a_set_holds_the_classes_that_fit_as_well_as_the_ninetieth_of_a_hundred(model):
    rng = np.random.default_rng(1)
    X, y = groups(99, rng)
    new, _ = groups(50, rng)
    sets = predict_set(model, new, (X, y), confidence=0.9)
    limit = np.sort(1 - model.predict_proba(X)[np.arange(99), y])[89]
    np.testing.assert_array_equal(sets.inside, 1 - model.predict_proba(new) <= limit)
    assert sets.labels()[0] == sets.classes[sets.inside[0]].tolist()


@pytest.mark.parametrize("draws", [300, pytest.param(5000, marks=pytest.mark.full)])
def test_the_truth_is_inside_as_often_as_promised(model, draws, record_property):
    rng = np.random.default_rng(2)
    future, truth = groups(20_000, rng)
    chances = model.predict_proba(future)[np.arange(len(truth)), truth]
    coverage, low = [], 0.0
    for _ in range(draws):
        found = Conformal.of(model, *groups(50, rng))
        certificate = found.certificate(0.8)
        limit = found.scores[0][41 - 1]
        coverage.append((1 - chances <= limit).mean())
        low = certificate.low
    record_property("promised on average at least", "0.8")
    record_property("seen", f"{np.mean(coverage):.4f}")
    record_property("promised at least", "0.95")
    record_property("held", f"{np.mean(np.array(coverage) >= low):.4f}")
    assert np.mean(coverage) >= 0.8 - 4 * np.std(coverage) / np.sqrt(draws)
    assert np.mean(np.array(coverage) >= low - 0.01) >= 0.95 - 4 * np.sqrt(0.05 * 0.95 / draws)


def test_by_class_the_promise_holds_within_the_rare_class():
    rng = np.random.default_rng(3)
    model = GaussianNB().fit(*groups(2000, rng, rare=0.05))
    calibration = groups(4000, rng, rare=0.05)
    X, y = groups(20_000, rng, rare=0.05)
    plain = predict_set(model, X, calibration, confidence=0.9)
    by_class = predict_set(model, X, calibration, confidence=0.9, by_class=True)
    inside = lambda sets, c: sets.inside[y == c, c].mean()  # noqa: E731
    assert inside(plain, 1) < 0.8
    assert inside(by_class, 1) > 0.85
    assert inside(by_class, 0) > 0.88
    assert by_class.certificate.n == 4000
    assert "every class" in by_class.certificate.text


def test_intervals_reach_as_far_as_the_ranked_error():
    rng = np.random.default_rng(4)
    X, y = rng.normal(size=(39, 1)), rng.normal(size=39)
    model = LinearRegression().fit(X[:20], y[:20])
    found = predict_interval(model, X[:5], (X[20:], y[20:]), confidence=0.9)
    reach = np.sort(np.abs(y[20:] - model.predict(X[20:])))[17]
    np.testing.assert_allclose(found.high - found.low, 2 * reach)
    np.testing.assert_allclose(found.low + reach, model.predict(X[:5]))
    assert found.certificate.kind == "guaranteed"


def test_too_few_rows_take_everything(model):
    X, y = groups(8, np.random.default_rng(5))
    sets = predict_set(model, X, (X, y), confidence=0.9)
    assert sets.inside.all()
    assert (sets.certificate.low, sets.certificate.value) == (1.0, 1.0)
    assert "sets of everything" in sets.certificate.text
    line = DummyRegressor().fit(X, X[:, 0])
    found = predict_interval(line, X, (X, X[:, 0]), confidence=0.9)
    assert np.isinf(found.high).all()
    assert np.isinf(found.low).all()


def test_models_of_scikit_learn_are_taken_too():
    rng = np.random.default_rng(6)
    model = LogisticRegression().fit(*groups(100, rng))
    assert predict_set(model, groups(7, rng)[0], groups(99, rng)).inside.shape == (7, 2)


def test_what_cannot_be_promised_is_refused(model):
    X, y = groups(20, np.random.default_rng(7))
    with pytest.raises(DataError, match=r"class that the model does not know.*row 3, value 9"):
        predict_set(model, X, (X, np.where(np.arange(20) == 3, 9, y)))
    with pytest.raises(DataError, match="inconsistent numbers of samples"):
        predict_set(model, X, (X, y[:5]))
    with pytest.raises(ParameterError, match="ask for sets"):
        predict_interval(model, X, (X, y))
    line = DummyRegressor().fit(X, X[:, 0])
    with pytest.raises(ParameterError, match="ask for intervals"):
        predict_set(line, X, (X, X[:, 0]))
    with pytest.raises(ParameterError, match="has no classes"):
        Conformal.of(line, X, X[:, 0], by_class=True)
    with pytest.raises(ParameterError, match="confidence"):
        predict_set(model, X, (X, y), confidence=1.5)
