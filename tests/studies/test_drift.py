"""Drift: no false alarms beyond the level, real changes found, odd tables answered."""

from __future__ import annotations

import numpy as np
import pytest

from learnable.core import DataError
from learnable.data import Table
from learnable.studies.drift import drift, summaries


def rows(rng, n, shift=0.0, p=0.5):
    x = rng.normal(size=n) + shift
    x[rng.random(n) < 0.1] = np.nan
    return Table.of({"x": x, "z": rng.normal(size=n),
                     "wind": np.where(rng.random(n) < p, "Weak", "Strong").tolist()})  # fmt: skip


def false_alarms(studies, n=300):
    rng = np.random.default_rng(0)
    return np.mean([
        bool(drift(summaries(rows(rng, n)), rows(rng, n // 2)).drifted) for _ in range(studies)
    ])  # fmt: skip


def test_false_alarms_are_as_rare_as_stated():
    assert false_alarms(200) <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 200)


@pytest.mark.full
def test_false_alarms_are_as_rare_as_stated_in_many_draws():
    assert false_alarms(4000) <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 4000)


def test_what_changed_is_named_with_both_shares():
    rng = np.random.default_rng(1)
    found = drift(summaries(rows(rng, 400)), rows(rng, 400, shift=1.0, p=0.9))
    assert set(found.drifted) == {"x", "wind"}
    assert "Weak: " in str(found) or "Strong: " in str(found)
    assert "beyond chance in 400 new rows" in str(found)


def test_columns_that_come_and_go_are_named():
    learned = summaries(Table.of({"a": [1.0, 2.0], "b": ["x", "y"]}))
    found = drift(learned, Table.of({"a": [1.0], "c": ["z"]}))
    assert (found.lost, found.new) == (("b",), ("c",))
    assert "b: the column is missing" in str(found)


def test_unseen_and_missing_values_have_cells_of_their_own():
    old = Table.of({"wind": ["Weak", "Strong"] * 50})
    new = Table.of({"wind": ["Storm", None] * 50})
    (column,) = drift(summaries(old), new).columns
    assert column.p < 1e-9
    assert column.most.startswith(("Strong", "Weak", "(others)", "missing"))


def test_a_column_of_another_kind_is_compared_by_its_values():
    old = Table.of({"code": [1.0, 2.0, 3.0] * 30})
    new = Table.of({"code": ["1", "2", "x"] * 30})
    (column,) = drift(summaries(old), new).columns
    assert column.p < 0.01


def test_no_rows_are_refused():
    with pytest.raises(DataError, match="no new rows"):
        drift(summaries(Table.of({"a": [1.0]})), Table.of({"a": np.empty(0)}))
