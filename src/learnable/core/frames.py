"""Data frames out: whichever library is installed makes them."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

from learnable.core.errors import MissingDependencyError


def as_frame(columns: dict[str, Any]) -> Any:
    """Return the columns as a pandas, polars or pyarrow table, the first that is installed.

    Examples
    --------
    >>> from learnable.core.frames import as_frame
    >>> as_frame({"a": [1, 2]}).shape
    (2, 1)
    """
    if find_spec("pandas"):
        import pandas as pd

        return pd.DataFrame(columns)
    if find_spec("polars"):
        import polars as pl

        return pl.DataFrame(columns, strict=False)
    if find_spec("pyarrow"):
        import pyarrow as pa

        return pa.table(columns)
    msg = 'a data frame needs pandas, polars or pyarrow: pip install "learnable[study]"'
    raise MissingDependencyError(msg)
