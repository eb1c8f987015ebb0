from __future__ import annotations

import numpy as np
import pytest

from learnable.checks import close, same_bits
from learnable.core import DataError, Threads, config, serial
from learnable.data import Rows
from learnable.data.rows import other_grid
from learnable.data.summaries import fold_fingerprint, fold_moments, fold_moments_and_fingerprint
from learnable.stats import Fingerprint, Moments


def drawn(n=500, d=3):
    rng = np.random.default_rng(0)
    return rng.normal(size=(n, d)), rng.integers(0, 2, n).astype(np.int32), rng.random(n)


@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize("step", [16, 33, 10**6])
def test_moments_of_all_rows(full, step):
    X, codes, weight = drawn()
    with other_grid(step):
        found = fold_moments(Rows(X), codes, 2, weight, full=full)
    close(found, Moments.of(X, codes, 2, weight, full=full), 1e-12, "the fold")


def test_two_statistics_in_one_pass_are_the_two():
    X, codes, weight = drawn()
    with other_grid(64):
        moments, fingerprint = fold_moments_and_fingerprint(Rows(X), codes, 2, weight)
        same_bits(moments, fold_moments(Rows(X), codes, 2, weight), "the moments")
    same_bits(fingerprint, Fingerprint.of(X, len(X)), "the fingerprint")
    same_bits(fold_fingerprint(Rows(X)), fingerprint, "the fingerprint alone")


def test_any_runner_gives_the_same_bits():
    X, codes, weight = drawn()
    with other_grid(8):
        with config(runner=serial):
            expected = fold_moments(Rows(X), codes, 2, weight, full=True)
        for size in (1, 2, 3):
            with config(runner=Threads(size)):
                found = fold_moments(Rows(X), codes, 2, weight, full=True)
            same_bits(found, expected, f"{size} threads")


def test_a_wrong_cell_is_named_from_any_block():
    X, _, _ = drawn()
    X[321, 2] = np.nan
    with other_grid(32), pytest.raises(DataError, match="NaN") as caught:
        fold_moments(Rows(X, ("a", "b", "c")))
    assert (caught.value.row, caught.value.column) == (321, "c")


def test_sums_out_of_the_range_of_floats_are_refused_by_column():
    X = np.zeros((4, 2))
    X[:, 1] = [1e308, -1e308, 1e308, -1e308]
    with pytest.raises(DataError, match="leave the range of floats") as caught:
        fold_moments(Rows(X, ("a", "b")))
    assert caught.value.column == "b"
    assert "Rescale" in caught.value.remedy


def test_no_rows_are_refused():
    with pytest.raises(DataError, match="no rows"):
        fold_moments(Rows(np.empty((0, 2))))


def test_rows_that_repeat_very_often_are_still_known():
    X = np.random.default_rng(0).integers(0, 2, (200_000, 3)).astype(float)
    _, fingerprint = fold_moments_and_fingerprint(Rows(X))
    assert fingerprint.copies.sum() == len(X)
    assert len(fingerprint.hashes) == 8
    assert fingerprint.overlap(X[:5]) == (5, 5)
    same = fold_fingerprint(Rows(X))
    np.testing.assert_array_equal(same.hashes, fingerprint.hashes)
