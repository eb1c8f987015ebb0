"""Pictures show the values they are drawn of."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np
import pytest

from learnable.calibration import reliability
from learnable.core import ParameterError
from learnable.evaluation import (
    forest_plot,
    holm,
    matrix_of_tests,
    plot_confusion,
    plot_curve,
    plot_learning_curve,
    plot_reliability,
    plot_threshold,
    plot_validation_curve,
)
from learnable.metrics import ConfusionMatrix, choose_threshold, curve_bands, interval
from learnable.model_selection import LearningCurve, ValidationCurve

mpl.use("agg")
RNG = np.random.default_rng(0)
SCORES = {name: RNG.normal(m, 0.03, 12) for name, m in (("a_$x$", 0.8), ("b", 0.7), ("c", 0.71))}
Y = RNG.integers(0, 2, 200)
SCORE = RNG.normal(size=200) + Y


@pytest.fixture(autouse=True)
def closed():
    yield
    mpl.pyplot.close("all")


def words(ax):
    return [text.get_text() for text in ax.texts]


def test_forest_of_comparisons():
    found = holm(SCORES)
    ax = forest_plot(found)
    lines = [line.get_xdata() for line in ax.lines if len(line.get_xdata()) == 2]
    drawn = [tuple(line) for line in lines[: len(found.pairs)]]
    assert drawn == [(pair.low, pair.high) for pair in found.pairs]
    assert next(t.get_text() for t in ax.get_yticklabels()) == "a_$x$ less b"
    ax.figure.canvas.draw()


def test_forest_of_estimates():
    found = {name: interval(name, Y, SCORE > 0.5) for name in ("recall_score", "f1_score")}
    ax = forest_plot(found, title="t")
    assert ax.get_title() == "t"
    assert len(ax.lines) == 4
    with pytest.raises(ParameterError, match="forest plot"):
        forest_plot([1, 2])


def test_matrix():
    found = holm(SCORES)
    ax = matrix_of_tests(found)
    assert len(words(ax)) == 6
    blue = ax.images[0].get_array()
    # The best stands first: its row is blue where it is told apart, its column red.
    assert found.between("a_$x$", "b").told_apart
    assert blue[0, 2, 2] > blue[0, 2, 0]
    assert blue[2, 0, 0] > blue[2, 0, 2]
    with pytest.raises(ParameterError, match="Comparisons"):
        matrix_of_tests(SCORES)


@pytest.mark.parametrize("kind", ["roc", "precision-recall", "gain", "lift"])
def test_curves(kind):
    found = curve_bands(Y, SCORE)
    ax = plot_curve(found, kind, label="model")
    line = max(ax.lines, key=lambda one: len(one.get_xdata()))
    side = {"precision-recall": found.precision, "lift": found.lift}.get(kind, found.recall)
    expected = side.value[1:] if kind == "lift" else side.value
    assert line.get_ydata() == pytest.approx(expected)
    band = ax.collections[0].get_paths()[0].vertices
    assert band[:, 1].max() >= np.nanmax(expected) - 1e-12
    with pytest.raises(ParameterError, match="kind"):
        plot_curve(found, "det")


def test_reliability_and_thresholds():
    prob = 1 / (1 + np.exp(-SCORE))
    ax = plot_reliability(reliability(Y, prob), label="model")
    assert ax.get_legend() is not None
    found = choose_threshold(Y, SCORE)
    ax = plot_threshold({"F1": found})
    assert tuple(ax.lines[1].get_xdata()) == (found.threshold,)


def test_learning_and_validation_curves():
    sizes = np.array([50, 100, 200])
    test = 1.0 - sizes[:, None] ** -0.5 + 0.01 * RNG.normal(size=(3, 5))
    curve = LearningCurve(sizes, test + 0.01, test, 40)
    low, high = curve.band()
    assert (low < test.mean(axis=1)).all()
    assert (test.mean(axis=1) < high).all()
    # The fewer rows are learned from, the more do folds share of what they ask.
    ratio = (high - low) / test.std(axis=1, ddof=1)
    assert ratio[0] > ratio[1] > ratio[2]
    ax = plot_learning_curve(curve, further=2.0)
    assert ax.lines[-1].get_xdata().max() == pytest.approx(400)
    for values in ([0.001, 0.1, 10.0], ["a", "b", "c"]):
        ax = plot_validation_curve(ValidationCurve("p", values, test + 0.01, test))
        assert ax.get_xlabel() == "p"


def test_confusion():
    ax = plot_confusion(ConfusionMatrix.of(["a", "b", "b"], ["a", "a", "b"]))
    assert words(ax)[0] == "1\n100%\n3% to 100%"
    weighted = ConfusionMatrix.of([0, 1], [0, 1], sample_weight=[0.5, 1.0])
    with pytest.raises(ParameterError, match="whole rows"):
        plot_confusion(weighted)
