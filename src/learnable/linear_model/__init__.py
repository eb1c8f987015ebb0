"""Linear models: sums of columns times coefficients, and how sure they are."""

from learnable.linear_model.regression import LinearRegression

__all__ = ["LinearRegression"]
