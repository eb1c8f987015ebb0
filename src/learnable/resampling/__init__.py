"""Plans of folds: who is learned from and who is asked, the same for all that are compared."""

from learnable.resampling.plan import FoldPlan

__all__ = ["FoldPlan"]
