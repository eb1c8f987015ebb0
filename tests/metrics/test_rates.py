"""Precision, recall and kin: scikit-learn's figures, every average, what is undefined."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from sklearn import metrics as peers
from sklearn.exceptions import UndefinedMetricWarning

from learnable import metrics
from learnable.core import DataError, ParameterError
from tests.metrics.draws import NAMES, labels, quietly, same

PAIRS = {
    "precision": (metrics.precision_score, peers.precision_score),
    "recall": (metrics.recall_score, peers.recall_score),
    "f1": (metrics.f1_score, peers.f1_score),
    "f2": (partial(metrics.fbeta_score, beta=2), partial(peers.fbeta_score, beta=2)),
    "f0": (partial(metrics.fbeta_score, beta=0), partial(peers.fbeta_score, beta=0)),
    "f-inf": (
        partial(metrics.fbeta_score, beta=np.inf),
        partial(peers.fbeta_score, beta=np.inf),
    ),
    "jaccard": (metrics.jaccard_score, peers.jaccard_score),
}
TRUE, PREDICTED = [1] * 6 + [0] * 4, [1, 1, 1, 1, 0, 0, 1, 0, 0, 0]


@pytest.mark.parametrize("name", PAIRS)
@pytest.mark.parametrize("average", [None, "micro", "macro", "weighted"])
@pytest.mark.parametrize("kind", [int, str])
def test_scikit_learns_figures(name, average, kind):
    actual, predicted, weight = labels(100, 5, 11, kind)
    for options in (
        {},
        {"sample_weight": weight},
        {"labels": actual[:1]},
        {"labels": np.unique(actual)[::-1], "sample_weight": weight},
    ):
        same(*PAIRS[name], actual, predicted, average=average, **options)


@pytest.mark.parametrize("name", PAIRS)
def test_two_classes(name):
    actual, predicted, weight = labels(100, 2, 12, str)
    for positive in NAMES[:2]:
        same(*PAIRS[name], actual, predicted, pos_label=positive, sample_weight=weight)


@pytest.mark.parametrize("name", PAIRS)
@pytest.mark.parametrize("average", [None, "micro", "macro", "weighted", "samples"])
@pytest.mark.parametrize("zero_division", [0, 1, np.nan])
def test_several_labels_a_row(name, average, zero_division):
    if name == "jaccard" and np.isnan(zero_division):
        zero_division = "warn"
    rng = np.random.default_rng(3)
    actual, predicted = (rng.random((2, 30, 4)) < 0.25).astype(int)
    predicted[:, 2] = 0
    for options in ({}, {"sample_weight": rng.random(30)}, {"labels": [2, 0]}):
        same(
            *PAIRS[name],
            actual,
            predicted,
            average=average,
            zero_division=zero_division,
            **options,
        )


@pytest.mark.parametrize("zero_division", ["warn", 0, 1, np.nan])
@pytest.mark.parametrize("average", [None, "micro", "macro", "weighted"])
@pytest.mark.parametrize("name", ["precision", "recall", "f1"])
def test_undefined_rates(name, average, zero_division):
    actual, predicted = [0, 0, 1, 1], [0, 2, 0, 2]
    for chosen in (None, [0, 1, 2, 5], [1], [5]):
        same(
            *PAIRS[name],
            actual,
            predicted,
            labels=chosen,
            average=average,
            zero_division=zero_division,
        )


def test_what_is_undefined_is_named():
    with pytest.warns(UndefinedMetricWarning, match="nothing was predicted as 1"):
        assert metrics.precision_score([0] * 9 + [1], [0] * 10) == 0.0
    with pytest.warns(UndefinedMetricWarning, match="no row is 7"):
        metrics.recall_score([0, 1], [0, 7], average=None)
    with pytest.warns(UndefinedMetricWarning, match="other than 1"):
        metrics.specificity_score([1, 1], [1, 1])
    with pytest.warns(UndefinedMetricWarning, match="no denominator in row 1"):
        metrics.recall_score([[1, 1], [0, 0]], [[1, 1], [0, 1]], average="samples")
    assert metrics.recall_score([0] * 9 + [1], [0] * 10) == 0.0
    assert np.isnan(metrics.precision_score([0, 1], [0, 0], zero_division=np.nan))


@pytest.mark.parametrize(
    ("function", "value"),
    [
        (metrics.precision_score, 0.8),
        (metrics.recall_score, 2 / 3),
        (metrics.specificity_score, 0.75),
        (metrics.negative_predictive_value, 0.6),
        (metrics.f1_score, 8 / 11),
        (metrics.jaccard_score, 4 / 7),
    ],
)
def test_golden(function, value):
    assert function(TRUE, PREDICTED) == pytest.approx(value, rel=1e-12)


def test_specificity_is_the_recall_of_the_other_class():
    actual, predicted, weight = labels(80, 2, 5)
    ours = metrics.specificity_score(actual, predicted, sample_weight=weight)
    assert ours == pytest.approx(
        peers.recall_score(actual, predicted, pos_label=0, sample_weight=weight), rel=1e-12
    )
    ours = metrics.negative_predictive_value(actual, predicted, sample_weight=weight)
    assert ours == pytest.approx(
        peers.precision_score(actual, predicted, pos_label=0, sample_weight=weight), rel=1e-12
    )


@pytest.mark.parametrize("average", [None, "macro", "binary"])
def test_all_in_one_pass(average):
    actual, predicted, weight = labels(80, 2, 5)
    options = {"beta": 0.5, "average": average, "sample_weight": weight}
    ours = metrics.precision_recall_fscore_support(actual, predicted, **options)
    theirs = peers.precision_recall_fscore_support(actual, predicted, **options)
    for mine, peer in zip(ours, theirs, strict=True):
        assert (mine is None) == (peer is None)
        assert mine is None or mine == pytest.approx(peer, rel=1e-12)


def test_only_what_is_named_is_warned_of():
    made = metrics.precision_recall_fscore_support(
        [0, 1], [0, 0], average="binary", warn_for=("recall",)
    )
    assert made == (0.0, 0.0, 0.0, None)


def test_what_is_refused():
    with pytest.raises(DataError, match="multiclass but average='binary'"):
        metrics.precision_score([0, 1, 2], [0, 1, 2])
    with pytest.raises(DataError, match="not a valid label"):
        metrics.precision_score(["a", "b"], ["a", "b"])
    with pytest.raises(ParameterError, match="average has to be"):
        metrics.precision_score([0, 1], [0, 1], average="mean")
    with pytest.raises(DataError, match="several answers"):
        metrics.precision_score([0, 1], [0, 1], average="samples")
    with pytest.raises(ParameterError, match="beta must be"):
        metrics.fbeta_score([0, 1], [0, 1], beta=-1)
    for wrong in ("zero", 0.5):
        with pytest.raises(ParameterError, match="zero_division must be"):
            metrics.f1_score([0, 1], [0, 1], zero_division=wrong)
    with pytest.raises(DataError, match="in \\[0, 2\\)"):
        metrics.f1_score(np.eye(2), np.eye(2), labels=[2], average="macro")


@pytest.mark.parametrize("kind", [int, str])
@pytest.mark.parametrize("chosen", [None, slice(1, 3), slice(None, None, -1)])
def test_the_report(kind, chosen):
    actual, predicted, weight = labels(60, 4, 8, kind)
    names = None if chosen is None else np.unique(actual)[chosen]
    for options in ({}, {"sample_weight": weight, "digits": 3}):
        options["labels"] = names
        ours = metrics.classification_report(actual, predicted, **options)
        theirs = peers.classification_report(actual, predicted, **options)
        if "sample_weight" in options:  # their supports are printed to all digits
            assert [line[:45] for line in ours.split("\n")] == [
                line[:45] for line in theirs.split("\n")
            ]
        else:
            assert "\n".join(line.rstrip() for line in ours.split("\n")) == "\n".join(
                line.rstrip() for line in theirs.replace(".0\n", "\n").split("\n")
            )
        mine = metrics.classification_report(actual, predicted, output_dict=True, **options)
        peer = peers.classification_report(actual, predicted, output_dict=True, **options)
        assert mine.keys() == peer.keys()
        for name, line in peer.items():
            assert mine[name] == pytest.approx(line, rel=1e-12)


def test_the_report_of_several_labels_a_row():
    rng = np.random.default_rng(3)
    actual, predicted = (rng.random((2, 30, 4)) < 0.5).astype(int)
    options = {"target_names": list("abcd"), "output_dict": True}
    mine = quietly(metrics.classification_report, actual, predicted, **options)
    peer = quietly(peers.classification_report, actual, predicted, **options)
    assert mine.keys() == peer.keys()
    for name, line in peer.items():
        assert mine[name] == pytest.approx(line, rel=1e-12)


def test_the_report_refuses_names_that_do_not_fit():
    with pytest.raises(ParameterError, match="2 classes and 1 target_names"):
        metrics.classification_report([0, 1], [0, 1], target_names=["a"])
