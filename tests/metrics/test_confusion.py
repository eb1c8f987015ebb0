"""The confusion matrix: scikit-learn's figures, the laws of merging, what a person reads."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn import metrics as peers

from learnable.core import DataError, ParameterError
from learnable.metrics import ConfusionMatrix, confusion_matrix, multilabel_confusion_matrix
from tests.metrics.draws import labels, quietly, same

TRUE, PREDICTED = [1] * 6 + [0] * 4, [1, 1, 1, 1, 0, 0, 1, 0, 0, 0]


@pytest.mark.parametrize("kind", [int, float, bool, str, object, np.uint8])
def test_scikit_learns_matrix(kind):
    k = 2 if kind is bool else 4
    actual, predicted, weight = labels(200, k, 1, kind)
    for options in ({}, {"sample_weight": weight}, {"sample_weight": (weight * 9).astype(int)}):
        same(confusion_matrix, peers.confusion_matrix, actual, predicted, **options)
        ours = confusion_matrix(actual, predicted, **options)
        assert ours.dtype == peers.confusion_matrix(actual, predicted, **options).dtype
        same(
            multilabel_confusion_matrix,
            peers.multilabel_confusion_matrix,
            actual,
            predicted,
            **options,
        )


@pytest.mark.parametrize("normalize", ["true", "pred", "all", None])
def test_chosen_labels(normalize):
    actual, predicted, _ = labels(60, 5, 2)
    for chosen in ([3, 1], [0, 1, 2, 3, 4, 9], [4, 3, 2, 1, 0]):
        same(
            confusion_matrix,
            peers.confusion_matrix,
            actual,
            predicted,
            labels=chosen,
            normalize=normalize,
        )
        same(
            multilabel_confusion_matrix,
            peers.multilabel_confusion_matrix,
            actual,
            predicted,
            labels=chosen,
        )


@pytest.mark.parametrize("samplewise", [False, True])
def test_several_labels_a_row(samplewise):
    rng = np.random.default_rng(3)
    actual, predicted = rng.random((2, 40, 5)) < 0.4
    weight = rng.random(40)
    for options in ({}, {"sample_weight": weight}, {"labels": [3, 0]}):
        same(
            multilabel_confusion_matrix,
            peers.multilabel_confusion_matrix,
            actual.astype(int),
            predicted.astype(int),
            samplewise=samplewise,
            **options,
        )


def test_sparse_indicators():
    from scipy.sparse import csr_array

    rng = np.random.default_rng(3)
    actual, predicted = (rng.random((2, 40, 5)) < 0.4).astype(int)
    dense = multilabel_confusion_matrix(actual, predicted)
    found = multilabel_confusion_matrix(csr_array(actual), csr_array(predicted))
    assert found.tolist() == dense.tolist()


def test_golden_rates():
    c = ConfusionMatrix.of(TRUE, PREDICTED)
    assert c.accuracy == 0.7
    assert c.error == pytest.approx(0.3)
    assert c.balanced_accuracy == pytest.approx(0.7083, abs=5e-5)
    rates = {name: values[1] for name, values in c.rates().items()}
    assert rates["precision"] == 0.8
    assert rates["recall"] == pytest.approx(0.6667, abs=5e-5)
    assert rates["specificity"] == 0.75
    assert rates["f-score"] == pytest.approx(0.7273, abs=5e-5)
    assert rates["negative predictive value"] == 0.6
    assert c.matthews == pytest.approx(peers.matthews_corrcoef(TRUE, PREDICTED))
    assert c.kappa == pytest.approx(peers.cohen_kappa_score(TRUE, PREDICTED))


def test_always_no_at_nine_tenths():
    c = ConfusionMatrix.of([0] * 9 + [1], [0] * 10)
    assert c.accuracy == 0.9
    assert c.rates()["recall"][1] == 0.0
    assert np.isnan(c.rates()["precision"][1])
    assert c.undefined() == ("precision of 1 is undefined: nothing was predicted as 1.",)
    assert "precision of 1 is undefined" in c.text()


@pytest.mark.parametrize("how", ["macro", "micro", "weighted"])
def test_averages(how):
    actual, predicted, _ = labels(80, 4, 5)
    c = ConfusionMatrix.of(actual, predicted)
    peer = peers.precision_recall_fscore_support(actual, predicted, beta=2, average=how)
    for name, value in zip(("precision", "recall", "f-score"), peer[:3], strict=True):
        assert c.average(name, how, beta=2.0) == pytest.approx(value, rel=1e-12)


def test_merging_folds_is_counting_all_rows():
    actual, predicted, weight = labels(90, 5, 4, str)
    whole = ConfusionMatrix.of(actual, predicted, sample_weight=(weight * 8).round())
    parts = [
        ConfusionMatrix.of(actual[s], predicted[s], sample_weight=(weight[s] * 8).round())
        for s in (slice(0, 3), slice(3, 40), slice(40, 90))
    ]
    merged = ConfusionMatrix.zero().merge(parts[2]).merge(parts[0]).merge(parts[1])
    assert merged == whole
    assert merged.minus(parts[1]).over(parts[0].merge(parts[2]).labels) == parts[0].merge(parts[2])


def test_what_a_person_reads():
    c = ConfusionMatrix.of(["<a>", "b", "b"], ["b", "b", "b"])
    assert "&lt;a&gt;" in c.to_html()
    assert "<a>" not in c.to_html()
    assert c.to_frame().shape == (2, 3)
    assert str(c) == c.text()
    assert c.normalized("true").tolist() == [[0.0, 1.0], [0.0, 1.0]]
    assert np.isnan(c.normalized("pred")[:, 0]).all()


def test_what_is_refused():
    with pytest.raises(DataError, match="no rows"):
        confusion_matrix([], [])
    with pytest.raises(DataError, match="3 rows and y_pred has 2"):
        confusion_matrix([1, 2, 3], [1, 2])
    with pytest.raises(DataError, match="mix of kinds"):
        confusion_matrix(["a", "b"], [1, 2])
    with pytest.raises(DataError, match="not supported"):
        confusion_matrix(np.eye(2), np.eye(2))
    with pytest.raises(DataError, match="continuous"):
        confusion_matrix([0.5, 1.0], [1.0, 1.0])
    with pytest.raises(DataError, match="negative"):
        confusion_matrix([0, 1], [0, 1], sample_weight=[1.0, -1.0])
    with pytest.raises(ParameterError, match="must be in y_true"):
        confusion_matrix([0, 1], [0, 1], labels=[7])
    with pytest.raises(ParameterError, match="at least one"):
        confusion_matrix([0, 1], [0, 1], labels=[])
    with pytest.raises(DataError, match="Samplewise"):
        multilabel_confusion_matrix([0, 1], [0, 1], samplewise=True)
    with pytest.raises(ParameterError, match="no 'middle' average"):
        ConfusionMatrix.of([0, 1], [0, 1]).average("recall", "middle")
    with pytest.raises(ParameterError, match="by must be"):
        ConfusionMatrix.of([0, 1], [0, 1]).normalized("rows")
    with pytest.raises(DataError, match="different kinds"):
        ConfusionMatrix.of([0], [0]).merge(ConfusionMatrix.of(["a"], ["a"]))


def test_a_single_label_is_warned_of():
    with pytest.warns(UserWarning, match="single label"):
        assert confusion_matrix([1, 1], [1, 1]).tolist() == [[2]]
    assert quietly(peers.confusion_matrix, [1, 1], [1, 1]).tolist() == [[2]]
