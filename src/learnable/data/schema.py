"""The schema of a table: what each column is, why that was taken, and how it can be changed.

Kinds are ``numeric``; ``nominal`` (a finite set of values), ``ordinal`` (the same in an order) and
``boolean`` (two values, false and true), which are kept as codes; ``date``; ``text``; and
``identifier`` (names a row, so nothing can be learned from it). A schema is a value: it is never
changed, :meth:`Schema.changed` gives another one.
"""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from learnable.core.errors import ParameterError, SchemaError

KINDS = ("numeric", "nominal", "ordinal", "boolean", "date", "text", "identifier")
CODED = ("nominal", "ordinal", "boolean")
ROLES = ("feature", "target", "ignored")


@dataclass(frozen=True, slots=True)
class Column:
    """One column.

    Attributes
    ----------
    name : str
        Its name.
    kind : str
        One of ``KINDS``.
    values : tuple of str
        The values of a nominal, ordinal or boolean column, in the order of their codes.
    role : {"feature", "target", "ignored"}
        What it is for.
    reason : str
        Why this kind was taken, if it was inferred.
    notes : tuple of str
        What was noticed, each with the line that would change the decision.

    Examples
    --------
    >>> from learnable.data import Column
    >>> Column("wind", "nominal", ("Strong", "Weak")).coded
    True
    """

    name: str
    kind: str
    values: tuple[str, ...] = ()
    role: str = "feature"
    reason: str = field(default="", compare=False)
    notes: tuple[str, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        for word, known, what in ((self.kind, KINDS, "kind"), (self.role, ROLES, "role")):
            if word not in known:
                choice = ", ".join(known)
                msg = f"column {self.name!r}: its {what} must be one of {choice}, not {word!r}"
                raise ParameterError(msg)
        if self.values and not self.coded:
            msg = f"column {self.name!r}: a {self.kind} column has no list of values"
            raise ParameterError(msg)
        if len(set(self.values)) != len(self.values):
            msg = f"column {self.name!r}: a value stands twice among {list(self.values)}"
            raise ParameterError(msg)
        if self.kind == "boolean" and len(self.values) != 2:
            msg = f"column {self.name!r}: a boolean column has two values, first the false one"
            raise ParameterError(msg)

    @property
    def coded(self) -> bool:
        """Whether cells are kept as codes of :attr:`values`."""
        return self.kind in CODED


@dataclass(frozen=True)
class Schema:
    """The columns of a table, in order.

    Attributes
    ----------
    columns : tuple of Column
        The columns.

    Examples
    --------
    >>> from learnable.data import Column, Schema
    >>> schema = Schema((Column("age", "numeric"), Column("sex", "nominal", ("f", "m"))))
    >>> schema.changed({"age": "ordinal: young, old"})["age"].values
    ('young', 'old')
    """

    columns: tuple[Column, ...]

    def __post_init__(self) -> None:
        seen: set[str] = set()
        for name in self.names:
            if name in seen:
                raise SchemaError(
                    "Two columns have the same name.", column=name, remedy="Rename one of them."
                )
            seen.add(name)

    def __len__(self) -> int:
        return len(self.columns)

    def __iter__(self) -> Iterator[Column]:
        return iter(self.columns)

    def __getitem__(self, name: str) -> Column:
        return self.columns[self.place(name)]

    def place(self, name: str) -> int:
        """Return where a column stands; an unknown name is answered with the nearest ones."""
        if name not in self._places:
            near = difflib.get_close_matches(name, self.names, 3)
            told = (
                f"Did you mean {' or '.join(map(repr, near))}?"
                if near
                else f"There are {self.names}."
            )
            raise SchemaError("There is no such column.", column=name, remedy=told)
        return self._places[name]

    @cached_property
    def _places(self) -> dict[str, int]:
        return {column.name: place for place, column in enumerate(self.columns)}

    @property
    def names(self) -> list[str]:
        """Names of all columns."""
        return [column.name for column in self.columns]

    def of_role(self, role: str) -> list[str]:
        """Return the names of the columns of one role."""
        return [column.name for column in self.columns if column.role == role]

    def only(self, names: Sequence[str]) -> Schema:
        """Return the schema of some of the columns, in the order given."""
        return Schema(tuple(self[name] for name in names))

    def changed(self, changes: Mapping[str, Any] | str | Path) -> Schema:
        """Return a schema in which some columns are of another kind or role.

        Parameters
        ----------
        changes : mapping or path
            Name of a column to what it is: a kind (``"nominal"``), a kind with its values
            (``"ordinal: low, mid, high"``), a table of ``kind``, ``values`` and ``role``;
            or the path of a TOML file that holds such a mapping.
        """
        stated = changes if isinstance(changes, Mapping) else read_changes(changes)
        made = {name: _changed(self[name], change) for name, change in stated.items()}
        return Schema(tuple(made.get(column.name, column) for column in self.columns))

    def to_toml(self) -> str:
        """Return the schema as the text of a TOML file, with the reasons as comments."""
        return "".join(map(_toml, self.columns))

    def unexplained(self) -> Schema:
        """Return the schema without reasons and notes."""
        return Schema(tuple(Column(c.name, c.kind, c.values, c.role) for c in self.columns))

    def to_list(self) -> list[dict[str, Any]]:
        """Return the schema as plain values, for model files."""
        return [
            {"name": c.name, "kind": c.kind, "values": list(c.values), "role": c.role}
            for c in self.columns
        ]

    @classmethod
    def of_list(cls, items: Sequence[Mapping[str, Any]]) -> Schema:
        """Return the schema that :meth:`to_list` gave."""
        return cls(
            tuple(
                Column(i["name"], i["kind"], tuple(i.get("values", ())), i.get("role", "feature"))
                for i in items
            )
        )

    def __str__(self) -> str:
        width = max(map(len, self.names), default=0)
        lines = []
        for column in self.columns:
            told = f"  {column.name:<{width}}  {column.kind:<10}  {column.reason}"
            lines += [
                told.rstrip(),
                *[f"  {'':<{width}}  {'':<10}  {note}" for note in column.notes],
            ]
        return "\n".join(lines)


def read_changes(path: str | Path) -> dict[str, Any]:
    """Read the changes of a schema from a TOML file: a line, or a table, for each column.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from learnable.data.schema import read_changes
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "kinds.toml"
    >>> _ = file.write_text('zip = "nominal"')
    >>> read_changes(file)
    {'zip': 'nominal'}
    """
    file = Path(path)
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise ParameterError(f"{file}: cannot be read ({error.strerror})") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ParameterError(f"{file}: is no TOML file ({error})") from error


def _changed(column: Column, change: Any) -> Column:
    if isinstance(change, str):
        kind, _, values = change.partition(":")
        change = {"kind": kind.strip()}
        if values.strip():
            change["values"] = [value.strip() for value in values.split(",")]
    if not isinstance(change, Mapping) or not change.keys() <= {"kind", "values", "role"}:
        msg = f"column {column.name!r}: a change is a kind, or a table of kind, values and role"
        raise ParameterError(msg)
    kind = change.get("kind", column.kind)
    values = tuple(map(str, change.get("values", column.values if kind in CODED else ())))
    role = change.get("role", column.role)
    if change.keys() <= {"role"}:
        return replace(column, role=role)
    return replace(column, kind=kind, values=values, role=role, reason="as stated", notes=())


def _toml(column: Column) -> str:
    def quoted(text: str) -> str:
        return '"' + "".join(_escaped(c) for c in text) + '"'

    lines = [f"# {' '.join(part.split())}" for part in (column.reason, *column.notes) if part]
    lines += [f"[{quoted(column.name)}]", f"kind = {quoted(column.kind)}"]
    if column.values:
        lines.append(f"values = [{', '.join(map(quoted, column.values))}]")
    if column.role != "feature":
        lines.append(f"role = {quoted(column.role)}")
    return "\n".join(lines) + "\n\n"


def _escaped(character: str) -> str:
    if character in '"\\':
        return "\\" + character
    plain = character >= " " and character != "\x7f"
    return character if plain else f"\\u{ord(character):04x}"
