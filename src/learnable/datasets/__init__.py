"""Small real data sets that come with the library."""

from learnable.datasets.shipped import (
    DataSet,
    load_iris,
    load_penguins,
    load_play_tennis,
    path_of,
)

__all__ = ["DataSet", "load_iris", "load_penguins", "load_play_tennis", "path_of"]
