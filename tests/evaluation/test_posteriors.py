"""Posteriors: the t written out, the Dirichlet process, regions that sum to one."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from learnable.core import DataError, ParameterError
from learnable.evaluation import bayesian_signed_rank, corrected_resampled_t, correlated_t
from tests.evaluation.demsar import PRINTED

GAPS = np.random.default_rng(4).normal(0.02, 0.03, 100)


@pytest.mark.parametrize("rope", [0.0, 0.01, 0.05])
def test_the_posterior_written_out(rope):
    found = correlated_t(GAPS, ratio=1 / 9, rope=rope)
    scale = np.sqrt((1 / 100 + 1 / 9) * GAPS.var(ddof=1))
    t = stats.t(99, GAPS.mean(), scale)
    wanted = (t.sf(rope), t.cdf(rope) - t.cdf(-rope), t.cdf(-rope))
    assert found.probabilities == pytest.approx(wanted, abs=1e-12)
    assert (found.low, found.high) == pytest.approx(t.interval(0.95))


def test_the_figures_of_baycomp():
    found = correlated_t(GAPS, ratio=1 / 9, rope=0.01)
    wanted = (0.7762996454696179, 0.2189628832656254, 0.004737471264756654)
    assert found.probabilities == pytest.approx(wanted, abs=1e-12)
    # Sums of printed digits fall on the border of the region, hence the distance.
    found = bayesian_signed_rank(PRINTED[:, 1], PRINTED[:, 0], rope=0.01)
    assert found.probabilities == pytest.approx((0.6708, 0.3292, 0.0), abs=0.015)


def test_without_a_region_it_is_the_one_sided_corrected_test():
    found = correlated_t(GAPS, ratio=1 / 9, rope=0.0)
    p = corrected_resampled_t(GAPS, ratio=1 / 9, alternative="greater").p
    assert found.probabilities[2] == pytest.approx(p)
    assert found.p is None


def test_no_difference_is_practically_equal():
    found = correlated_t(np.zeros(5), ratio=0.25)
    assert found.probabilities == (0.0, 1.0, 0.0)
    assert "practically equal" in found.text
    assert not found.told_apart


def test_draws_are_seeded_and_regions_sum_to_one():
    gaps = np.random.default_rng(1).normal(0.01, 0.03, 14)
    found = bayesian_signed_rank(gaps)
    assert found == bayesian_signed_rank(gaps)
    assert found.probabilities != bayesian_signed_rank(gaps, random_state=1).probabilities
    assert sum(found.probabilities) == pytest.approx(1.0)
    back = bayesian_signed_rank(-gaps).probabilities
    assert back == pytest.approx(found.probabilities[::-1], abs=0.02)


def test_clear_cases_are_clear():
    assert bayesian_signed_rank(np.linspace(0.05, 0.1, 10)).told_apart
    assert bayesian_signed_rank(np.zeros(10)).probabilities == (0.0, 1.0, 0.0)


def test_the_mean_and_spread_of_the_dirichlet_process():
    gaps = np.random.default_rng(2).normal(0.1, 0.2, 20)
    found = bayesian_signed_rank(gaps, draws=60_000)
    weights = np.array([0.5, *np.ones(20)]) / 20.5
    atoms = np.array([0.0, *gaps])
    mean = weights @ atoms
    sd = np.sqrt((weights @ atoms**2 - mean**2) / 21.5)
    assert found.effect == pytest.approx(mean, abs=4 * sd / np.sqrt(60_000))
    assert found.high - found.low == pytest.approx(2 * 1.96 * sd, rel=0.03)


def test_bad_input_is_refused():
    with pytest.raises(ParameterError, match="rope must be"):
        correlated_t(GAPS, ratio=0.1, rope=-1.0)
    with pytest.raises(ParameterError, match="ratio"):
        correlated_t(GAPS, ratio=0.0)
    with pytest.raises(ParameterError, match="strength"):
        bayesian_signed_rank(GAPS, strength=0.0)
    with pytest.raises(DataError, match="With so many"):
        bayesian_signed_rank(np.arange(6000.0))
    with pytest.raises(DataError, match="all the same"):
        correlated_t([0.1, 0.1, 0.1], ratio=0.1)
