"""Negative log predictive probability against SciPy's densities."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import multivariate_normal, norm

from learnable.core import DataError
from learnable.metrics import (
    gaussian_negative_log_predictive_probability as gaussian,
)
from learnable.metrics import (
    negative_log_predictive_probability as nlpp,
)

rng = np.random.default_rng(4)
Y, M = rng.normal(size=(2, 7, 3))
V = rng.random((7, 3)) + 0.5
ROOTS = rng.normal(size=(7, 3, 3))
S = ROOTS @ ROOTS.transpose(0, 2, 1) + np.eye(3)
W = rng.random(7)


def test_one_output():
    for variance in (0.7, V[:, 0]):
        logs = norm.logpdf(Y[:, 0], M[:, 0], np.sqrt(variance))
        assert gaussian(Y[:, 0], M[:, 0], variance) == pytest.approx(-logs.sum(), rel=1e-12)
        weighted = gaussian(Y[:, 0], M[:, 0], variance, normalize=True, sample_weight=W)
        assert weighted == pytest.approx(-np.average(logs, weights=W), rel=1e-12)
        assert nlpp(np.exp(logs)) == pytest.approx(-logs.sum(), rel=1e-12)
        assert nlpp(np.exp(logs), normalize=True) == pytest.approx(-logs.mean(), rel=1e-12)


@pytest.mark.parametrize("variance", [V, V[0], V[:, 0], S, S[0]])
def test_several_outputs(variance):
    if variance.shape == (7,):
        each = [np.eye(3) * v for v in variance]
    elif variance.ndim == 2 and variance.shape == (3, 3):
        each = [variance] * 7
    elif variance.ndim == 3:
        each = variance
    else:
        each = [np.diag(v) for v in np.broadcast_to(variance, (7, 3))]
    logs = [multivariate_normal.logpdf(y, m, s) for y, m, s in zip(Y, M, each, strict=True)]
    assert gaussian(Y, M, variance) == pytest.approx(-np.sum(logs), rel=1e-12)


def test_the_impossible_happened():
    assert nlpp([0.5, 0.0]) == np.inf


def test_what_is_refused():
    with pytest.raises(DataError, match="not positive"):
        gaussian(Y, M, 0.0)
    with pytest.raises(DataError, match="positive definite"):
        gaussian(Y, M, -S)
    with pytest.raises(DataError, match="shape"):
        gaussian(Y, M, np.ones(5))
    with pytest.raises(DataError, match="0 or more"):
        nlpp([-0.1])
