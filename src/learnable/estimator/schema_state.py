"""How model files keep the schema of a table: column by column in a few arrays."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from learnable.core.errors import LearnableError
from learnable.data.schema import KINDS, ROLES, Column, Schema
from learnable.estimator.dimensions import Declaration, Dimensions, Side
from learnable.estimator.ledger import Reader, Refused, Writer, keys
from learnable.estimator.text_arrays import put_text, take_text

_MOST = 200_000
"""Columns of a schema: each takes memory that no array of the file does."""


class Columns(Declaration):
    """A schema, without the reasons for it.

    Parameters
    ----------
    side : str
        The dimension that its columns are.
    optional : bool
        Whether the attribute may be missing or None.

    Examples
    --------
    >>> from learnable.estimator.schema_state import Columns
    >>> fitted_state = {"schema_": Columns("d")}
    """

    def __init__(self, side: Side, *, optional: bool = False) -> None:
        super().__init__(optional=optional)
        self.side = side

    def _put(self, value: Any, writer: Writer, dimensions: Dimensions) -> Any:
        if type(value) is not Schema:
            msg = f"a Schema is wanted, not {type(value).__name__}"
            raise Refused(msg)
        self._agree(len(value), dimensions)
        codes = [[words.index(getattr(column, what)) for column in value]
                 for what, words in (("kind", KINDS), ("role", ROLES))]  # fmt: skip
        return {
            "names": _put_words(value.names, writer),
            "codes": writer.put(np.array(codes, np.uint8)),
            "sizes": writer.put(np.array([len(column.values) for column in value], np.int32)),
            "values": _put_words([label for column in value for label in column.values], writer),
        }

    def _take(self, node: Any, reader: Reader, dimensions: Dimensions) -> Schema:
        parts = keys(node, "names", "codes", "sizes", "values")
        codes, sizes = reader.take(parts["codes"]), reader.take(parts["sizes"])
        names, values = (take_text(parts[key], reader) for key in ("names", "values"))
        d = len(names)
        self._agree(d, dimensions)
        if (
            codes.dtype != np.uint8 or codes.shape != (2, d)
            or sizes.dtype != np.int32 or sizes.shape != (d,)
            or sizes.min(initial=0) < 0 or sizes.sum(dtype=np.int64) != len(values)
            or names.dtype.kind != "O" or values.dtype.kind != "O"
        ):  # fmt: skip
            msg = "the parts of a schema do not fit together"
            raise Refused(msg)
        ends = pairwise(np.concatenate([[0], np.cumsum(sizes)]).tolist())
        try:
            return Schema(
                tuple(
                    Column(name, KINDS[kind], tuple(values[start:stop]), ROLES[role])
                    for name, kind, role, (start, stop) in zip(
                        names, *codes.tolist(), ends, strict=True
                    )
                )
            )
        except (LearnableError, IndexError) as error:
            raise Refused(str(error)) from error

    def _agree(self, d: int, dimensions: Dimensions) -> None:
        dimensions.agree(self.side, d)
        if d > _MOST:
            msg = f"it has {d} columns, more than {_MOST}"
            raise Refused(msg)


def _put_words(words: list[str], writer: Writer) -> Any:
    array = np.empty(len(words), object)
    array[:] = words
    return put_text(array, writer)
