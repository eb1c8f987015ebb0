from __future__ import annotations

import numpy as np
import pytest

from learnable.data import Table, describe
from learnable.datasets import load_iris, load_play_tennis


def drawn(n=400, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n)
    return {
        "x": rng.normal(size=n) + y,
        "colour": np.array(["red", "green", "blue"])[rng.integers(0, 3, n)],
        "y": np.array(["a", "b", "c"])[y],
    }


def test_every_column_has_a_line():
    data = drawn()
    data["x"][7], data["x"][9] = np.nan, 1e6
    found = describe(data, target="y")
    x, colour, y = found.columns
    assert (x.kind, x.distinct) == ("numeric", 399)
    assert x.missing == pytest.approx(1 / 400)
    assert x.odd == "1e+06"
    assert colour.distinct == 3
    assert sum(found.balance.values()) == 400
    assert list(found.balance.values()) == sorted(found.balance.values(), reverse=True)
    assert y.typical.startswith(next(iter(found.balance)))
    assert found.warnings == ()


@pytest.mark.parametrize(
    ("name", "make"),
    [
        ("copy", lambda data: np.char.add("class ", data["y"])),
        ("shifted", lambda data: np.unique(data["y"], return_inverse=True)[1] * 10.0 + 3.0),
    ],
)
def test_a_column_that_gives_the_target_away_is_named(name, make):
    data = drawn()
    data[name] = make(data)
    warnings = describe(data, target="y").warnings
    assert len(warnings) == 1
    assert f"column {name!r} gives 'y' away: alone it answers 100.0%" in warnings[0]


def test_a_number_that_gives_a_number_away_is_named():
    rng = np.random.default_rng(0)
    y = rng.normal(size=600)
    data = {"y": y, "noise": rng.normal(size=600), "fahrenheit": 32 + 1.8 * y}
    warnings = describe(data, target="y").warnings
    assert len(warnings) == 1
    assert "'fahrenheit' gives 'y' away" in warnings[0]
    assert "of its variance" in warnings[0]


def test_a_good_column_does_not_give_a_rare_class_away():
    rng = np.random.default_rng(0)
    y = np.where(rng.random(1000) < 0.99, "no", "yes")
    assert describe({"x": rng.normal(size=1000), "y": y}, target="y").warnings[-1:] in {
        (), ("1 class(es) of 'y' have fewer than 10 rows: yes",),
    }  # fmt: skip


def test_constant_empty_and_naming_columns_are_named():
    data = drawn()
    data |= {"flat": np.ones(400), "void": [None] * 400, "row": np.arange(400) + 7.0}
    data["key"] = [f"k{i}" for i in range(400)]
    warnings = " | ".join(describe(data).warnings)
    assert "'flat' is constant" in warnings
    assert "'void' is empty" in warnings
    assert "'row' names the rows" in warnings
    assert "'key' names the rows" in warnings


def test_rows_that_stand_twice_are_counted():
    data = {name: np.concatenate([cells, cells[:3]]) for name, cells in drawn().items()}
    assert (
        "6 rows have an equal among them (3 copies): keep copies in one fold"
        in describe(data).warnings
    )


def test_the_text_holds_it_all():
    iris = load_iris(as_frame=True).frame
    text = str(describe(iris, target=iris.columns[-1]))
    assert "150 rows, 5 columns" in text
    assert "setosa: 50 (33.3%)" in text
    assert "<pre>" in describe(iris)._repr_html_()
    assert len(describe(iris).to_frame()) == 5


def test_the_target_of_the_schema_is_taken():
    days = load_play_tennis(as_frame=True).frame
    table = Table.of(days).changed({"play": {"role": "target"}})
    assert describe(table).balance == {"Yes": 9, "No": 5}


def test_no_rows():
    assert describe({"a": []}).rows == 0


@pytest.mark.parametrize("threshold", [0.1, 0.5, 0.77])
def test_a_threshold_that_gives_the_target_away_is_found(threshold):
    cells = np.random.default_rng(0).random(400)
    noise = np.random.default_rng(1).random(400)
    labels = np.where(cells > threshold, "high", "low")
    data = {"cells": cells, "noise": noise, "label": labels}
    table = Table.of(data).changed({"label": {"role": "target"}})
    told = [line for line in describe(table).warnings if "away" in line]
    assert len(told) == 1
    assert told[0].startswith("column 'cells' gives 'label' away")
