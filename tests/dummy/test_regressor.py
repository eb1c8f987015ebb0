"""The dummy regressor against scikit-learn's."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.dummy import DummyRegressor as Peer

import learnable
from learnable.core import LearnableError, ParameterError
from learnable.dummy import DummyRegressor
from learnable.estimator.persistence import from_bytes, to_bytes

RANDOM = np.random.default_rng(5)
Y = {"one": RANDOM.normal(size=41), "three": RANDOM.normal(size=(40, 3))}
STRATEGIES = [
    {"strategy": "mean"},
    {"strategy": "median"},
    {"strategy": "quantile", "quantile": 0.0},
    {"strategy": "quantile", "quantile": 0.3},
    {"strategy": "quantile", "quantile": 1.0},
    {"strategy": "constant", "constant": 7},
]


def options_for(options, y):
    if options["strategy"] == "constant" and y.ndim == 2:
        return options | {"constant": [1.0, 2.0, 3.0]}
    return options


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("y", Y.values(), ids=Y)
@pytest.mark.parametrize("options", STRATEGIES, ids=str)
def test_answers_of_the_peer(options, y, weighted):
    options = options_for(options, y)
    weight = RANDOM.integers(0, 4, len(y)).astype(float) if weighted else None
    X = np.array([["text"]] * len(y))
    ours = DummyRegressor(**options).fit(X, y, weight)
    theirs = Peer(**options).fit(X, y, weight)
    assert np.allclose(ours.constant_, theirs.constant_, rtol=1e-13, atol=1e-15)
    assert np.allclose(ours.predict(X), theirs.predict(X), rtol=1e-13, atol=1e-15)
    assert ours.predict(X).shape == theirs.predict(X).shape
    for mine, other in zip(ours.predict(X, True), theirs.predict(X, True), strict=True):
        assert np.allclose(mine, other)
    assert ours.score(X, y, weight) == pytest.approx(theirs.score(X, y, weight), abs=1e-12)
    assert ours.score(None, y) == pytest.approx(theirs.score(None, y), abs=1e-12)
    assert ours.n_outputs_ == theirs.n_outputs_


@pytest.mark.parametrize("strategy", ["mean", "median"])
def test_a_weight_of_two_is_the_row_twice(strategy):
    y, weight = np.array([4.0, 1.0, 8.0, 2.0]), np.array([1, 2, 0, 2])
    one = DummyRegressor(strategy=strategy).fit(None, y, weight)
    other = DummyRegressor(strategy=strategy).fit(None, np.repeat(y, weight))
    assert one.constant_ == pytest.approx(other.constant_)


@pytest.mark.parametrize("y", Y.values(), ids=Y)
@pytest.mark.parametrize("options", STRATEGIES, ids=str)
def test_files(options, y):
    model = DummyRegressor(**options_for(options, y)).fit(None, y)
    again = from_bytes(to_bytes(model))
    assert to_bytes(again) == to_bytes(model)
    assert np.array_equal(again.predict(y), model.predict(y))


def test_contradicting_state_is_refused():
    model = DummyRegressor().fit(None, Y["three"])
    model.n_outputs_ = 2
    with pytest.raises(LearnableError, match="n_outputs_"):
        to_bytes(model)


def test_explanations():
    model = DummyRegressor().fit(None, [1.0, 4.0])
    why = learnable.explain(model, [["x"], ["y"]])
    assert len(why) == 2
    assert why[0].summary == "Always 2.5: the mean of all."
    assert why[0].prediction == why[0].score == sum(part.weight for part in why[0].parts) == 2.5
    several = DummyRegressor(strategy="median").fit(None, [[1.0, 2.0], [3.0, 6.0], [9.0, 7.0]])
    why = learnable.explain(several, [[0]])[0]
    assert why.prediction == (3.0, 6.0)
    assert why.summary == "Always 3, 6: the median of each output."


def test_certificate_on_new_rows():
    y = np.arange(200.0)
    model = DummyRegressor().fit(None, y[::2])
    certificate = learnable.certify(model, y[1::2, None], y[1::2])
    errors = np.sort(np.abs(y[1::2] - model.constant_[0]))
    assert certificate.kind == "guaranteed"
    assert certificate.high in errors[90:]


def test_trace_tells_the_number():
    with learnable.tracing() as trace:
        DummyRegressor().fit(None, [1.0, 4.0])
    assert [(e.step, e.values["number"]) for e in trace] == [("number", [2.5])]


def test_errors_say_what_is_wrong():
    with pytest.raises(TypeError, match="Constant target value"):
        DummyRegressor(strategy="constant").fit(None, [1.0])
    with pytest.raises(ParameterError, match="needs a quantile"):
        DummyRegressor(strategy="quantile").fit(None, [1.0])
    with pytest.raises(ParameterError, match="quantile of DummyRegressor"):
        DummyRegressor(quantile=1.5).fit(None, [1.0])
    with pytest.raises(ParameterError, match=r"shape \(2, 1\)"):
        DummyRegressor(strategy="constant", constant=[1, 2, 3]).fit(None, [[1.0, 2.0]])
