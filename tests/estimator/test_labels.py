from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.exceptions import DataConversionWarning

from learnable.core import DataError, ParameterError
from learnable.estimator.labels import as_labels, encode, encode_known
from learnable.naive_bayes import GaussianNB

LOW, HIGH, TOP = -(2**63), 2**63 - 1, 2**64 - 1
X = np.array([[0.0], [9.0], [1.0], [8.0]])

LABELS = {
    "int64, both ends": np.array([HIGH, LOW, HIGH, LOW]),
    "int64, next to the highest": np.array([HIGH, HIGH - 1, HIGH, HIGH - 1]),
    "int64, next to the lowest": np.array([LOW, LOW + 1, LOW, LOW + 1]),
    "uint64": np.array([TOP, TOP - 1, TOP, TOP - 1], np.uint64),
    "int8": np.array([127, -128, 127, -128], np.int8),
    "negative": [-1, -7, -1, -7],
    "bools": [True, False, True, False],
    "whole floats": [2.0, 1.0, 2.0, 1.0],
    "float16": np.array([2, 1, 2, 1], np.float16),
    "strings": ["no", "yes", "no", "yes"],
    "strings of different length": ["b", "aaa", "b", "aaa"],
    "tuple": ("b", "a", "b", "a"),
    "objects": np.array(["b", "a", "b", "a"], dtype=object),
    "NumPy's and Python's strings": np.array([np.str_("b"), "a", "b", "a"], dtype=object),
    "objects that are numbers": np.array([1, 2.0, 1, 2], dtype=object),
    "strings of any length": np.array(["b", "a", "b", "a"], np.dtypes.StringDType()),
    "dates": np.array(["2021-01-01", "2020-01-01"] * 2, "M8[D]"),
    "pandas categories": pd.Series(["b", "a", "b", "a"], dtype="category"),
    "pandas categories of numbers": pd.Series([3, 1, 3, 1], dtype="category"),
    "pandas strings": pd.Series(["b", "a", "b", "a"], dtype="string"),
    "pandas Int64": pd.Series([2, 1, 2, 1], dtype="Int64"),
    "pandas boolean": pd.Series([True, False, True, False], dtype="boolean"),
    "polars strings": pl.Series(["b", "a", "b", "a"]),
    "polars categories": pl.Series(["b", "a", "b", "a"], dtype=pl.Categorical),
    "pyarrow": pa.array(["b", "a", "b", "a"]),
    "pyarrow in chunks": pa.chunked_array([["b"], ["a", "b", "a"]]),
}


@pytest.mark.parametrize("kind", LABELS)
def test_labels_come_back_as_they_went_in(kind):
    y = LABELS[kind]
    model = GaussianNB(var_smoothing=1e-6).fit(X, y)
    answers = model.predict(X)
    assert answers.tolist() == np.asarray(y).tolist()
    assert answers.dtype == model.classes_.dtype
    assert model.classes_.tolist() == sorted(set(np.asarray(y).tolist()))
    assert model.score(X, y) == 1.0


@pytest.mark.parametrize("kind", LABELS)
def test_parts_know_the_labels_of_the_first(kind):
    y = as_labels(LABELS[kind], learner="test")
    model = GaussianNB(var_smoothing=1e-6).partial_fit(X, y, classes=y)
    assert model.partial_fit(X[::-1], y[::-1]).predict(X).tolist() == y.tolist()


@pytest.mark.parametrize(
    ("y", "kind"),
    [([1, 2, 1, 2], np.int64), ([True, False] * 2, np.bool_), ([1.0, 2, 1, 2], np.float64)],
)
def test_objects_that_are_numbers_become_an_array_of_numbers(y, kind):
    classes, codes = encode(np.array(y, dtype=object))
    assert classes.dtype == kind
    assert classes[codes].tolist() == y


def test_numbers_beyond_the_machines_stay_objects():
    huge = [10**30, -1, 10**30, -1]
    assert GaussianNB(var_smoothing=1e-6).fit(X, huge).predict(X).tolist() == huge
    apart = [2**63, -1, 2**63 - 1, -1]
    assert encode(np.array(apart, dtype=object))[0].tolist() == [-1, 2**63 - 1, 2**63]


INTEGERS = st.integers(-3, 3) | st.sampled_from([2**40, -(2**40), LOW, HIGH])


@given(arrays(np.int64, st.integers(1, 12), elements=INTEGERS), st.booleans())
def test_codes_are_those_of_unique(y, strings):
    y = y.astype(str) if strings else y
    classes, codes = encode(y)
    expected = np.unique(y, return_inverse=True)
    np.testing.assert_array_equal(classes, expected[0])
    np.testing.assert_array_equal(codes, expected[1])
    assert classes.dtype == y.dtype
    assert codes.dtype == np.int32


@given(arrays(np.int64, 6, elements=INTEGERS), arrays(np.int64, 4, elements=INTEGERS))
def test_known_codes_are_found_and_others_are_not(y, other):
    classes = np.unique(other)
    codes = encode_known(y, classes)
    for label, code in zip(y.tolist(), codes.tolist(), strict=True):
        assert (code == -1) == (label not in classes.tolist())
        assert code == -1 or classes[code] == label


@pytest.mark.parametrize(
    ("y", "classes"),
    [
        (np.array([2**62 + 1, 2**62], np.uint64), np.array([2**62, 2**62 + 1])),
        (np.array([2**62 + 1, 2**62]), np.array([2**62, 2**62 + 1], np.uint64)),
        (np.array([1.0, 0.0]), np.array([0, 1])),
        (np.array([1, 0]), np.array([0.0, 1.0])),
        (np.array(["b", "a"], dtype=object), np.array(["a", "b"])),
        (np.array(["b", "a"]), np.array(["a", "b"], dtype=object)),
    ],
)
def test_labels_of_another_type_are_known_by_their_value(y, classes):
    assert encode_known(y, classes).tolist() == [1, 0]


