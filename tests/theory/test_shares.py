"""What scalers promise about new rows: figures, sentences, and how often they hold."""

from __future__ import annotations

import numpy as np
import pytest

import learnable
from learnable.preprocessing import MinMaxScaler, StandardScaler
from learnable.theory.shares import chance_of_far_cells, share_beyond_range
from learnable.theory.statements import share_of_new_rows
from learnable.theory.tolerance import chebyshev_share, share_outside_range


def test_counted_shares():
    certificate = share_of_new_rows(3, 10, quantity="q", told="are odd", confidence=0.95)
    assert certificate.value == 0.3
    assert certificate.text.endswith("of new rows are odd (3 of 10 here).")


def test_far_cells_add_up_over_the_columns():
    weight = np.array([100.0, 50.0])
    certificate = chance_of_far_cells(["a", "b"], weight, 3.0, 0.95, even=True)
    each = [chebyshev_share(n, 3.0 * np.sqrt((n - 1) / n)) for n in (100, 50)]
    assert certificate.high == pytest.approx(sum(each))
    assert [c.high for c in certificate.further] == pytest.approx(each)
    assert certificate.n == 50
    assert certificate.kind == "in expectation"


def test_far_is_counted_in_standard_deviations_by_n():
    # They are smaller than those by n - 1, so more values lie beyond three of them.
    certificate = chance_of_far_cells(["a"], np.array([25.0]), 3.0, 0.95, even=True)
    assert certificate.high > chebyshev_share(25, 3.0)


def test_weights_and_too_few_rows_promise_nothing():
    weighted = chance_of_far_cells(["a"], np.array([100.0]), 3.0, 0.95, even=False)
    assert (weighted.high, weighted.further) == (1.0, ())
    assert weighted.text == "Nothing can be promised: the training rows had weights."
    few = chance_of_far_cells(["a"], np.array([1.0]), 3.0, 0.95, even=True)
    assert (few.high, few.further) == (1.0, ())


def test_ranges_hold_together():
    certificate = share_beyond_range(["a", "b"], np.array([100, 50]), 0.9)
    each = [share_outside_range(n, 0.95) for n in (100, 50)]
    assert certificate.high == pytest.approx(sum(each))
    assert [c.high for c in certificate.further] == pytest.approx(each)
    assert "for all columns at once" in certificate.further[0].text
    assert share_beyond_range(["a"], np.array([1]), 0.9).text.startswith("Nothing can be promised")


@pytest.mark.parametrize("draws", [300, pytest.param(20_000, marks=pytest.mark.full)])
def test_ranges_hold_over_draws(draws, record_property):
    random = np.random.default_rng(21)
    held = 0
    for _ in range(draws):
        X = random.random((60, 3))
        certificate = learnable.certify(MinMaxScaler().fit(X), X, role="train", confidence=0.9)
        inside = X.max(axis=0) - X.min(axis=0)  # the share of uniform draws within
        held += 1.0 - inside.prod() <= certificate.high
    record_property("promised at least", "0.9")
    record_property("held", f"{held / draws:.4f}")
    assert held / draws >= 0.9 - 4 * np.sqrt(0.09 / draws)


@pytest.mark.parametrize("draws", [300, pytest.param(20_000, marks=pytest.mark.full)])
def test_far_cells_are_as_rare_as_promised(draws, record_property):
    random = np.random.default_rng(22)
    found, bounds = [], []
    for _ in range(draws):
        X = random.lognormal(size=(41, 2))
        scaler = StandardScaler().fit(X[:40])
        bounds.append(learnable.certify(scaler, X[:40], role="train").high)
        found.append((np.abs(scaler.transform(X[40:])) > 3.0).any())
    assert len(set(bounds)) == 1
    record_property("promised at most", f"{bounds[0]:.4f}")
    record_property("seen", f"{np.mean(found):.4f}")
    assert np.mean(found) <= bounds[0] + 4 * np.sqrt(0.25 / draws)
    assert np.mean(found) > 0.0
