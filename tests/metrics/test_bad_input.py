"""Bad input to every measure that takes it: refused by name, or answered as defined; never a crash.

The tests of each measure hold its values; here all of them meet the same bad rows.
"""

from __future__ import annotations

import inspect
import warnings

import numpy as np
import pytest

from learnable import metrics
from learnable.core import DataError, LearnableError

RNG = np.random.default_rng(0)
N = 30
Y, P = RNG.integers(0, 2, N), RNG.integers(0, 2, N)
CHANCE, NUMBER = RNG.random(N), RNG.normal(size=N)
MANY, TABLE = RNG.integers(0, 2, (N, 3)), RNG.normal(size=(N, 3))

OF_LABELS = {
    name: {}
    for name in (
        "accuracy_score", "balanced_accuracy_score", "classification_report", "cohen_kappa_score",
        "confusion_matrix", "f1_score", "hamming_loss", "jaccard_score", "matthews_corrcoef",
        "multilabel_confusion_matrix", "negative_predictive_value",
        "precision_recall_fscore_support", "precision_score", "rebalanced_accuracy",
        "recall_score", "specificity_score", "zero_one_loss",
    )
} | {"fbeta_score": {"beta": 2.0}, "expected_cost": {"cost": [[0, 1], [2, 0]]}}  # fmt: skip
OF_SCORES = (
    "average_precision_score", "choose_threshold", "det_curve", "precision_recall_curve",
    "roc_auc_score", "roc_curve", "threshold_curve", "curve_bands", "gain_curve", "lift_curve",
    "brier_score_loss", "expected_calibration_error", "log_loss", "top_k_accuracy_score",
)  # fmt: skip
OF_NUMBERS = (
    "explained_variance_score", "max_error", "mean_absolute_error",
    "mean_absolute_percentage_error", "mean_squared_error", "median_absolute_error",
    "normalized_mean_squared_error", "pearson", "r2_score", "root_mean_squared_error", "spearman",
    "kendall_tau",
)  # fmt: skip
OF_ORDERS = (
    "coverage_error", "dcg_score", "label_ranking_average_precision_score", "label_ranking_loss",
    "ndcg_score",
)  # fmt: skip
OF_PARTS = tuple(
    name for name in metrics.__all__ if name in vars(metrics) and name in {
        "adjusted_mutual_info_score", "adjusted_rand_score", "completeness_score",
        "fowlkes_mallows_score", "homogeneity_completeness_v_measure", "homogeneity_score",
        "mutual_info_score", "normalized_mutual_info_score", "rand_score", "v_measure_score",
    }
)  # fmt: skip
EVERY = (
    {name: (Y, P, options) for name, options in OF_LABELS.items()}
    | {name: (Y, CHANCE, {}) for name in OF_SCORES}
    | {name: (NUMBER, NUMBER + 0.1, {}) for name in OF_NUMBERS}
    | {name: (MANY, TABLE, {}) for name in OF_ORDERS}
)
WEIGHTED = [
    name
    for name in EVERY
    if "sample_weight" in inspect.signature(getattr(metrics, name)).parameters
]


def asked(name, y, p, **more):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return getattr(metrics, name)(y, p, **EVERY.get(name, (0, 0, {}))[2], **more)


@pytest.mark.parametrize(
    "weight",
    [np.zeros(N), -np.ones(N), np.full(N, np.nan), np.ones(3), np.full(N, np.inf)],
    ids=["zero", "negative", "NaN", "short", "infinite"],
)
@pytest.mark.parametrize("name", WEIGHTED)
def test_weights_that_cannot_be(name, weight):
    with pytest.raises(DataError):
        asked(name, *EVERY[name][:2], sample_weight=weight)


