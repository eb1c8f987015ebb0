"""Naive Bayes: the columns independent of each other within each class."""

from learnable.naive_bayes.categorical import CategoricalNB
from learnable.naive_bayes.gaussian import GaussianNB

__all__ = ["CategoricalNB", "GaussianNB"]
