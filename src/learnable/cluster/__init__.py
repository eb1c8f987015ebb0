"""Clusters: groups of rows found without labels."""

from learnable.cluster.kmeans import KMeans

__all__ = ["KMeans"]
