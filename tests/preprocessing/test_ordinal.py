"""The ordinal encoder against scikit-learn's, and where it does better."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.preprocessing import OrdinalEncoder as Peer

import learnable
from learnable.core import DataError, ParameterError
from learnable.data import Table
from learnable.estimator.persistence import from_bytes, to_bytes
from learnable.preprocessing import OrdinalEncoder
from tests.preprocessing.nominal_tables import (
    FLOATS,
    TABLES,
    WORDS,
    answers,
    other_values,
    same_cells,
)

KNOWN = {"handle_unknown": "use_encoded_value"}
SETTINGS = [{}, {"encoded_missing_value": -2}, {**KNOWN, "unknown_value": -1},
            {**KNOWN, "unknown_value": np.nan}, {"dtype": np.int32},
            {"dtype": np.int32, "encoded_missing_value": -1}, {"min_frequency": 40},
            {**KNOWN, "unknown_value": 1}, {"encoded_missing_value": 1},
            {**KNOWN, "unknown_value": 1.5}]  # fmt: skip


@pytest.mark.parametrize("new", [False, True], ids=["the same rows", "new values"])
@pytest.mark.parametrize("options", SETTINGS, ids=str)
@pytest.mark.parametrize("X", TABLES.values(), ids=TABLES)
def test_the_peers_answers(X, options, new):
    asked = other_values(X) if new else X
    ours = answers(OrdinalEncoder(**options), X, asked)
    theirs = answers(Peer(**options), X, asked)
    if theirs is None or options.get("unknown_value") == 1.5:
        assert ours is None
        return
    for mine, other in zip(ours[:2], theirs[:2], strict=True):
        assert same_cells(mine, other)
    assert ours[0].dtype == theirs[0].dtype
    assert all(map(same_cells, ours[2], theirs[2]))
    assert ours[3].tolist() == theirs[3].tolist()


def test_missing_cells_come_back_where_scikit_learn_gives_the_rare_values():
    options = {**KNOWN, "max_categories": 2, "unknown_value": -1, "encoded_missing_value": -2}
    ours, theirs = OrdinalEncoder(**options).fit(FLOATS), Peer(**options).fit(FLOATS)
    codes, row = ours.transform(FLOATS), int(np.argmax(np.isnan(FLOATS[:, 0])))
    assert codes[row, 0] == -2
    assert ours.inverse_transform(codes)[row, 0] != ours.inverse_transform(codes)[row, 0]
    assert theirs.inverse_transform(codes.copy())[row, 0] == "infrequent_sklearn"


def test_the_codes_given_to_the_inverse_are_not_changed():
    encoder = OrdinalEncoder().fit(FLOATS)
    codes = encoder.transform(FLOATS)
    before = codes.copy()
    encoder.inverse_transform(codes)
    assert np.array_equal(codes, before, equal_nan=True)


def test_a_stated_order():
    encoder = OrdinalEncoder(categories=[["low", "mid", "high"]])
    assert encoder.fit_transform([["high"], ["low"], ["mid"]]).ravel().tolist() == [2.0, 0.0, 1.0]


@pytest.mark.parametrize(
    "options",
    [{"unknown_value": 3}, KNOWN, {**KNOWN, "unknown_value": np.nan, "dtype": int},
     {"handle_unknown": "ignore"}],
    ids=str,
)  # fmt: skip
def test_options_that_make_no_sense_are_refused(options):
    with pytest.raises((TypeError, ValueError)):
        Peer(**options).fit(WORDS)
    with pytest.raises(ParameterError):
        OrdinalEncoder(**options).fit(WORDS)


def test_a_table_keeps_the_order_of_its_schema():
    sizes = Table.of({"size": ["big", "small", None]}, kinds={"size": "ordinal: small, big"})
    found = OrdinalEncoder().fit_transform(sizes)
    assert np.array_equal(found, [[1.0], [0.0], [np.nan]], equal_nan=True)
    with pytest.warns(UserWarning, match="'huge' of column 'size' was never seen"):
        assert np.isnan(OrdinalEncoder().fit(sizes).transform(Table.of({"size": ["huge"]}))[0, 0])


def test_a_code_of_nothing_is_named():
    encoder = OrdinalEncoder().fit(WORDS)
    with pytest.raises(DataError, match="stands for no value") as caught:
        encoder.inverse_transform([[0.0, 0.0, 0.0], [0.0, 7.0, 0.0]])
    assert (caught.value.row, caught.value.column) == (1, "x1")
    with pytest.raises(DataError, match="Shape of the passed X data"):
        encoder.inverse_transform([[0.0]])


@pytest.mark.parametrize("X", TABLES.values(), ids=TABLES)
def test_model_files_keep_values_of_every_kind(X):
    encoder = OrdinalEncoder().fit(X)
    assert same_cells(from_bytes(to_bytes(encoder)).transform(X), encoder.transform(X))


def test_the_explanation_and_the_certificate():
    encoder = OrdinalEncoder(**KNOWN, unknown_value=-1).fit([["a"], ["a"], ["b"]])
    assert learnable.explain(encoder, [["c"]])[0].parts[0].evidence == "never seen"
    assert learnable.certify(encoder, [["c"], ["a"]]).value == 0.5
