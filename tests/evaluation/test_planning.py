"""Power: the figures of statsmodels, McNemar by drawing, and sizes that suffice."""

from __future__ import annotations

import numpy as np
import pytest

from learnable.core import DataError, ParameterError
from learnable.evaluation import mcnemar, paired_t, power, sample_size

# By statsmodels 0.15.0, at level .05: one sample, two samples.
STATSMODELS = {
    (0.5, 34, "two-sided"): (0.8077775012792737, 0.5285496271051293),
    (0.2, 50, "greater"): (0.40122150499319487, 0.25728046281171224),
    (0.3, 20, "less"): (0.0016385380432694778, 0.004984407542525868),
}


@pytest.mark.parametrize("case", STATSMODELS)
def test_the_figures_of_statsmodels(case):
    effect, n, alternative = case
    for test, wanted in zip(("one-sample t", "two-sample t"), STATSMODELS[case], strict=True):
        assert power(test, effect, n, alternative=alternative) == pytest.approx(wanted, rel=1e-9)


def test_without_an_effect_power_is_the_level():
    for test in ("paired t", "two-sample t"):
        assert power(test, 0.0, 20) == pytest.approx(0.05)
    assert power("corrected resampled t", 0.0, 100, ratio=1 / 9) == pytest.approx(0.05)
    assert 0.02 < power("mcnemar", 0.0, 200, spread=0.3) <= 0.05


def test_power_is_how_often_the_test_finds_it():
    rng = np.random.default_rng(0)
    found = np.mean([paired_t(rng.normal(0.6, 1.0, 15)).told_apart for _ in range(2000)])
    assert power("paired t", 0.6, 15) == pytest.approx(found, abs=0.04)
    counts = rng.multinomial(100, [0.15, 0.05, 0.8], 4000)
    told = np.mean([mcnemar(b, c, method="exact").told_apart for b, c, _ in counts])
    assert power("mcnemar", 0.1, 100, spread=0.2) == pytest.approx(told, abs=0.03)


def test_sizes_suffice_and_one_less_does_not():
    assert sample_size("paired t", 0.2, 0.9, confidence=0.99) == 376  # 375.31 by statsmodels
    for test in ("paired t", "two-sample t"):
        n = sample_size(test, 0.35)
        assert power(test, 0.35, n) >= 0.8 > power(test, 0.35, n - 1)
    n = sample_size("mcnemar", 0.1, spread=0.2)
    assert all(power("mcnemar", 0.1, m, spread=0.2) >= 0.8 for m in range(n, n + 50))
    assert power("mcnemar", 0.1, n - 1, spread=0.2) < 0.8


def test_repeating_folds_has_a_ceiling():
    few, many = (power("corrected resampled t", 0.5, n, ratio=1 / 9) for n in (10, 100_000))
    assert few < many < 0.5
    with pytest.raises(ParameterError, match="share the same rows"):
        sample_size("corrected resampled t", 0.5)


def test_bad_input_is_refused():
    with pytest.raises(ParameterError, match="test must be"):
        power("z", 0.5, 10)
    with pytest.raises(ParameterError, match="spread positive"):
        power("paired t", 0.5, 10, spread=0.0)
    with pytest.raises(ParameterError, match="disagree on"):
        power("mcnemar", 0.5, 10, spread=0.2)
    with pytest.raises(ParameterError, match="needs ratio"):
        power("corrected resampled t", 0.5, 10)
    with pytest.raises(DataError, match="no power"):
        power("paired t", 0.5, 1)
    with pytest.raises(DataError, match="Not even"):
        sample_size("paired t", -0.5, alternative="greater")
