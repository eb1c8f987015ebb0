"""Answers of models made elsewhere: McNemar, squared errors, and rows that say too little."""

from __future__ import annotations

import numpy as np
import pytest

from learnable.core import DataError, ParameterError
from learnable.evaluation import compare, mcnemar, paired_t

TRUTH = np.array(["yes", "no"] * 30)


def wrong_on(rows):
    answers = TRUTH.copy()
    answers[list(rows)] = np.where(answers[list(rows)] == "yes", "no", "yes")
    return answers


def test_two_classifiers_by_mcnemar():
    found = compare({"a": wrong_on([0, 1]), "b": wrong_on(range(1, 13))}, truth=TRUTH)
    wanted = mcnemar(11, 1, 60)
    assert found.pairs[0].p == wanted.p
    assert round(wanted.p, 6) == 0.003418
    assert found.pairs[0].effect == pytest.approx(10 / 60)
    assert found.method == "McNemar test (mid-p)"
    assert "which one is right" in found.why


def test_three_classifiers_with_holm():
    found = compare({"a": TRUTH, "b": wrong_on(range(12)), "c": wrong_on(range(13))}, truth=TRUTH)
    assert found.between("a", "b").told_apart
    assert not found.between("b", "c").told_apart
    assert found.method.endswith("adjusted by Holm")


def test_too_few_disagreements_are_refused_with_how_many_rows_would_do():
    with pytest.raises(DataError, match=r"On 3 of 60 rows.*At this rate 100 rows"):
        compare({"a": TRUTH, "b": wrong_on(range(3))}, truth=TRUTH)
    with pytest.raises(DataError, match=r"On 0 of 60 rows.*until 5 are"):
        compare({"a": TRUTH, "b": TRUTH}, truth=TRUTH)
    found = compare({"a": TRUTH, "b": wrong_on(range(5))}, truth=TRUTH)
    assert found.pairs[0].told_apart
    assert found.pairs[0].p == 1 / 2**5


def test_labels_never_seen_are_wrong_answers():
    other = np.where(np.arange(60) < 9, "maybe", TRUTH)
    found = compare({"a": TRUTH, "b": other}, truth=TRUTH)
    assert found.values == (1.0, 51 / 60)
    assert found.notes == ("b answers maybe, which is the right answer to no row.",)


def test_answers_that_do_not_fit_are_refused():
    with pytest.raises(DataError, match=r"predictions of 'b' do not fit.*y_pred has 59"):
        compare({"a": TRUTH, "b": TRUTH[:59]}, truth=TRUTH)
    with pytest.raises(DataError, match="predictions of 'b' do not fit"):
        compare({"a": TRUTH, "b": np.arange(60.0)}, truth=TRUTH)
    with pytest.raises(DataError, match="predictions of 'b' do not fit"):
        compare({"a": [1.0] * 60, "b": [np.nan] * 60}, truth=[1.0, 0.0] * 30)
    with pytest.raises(DataError, match="several answers a row"):
        compare({"a": np.eye(9), "b": np.eye(9)}, truth=np.eye(9))
    with pytest.raises(ParameterError, match="task must be"):
        compare({"a": TRUTH, "b": TRUTH}, truth=TRUTH, task="ranking")


def test_numbers_by_squared_errors():
    rng = np.random.default_rng(0)
    truth = rng.normal(size=80)
    near, far = truth + 0.1 * rng.normal(size=80), truth + rng.normal(size=80)
    found = compare({"near": near, "far": far}, truth=truth)
    assert found.pairs[0].p == paired_t((near - truth) ** 2, (far - truth) ** 2).p
    assert found.order() == [0, 1]
    assert "the squared error of near is lower than the squared error of far" in str(found)
    whole = compare({"near": near, "far": far}, truth=np.round(truth), task="regression")
    assert "squared errors" in whole.method


def test_numbers_that_are_too_few_or_do_not_fit():
    with pytest.raises(DataError, match=r"Squared errors of 5 rows are too few.*30 rows"):
        compare({"a": [0.1] * 5, "b": [0.2] * 5}, truth=[0.5] * 5)
    truth = np.linspace(0, 1, 40)
    with pytest.raises(DataError, match="40 right answers and 39 predictions of 'b'"):
        compare({"a": truth, "b": truth[:39]}, truth=truth)
    with pytest.raises(DataError, match="predictions of b hold a value"):
        compare({"a": truth, "b": truth * np.nan}, truth=truth)
