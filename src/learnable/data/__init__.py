"""What comes in: tables with schemas, rows of numbers, blocks on a fixed grid."""

from learnable.core.loaded import is_sparse
from learnable.data.description import Description, describe
from learnable.data.files import (
    Sparse,
    Stream,
    read,
    read_arff,
    read_csv,
    read_excel,
    read_jsonl,
    read_libsvm,
    read_parquet,
    read_sql,
    scan,
    scan_arff,
    scan_csv,
    scan_jsonl,
    scan_parquet,
    scan_sql,
    write_arff,
    write_csv,
    write_libsvm,
    write_parquet,
)
from learnable.data.reading import is_frame, read_rows
from learnable.data.rows import Block, Rows, block_rows
from learnable.data.schema import Column, Schema
from learnable.data.table import Table

__all__ = [
    "Block",
    "Column",
    "Description",
    "Rows",
    "Schema",
    "Sparse",
    "Stream",
    "Table",
    "block_rows",
    "describe",
    "is_frame",
    "is_sparse",
    "read",
    "read_arff",
    "read_csv",
    "read_excel",
    "read_jsonl",
    "read_libsvm",
    "read_parquet",
    "read_rows",
    "read_sql",
    "scan",
    "scan_arff",
    "scan_csv",
    "scan_jsonl",
    "scan_parquet",
    "scan_sql",
    "write_arff",
    "write_csv",
    "write_libsvm",
    "write_parquet",
]
