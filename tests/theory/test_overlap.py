"""Rows shared with training: leaks are refused, a table's own duplicates are not."""

from __future__ import annotations

import numpy as np
import pytest

from learnable.core import DataError
from learnable.data import Rows
from learnable.dummy import DummyClassifier
from learnable.naive_bayes import GaussianNB
from learnable.stats import Fingerprint
from learnable.theory.overlap import fingerprint_of, overlap_note


def fresh(random, n):
    return random.normal(size=(n, 3))


def coarse(random, n):
    return random.integers(0, 6, (n, 3)).astype(float)


def heavy(random, n):
    """Half of the rows are the same one, as zeros often are."""
    X = fresh(random, n)
    X[random.random(n) < 0.5] = 0.0
    return X


TABLES = {"fresh": fresh, "coarse": coarse, "heavy": heavy}


@pytest.mark.parametrize("draw", TABLES.values(), ids=TABLES)
@pytest.mark.parametrize("n", [5, 50, 500])
def test_new_rows_of_the_same_table_are_never_refused(draw, n):
    random = np.random.default_rng(n)
    for _ in range(60):
        notes = overlap_note(Fingerprint.of(draw(random, n)), Rows(draw(random, n)))
        assert draw is not fresh or notes == ()


@pytest.mark.parametrize("draw", [fresh, heavy])
def test_training_rows_are_refused(draw):
    X = draw(np.random.default_rng(1), 300)
    with pytest.raises(DataError, match=r"300 of 300 compared rows.*role=\"train\""):
        overlap_note(Fingerprint.of(X), Rows(X))


def test_a_leak_of_some_rows_is_refused():
    random = np.random.default_rng(2)
    X = fresh(random, 2000)
    mixed = np.concatenate([X[:100], fresh(random, 900)])
    with pytest.raises(DataError, match="100 of 1000 compared rows"):
        overlap_note(Fingerprint.of(X), Rows(mixed))


def test_overlap_that_duplicates_explain_is_told():
    random = np.random.default_rng(3)
    (note,) = overlap_note(Fingerprint.of(coarse(random, 1000)), Rows(coarse(random, 1000)))
    assert note.startswith("Note: ")
    assert note.endswith("which explains it.")


def test_tables_beyond_the_sample_are_compared_on_it():
    X = fresh(np.random.default_rng(4), 100_000)
    with pytest.raises(DataError, match="were among the training rows"):
        overlap_note(Fingerprint.of(X), Rows(X[:5000]))
    assert overlap_note(Fingerprint.of(X[:50_000]), Rows(X[50_000:])) == ()


def test_models_without_a_fingerprint_have_nothing_to_compare():
    assert fingerprint_of(DummyClassifier()) is None
    assert overlap_note(None, Rows(np.zeros((2, 2)))) == ()
    assert fingerprint_of(GaussianNB().fit([[0.0], [1.0], [3.0]], [0, 1, 1])).rows == 3