@pytest.mark.parametrize("name", WEIGHTED)
def test_a_row_of_weight_zero_is_not_there(name):
    y, p, _ = EVERY[name]
    weight = np.ones(N)
    weight[:7] = 0.0
    made, expected = asked(name, y, p, sample_weight=weight), asked(name, y[7:], p[7:])
    if isinstance(made, str):
        assert made.split() == expected.split() or "30" not in made
        return
    parts = [both if isinstance(made, tuple) else (both,) for both in (made, expected)]
    for one, other in zip(*parts, strict=True):
        if not isinstance(one, str):
            assert np.ravel(one) == pytest.approx(np.ravel(other), nan_ok=True)


@pytest.mark.parametrize("name", [*OF_SCORES, *OF_NUMBERS, *OF_ORDERS])
def test_a_score_that_is_nan(name):
    y, p, _ = EVERY[name]
    for bad in (np.nan, np.inf):
        broken = np.array(p, dtype=float)
        broken[4] = bad
        with pytest.raises(DataError):
            asked(name, y, broken)


@pytest.mark.parametrize("name", [*OF_LABELS, *OF_PARTS])
def test_a_label_that_is_nan(name):
    broken = P.astype(float)
    broken[4] = np.nan
    with pytest.raises(DataError):
        asked(name, Y, broken)


@pytest.mark.parametrize("name", EVERY)
def test_no_rows_and_rows_that_do_not_pair(name):
    y, p, _ = EVERY[name]
    with pytest.raises(DataError):
        asked(name, y[:0], p[:0])
    with pytest.raises(DataError):
        asked(name, y[:9], p)


@pytest.mark.parametrize("name", [name for name in OF_LABELS if name != "expected_cost"])
def test_labels_never_seen_and_never_predicted(name):
    """A class only one side knows counts as wrong; measures of two classes ask which is meant."""
    more = {"average": "macro"} if name in AVERAGED else {}
    for y, p in ((np.zeros(9, int), np.ones(9, int)), (np.arange(9) % 2, np.full(9, 2))):
        found = asked(name, y, p, **more)
        if isinstance(found, float):
            assert np.isnan(found) or -1.0 <= found <= 1.0


AVERAGED = {
    "f1_score", "fbeta_score", "jaccard_score", "negative_predictive_value", "precision_score",
    "recall_score", "specificity_score",
}  # fmt: skip


@pytest.mark.parametrize("name", OF_SCORES)
def test_constant_scores(name):
    """All rows tie: areas are one half, or the share of positive rows; nothing fails."""
    found = asked(name, Y, np.full(N, 0.5))
    expected = {
        "roc_auc_score": 0.5, "average_precision_score": Y.mean(), "brier_score_loss": 0.25,
        "log_loss": np.log(2.0),
    }  # fmt: skip
    if name in expected:
        assert found == pytest.approx(expected[name])


@pytest.mark.parametrize("name", OF_SCORES)
def test_one_class_alone(name):
    """Named as undefined (a warning and NaN or 0), or refused."""
    try:
        found = asked(name, np.ones(N, int), CHANCE)
    except LearnableError:
        return
    if isinstance(found, float):
        assert np.isnan(found) or 0.0 <= found <= 1.0


@pytest.mark.parametrize("name", OF_NUMBERS)
def test_answers_without_variance(name):
    found = asked(name, np.ones(N), NUMBER)
    assert np.isnan(found) or np.isfinite(found)
    exact = asked(name, np.ones(N), np.ones(N))
    assert np.isnan(exact) or exact in (0.0, 1.0)


@pytest.mark.parametrize("name", ["accuracy_score", "roc_auc_score", "r2_score", "f1_score"])
def test_intervals_of_bad_input(name):
    y, p = (NUMBER, NUMBER) if name == "r2_score" else (Y, Y if name != "roc_auc_score" else CHANCE)
    broken = np.array(p, dtype=float)
    broken[3] = np.nan
    for method in ("auto", "bca"):
        with pytest.raises(DataError):
            metrics.interval(name, y, broken, method=method, n_resamples=20)
    same = metrics.interval(name, y, p, n_resamples=50)
    assert same.low <= same.value <= same.high
