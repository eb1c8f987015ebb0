from __future__ import annotations

import pickle
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learnable.checks import check_statistic, same_bits
from learnable.core import fold, merge_each
from learnable.stats import Fingerprint
from learnable.stats.fingerprint import SIZE, row_hashes


def drawn(n, d=3, seed=0):
    return np.random.default_rng(seed).normal(size=(n, d))


@pytest.mark.parametrize("sizes", [(5, 9, 20), (SIZE - 1, 2, 3), (SIZE, SIZE, 2 * SIZE)])
def test_laws(sizes):
    check_statistic(
        Fingerprint.of,
        [drawn(n, seed=i) for i, n in enumerate(sizes)],
        lambda one, other: np.concatenate([one, other]),
        zero=Fingerprint.zero(),
        tolerance=0.0,
    )


def test_a_sketch_is_bounded_whatever_it_saw():
    X = drawn(10 * SIZE)
    for found in (Fingerprint.of(X), Fingerprint.of(X, expected=len(X))):
        assert len(found.hashes) <= SIZE
        assert found.rows == len(X)
        assert len(pickle.dumps(found)) < 17 * SIZE
    assert len(Fingerprint.of(X, expected=len(X)).hashes) > 0.9 * SIZE


@settings(max_examples=25)
@given(st.lists(st.integers(1, 4 * SIZE - 1), max_size=6, unique=True))
def test_any_cut_gives_the_same_sketch(cuts):
    X = drawn(4 * SIZE, 1)
    X[1::2] = X[::2]
    whole = Fingerprint.of(X, expected=len(X))
    parts = np.split(X, sorted(cuts))
    folded = fold(lambda part: Fingerprint.of(part, len(X)), Fingerprint.merge, parts)
    same_bits(folded, whole, "the cut")


def test_copies_are_counted():
    X = np.repeat(drawn(3), [1, 2, 4], axis=0)
    found = Fingerprint.of(X[:4]).merge(Fingerprint.of(X[4:]))
    assert sorted(found.copies.tolist()) == [1, 2, 4]
    assert found.repeated() == (7, 6)
    assert found.overlap(X) == (7, 7)


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 1.0])
@pytest.mark.parametrize("n", [100, 20 * SIZE])
def test_the_overlap_is_estimated_to_its_sampling_error(share, n):
    X = drawn(n)
    seen = int(share * 5000)
    later = np.concatenate([drawn(5000 - seen, seed=9), X[np.arange(seen) * 7 % n]])
    compared, known = Fingerprint.of(X, expected=n).overlap(later)
    expected = 5000 * (1.0 if n <= SIZE else SIZE / n)
    assert abs(compared - expected) <= 6 * np.sqrt(expected)
    assert abs(known - share * compared) <= 6 * np.sqrt(share * (1 - share) * compared)


def test_the_share_of_repeated_rows_is_estimated_to_its_sampling_error():
    n = 10 * SIZE
    X = drawn(n)
    X[: n // 4] = X[n // 4 : n // 2]
    sampled, repeated = Fingerprint.of(X, expected=n).repeated()
    assert abs(repeated / sampled - 0.5) < 6 * np.sqrt(0.25 / (sampled / 2))


def test_numbers_that_are_equal_hash_equally_in_any_form():
    X = drawn(50).astype(np.float32)
    X[::2, 1] = 0.0
    expected = row_hashes(X)
    forms = [
        X.astype(np.float64),
        np.asfortranarray(X),
        X[::-1].copy()[::-1],
        np.where(X == 0, -X, X),
    ]
    for form in forms:
        np.testing.assert_array_equal(row_hashes(np.ascontiguousarray(form)), expected)


def test_a_sketch_of_other_columns_shares_nothing():
    X = drawn(500, 4)
    assert Fingerprint.of(X).overlap(X[:, ::-1].copy()) == (500, 0)
    assert Fingerprint.of(X).overlap(X + 1e-12) == (500, 0)


def test_merging_sketches_of_different_limits_keeps_what_both_know():
    X = drawn(4 * SIZE)
    coarse, fine = Fingerprint.of(X[:-100], 4 * len(X)), Fingerprint.of(X[-100:])
    merged = fine.merge(coarse)
    assert merged.limit == coarse.merge(fine).limit == coarse.limit < fine.limit
    assert (merged.hashes <= np.uint64(merged.limit)).all()
    compared, known = merged.overlap(X)
    assert compared == known == merged.copies.sum()


def test_hashes_are_the_same_in_every_process():
    code = (
        "import numpy as np; from learnable.stats.fingerprint import row_hashes;"
        "print(*row_hashes(np.arange(6.0).reshape(2, 3)))"
    )
    run = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    expected = row_hashes(np.arange(6.0).reshape(2, 3))
    assert run.stdout.split() == [str(word) for word in expected]


def test_no_rows_are_known_to_an_empty_sketch():
    assert Fingerprint.zero().overlap(drawn(5)) == (5, 0)
    assert Fingerprint.zero().repeated() == (0, 0)
    assert Fingerprint.of(np.empty((0, 2))).rows == 0


def test_sketches_fold_beside_other_statistics():
    pair = (Fingerprint.of(drawn(3)),)
    assert merge_each(pair, pair)[0].rows == 6
