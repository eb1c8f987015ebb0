"""Columns and rows on a common scale, so that units do not decide what is learned."""

from learnable.preprocessing.min_max import MinMaxScaler
from learnable.preprocessing.normalizer import Normalizer
from learnable.preprocessing.standard import StandardScaler

__all__ = ["MinMaxScaler", "Normalizer", "StandardScaler"]
