"""Plans of folds: who is learned from and who is asked, the same for all that are compared."""

from learnable.resampling.plan import FoldPlan
from learnable.resampling.rows import length, plan_of, rows_of

__all__ = ["FoldPlan", "length", "plan_of", "rows_of"]
