from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp
import sklearn.model_selection

from learnable import model_selection
from learnable.core import DataError
from learnable.data import Table
from learnable.model_selection import train_test_split


def test_everything_is_cut_alike():
    X = np.arange(40.0).reshape(20, 2)
    forms = [
        X, X.tolist(), pd.DataFrame(X), pl.DataFrame(X), sp.csr_array(X), Table.of(X),
        np.arange(20),
    ]  # fmt: skip
    cut = train_test_split(*forms, test_size=0.3)
    train, test = cut[-2], cut[-1]
    assert (len(train), len(test)) == (14, 6)
    assert sorted([*train, *test]) == list(range(20))
    np.testing.assert_array_equal(cut[1], X[test])
    assert cut[3] == X[test].tolist()
    np.testing.assert_array_equal(cut[5].to_numpy(), X[test])
    np.testing.assert_array_equal(cut[7].to_numpy(), X[test])
    np.testing.assert_array_equal(cut[9].toarray(), X[test])
    np.testing.assert_array_equal(cut[11].numbers().array(), X[test])


def test_sizes_as_shares_or_numbers():
    rows = list(range(100))
    for options, asked in (
        ({}, 25), ({"test_size": 10}, 10), ({"test_size": 0.4}, 40), ({"train_size": 80}, 20),
        ({"train_size": 0.9}, 10), ({"test_size": 7, "shuffle": False}, 7),
    ):  # fmt: skip
        train, test = train_test_split(rows, **options)
        assert (len(train), len(test)) == (100 - asked, asked)
    assert train_test_split(rows, shuffle=False)[1] == rows[75:]
    assert train_test_split(rows) == train_test_split(rows)
    assert train_test_split(rows) != train_test_split(rows, random_state=1)


def test_classes_in_proportion_and_groups_whole():
    y = np.repeat([0, 1], [80, 20])
    train, test = train_test_split(y, test_size=0.25, stratify=y)
    assert np.bincount(test).tolist() == [20, 5]
    groups = np.repeat(np.arange(10), 10)
    train, test = train_test_split(groups, groups=groups)
    assert not set(train) & set(test)


def test_arrays_of_different_lengths_are_refused():
    with pytest.raises(DataError, match="different lengths"):
        train_test_split([1, 2], [1])


def test_scikit_learns_splitters_are_there_under_their_names():
    assert model_selection.KFold is sklearn.model_selection.KFold
    assert model_selection.TimeSeriesSplit is sklearn.model_selection.TimeSeriesSplit
    with pytest.raises(AttributeError, match="has no attribute"):
        model_selection.Nothing  # noqa: B018
