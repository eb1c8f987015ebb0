from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_svmlight_file

from learnable.core import DataError
from learnable.data import read_libsvm
from tests.conftest import DATA

FILES = ("a1a", "australian", "german.numer", "heart_scale", "agaricus.txt.train.gz")


@pytest.mark.parametrize("name", FILES)
def test_files_are_read_as_by_scikit_learn(name, needs_data):
    needs_data("iris")
    path = Path(os.environ[DATA]) / "libsvm" / name
    X, y = read_libsvm(path)
    theirs, target = load_svmlight_file(str(path), zero_based="auto")
    np.testing.assert_array_equal(X.toarray(), theirs.toarray())
    np.testing.assert_array_equal(y, target)


def test_places_from_zero_are_found_or_stated():
    assert read_libsvm(b"1 0:5 2:7\n").X.toarray().tolist() == [[5, 0, 7]]
    assert read_libsvm(b"1 1:5\n", from_zero=True).X.toarray().tolist() == [[0, 5]]
    assert read_libsvm(b"1 1:5\n", d=3).X.shape == (1, 3)
    with pytest.raises(DataError, match="a place is 0"):
        read_libsvm(b"1 0:5\n", from_zero=False)
    with pytest.raises(DataError, match="3 columns, not 2"):
        read_libsvm(b"1 3:5\n", d=2)


def test_rows_without_cells_and_comments():
    X, y = read_libsvm(b"# all\n1\n\n-1 # none\n2 1:1 # one\n")
    assert X.toarray().tolist() == [[0], [0], [1]]
    assert y.tolist() == [1, -1, 2]


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"1 1:1\nx 1:1\n", r"line 2: a target is no number.*row 1, value 'x'"),
        (b"1 1:y\n", r"a cell is no number.*column 1, row 0, value 'y'"),
        (b"1 2:1 1:1\n", r"do not ascend.*column 1"),
        (b"1 1:1 1:2\n", "do not ascend"),
        (b"1 1\n", "not written as place:number"),
        (b"1 -1:2\n", "not written as place:number"),
        (b"1,2 1:1\n", "a target is no number"),
        (b"1 qid:3 1:1\n", "not written as place:number"),
        (b"1 1:1_0\n", "a cell is no number"),
        (b"# nothing\n", "there is nothing in it"),
    ],
)
def test_what_does_not_fit_is_named(content, told):
    with pytest.raises(DataError, match=told):
        read_libsvm(content)
