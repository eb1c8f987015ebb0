"""The delta method against the published variances."""

from __future__ import annotations

import numpy as np
import pytest

from learnable.core import ParameterError
from learnable.metrics.chance import kappa_of
from learnable.metrics.delta import delta_variance, smooth_measure

TABLE = np.array([[88.0, 14.0, 18.0], [10.0, 40.0, 10.0], [2.0, 6.0, 12.0]])


def test_kappa_of_fleiss_cohen_and_everitt():
    p = TABLE / TABLE.sum()
    rows, columns = p.sum(axis=1), p.sum(axis=0)
    observed, chance = np.trace(p), rows @ columns
    first = np.diag(p) @ ((1 - chance) - (rows + columns) * (1 - observed)) ** 2
    apart = p * (columns[:, None] + rows[None, :]) ** 2
    second = (1 - observed) ** 2 * (apart.sum() - np.trace(apart))
    third = (observed * chance - 2 * chance + observed) ** 2
    published = (first + second - third) / (TABLE.sum() * (1 - chance) ** 4)
    assert kappa_of(TABLE) == pytest.approx((observed - chance) / (1 - chance), rel=1e-12)
    assert delta_variance(kappa_of, TABLE) == pytest.approx(published, rel=1e-10)


def test_a_share_and_f1_of_two_classes():
    table = np.array([[30.0, 10.0], [20.0, 40.0]])
    n = table.sum()
    share = delta_variance(lambda t: np.trace(t) / t.sum(), table)
    assert share == pytest.approx(0.7 * 0.3 / n, rel=1e-12)
    f1 = smooth_measure("f1_score", np.array([0, 1]), {})
    # F1 = 2 s / (1 + s) with s = TP / (TP + FP + FN), a share of the rows that are not TN.
    s, m = 40 / 70, 70
    assert f1(table) == pytest.approx(2 * s / (1 + s))
    assert delta_variance(f1, table) == pytest.approx((2 / (1 + s) ** 2) ** 2 * s * (1 - s) / m)


@pytest.mark.parametrize("name", ["f1_score", "matthews_corrcoef", "balanced_accuracy_score"])
@pytest.mark.parametrize("average", ["macro", "weighted", "micro"])
def test_the_spread_of_drawn_tables(name, average):
    measure = smooth_measure(name, np.arange(3), {"average": average})
    rng = np.random.default_rng(3)
    draws = rng.multinomial(2000, TABLE.ravel() / TABLE.sum(), 3000).reshape(-1, 3, 3)
    spread = np.std([measure(draw.astype(float)) for draw in draws])
    expected = np.sqrt(delta_variance(measure, TABLE) * TABLE.sum() / 2000)
    assert spread == pytest.approx(expected, rel=0.06)


def test_measures_that_are_not_smooth():
    with pytest.raises(ParameterError, match="delta method knows"):
        smooth_measure("log_loss", np.arange(2), {})
    with pytest.raises(ParameterError, match="delta method knows"):
        smooth_measure("f1_score", np.array(["a", "b"]), {})
