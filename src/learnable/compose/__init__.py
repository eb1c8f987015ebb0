"""Tables made ready for learners of numbers, and transformers side by side."""

from learnable.compose.column_transformer import ColumnTransformer
from learnable.compose.table_prep import TablePrep

__all__ = ["ColumnTransformer", "TablePrep"]
