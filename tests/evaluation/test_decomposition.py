"""Bias and variance: the definitions, sums that are exact, and known models."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression
from sklearn.neighbors import KNeighborsRegressor
from sklearn.tree import DecisionTreeClassifier

from learnable.core import DataError, ParameterError
from learnable.datasets import load_iris
from learnable.evaluation import bias_variance, decompose

RNG = np.random.default_rng(0)
LABELS = np.array(["a", "b", "c"])
ANSWERS, TRUTH = LABELS[RNG.integers(0, 3, (30, 50))], LABELS[RNG.integers(0, 3, 50)]


@pytest.mark.parametrize("corrected", [True, False])
@pytest.mark.parametrize("loss", ["squared", "domingos", "kohavi-wolpert"])
def test_parts_add_up_to_the_loss(loss, corrected):
    answers, truth = (
        (RNG.normal(size=(30, 50)), RNG.normal(size=50)) if loss == "squared" else (ANSWERS, TRUTH)
    )
    found = decompose(answers, truth, loss=loss, corrected=corrected)
    loss_of_rows, bias, variance = found.parts
    assert bias + variance == pytest.approx(loss_of_rows, abs=1e-12)
    wrong = (answers - truth) ** 2 if loss == "squared" else answers != truth
    assert found.loss.value == pytest.approx(wrong.mean(), rel=1e-12)
    assert found.loss.low < found.loss.value < found.loss.high
    assert "Measured" in str(found.bias)


def test_domingos_row_by_row():
    found = decompose(ANSWERS, TRUTH, loss="domingos").parts
    for i in range(50):
        counts = [(ANSWERS[:, i] == label).sum() for label in LABELS]
        main = LABELS[int(np.argmax(counts))]
        assert found.bias[i] == (main != TRUTH[i])
        if main == TRUTH[i]:
            assert found.variance[i] == pytest.approx((ANSWERS[:, i] != main).mean())
        else:
            assert found.variance[i] == pytest.approx(-(ANSWERS[:, i] == TRUTH[i]).mean())


def test_kohavi_and_wolpert_row_by_row():
    found = decompose(ANSWERS, TRUTH, loss="kohavi-wolpert", corrected=False).parts
    shares = np.array([(label == ANSWERS).mean(axis=0) for label in LABELS])
    right = LABELS[:, None] == TRUTH
    assert found.bias == pytest.approx(((right - shares) ** 2).sum(axis=0) / 2)
    assert found.variance == pytest.approx((1 - (shares**2).sum(axis=0)) / 2)


@pytest.mark.parametrize("loss", ["squared", "kohavi-wolpert"])
def test_the_correction_removes_what_few_models_leave(loss):
    # Answers without bias: whatever the number of models, the bias is 0 on average (here 2 models
    # of 20,000 rows; a plain estimate would have half of the variance).
    rng = np.random.default_rng(1)
    if loss == "squared":
        answers, truth, variance = rng.normal(size=(2, 20_000)), np.zeros(20_000), 1.0
    else:
        answers, truth, variance = rng.integers(0, 2, (2, 20_000)), np.zeros(20_000, int), 0.25
    bias = 0.0 if loss == "squared" else 0.25
    found = decompose(answers, truth, loss=loss)
    assert found.variance.value == pytest.approx(variance, abs=0.05)
    assert found.bias.value == pytest.approx(bias, abs=0.05)


def line(rng):
    X = rng.uniform(-1, 1, (40, 1))
    return X, X[:, 0] ** 2 + 0.2 * rng.normal(size=40)


def test_a_stiff_model_has_bias_and_a_wild_one_variance():
    X = np.linspace(-1, 1, 50)[:, None]
    stiff, wild = (
        bias_variance(model, None, None, X, X[:, 0] ** 2, generator=line, draws=60)
        for model in (LinearRegression(), KNeighborsRegressor(1))
    )
    assert stiff.bias.value > 5 * stiff.variance.value
    assert wild.variance.value > 5 * wild.bias.value
    # The nearest neighbour repeats one noisy answer: its variance is that of the noise.
    assert wild.variance.value == pytest.approx(0.04, rel=0.2)
    assert "bias" in stiff.text
    assert "averaging" in wild.text


def test_classifiers_on_redrawn_rows():
    X, y = load_iris(return_X_y=True)
    made = [
        bias_variance(
            DecisionTreeClassifier(max_depth=d, random_state=0),
            X[::2], y[::2], X[1::2], y[1::2], draws=30,
        )
        for d in (1, None)
    ]  # fmt: skip
    assert made[0].kind == "domingos"
    assert made[0].bias.value > made[1].bias.value
    again = bias_variance(
        DecisionTreeClassifier(max_depth=1, random_state=0),
        X[::2], y[::2], X[1::2], y[1::2], draws=30,
    )  # fmt: skip
    assert again.loss == made[0].loss


def test_what_is_refused():
    with pytest.raises(ParameterError, match="loss must be one of"):
        decompose(ANSWERS, TRUTH, loss="0-1")
    with pytest.raises(DataError, match="shape"):
        decompose(ANSWERS[:1], TRUTH, loss="domingos")
    with pytest.raises(DataError, match="shape"):
        decompose(ANSWERS, TRUTH[:3], loss="domingos")
    with pytest.raises(DataError, match="one of numbers"):
        decompose(ANSWERS, TRUTH)
    with pytest.raises(DataError, match="not finite"):
        decompose([[1.0, np.nan], [1.0, 2.0]], [1.0, 2.0])
    with pytest.raises(DataError, match="no variance"):
        bias_variance(LinearRegression(), [[0.0]], [0.0], [[0.0]], [0.0], draws=1)
