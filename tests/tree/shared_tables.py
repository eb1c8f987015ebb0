"""Shared data sets as typed tables."""

from __future__ import annotations

import numpy as np

from learnable.data import Table


def as_table(data):
    """Columns by the kinds of the schema, and the target by its text."""
    schema = data.schema
    columns, kinds = {}, {}
    for column in schema["columns"]:
        name = column["name"]
        if name == schema["target"] or column.get("role", "feature") != "feature":
            continue
        cells = data.table[name]
        lost = cells == schema["missing"]
        if column["kind"] == "numeric":
            columns[name] = np.where(lost, "nan", cells).astype(np.float64)
        else:
            columns[name] = np.where(lost, None, cells.astype(object))
            kinds[name] = "nominal"
    return Table.of(columns, kinds=kinds or None), data.table[schema["target"]]
