"""Small data sets that come with the library, for examples and tests."""

from learnable.datasets.shipped import DataSet, load_iris, load_play_tennis

__all__ = ["DataSet", "load_iris", "load_play_tennis"]
