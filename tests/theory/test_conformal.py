from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from learnable.theory.conformal import CoverageLaw, conformal_rank


@given(st.integers(1, 10_000), st.integers(1, 999))
def test_the_rank_is_exact(n, thousandths):
    assert conformal_rank(n, thousandths / 1000) == math.ceil(Fraction(thousandths * (n + 1), 1000))


@pytest.mark.parametrize(("alpha", "smallest"), [(0.1, 9), (0.05, 19), (0.01, 99)])
def test_the_smallest_calibration_that_promises_something(alpha, smallest):
    assert conformal_rank(smallest, 1 - alpha) == smallest
    assert conformal_rank(smallest - 1, 1 - alpha) == smallest
    assert CoverageLaw(smallest - 1, smallest).mean == 1.0


def test_the_law_of_a_hundred_rows():
    law = CoverageLaw(100, conformal_rank(100, 0.9))
    assert law.mean == pytest.approx(0.90099, abs=5e-6)
    assert law.sd == pytest.approx(0.0296, abs=5e-5)


@given(st.integers(1, 500), st.data(), st.floats(0.01, 0.99))
def test_the_law_is_a_beta(n, data, confidence):
    k = data.draw(st.integers(1, n))
    law, beta = CoverageLaw(n, k), stats.beta(k, n + 1 - k)
    assert law.mean == pytest.approx(beta.mean())
    assert law.sd == pytest.approx(beta.std())
    assert law.low(confidence) == pytest.approx(beta.ppf(1 - confidence), rel=1e-9, abs=1e-12)


@pytest.mark.full
@pytest.mark.parametrize("n", [19, 100])
def test_the_law_holds_over_draws(n, record_property):
    rng = np.random.default_rng(n)
    k = conformal_rank(n, 0.9)
    # The coverage of the k-th smallest of n uniform draws is that draw.
    coverage = np.sort(rng.random((200_000, n)), axis=1)[:, k - 1]
    law = CoverageLaw(n, k)
    held = (coverage >= law.low(0.95)).mean()
    record_property("mean promised", f"{law.mean:.5f}")
    record_property("mean seen", f"{coverage.mean():.5f}")
    record_property("promised at least", "0.95")
    record_property("held", f"{held:.4f}")
    assert abs(coverage.mean() - law.mean) < 5 * law.sd / np.sqrt(200_000)
    assert abs(held - 0.95) < 5 * np.sqrt(0.05 * 0.95 / 200_000)
