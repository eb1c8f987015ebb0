"""Intervals of measures: which one is taken, and what it gives."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom
from sklearn import metrics as peers
from sklearn.exceptions import UndefinedMetricWarning

from learnable import metrics
from learnable.core import DataError, ParameterError
from learnable.metrics import clopper_pearson, difference, interval
from tests.metrics.draws import labels

TRUE, PREDICTED = [1] * 6 + [0] * 4, [1, 1, 1, 1, 0, 0, 1, 0, 0, 0]


@pytest.mark.parametrize(
    ("name", "x", "n"),
    [
        ("accuracy_score", 7, 10),
        ("zero_one_loss", 3, 10),
        ("hamming_loss", 3, 10),
        ("precision_score", 4, 5),
        ("recall_score", 4, 6),
        ("specificity_score", 3, 4),
        ("negative_predictive_value", 3, 5),
    ],
)
def test_shares_are_guaranteed(name, x, n):
    found = interval(name, TRUE, PREDICTED, 0.9)
    assert (found.low, found.high) == clopper_pearson(x, n, 0.9)
    assert (found.value, found.n, found.kind) == (x / n, n, "guaranteed")
    assert found.value == pytest.approx(getattr(metrics, name)(TRUE, PREDICTED))
    assert "90%" in found.text
    assert str(found) == found.text


@pytest.mark.parametrize("method", ["wilson", "mid-p", "jeffreys", "hoeffding", "agresti-coull"])
def test_other_intervals_of_shares(method):
    found = interval(metrics.accuracy_score, [0] * 40, [0] * 28 + [1] * 12, method=method)
    assert found.low < 0.7 < found.high
    assert found.kind == ("guaranteed" if method == "hoeffding" else "approximate")
    assert found.method == method


@pytest.mark.parametrize(
    ("name", "options", "method"),
    [
        ("f1_score", {}, "delta method"),
        ("fbeta_score", {"beta": 2.0}, "delta method"),
        ("f1_score", {"average": "macro"}, "delta method"),
        ("matthews_corrcoef", {}, "delta method"),
        ("cohen_kappa_score", {"weights": "linear"}, "delta method"),
        ("balanced_accuracy_score", {}, "delta method"),
        ("roc_auc_score", {}, "DeLong"),
        ("precision_score", {"average": "macro"}, "BCa bootstrap of 300 draws"),
        ("mean_squared_error", {}, "BCa bootstrap of 300 draws"),
        ("average_precision_score", {}, "delta method"),
        ("max_error", {}, "BCa bootstrap of 300 draws"),
    ],
)
def test_which_interval_is_taken(name, options, method):
    actual, predicted, _ = labels(200, 2, 1)
    found = interval(name, actual, predicted, n_resamples=300, **options)
    assert found.method == method
    assert found.kind == "approximate"
    assert found.value == pytest.approx(getattr(peers, name)(actual, predicted, **options))
    assert found.low <= found.value <= found.high


@pytest.mark.parametrize("name", ["f1_score", "matthews_corrcoef", "roc_auc_score"])
def test_the_bootstrap_agrees_with_the_formulas(name):
    actual, predicted, _ = labels(800, 2, 1)
    formula = interval(name, actual, predicted)
    drawn = interval(name, actual, predicted, method="bca")
    width = formula.high - formula.low
    assert drawn.low == pytest.approx(formula.low, abs=0.1 * width)
    assert drawn.high == pytest.approx(formula.high, abs=0.1 * width)


def test_groups_widen():
    actual, predicted, _ = labels(300, 2, 1)
    actual, predicted = np.repeat(actual[:60], 5), np.repeat(predicted[:60], 5)
    groups = np.repeat(np.arange(60), 5)
    rows = interval("accuracy_score", actual, predicted, method="bca", n_resamples=500)
    whole = interval("accuracy_score", actual, predicted, groups=groups, n_resamples=500)
    assert whole.high - whole.low > 1.5 * (rows.high - rows.low)


def test_functions_of_ones_own():
    def off(y_true, y_pred):
        return np.abs(np.asarray(y_true) - y_pred).mean()

    actual, predicted, _ = labels(100, 4, 1)
    found = interval(off, actual, predicted, n_resamples=200)
    assert found.value == pytest.approx(off(actual, predicted))
    assert found.text.startswith("off is")


def test_guarantee_of_recall():
    # Given how many rows are positive, the interval holds the true recall often enough.
    for p in (0.1, 0.5, 0.93):
        held = 0.0
        for x in range(13):
            y_pred = [1] * x + [0] * (12 - x) + [0] * 5
            found = interval("recall_score", [1] * 12 + [0] * 5, y_pred, 0.8)
            held += binom.pmf(x, 12, p) * (found.low <= p <= found.high)
        assert held >= 0.8


def test_differences_on_the_same_rows():
    actual, first, _ = labels(400, 2, 1)
    second = np.where(np.random.default_rng(1).random(400) < 0.1, 1 - first, first)
    for name in ("accuracy_score", "f1_score"):
        found = difference(name, actual, first, second, n_resamples=500)
        one, other = (getattr(peers, name)(actual, p) for p in (first, second))
        assert found.value == pytest.approx(one - other)
        assert found.low < found.value < found.high
    same = difference("accuracy_score", actual, first, first, n_resamples=50)
    assert (same.value, same.low, same.high) == (0.0, 0.0, 0.0)
    assert "tells nothing" in same.text


def test_differences_of_areas():
    rng = np.random.default_rng(2)
    y = rng.integers(0, 2, 300)
    good, bad = y + rng.normal(size=300), rng.normal(size=300)
    exact = difference("roc_auc_score", y, good, bad)
    drawn = difference("roc_auc_score", y, good, bad, method="bca", n_resamples=600)
    assert exact.method == "DeLong"
    assert exact.value == pytest.approx(drawn.value)
    width = exact.high - exact.low
    assert (exact.low, exact.high) == pytest.approx((drawn.low, drawn.high), abs=0.15 * width)
    assert "does not hold 0" in exact.text


def test_what_is_undefined_or_tells_nothing():
    with pytest.warns(UndefinedMetricWarning, match="Only one class"):
        interval("roc_auc_score", [1, 1], [0.1, 0.2], method="bca", n_resamples=5)
    assert "tells nothing" in interval("f1_score", [0, 1], [0, 1]).text
    perfect = interval("roc_auc_score", [0] * 9 + [1] * 5, np.arange(14.0))
    assert (perfect.low, perfect.high) == clopper_pearson(5, 5)


def test_what_is_refused():
    with pytest.raises(ParameterError, match="no measure 'accurcy'"):
        interval("accurcy", TRUE, PREDICTED)
    with pytest.raises(ParameterError, match="function or its name"):
        interval(7, TRUE, PREDICTED)
    with pytest.raises(ParameterError, match="no method 'exact'"):
        interval("accuracy_score", TRUE, PREDICTED, method="exact")
    with pytest.raises(ParameterError, match="no share of rows"):
        interval("f1_score", TRUE, PREDICTED, method="wilson")
    with pytest.raises(ParameterError, match="bootstrap alone"):
        interval("accuracy_score", TRUE, PREDICTED, method="wilson", groups=[1] * 10)
    with pytest.raises(ParameterError, match="DeLong's interval"):
        interval("accuracy_score", TRUE, PREDICTED, method="delong")
    with pytest.raises(ParameterError, match="confidence"):
        interval("accuracy_score", TRUE, PREDICTED, 1.0)
    with pytest.raises(ParameterError, match="n_resamples"):
        interval("max_error", TRUE, PREDICTED, n_resamples=0)
    with pytest.raises(DataError, match="different numbers"):
        interval("max_error", TRUE, PREDICTED[:3])
    with pytest.raises(DataError, match="group a row"):
        interval("max_error", TRUE, PREDICTED, groups=[1, 2])
    with pytest.raises(DataError, match="Only one class"):
        interval("roc_auc_score", [1, 1], [0.1, 0.2])
    with pytest.raises(DataError, match="two classes"):
        difference("roc_auc_score", [0, 1, 2], [0, 1, 2], [0, 1, 2])
    with pytest.raises(ParameterError, match="no method"):
        difference("accuracy_score", TRUE, PREDICTED, PREDICTED, method="wilson")
