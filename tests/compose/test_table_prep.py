"""Any table as numbers, and explanations in its own columns."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline

import learnable
from learnable.compose import TablePrep
from learnable.core import DataError, ParameterError
from learnable.data import Table
from learnable.datasets import load_play_tennis
from learnable.estimator.persistence import from_bytes, to_bytes
from learnable.naive_bayes import GaussianNB

COLUMNS = {
    "age": [20.0, None, 40.0, 30.0],
    "wind": ["Weak", "Strong", None, "Weak"],
    "windy": [True, False, True, True],
    "size": ["small", "big", "small", None],
    "day": ["2026-01-31", "2026-02-01", None, "1969-12-28"],
    "note": ["two words", "x", None, "and three words"],
    "id": ["a1", "b2", "c3", "d4"],
}
KINDS = {"size": "ordinal: small, big", "note": "text", "id": "identifier"}


def table(**columns):
    return Table.of({**COLUMNS, **columns}, kinds=KINDS)


def test_every_kind_becomes_numbers():
    prep = TablePrep(impute=None, text="count").fit(table())
    assert prep.get_feature_names_out().tolist() == [
        "age", "wind_Strong", "wind_Weak", "windy", "size", "day_year", "day_month", "day_day",
        "day_weekday", "note_words", "note_characters",
    ]  # fmt: skip
    gap = np.nan
    expected = [
        [20, 0, 1, 1, 0, 2026, 1, 31, 5, 2, 9],
        [gap, 1, 0, 0, 1, 2026, 2, 1, 6, 1, 1],
        [40, 0, 0, 1, 0, gap, gap, gap, gap, gap, gap],
        [30, 0, 1, 1, gap, 1969, 12, 28, 6, 3, 15],
    ]
    assert np.array_equal(prep.transform(table()), expected, equal_nan=True)
    assert prep.sources_out() == [0, 1, 1, 2, 3, 4, 4, 4, 4, 5, 5]
    assert list(prep.dropped_) == ["id"]


def test_what_is_left_out_is_named():
    prep = TablePrep(dates="drop").fit(table())
    assert set(prep.dropped_) == {"day", "note", "id"}
    assert "names the row" in prep.dropped_["id"]


@pytest.mark.parametrize(("impute", "filled"), [("mean", 30.0), ("median", 30.0), ("zero", 0.0)])
def test_missing_numbers_are_filled_from_the_training_rows(impute, filled):
    prep = TablePrep(impute=impute).fit(table())
    assert prep.transform(table())[1, 0] == filled


def test_days_since_a_day():
    prep = TablePrep(dates="days", since="2026-01-30", impute=None).fit(table())
    j = prep.get_feature_names_out().tolist().index("day_days")
    assert prep.transform(table())[:2, j].tolist() == [1.0, 2.0]


@pytest.mark.parametrize("scale", ["standard", "min-max", "robust"])
def test_numbers_are_scaled_and_indicators_are_not(scale):
    random = np.random.default_rng(0)
    columns = {"x": random.normal(5, 3, 50), "w": random.choice(["a", "b"], 50)}
    found = TablePrep(scale=scale).fit_transform(Table.of(columns))
    x = columns["x"]
    low, middle, high = np.percentile(x, [25, 50, 75])
    expected = {
        "standard": (x - x.mean()) / x.std(),
        "min-max": (x - x.min()) / np.ptp(x),
        "robust": (x - middle) / (high - low),
    }[scale]
    assert np.allclose(found[:, 0], expected)
    assert set(found[:, 1]) == {0.0, 1.0}


def test_codes_and_a_dropped_indicator():
    assert TablePrep(nominal="ordinal").fit(table()).transform(table())[0, 1] == 1.0
    names = TablePrep(drop="first").fit(table()).get_feature_names_out()
    assert "wind_Strong" not in names
    assert "wind_Weak" in names


def test_new_values_count_as_missing_with_a_warning():
    prep = TablePrep().fit(table())
    with pytest.warns(UserWarning, match="'Storm'"):
        found = prep.transform(table(wind=["Storm", "Weak", "Weak", "Weak"]))
    assert found[0, 1:3].tolist() == [0.0, 0.0]


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame])
def test_frames_of_any_library_in_any_order(make):
    plain = {name: COLUMNS[name] for name in ("age", "wind", "windy")}
    prep = TablePrep().fit(make(plain))
    expected = TablePrep().fit_transform(Table.of(plain))
    assert np.array_equal(prep.transform(make(plain)), expected)
    backwards = make({name: plain[name] for name in reversed(plain)})
    assert np.array_equal(prep.transform(backwards), expected)


def test_a_missing_column_is_named():
    prep = TablePrep().fit(pd.DataFrame({"a": [1.0], "b": [2.0]}))
    with pytest.raises(DataError, match="yet now missing"):
        prep.transform(pd.DataFrame({"a": [1.0]}))


def test_infinity_in_a_column_is_named():
    with pytest.raises(DataError) as caught:
        TablePrep().fit(pd.DataFrame({"a": [1.0, np.inf]}))
    assert (caught.value.column, caught.value.row) == ("a", 1)


@pytest.mark.parametrize("options", [{"since": "someday"}, {"impute": "other"}, {"scale": "x"}])
def test_options_that_make_no_sense(options):
    with pytest.raises(ParameterError):
        TablePrep(**options).fit(table())


def test_an_explanation_speaks_of_the_original_columns():
    model = make_pipeline(TablePrep(text="count"), GaussianNB()).fit(table(), list("nyny"))
    why = learnable.explain(model, table())[0]
    labels = [part.label for part in why.parts]
    assert labels == ["prior", "age", "wind", "windy", "size", "day", "note"]
    found = {part.label: part.value for part in why.parts}
    assert (found["wind"], found["age"], found["note"]) == ("Weak", 20.0, "two words")
    assert why.score == pytest.approx(sum(part.weight for part in why.parts))


def test_a_column_contributes_the_sum_of_its_numbers():
    prep, bayes = TablePrep(), GaussianNB()
    model = make_pipeline(prep, bayes).fit(table(), list("nyny"))
    inner = learnable.explain(bayes, prep.transform(table()))[0]
    wanted = sum(part.weight for part in inner.parts if part.label in {"x1", "x2"})
    found = next(p for p in learnable.explain(model, table())[0].parts if p.label == "wind")
    assert found.weight == pytest.approx(wanted)
    assert found.evidence.startswith("wind_")


def test_everything_is_learned_inside_the_folds():
    X, y = load_play_tennis(return_X_y=True)
    scores = cross_val_score(make_pipeline(TablePrep(), GaussianNB()), np.asarray(X), y, cv=2)
    assert scores.shape == (2,)


def test_model_files_keep_pipelines_with_it():
    model = make_pipeline(TablePrep(scale="robust"), GaussianNB()).fit(table(), list("nyny"))
    again = from_bytes(to_bytes(model))
    assert np.array_equal(again.predict_proba(table()), model.predict_proba(table()))


def test_its_own_explanation_and_certificate():
    prep = TablePrep().fit(table())
    why = learnable.explain(prep, table())[1]
    assert {p.label for p in why.parts if p.weight} == {"age"}
    assert learnable.certify(prep, table(), role="train").value == 0.75
