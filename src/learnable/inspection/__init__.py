"""Any fitted model from outside: which columns matter, and how answers depend on them."""

from learnable.inspection.dependence import Dependence, partial_dependence
from learnable.inspection.importance import Importances, permutation_importance

__all__ = ["Dependence", "Importances", "partial_dependence", "permutation_importance"]
