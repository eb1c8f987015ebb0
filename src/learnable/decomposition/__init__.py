"""Few directions that hold most of what rows are made of."""

from learnable.decomposition.truncated_svd import TruncatedSVD

__all__ = ["TruncatedSVD"]
