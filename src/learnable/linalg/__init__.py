"""Linear algebra that families share: rank decisions, and solutions finished in doubled digits."""

from learnable.linalg.doubled import Doubled, doubled_solution, refined
from learnable.linalg.rank import Ranked, ranked

__all__ = ["Doubled", "Ranked", "doubled_solution", "ranked", "refined"]
