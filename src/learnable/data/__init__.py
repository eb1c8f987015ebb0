"""What comes in: tables with schemas, rows of numbers, blocks on a fixed grid."""

from learnable.core.loaded import is_sparse
from learnable.data.description import Description, describe
from learnable.data.files.arff import read_arff, scan_arff
from learnable.data.files.choosing import read, scan
from learnable.data.files.delimited import read_csv, scan_csv
from learnable.data.files.excel import read_excel
from learnable.data.files.json_lines import read_jsonl, scan_jsonl
from learnable.data.files.libsvm import Sparse, read_libsvm, write_libsvm
from learnable.data.files.parquet import read_parquet, scan_parquet, write_parquet
from learnable.data.files.sql import read_sql, scan_sql
from learnable.data.files.stream import Stream
from learnable.data.files.writing import write_arff, write_csv
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
