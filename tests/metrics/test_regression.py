"""Errors of numbers: scikit-learn's figures, weights, several outputs, what is undefined."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import pearsonr
from sklearn import metrics as peers
from sklearn.exceptions import UndefinedMetricWarning

from learnable import metrics
from learnable.core import DataError, ParameterError
from tests.metrics.draws import same

NAMES = [
    "mean_absolute_error", "mean_squared_error", "root_mean_squared_error", "r2_score",
    "median_absolute_error", "mean_absolute_percentage_error", "explained_variance_score",
]  # fmt: skip


def drawn(n, m, seed):
    rng = np.random.default_rng(seed)
    true = rng.normal(3, 2, (n, m))
    return true, true + rng.normal(size=(n, m)), rng.random(n) * (rng.random(n) > 0.2)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("multioutput", ["uniform_average", "raw_values", [0.2, 0.5, 0.3]])
def test_scikit_learns_figures(name, multioutput):
    for n in (2, 5, 100):
        true, predicted, weight = drawn(n, 3, n)
        for options in ({}, {"sample_weight": weight + 0.1}, {"sample_weight": np.ones(n)}):
            pair = getattr(metrics, name), getattr(peers, name)
            same(*pair, true, predicted, multioutput=multioutput, **options)
            same(*pair, true[:, 0], predicted[:, 0], **options)


@pytest.mark.parametrize("name", ["r2_score", "explained_variance_score"])
@pytest.mark.parametrize("force_finite", [True, False])
def test_answers_that_do_not_vary(name, force_finite):
    true, predicted, _ = drawn(6, 3, 0)
    true[:, 0] = 2.0
    true[:, 1] = predicted[:, 1] = 3.0
    for multioutput in ("raw_values", "uniform_average", "variance_weighted"):
        pair = getattr(metrics, name), getattr(peers, name)
        options = {"multioutput": multioutput, "force_finite": force_finite}
        if force_finite or multioutput == "raw_values":
            same(*pair, true, predicted, **options)
            same(*pair, true[:, :2], predicted[:, :2], **options)


def test_weighted_medians():
    rng = np.random.default_rng(5)
    for n in range(1, 12):
        true, weight = rng.integers(0, 5, n), rng.integers(0, 3, n)
        if weight.any():
            again = np.repeat(true, weight)
            ours = metrics.median_absolute_error(true, np.zeros(n), sample_weight=weight)
            assert ours == np.median(again)


def test_the_largest_error():
    true, predicted, _ = drawn(50, 1, 3)
    same(metrics.max_error, peers.max_error, true[:, 0], predicted[:, 0])
    with pytest.raises(DataError, match="Multioutput"):
        metrics.max_error(*drawn(5, 2, 3)[:2])


def test_the_normaliser_divides_by_n_minus_one():
    true, predicted, _ = drawn(20, 2, 3)
    ours = metrics.normalized_mean_squared_error(true, predicted, multioutput="raw_values")
    assert ours == pytest.approx(((true - predicted) ** 2).mean(0) / true.var(0, ddof=1))
    r2 = peers.r2_score(true, predicted, multioutput="raw_values")
    assert ours == pytest.approx((1 - r2) * 19 / 20)
    twice = metrics.normalized_mean_squared_error(
        true[:, 0], predicted[:, 0], sample_weight=np.full(20, 2)
    )
    rows = [np.repeat(a[:, 0], 2) for a in (true, predicted)]
    assert twice == pytest.approx(metrics.normalized_mean_squared_error(*rows), rel=1e-12)


def test_correlation():
    true, predicted, weight = drawn(50, 1, 3)
    assert metrics.pearson(true, predicted) == pytest.approx(
        pearsonr(true[:, 0], predicted[:, 0]).statistic, rel=1e-12
    )
    w = np.cov(true[:, 0], predicted[:, 0], aweights=weight)
    assert metrics.pearson(true, predicted, sample_weight=weight) == pytest.approx(
        w[0, 1] / np.sqrt(w[0, 0] * w[1, 1]), rel=1e-12
    )
    with pytest.raises(DataError, match="several outputs"):
        metrics.pearson(np.eye(2), np.eye(2))


def test_what_is_undefined_is_named():
    with pytest.warns(UndefinedMetricWarning, match="less than two"):
        assert np.isnan(metrics.r2_score([1.0], [1.0]))
    for y in ([2.0, 2.0], [2.0]):
        with pytest.warns(UndefinedMetricWarning, match="do not vary"):
            assert np.isnan(metrics.normalized_mean_squared_error(y, y))
    with pytest.warns(UndefinedMetricWarning, match="does not vary"):
        assert np.isnan(metrics.pearson([1.0, 2.0], [3.0, 3.0]))


def test_what_is_refused():
    with pytest.raises(DataError, match="NaN or infinity in y_pred"):
        metrics.mean_squared_error([1.0, 2.0], [1.0, np.nan])
    with pytest.raises(DataError, match="number of rows"):
        metrics.mean_squared_error([1.0, 2.0], [1.0])
    with pytest.raises(DataError, match="number of outputs"):
        metrics.mean_squared_error(np.eye(2), [1.0, 2.0])
    with pytest.raises(DataError, match="no number"):
        metrics.mean_squared_error(["a"], ["b"])
    with pytest.raises(DataError, match="no rows"):
        metrics.mean_squared_error([], [])
    with pytest.raises(DataError, match="shape"):
        metrics.mean_squared_error(1.0, 1.0)
    with pytest.raises(ParameterError, match="multioutput"):
        metrics.mean_squared_error([1.0], [1.0], multioutput="variance_weighted")
    with pytest.raises(ParameterError, match="1 outputs and 2"):
        metrics.mean_squared_error([1.0], [1.0], multioutput=[1.0, 2.0])
