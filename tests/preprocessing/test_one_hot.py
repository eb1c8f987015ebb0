"""The one-hot encoder against scikit-learn's, and where it does better."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder as Peer

import learnable
from learnable.core import DataError, ParameterError
from learnable.data import Table
from learnable.datasets import load_play_tennis
from learnable.estimator.persistence import from_bytes, to_bytes
from learnable.preprocessing import OneHotEncoder
from tests.preprocessing.nominal_tables import (
    HOLED,
    TABLES,
    WHOLE,
    WORDS,
    answers,
    other_values,
    same_cells,
)

GROUPINGS = [{}, {"min_frequency": 30}, {"min_frequency": 0.1}, {"max_categories": 2},
             {"max_categories": 1}, {"max_categories": 3, "min_frequency": 20}]  # fmt: skip
UNKNOWN = ["error", "ignore", "infrequent_if_exist", "warn"]


@pytest.mark.parametrize("new", [False, True], ids=["the same rows", "new values"])
@pytest.mark.parametrize("grouping", GROUPINGS, ids=str)
@pytest.mark.parametrize("unknown", UNKNOWN)
@pytest.mark.parametrize("drop", [None, "first", "if_binary"])
@pytest.mark.parametrize("X", TABLES.values(), ids=TABLES)
def test_the_peers_answers(X, drop, unknown, grouping, new):
    options = {"drop": drop, "handle_unknown": unknown, **grouping}
    asked = other_values(X) if new else X
    ours = answers(OneHotEncoder(**options), X, asked)
    theirs = answers(Peer(**options), X, asked)
    if theirs is None:
        assert ours is None
        return
    assert same_cells(ours[0], theirs[0])
    if drop is None or not grouping:  # scikit-learn gives another value back: see below
        assert same_cells(ours[1], theirs[1])
    assert all(map(same_cells, ours[2], theirs[2]))
    assert ours[3].tolist() == theirs[3].tolist()


def test_a_dropped_value_comes_back_where_scikit_learn_gives_another():
    X = np.array([["x"], ["yy"], ["yy"]], dtype=object)
    options = {"drop": "first", "max_categories": 2, "handle_unknown": "ignore"}
    ours, theirs = OneHotEncoder(**options).fit(X), Peer(**options).fit(X)
    assert ours.inverse_transform(ours.transform(X)).ravel().tolist()[1] == "yy"
    assert theirs.inverse_transform(theirs.transform(X)).ravel().tolist()[1] == "x"


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int8, bool, "float32"])
@pytest.mark.parametrize("sparse", [True, False])
def test_kind_and_form_of_the_answer(dtype, sparse):
    ours = OneHotEncoder(dtype=dtype, sparse_output=sparse).fit_transform(WORDS)
    theirs = Peer(dtype=dtype, sparse_output=sparse).fit_transform(WORDS)
    assert ours.dtype == theirs.dtype
    assert type(ours) is type(theirs)
    assert same_cells(ours, theirs)


@pytest.mark.parametrize("drop", [["a", "x", "q"], ["f", "yy", "s"]])
def test_stated_values_to_drop(drop):
    ours, theirs = OneHotEncoder(drop=drop).fit(WORDS), Peer(drop=drop).fit(WORDS)
    assert ours.drop_idx_.tolist() == theirs.drop_idx_.tolist()
    assert same_cells(ours.transform(WORDS), theirs.transform(WORDS))


@pytest.mark.parametrize(
    "options",
    [
        {"drop": ["nothing", "x", "q"]},
        {"drop": ["a"]},
        {"drop": ["f", "x", "q"], "min_frequency": 30},
        {"categories": [["a"]]},
        {"categories": [["a", "a"], ["x", "yy"], ["q", "r", "s"]]},
        {"categories": [["a"], ["x", "yy"], ["q", "r", "s"]]},
        {"categories": "other"},
        {"min_frequency": 0},
    ],
    ids=str,
)
def test_options_that_make_no_sense_are_refused_as_by_the_peer(options):
    with pytest.raises((ValueError, AttributeError)):  # one of its messages cannot be made
        Peer(**options).fit(WORDS)
    with pytest.raises(ValueError, match=r"\w"):
        OneHotEncoder(**options).fit(WORDS)


def test_golden_play_tennis_in_the_stated_order():
    X, _ = load_play_tennis(return_X_y=True)
    order = [["Sunny", "Overcast", "Rain"], ["Hot", "Mild", "Cool"], ["High", "Normal"],
             ["Weak", "Strong"]]  # fmt: skip
    encoder = OneHotEncoder(categories=order, sparse_output=False, dtype=int)
    codes = encoder.fit_transform(X)
    assert ["".join(map(str, row)) for row in codes[:4].tolist()] == [
        "1001001010", "1001001001", "0101001010", "0010101010",
    ]  # fmt: skip
    assert encoder.transform([["Sunny", "Cool", "High", "Strong"]]).tolist() == [
        [1, 0, 0, 0, 0, 1, 1, 0, 0, 1]
    ]
    assert (encoder.inverse_transform(codes) == np.asarray(X)).all()


def test_a_table_keeps_the_order_of_its_schema_and_takes_new_values_as_missing():
    table = Table.of({"wind": ["Weak", "Strong", "Weak"]}, kinds={"wind": "nominal: Weak, Strong"})
    encoder = OneHotEncoder(sparse_output=False).fit(table)
    assert encoder.get_feature_names_out().tolist() == ["wind_Weak", "wind_Strong"]
    with pytest.warns(UserWarning, match="'Storm' of column 'wind' was never seen"):
        found = encoder.transform(Table.of({"wind": ["Storm", "Weak"]}))
    assert found.tolist() == [[0.0, 0.0], [1.0, 0.0]]


def test_a_date_is_refused_with_a_remedy():
    table = Table.of({"day": ["2026-01-01", "2026-01-02"]})
    with pytest.raises(DataError, match="a date") as caught:
        OneHotEncoder().fit(table)
    assert caught.value.column == "day"


def test_an_unknown_value_is_named():
    encoder = OneHotEncoder().fit(pd.DataFrame({"wind": ["Weak", "Strong"]}))
    with pytest.raises(DataError, match="Found unknown categories") as caught:
        encoder.transform(pd.DataFrame({"wind": ["Weak", "Storm"]}))
    assert (caught.value.column, caught.value.row, caught.value.value) == ("wind", 1, "Storm")


def test_kinds_that_cannot_be_ordered_are_refused():
    for model in (OneHotEncoder(), Peer()):
        with pytest.raises(TypeError, match="uniformly strings or numbers"):
            model.fit(np.array([["a"], [1]], dtype=object))


@pytest.mark.parametrize("X", [WORDS, HOLED, WHOLE], ids=["words", "holed", "whole"])
def test_cells_that_are_one_object_give_the_same_answer(X):
    many = np.tile(X, (30, 1))
    found = OneHotEncoder().fit(many).transform(many).toarray()
    assert (found == OneHotEncoder().fit_transform(many).toarray()).all()
    assert (found[: len(X)] == OneHotEncoder().fit_transform(X).toarray()).all()


def test_frames_come_back_in_the_chosen_form():
    encoder = OneHotEncoder(sparse_output=False).set_output(transform="pandas")
    frame = encoder.fit_transform(pd.DataFrame({"w": ["a", "b"]}, index=[5, 6]))
    assert frame.columns.tolist() == ["w_a", "w_b"]
    assert frame.index.tolist() == [5, 6]
    with pytest.raises(ParameterError, match="does not support sparse"):
        OneHotEncoder().set_output(transform="pandas").fit_transform(WORDS)


def test_a_function_names_the_indicators():
    encoder = OneHotEncoder(feature_name_combiner=lambda name, value: f"{name} is {value}")
    assert encoder.fit([["a"]]).get_feature_names_out().tolist() == ["x0 is a"]
    with pytest.raises(TypeError, match="Python string"):
        OneHotEncoder(feature_name_combiner=lambda *_: 1).fit([["a"]]).get_feature_names_out()


@pytest.mark.parametrize("X", TABLES.values(), ids=TABLES)
def test_model_files_keep_values_of_every_kind(X):
    encoder = OneHotEncoder(handle_unknown="ignore", dtype=np.float32).fit(X)
    again = from_bytes(to_bytes(encoder))
    assert all(map(same_cells, again.categories_, encoder.categories_))
    assert same_cells(again.transform(X), encoder.transform(X))
    assert again.transform(X).dtype == np.float32


def test_the_explanation_names_the_rarest_value():
    encoder = OneHotEncoder().fit([["a", 1], ["a", 1], ["b", 1]])
    why = learnable.explain(encoder, [["b", 1]])[0]
    assert why.summary == "Rarest value: x0 = b, in 1 of 3 training rows."
    assert why.score == sum(part.weight for part in why.parts) == 1.0


def test_the_certificate_counts_rows_with_new_values():
    encoder = OneHotEncoder().fit([["a"], ["b"]])
    certificate = learnable.certify(encoder, [["a"], ["c"], ["a"], ["b"]])
    assert (certificate.kind, certificate.value) == ("guaranteed", 0.25)
    with pytest.raises(ParameterError, match="hold no value"):
        learnable.certify(encoder, [["a"]], role="train")


def test_sources_of_the_indicators():
    assert OneHotEncoder(drop="first").fit(WORDS).sources_out() == [0] * 5 + [1] + [2] * 2


def test_it_stands_in_a_pipeline_of_scikit_learn():
    from sklearn.linear_model import LogisticRegression

    X, y = load_play_tennis(return_X_y=True)
    model = make_pipeline(OneHotEncoder(), LogisticRegression()).fit(X, y)
    peer = make_pipeline(Peer(), LogisticRegression()).fit(X, y)
    assert np.allclose(model.predict_proba(X), peer.predict_proba(X))
