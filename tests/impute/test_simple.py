"""The imputer against scikit-learn's, and filling within classes."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.impute import SimpleImputer as Peer

import learnable
from learnable.core import DataError, ParameterError
from learnable.data import Table
from learnable.estimator.persistence import from_bytes, to_bytes
from learnable.impute import SimpleImputer
from tests.preprocessing.nominal_tables import same_cells

RANDOM = np.random.default_rng(0)
HOLED = RANDOM.normal(size=(50, 4))
HOLED[RANDOM.random(HOLED.shape) < 0.3] = np.nan
EMPTY = HOLED.copy()
EMPTY[:, 1] = np.nan
WORDS = RANDOM.choice(["a", "b", "c"], (50, 2)).astype(object)
WORDS[RANDOM.random(WORDS.shape) < 0.2] = np.nan
TABLES = {
    "holed": HOLED,
    "an empty column": EMPTY,
    "float32": HOLED.astype(np.float32),
    "Fortran order": np.asfortranarray(HOLED),
    "whole numbers": RANDOM.integers(0, 5, (50, 3)),
    "words": WORDS,
    "a frame": pd.DataFrame(HOLED, columns=list("abcd")),
    "a frame of both": pd.DataFrame({"x": HOLED[:, 0], "y": WORDS[:, 0]}),
}
STRATEGIES = ["mean", "median", "most_frequent", "constant"]
OPTIONS = [{}, {"add_indicator": True}, {"keep_empty_features": True}, {"fill_value": 7},
           {"fill_value": "w"}, {"missing_values": 2}, {"missing_values": "a"},
           {"missing_values": 2, "add_indicator": True}]  # fmt: skip


def answers(model, X):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            filled = model.fit_transform(X)
            back = model.inverse_transform(filled) if model.add_indicator else filled
        except (ValueError, TypeError):
            return None
    return np.asarray(filled), back, model.statistics_, model.get_feature_names_out()


def close(ours, theirs, tolerance):
    if theirs.dtype.kind == "O":
        return same_cells(ours, theirs)
    return np.allclose(ours.astype(float), theirs, tolerance, tolerance, equal_nan=True)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("X", TABLES.values(), ids=TABLES)
def test_the_peers_answers(X, strategy, options):
    ours = answers(SimpleImputer(strategy=strategy, **options), X)
    theirs = answers(Peer(strategy=strategy, **options), X)
    if theirs is None:
        # scikit-learn has no indicators beside text.
        assert ours is None or options == {"add_indicator": True}
        return
    mixed = isinstance(X, pd.DataFrame) and "y" in X
    if mixed and strategy == "constant" and "fill_value" not in options:
        return  # scikit-learn writes "missing_value" among the numbers: see below
    tolerance = 1e-6 if ours[0].dtype == np.float32 else 1e-12
    for mine, other in zip(ours[:3], theirs[:3], strict=True):
        assert close(mine, other, tolerance)
    assert ours[3].tolist() == theirs[3].tolist()
    assert (ours[0].dtype == theirs[0].dtype) or theirs[0].dtype == object


def test_a_constant_keeps_numbers_numbers_beside_text():
    frame = pd.DataFrame({"x": [1.0, np.nan], "y": ["a", None]})
    found = SimpleImputer(strategy="constant").fit_transform(frame)
    assert found.tolist() == [[1.0, "a"], [0, "missing_value"]]


X = np.array([[1.0], [np.nan], [5.0], [7.0], [np.nan], [9.0]])
Y = np.array(["low", "low", "high", "high", "high", "high"])


@pytest.mark.parametrize(
    ("strategy", "low", "high"),
    [("mean_within_class", 1.0, 7.0), ("median_within_class", 1.0, 7.0),
     ("most_frequent_within_class", 1.0, 5.0)],
)  # fmt: skip
def test_filling_within_class(strategy, low, high):
    model = SimpleImputer(strategy=strategy)
    assert model.fit_transform(X, Y).ravel().tolist() == [1.0, low, 5.0, 7.0, high, 9.0]
    assert model.classes_.tolist() == ["high", "low"]
    assert model.class_statistics_[0].tolist() == [high, low]


def test_without_the_class_the_overall_fill_stands_in_and_this_is_said_once():
    model = SimpleImputer(strategy="mean_within_class").fit(X, Y)
    with pytest.warns(UserWarning, match="overall fill"):
        assert model.transform([[np.nan]])[0, 0] == 5.5
    assert model.transform([[np.nan]])[0, 0] == 5.5
    assert model.transform([[np.nan]], ["low"])[0, 0] == 1.0
    assert model.transform([[np.nan]], ["other"])[0, 0] == 5.5


def test_a_class_of_which_nothing_is_known_takes_the_overall_fill():
    model = SimpleImputer(strategy="mean_within_class")
    found = model.fit_transform([[1.0], [3.0], [np.nan]], ["a", "a", "b"])
    assert found.ravel().tolist() == [1.0, 3.0, 2.0]


def test_filling_within_class_needs_the_class():
    with pytest.raises(ParameterError, match="pass y"):
        SimpleImputer(strategy="mean_within_class").fit(X)


def test_a_table_comes_back_as_a_table():
    table = Table.of({"wind": ["Weak", None, "Weak", "Strong"], "t": [1.0, None, 3.0, 5.0]})
    found = SimpleImputer(add_indicator=True).fit_transform(table)
    assert found.labels("wind").tolist() == ["Weak", "Weak", "Weak", "Strong"]
    assert found["t"].tolist() == [1.0, 3.0, 3.0, 5.0]
    assert found.columns[2:] == ["missingindicator_wind", "missingindicator_t"]
    assert found["missingindicator_t"].tolist() == [0, 1, 0, 0]


def test_a_table_is_filled_within_classes():
    table = Table.of({"wind": ["Weak", None, "Strong", None, "Weak"]})
    model = SimpleImputer(strategy="most_frequent_within_class")
    found = model.fit_transform(table, ["a", "a", "b", "b", "a"])
    assert found.labels("wind").tolist() == ["Weak", "Weak", "Strong", "Strong", "Weak"]


def test_a_constant_joins_the_values_of_a_nominal_column():
    table = Table.of({"wind": ["Weak", None, "Weak", "Strong"]})
    found = SimpleImputer(strategy="constant", fill_value="none").fit_transform(table)
    assert found.schema["wind"].values == ("Strong", "Weak", "none")
    assert found.labels("wind").tolist() == ["Weak", "none", "Weak", "Strong"]


def test_infinity_is_named():
    with pytest.raises(DataError) as caught:
        SimpleImputer().fit([[1.0, 2.0], [np.inf, 3.0]])
    assert (caught.value.row, caught.value.column) == (1, 0)


def test_text_has_no_mean():
    with pytest.raises(DataError, match="non-numeric data") as caught:
        SimpleImputer().fit(pd.DataFrame({"w": ["a", "b"]}))
    assert caught.value.column == "w"


@pytest.mark.parametrize("X", [HOLED, WORDS], ids=["numbers", "words"])
def test_model_files(X):
    model = SimpleImputer(strategy="most_frequent", add_indicator=True).fit(X)
    assert same_cells(from_bytes(to_bytes(model)).transform(X), model.transform(X))


def test_the_explanation_counts_what_was_filled():
    model = SimpleImputer().fit([[1.0, 2.0], [3.0, np.nan]])
    why = learnable.explain(model, [[np.nan, 5.0]])[0]
    assert why.prediction == (2.0, 5.0)
    assert why.summary == "1 of 2 cells filled: x0."
    assert why.parts[0].evidence == "missing, filled with 2.0"


@pytest.mark.parametrize("role", ["train", "test"])
def test_the_certificate_counts_rows_with_gaps(role):
    model = SimpleImputer().fit(X)
    certificate = learnable.certify(model, X, role=role)
    assert certificate.value == pytest.approx(1 / 3)
    assert certificate.kind == "guaranteed"


def test_objects_that_are_numbers_may_miss_cells_in_any_way():
    cells = np.array([[1.0, 5], [pd.NA, 7], [None, np.nan], [3.0, 9]], dtype=object)
    found = SimpleImputer().fit_transform(cells)
    assert found.tolist() == [[1.0, 5.0], [2.0, 7.0], [2.0, 7.0], [3.0, 9.0]]


def test_numbers_beside_texts_are_told_missing_without_a_look_at_each():
    cells = np.array([["a", 1], [None, float("nan")], [pd.NA, np.float64("nan")], ["a", 1]], object)
    model = SimpleImputer(strategy="most_frequent").fit(cells)
    assert model.missing_count_.tolist() == [2, 2]
    assert model.transform(cells).tolist() == [["a", 1]] * 4
