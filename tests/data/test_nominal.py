from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse as sp

from learnable.core import SchemaError
from learnable.data.nominal import MISSING, UNSEEN, text_columns

ROWS = [["rain", 1], [None, 2], ["sun", 1]]
FORMS = {
    "lists": ROWS,
    "objects": np.array(ROWS, dtype=object),
    "pandas": pd.DataFrame(ROWS, columns=["sky", "wind"]),
    "pandas strings": pd.DataFrame(
        {"sky": pd.array(["rain", pd.NA, "sun"], "string"), "wind": [1, 2, 1]}
    ),
    "pandas objects": pd.DataFrame(
        {"sky": pd.Series(["rain", pd.NA, "sun"], dtype=object), "wind": [1, 2, 1]}
    ),
    "pandas categories": pd.DataFrame(
        {"sky": pd.Categorical(["rain", None, "sun"]), "wind": [1, 2, 1]}
    ),
    "polars": pl.DataFrame(ROWS, schema=["sky", "wind"], orient="row"),
    "polars categories": pl.DataFrame(
        {"sky": pl.Series(["rain", None, "sun"], dtype=pl.Categorical), "wind": [1, 2, 1]}
    ),
    "pyarrow": pa.table({"sky": ["rain", None, "sun"], "wind": [1, 2, 1]}),
    "floats for want of a cell": pd.DataFrame(
        {"sky": ["rain", None, "sun"], "wind": [1.0, 2.0, 1.0]}
    ),
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_gives_the_same_values_and_codes(form):
    table = text_columns(FORMS[form])
    values = table.values()
    assert [column.tolist() for column in values] == [["rain", "sun"], ["1", "2"]]
    np.testing.assert_array_equal(table.codes(values).array(), [[0, 0], [MISSING, 1], [1, 0]])
    assert table.cell(2, 0) == "sun"
    named = isinstance(FORMS[form], (pd.DataFrame, pl.DataFrame, pa.Table))
    assert table.names == (("sky", "wind") if named else None)


@pytest.mark.parametrize(
    "table",
    [
        [[1, 2]],
        np.zeros((2, 2)),
        np.array([[1, None]], dtype=object),
        pd.DataFrame({"a": [1.0], "b": [True]}),
        pl.DataFrame({"a": [1, None]}),
        sp.eye_array(2),
        ["a", "b"],
        np.empty((0, 2), dtype=object),
    ],
    ids=range(8),
)
def test_tables_without_text_are_left_to_the_readers_of_numbers(table):
    assert text_columns(table) is None


def test_values_that_were_not_seen_and_columns_without_values():
    table = text_columns([["a", None], ["z", None]])
    assert [column.tolist() for column in table.values()] == [["a", "z"], []]
    codes = table.codes([np.array(["a", "b"]), np.array([], dtype=str)]).array()
    assert codes.tolist() == [[0, MISSING], [UNSEEN, MISSING]]
    nothing = np.array([], dtype=str)
    assert table.codes([nothing, nothing]).array()[:, 0].tolist() == [UNSEEN, UNSEEN]


def test_codes_are_found_among_values_of_any_length_and_alphabet():
    words = ["", "é", "日本", "a" * 300, "NaN", "none"]
    table = text_columns([[word] for word in words])
    values = table.values()
    codes = table.codes(values).array()[:, 0].astype(int)
    assert [values[0][code] for code in codes] == words


def test_stand_ins_depend_on_the_text_alone():
    one = text_columns([["a"], ["b"], [None]]).hashed().array()
    other = text_columns([["b"], ["c"], ["a"]]).hashed().array()
    assert one[1] == other[0]
    assert one[0] == other[2]
    assert one[2] == MISSING
    assert len(np.unique(np.concatenate([one, other]))) == 4


def test_a_name_that_occurs_twice_is_named():
    with pytest.raises(SchemaError, match="column 'a'"):
        text_columns(pd.DataFrame([["x", "y"]], columns=["a", "a"]))
