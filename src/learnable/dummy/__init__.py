"""Models that look at the answers alone: what any real model has to beat."""

from learnable.dummy.classifier import DummyClassifier
from learnable.dummy.regressor import DummyRegressor

__all__ = ["DummyClassifier", "DummyRegressor"]
