"""Certificates on new rows: their figures, their sentences, and how often they hold."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom

from learnable.core import DataError, ParameterError
from learnable.dummy import DummyClassifier, DummyRegressor
from learnable.metrics.intervals import clopper_pearson
from learnable.naive_bayes import GaussianNB
from learnable.theory import statements
from learnable.theory.statements import accuracy_on_new_rows, error_on_new_rows, share_below

RANDOM = np.random.default_rng(8)


def always(label, *others):
    return DummyClassifier(strategy="constant", constant=label).fit(None, [label, *others])


def two_groups(n, random=RANDOM):
    y = random.integers(0, 2, n)
    return random.normal(size=(n, 2)) + 1.5 * y[:, None], y


def test_accuracy_is_counted_and_bounded():
    certificate = accuracy_on_new_rows(always("a", "b"), np.zeros((20, 1)), list("a" * 17 + "bbb"),
                                       "test", 0.9)  # fmt: skip
    assert (certificate.low, certificate.high) == clopper_pearson(17, 20, 0.9)
    assert (certificate.value, certificate.n, certificate.confidence) == (0.85, 20, 0.9)
    assert certificate.kind == "guaranteed"
    assert "(17 of 20 here)" in certificate.text


def test_recalls_hold_together_for_the_classes_that_were_there():
    certificate = accuracy_on_new_rows(
        always("a", "b", "c"), np.zeros((20, 1)), list("a" * 15 + "b" * 5), "test", 0.9
    )
    recalls = {further.quantity: further for further in certificate.further}
    assert list(recalls) == ["recall of class a", "recall of class b"]
    of_a = recalls["recall of class a"]
    assert (of_a.low, of_a.high) == clopper_pearson(15, 15, 0.95)
    assert recalls["recall of class b"].value == 0.0


def test_what_cannot_be_certified():
    with pytest.raises(ParameterError, match="has no bound from its training rows"):
        accuracy_on_new_rows(always("a"), [[0]], ["a"], "train", 0.95)
    with pytest.raises(DataError, match="inconsistent numbers"):
        accuracy_on_new_rows(always("a"), [[0], [0]], ["a"], "test", 0.95)
    with pytest.raises(DataError, match="shape"):
        error_on_new_rows(
            DummyRegressor().fit(None, [1.0]), [[0], [0]], [[1.0, 2.0], [1.0, 2.0]], "test", 0.95
        )


def test_training_rows_are_found_out():
    X, y = two_groups(200)
    with pytest.raises(DataError, match="were among the training rows"):
        accuracy_on_new_rows(GaussianNB().fit(X, y), X, y, "test", 0.95)


def test_errors_are_bounded_by_an_order_statistic():
    model = DummyRegressor(strategy="constant", constant=0.0).fit(None, [0.0])
    y = np.arange(1.0, 101.0)
    certificate = error_on_new_rows(model, y[:, None], RANDOM.permutation(y), "test", 0.95)
    # The bound is the smallest k with P(Bin(100, .9) < k) of at least .95.
    assert (
        binom.cdf(certificate.high - 1, 100, 0.9)
        >= 0.95
        > binom.cdf(certificate.high - 2, 100, 0.9)
    )
    assert certificate.value == np.quantile(y, 0.9)


def test_errors_of_several_outputs_are_bounded_together():
    model = DummyRegressor().fit(None, [[0.0, 0.0]])
    y = np.column_stack([np.arange(100.0), np.arange(100.0)[::-1]])
    certificate = error_on_new_rows(model, y, y, "test", 0.95)
    assert certificate.high == np.sort(y.max(axis=1))[94]


def test_too_few_rows_promise_nothing():
    certificate = share_below(
        np.arange(28.0), quantity="q", told="t", confidence=0.95, assumptions=()
    )
    assert certificate.high == np.inf
    assert "(29 would do)" in certificate.text


@pytest.mark.parametrize("share", [0.0, 1.0, 0.05, 0.0461, 0.99949, 1e-12, 1 / 3])
def test_bounds_in_sentences_are_rounded_outwards(share):
    low = float(statements.at_least(share).removesuffix("%")) / 100
    high = float(statements.at_most(share).removesuffix("%")) / 100
    assert low - 1e-11 <= share <= high + 1e-11
    assert high - low < 0.0011


@pytest.mark.parametrize("bound", [0.1, 2 / 3, 123456.49, 1e-300, 5.0, 9.999999e22])
def test_numbers_in_sentences_are_rounded_up(bound):
    assert bound <= float(statements.rounded_up(bound)) <= bound * 1.00001


@pytest.mark.parametrize("draws", [200, pytest.param(5000, marks=pytest.mark.full)])
def test_accuracy_holds_over_draws(draws, record_property):
    random = np.random.default_rng(10)
    model = GaussianNB().fit(*two_groups(60, random))
    X, y = two_groups(1_000_000, random)
    truth = (model.predict(X) == y).mean()
    held = 0
    for _ in range(draws):
        certificate = accuracy_on_new_rows(model, *two_groups(40, random), "test", 0.9)
        held += certificate.low <= truth <= certificate.high
    record_property("promised at least", "0.9")
    record_property("held", f"{held / draws:.4f}")
    assert held / draws >= 0.9 - 4 * np.sqrt(0.09 / draws)


@pytest.mark.parametrize("draws", [200, pytest.param(5000, marks=pytest.mark.full)])
def test_errors_hold_over_draws(draws, record_property):
    random = np.random.default_rng(11)
    model = DummyRegressor(strategy="constant", constant=0.0).fit(None, [0.0])
    # The exact share of |Cauchy| below t is 2 arctan(t) / pi.
    shares = []
    for _ in range(draws):
        y = random.standard_cauchy(60)
        high = error_on_new_rows(model, y[:, None], y, "test", 0.9).high
        shares.append(2.0 * np.arctan(high) / np.pi)
    held = (np.array(shares) >= 0.9).mean()
    record_property("promised at least", "0.9")
    record_property("held", f"{held:.4f}")
    assert held >= 0.9 - 4 * np.sqrt(0.09 / draws)
