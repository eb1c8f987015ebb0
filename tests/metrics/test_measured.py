"""How often approximate intervals hold the truth, beside what the library prints of it."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from scipy.stats import binom, norm

from learnable.metrics import agresti_coull, interval, jeffreys, mid_p, normal, wilson
from learnable.metrics.measured import COVERAGE, measured

CELLS = np.array([0.5, 0.1, 0.1, 0.3])
"""Chances of a true negative, a false positive, a false negative and a true positive."""

POSITIVE, SHIFT = 0.3, 1.0
CALLED = {
    "f1_score": 0.75,
    "matthews_corrcoef": (0.3 * 0.5 - 0.01) / (0.4 * 0.6),
    "cohen_kappa_score": (0.8 - 0.52) / 0.48,
    "balanced_accuracy_score": (0.75 + 5 / 6) / 2,
}


def average_precision():
    """Precision averaged over the recall, of normal scores."""
    cuts = np.linspace(-9.0, 10.0, 200_001)
    recall, wrong = norm.sf(cuts - SHIFT), norm.sf(cuts)
    precision = POSITIVE * recall / (POSITIVE * recall + (1 - POSITIVE) * wrong)
    return float(-np.diff(recall) @ (precision[1:] + precision[:-1]) / 2)


def of_calls(name):
    def drawn(rng, n):
        cell = rng.choice(4, n, p=CELLS)
        return cell // 2, cell % 2

    return drawn, CALLED[name]


def of_scores(truth):
    def drawn(rng, n):
        y = rng.random(n) < POSITIVE
        return y.astype(int), rng.normal(size=n) + SHIFT * y

    return drawn, truth


def of_errors(truth, spread):
    def drawn(rng, n):
        y = rng.normal(size=n)
        return y, y + spread * rng.normal(size=n)

    return drawn, truth


SETTINGS = {
    **{(name, "delta"): of_calls(name) for name in CALLED},
    ("average_precision_score", "delta"): of_scores(average_precision()),
    ("average_precision_score", "bca"): of_scores(average_precision()),
    ("roc_auc_score", "delong"): of_scores(float(norm.cdf(SHIFT / np.sqrt(2.0)))),
    ("roc_auc_score", "bca"): of_scores(float(norm.cdf(SHIFT / np.sqrt(2.0)))),
    ("mean_squared_error", "bca"): of_errors(1.0, 1.0),
    ("r2_score", "bca"): of_errors(0.75, 0.5),
}


def coverage(name, method, n, draws):
    drawn, truth = SETTINGS[name, method]
    rng, held, used = np.random.default_rng(n), 0, 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for _ in range(draws):
            y, answer = drawn(rng, n)
            if y.dtype.kind == "i" and y.min() == y.max():
                continue
            found = interval(name, y, answer, method=method, n_resamples=400)
            used += 1
            held += found.low <= truth <= found.high
    return held / used


@pytest.mark.full
@pytest.mark.parametrize(("name", "method"), SETTINGS)
def test_the_tables_of_coverage(name, method, record_property):
    made = {n: coverage(name, method, n, 2000) for n in COVERAGE[method][name]}
    for n, value in made.items():
        record_property(f"n = {n}", f"{value:.3f}")
    assert COVERAGE[method][name] == pytest.approx(made, abs=0.002)


@pytest.mark.parametrize(("name", "method"), SETTINGS)
def test_some_draws_agree_with_the_tables(name, method):
    stated = COVERAGE[method][name][50]
    draws = 100 if method == "bca" else 300
    noise = 4.0 * np.sqrt(0.05 * 0.95 / draws)
    assert coverage(name, method, 50, draws) == pytest.approx(stated, abs=noise)


def test_what_was_measured_is_printed():
    found = interval("f1_score", [0, 1, 1, 0] * 5, [0, 1, 0, 0] * 5)
    assert "Measured at 95%" in str(found)
    assert measured("max_error", "bca").startswith("Measured at 95%")
    assert not measured("accuracy_score", "clopper-pearson")
    assert "Measured" not in str(interval("accuracy_score", [0, 1], [0, 1]))


def test_tables_have_what_is_simulated():
    simulated = {(name, method) for method, names in COVERAGE.items() for name in names}
    shares = {pair for pair in simulated if pair[0] == "shares"}
    assert simulated - shares == set(SETTINGS)


@pytest.mark.parametrize("method", [m for m, names in COVERAGE.items() if "shares" in names])
def test_shares_are_counted_exactly(method):
    by = {"normal": normal, "wilson": wilson, "mid-p": mid_p, "jeffreys": jeffreys}
    one = by.get(method, agresti_coull)
    true = {10: 0.05, 20: 0.05, 40: 0.1, 100: 0.1, 1000: 0.01}
    for n, stated in COVERAGE[method]["shares"].items():
        x = np.arange(n + 1)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            low, high = np.array([one(int(k), n) for k in x]).T
        held = binom.pmf(x, n, true[n])[(low <= true[n]) & (true[n] <= high)].sum()
        assert stated == pytest.approx(held, abs=5.1e-4)
