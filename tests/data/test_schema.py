from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learnable.core import ParameterError, SchemaError
from learnable.data import Column, Schema
from learnable.data.schema import KINDS, ROLES, read_changes

NAMES = st.text(st.characters(blacklist_categories=["Cs"]), min_size=1, max_size=12)


@st.composite
def schemas(draw):
    columns = []
    for name in draw(st.lists(NAMES, unique=True, max_size=5)):
        kind = draw(st.sampled_from(KINDS))
        most = 2 if kind == "boolean" else 5
        least = 2 if kind == "boolean" else 0
        coded = kind in {"nominal", "ordinal", "boolean"}
        values = draw(st.lists(NAMES, unique=True, min_size=least, max_size=most)) if coded else []
        columns.append(Column(name, kind, tuple(values), draw(st.sampled_from(ROLES))))
    return Schema(tuple(columns))


@given(schemas())
def test_a_schema_survives_a_toml_file(tmp_path_factory, schema):
    file = tmp_path_factory.mktemp("schema") / "kinds.toml"
    file.write_text(schema.to_toml(), encoding="utf-8")
    plain = Schema(tuple(Column(name, "text") for name in schema.names))
    assert plain.changed(file) == schema


@given(schemas())
def test_a_schema_survives_as_plain_values(schema):
    assert Schema.of_list(schema.to_list()) == schema


def test_a_change_is_a_kind_or_a_kind_with_values_or_a_table():
    schema = Schema((Column("a", "numeric"), Column("b", "nominal", ("x", "y"), reason="seen")))
    assert schema.changed({"a": "nominal"})["a"] == Column("a", "nominal")
    assert schema.changed({"a": "ordinal: low, high"})["a"] == Column(
        "a", "ordinal", ("low", "high")
    )
    assert schema.changed({"b": "ordinal"})["b"].values == ("x", "y")
    target = schema.changed({"b": {"role": "target"}})["b"]
    assert (target.role, target.kind, target.reason) == ("target", "nominal", "seen")
    assert schema.changed({"a": "text"})["a"].reason == "as stated"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"a": "number"}, "must be one of numeric, nominal"),
        ({"a": {"role": "label"}}, "role must be one of"),
        ({"a": {"sort": "x"}}, "a change is a kind"),
        ({"a": 3}, "a change is a kind"),
        ({"a": "numeric: 1, 2"}, "has no list of values"),
        ({"a": "nominal: x, x"}, "stands twice"),
        ({"a": "boolean"}, "two values"),
    ],
)
def test_a_senseless_change_is_refused(change, message):
    with pytest.raises(ParameterError, match=message):
        Schema((Column("a", "numeric"),)).changed(change)


def test_an_unknown_column_is_answered_with_the_nearest_one():
    schema = Schema((Column("colour", "nominal"), Column("size", "numeric")))
    with pytest.raises(SchemaError, match=r"column 'color'.*Did you mean 'colour'"):
        schema.changed({"color": "text"})


def test_two_columns_of_one_name_are_refused():
    with pytest.raises(SchemaError, match="same name"):
        Schema((Column("a", "numeric"), Column("a", "text")))


def test_a_file_that_is_none_is_refused(tmp_path):
    with pytest.raises(ParameterError, match="cannot be read"):
        read_changes(tmp_path / "absent.toml")
    broken = tmp_path / "broken.toml"
    broken.write_bytes(b"a = \xff")
    with pytest.raises(ParameterError, match="is no TOML file"):
        read_changes(broken)
    broken.write_text("a = = 1")
    with pytest.raises(ParameterError, match="is no TOML file"):
        read_changes(broken)


def test_a_schema_prints_reasons_and_notes():
    notes = ('few values; {"zip": "nominal"} takes them as names',)
    schema = Schema((Column("zip", "numeric", reason="3 distinct whole numbers", notes=notes),))
    text = str(schema)
    assert "3 distinct whole numbers" in text
    assert notes[0] in text
    assert "# 3 distinct whole numbers\n" in schema.to_toml()
