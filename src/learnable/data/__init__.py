"""Tables of numbers as blocks of rows on a fixed grid."""

from learnable.data.reading import is_frame, is_sparse, read_rows
from learnable.data.rows import Block, Rows, block_rows

__all__ = ["Block", "Rows", "block_rows", "is_frame", "is_sparse", "read_rows"]