@pytest.mark.parametrize(
    ("y", "classes"),
    [
        (np.array(["a"]), np.array([0, 1])),
        (np.array([0]), np.array(["a", "b"])),
        (np.array([0]), np.array(["a", "b"], dtype=object)),
        (np.array(["2020-01-01"], "M8[D]"), np.array([0, 1])),
    ],
)
def test_labels_that_cannot_be_compared_are_unknown(y, classes):
    assert encode_known(y, classes).tolist() == [-1]


REFUSED = {
    "fractions": ([0.5, 1, 1, 0], "continuous", 0),
    "objects with a fraction": (np.array([1, 1, 2.5, 1], dtype=object), "continuous", 2),
    "NaN": ([0.0, np.nan, 1, 0], "contains NaN", 1),
    "infinity": ([0.0, 1, np.inf, 0], "contains infinity", 2),
    "None": (["a", None, "a", "b"], "NaN or None", 1),
    "NaN among strings": (["a", "b", float("nan"), "b"], "NaN or None", 2),
    "NA": (np.array(["a", pd.NA, "a", "b"], dtype=object), "NaN or None", 1),
    "pandas strings with NA": (pd.Series(["a", None, "b", "b"], dtype="string"), "NaN or None", 1),
    "pandas Int64 with NA": (pd.Series([1, None, 2, 2], dtype="Int64"), "contains NaN", 1),
    "pandas categories with NA": (pd.Series(["a", None, "b", "b"], dtype="category"), "NaN", 1),
    "polars with nulls": (pl.Series(["a", "b", None, "b"]), "NaN or None", 2),
    "strings of any length with None": (
        np.array(["a", "b", None, "b"], np.dtypes.StringDType(na_object=None)),
        "NaN or None",
        2,
    ),
    "NaT": (np.array(["2020-01-01", "NaT"] * 2, "M8[D]"), "NaT", 1),
    "masked": (np.ma.array([1, 2, 1, 2], mask=[0, 0, 0, 1]), "masked", 3),
    "numbers and strings": (["a", 1, "a", 1], "mixes numbers, strings", None),
    "bools and strings": (np.array([True, "b", True, "b"], dtype=object), "mixes numbers", None),
    "bytes": (np.array([b"a", b"b", b"a", b"b"]), "bytes", None),
    "complex": ([1j, 2, 1j, 2], "Complex", None),
    "None instead": (None, "requires y to be passed", None),
    "two columns": (np.zeros((4, 2)), "should be a 1d array", None),
    "one number": (1, "should be a 1d array", None),
    "ragged": ([[1], [1, 2], [1], [2]], "different lengths", None),
    "too few": ([0, 1], "inconsistent numbers of samples", None),
    "none": ([], "inconsistent numbers of samples", None),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_what_cannot_be_labels_is_refused_with_its_row_and_a_remedy(kind):
    y, message, row = REFUSED[kind]
    model = GaussianNB().partial_fit(X, [0, 1, 0, 1], classes=[0, 1])
    for act in (lambda: GaussianNB().fit(X, y), lambda: model.partial_fit(X, y)):
        with pytest.raises(DataError, match=message) as caught:
            act()
        assert caught.value.row == row
        assert caught.value.remedy or message == "Complex"


def test_sparse_answers_are_refused():
    with pytest.raises(TypeError, match="toarray"):
        GaussianNB().fit(X, sp.csr_array([[0, 1, 0, 1]]))


@pytest.mark.parametrize(
    "form", [np.array, pd.DataFrame, lambda y: pl.DataFrame({"y": np.ravel(y)})]
)
def test_a_column_is_taken_with_scikit_learns_warning(form):
    y = form([[1], [2], [1], [2]])
    with pytest.warns(DataConversionWarning, match="column-vector"):
        model = GaussianNB(var_smoothing=1e-6).fit(X, y)
    assert model.predict(X).tolist() == [1, 2, 1, 2]


@pytest.mark.parametrize(
    ("classes", "message"),
    [
        ([], "at least one"),
        ([0, 1, np.nan], "NaN"),
        ([0, 0.5], "continuous"),
        (["a", 1], "mixes"),
        (np.zeros((2, 2)), "1d array"),
    ],
)
def test_stated_classes_must_be_labels(classes, message):
    with pytest.raises(ParameterError, match=message):
        GaussianNB().partial_fit(X, [0, 1, 0, 1], classes=classes)


def test_scores_want_one_label_and_one_weight_a_row():
    model = GaussianNB(var_smoothing=1e-6).fit(X, [0, 1, 0, 1])
    with pytest.raises(DataError, match="inconsistent numbers of samples"):
        model.score(X, [0])
    for weight, message in (([1.0], "shape"), ([0.0] * 4, "zero"), ([-1.0, 1, 1, 1], "negative")):
        with pytest.raises(DataError, match=message):
            model.score(X, [0, 1, 0, 1], weight)
    assert model.score(X, [1, 1, 0, 1], [3.0, 1.0, 1.0, 1.0]) == 0.5
    assert model.score(X, ["a"] * 4) == 0.0


def test_labels_that_end_in_a_zero_stay_apart():
    classes, codes = encode(as_labels(["a\0", "a", "a\0"], learner="it"))
    assert classes.tolist() == ["a", "a\0"]
    assert codes.tolist() == [1, 0, 1]
