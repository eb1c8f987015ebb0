"""What was measured is printed with what it was measured of."""

from __future__ import annotations

import numpy as np
import pytest

from learnable.evaluation import (
    corrected_resampled_t,
    five_by_two_f,
    five_by_two_t,
    friedman,
    mcnemar,
    nemenyi,
    paired_t,
)
from learnable.evaluation.measured import LEVELS, measured

GAPS = np.random.default_rng(0).normal(size=10)
FOUND = [
    paired_t(GAPS),
    corrected_resampled_t(GAPS, ratio=0.1),
    five_by_two_t(GAPS),
    five_by_two_f(GAPS),
    mcnemar(3, 9),
    friedman(GAPS.reshape(5, 2)),
    nemenyi(GAPS.reshape(5, 2)),
]


@pytest.mark.parametrize("found", FOUND, ids=lambda one: one.method)
def test_findings_carry_it(found):
    assert "Measured at level .05" in str(found)
    assert "Measured at level .05" in found.to_html()


def test_exact_tests_need_none():
    assert "Measured" not in str(mcnemar(3, 9, method="exact"))


def test_every_figure_is_told():
    for method, levels in LEVELS.items():
        assert all(f"{100 * level:.1f}% ({where})" in measured(method)[0]
                   for where, level in levels.items())  # fmt: skip
