"""Shipped data: the values, the forms they come in, and where they come from."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from sklearn.datasets import load_iris as scikit_iris

from learnable.datasets import load_iris, load_play_tennis
from learnable.datasets import shipped as module

LOADERS = [load_iris, load_play_tennis]


def test_iris_is_fishers_table():
    ours, theirs = load_iris(), scikit_iris()
    assert np.array_equal(ours.data, theirs.data)
    assert np.array_equal(ours.target, theirs.target_names[theirs.target])
    assert ours.feature_names == theirs.feature_names
    assert ours.target_names.tolist() == theirs.target_names.tolist()


def test_iris_differs_from_the_uci_copy_in_two_rows_only(needs_data):
    uci = needs_data("iris")
    other = np.flatnonzero((load_iris().data != uci.X).any(axis=1))
    assert (other + 1).tolist() == [35, 38]
    assert np.array_equal(load_iris().target, [name.removeprefix("Iris-") for name in uci.y])


def test_play_tennis_holds_the_same_days_as_quinlans_table(needs_data):
    table = needs_data("weather-nominal").table
    words = {"sunny": "Sunny", "overcast": "Overcast", "rainy": "Rain", "hot": "Hot",
             "mild": "Mild", "cool": "Cool", "high": "High", "normal": "Normal", "TRUE": "Strong",
             "FALSE": "Weak", "yes": "Yes", "no": "No"}  # fmt: skip
    days = sorted(tuple(words[cell] for cell in day) for day in zip(*table.values(), strict=True))
    X, y = load_play_tennis(return_X_y=True)
    assert (
        sorted((*row, answer) for row, answer in zip(X.tolist(), y.tolist(), strict=True)) == days
    )


def test_play_tennis_gains_of_the_textbook():
    X, y = load_play_tennis(return_X_y=True)

    def entropy(labels):
        share = np.unique(labels, return_counts=True)[1] / len(labels)
        return -(share * np.log2(share)).sum()

    gains = []
    for column in X.T:
        parts = [y[column == value] for value in np.unique(column)]
        gains.append(entropy(y) - sum(len(part) / len(y) * entropy(part) for part in parts))
    assert np.round(gains, 4).tolist() == [0.2467, 0.0292, 0.1518, 0.0481]


@pytest.mark.parametrize("load", LOADERS)
def test_frames_hold_the_same_cells(load):
    plain, framed = load(), load(as_frame=True)
    assert list(framed.data.columns) == plain.feature_names
    assert np.array_equal(framed.data.to_numpy(), plain.data)
    assert np.array_equal(framed.target.to_numpy(), plain.target)
    assert framed.frame.shape == (len(plain.target), len(plain.feature_names) + 1)
    X, y = load(return_X_y=True, as_frame=True)
    assert X.equals(framed.data)
    assert y.equals(framed.target)


def test_frames_come_from_whichever_library_is_there(monkeypatch):
    monkeypatch.setattr(module, "frame_of", pl.DataFrame)
    iris = load_iris(as_frame=True)
    assert isinstance(iris.data, pl.DataFrame)
    assert isinstance(iris.target, pl.Series)
    assert np.array_equal(iris.data.to_numpy(), load_iris().data)


@pytest.mark.parametrize("load", LOADERS)
def test_every_load_is_a_copy_of_its_own(load):
    first = load()
    first.data[0, 0] = first.data[1, 0] if load is load_play_tennis else -1.0
    first.target[:] = first.target[-1]
    assert not np.array_equal(load().target, first.target)


@pytest.mark.parametrize("load", LOADERS)
def test_the_description_names_source_and_reference(load):
    described = load()
    assert "Source:" in described["DESCR"]
    assert repr(described).startswith("DataSet(")


def test_an_unknown_name_is_a_key_error():
    with pytest.raises(KeyError, match="weights"):
        load_iris()["weights"]
