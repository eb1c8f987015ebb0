"""What comes in: tables with schemas, rows of numbers, blocks on a fixed grid."""

from learnable.data.description import Description, describe
from learnable.data.reading import is_frame, is_sparse, read_rows
from learnable.data.rows import Block, Rows, block_rows
from learnable.data.schema import Column, Schema
from learnable.data.table import Table

__all__ = [
    "Block",
    "Column",
    "Description",
    "Rows",
    "Schema",
    "Table",
    "block_rows",
    "describe",
    "is_frame",
    "is_sparse",
    "read_rows",
]
