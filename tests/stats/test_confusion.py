from __future__ import annotations

import numpy as np
import pytest

from learnable.checks import check_statistic
from learnable.core import ParameterError
from learnable.stats import Confusion


def drawn(n, seed):
    rng = np.random.default_rng(seed)
    return (
        rng.integers(-1, 4, n).astype(np.int32),
        rng.integers(-1, 4, n).astype(np.int32),
        rng.integers(0, 4, n).astype(float),
    )


def together(one, other):
    return tuple(np.concatenate(pair) for pair in zip(one, other, strict=True))


def counted(block):
    return Confusion.of(block[0], block[1], 4, block[2])


def test_laws():
    blocks = [drawn(n, n) for n in (20, 1, 33)]
    check_statistic(counted, blocks, together, zero=Confusion.zero(4), tolerance=0.0)


def test_a_plain_count():
    actual, predicted, weight = drawn(50, 7)
    table = np.zeros((4, 4))
    for a, p, w in zip(actual, predicted, weight, strict=True):
        if a >= 0 and p >= 0:
            table[a, p] += w
    assert counted((actual, predicted, weight)).table.tolist() == table.tolist()


def test_tables_of_other_classes_do_not_merge():
    with pytest.raises(ParameterError, match="2 and 3 classes do not merge"):
        Confusion.zero(2).merge(Confusion.zero(3))
