"""Reading a large CSV of numbers and folding it into moments, against pyarrow's reader alone.

``LEARNABLE_CSV_BYTES`` is the size of the file (200 MB by default). Memory is that of a process of
its own which does nothing else; the schema is found by a first pass, or stated.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.measure import seconds
from learnable.core import fold
from learnable.data import Column, Schema, Table, read_csv, scan_csv
from learnable.stats import Moments

COLUMNS, PART = 20, 20_000
SMALL = b"size,wind,day\n" + b"1.5,Weak,2026-01-31\n-2.25,Strong,\n" * 100
ALONE = "from benchmarks.reading import folded; folded({!r}, stated={})"


def written(path: Path, size: int) -> None:
    """Write a file of normal numbers of about that size."""
    random = np.random.default_rng(0)
    with path.open("w") as file:
        file.write(",".join(f"x{j}" for j in range(COLUMNS)) + "\n")
        while file.tell() < size:
            rows = random.normal(size=(PART, COLUMNS)).tolist()
            file.writelines(",".join(map(repr, row)) + "\n" for row in rows)


def moments(table: Table) -> Moments:
    return Moments.of(table.numbers().blocks()[0].array())


def folded(path: str | Path, *, stated: bool) -> Moments:
    columns = tuple(Column(f"x{j}", "numeric") for j in range(COLUMNS))
    return fold(moments, Moments.merge, scan_csv(path, Schema(columns) if stated else None))


def read_alone(path: Path) -> int:
    """Read with pyarrow in one thread and forget: what reading costs at least."""
    from pyarrow import csv

    options = csv.ReadOptions(use_threads=False)
    with csv.open_csv(path, read_options=options) as batches:
        return sum(batch.num_rows for batch in batches)


def most_memory(code: str) -> int:
    """Bytes that a new process held at most while it ran some code."""
    told = f"{code}\nprint(open('/proc/self/status').read().split('VmHWM:')[1].split()[0])"
    made = subprocess.run([sys.executable, "-c", told], check=True, capture_output=True, text=True)
    return int(made.stdout.split()[-1]) * 1024


def run(smoke: bool) -> list[dict[str, Any]]:
    size = 2_000_000 if smoke else int(os.environ.get("LEARNABLE_CSV_BYTES", "200_000_000"))
    lines = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "numbers.csv"
        written(path, size)
        for stated in (True, False):
            ours = partial(folded, path, stated=stated)
            ours()
            times = [(seconds(ours), seconds(partial(read_alone, path))) for _ in range(3)]
            ours_s, peer_s = (min(column) for column in zip(*times, strict=True))
            lines.append(
                {
                    "name": f"moments of a CSV, schema {'stated' if stated else 'found'}",
                    "bytes": path.stat().st_size,
                    "ours_s": ours_s,
                    "peer": "pyarrow.csv.open_csv, one thread, reading alone",
                    "peer_s": peer_s,
                    "ratio": peer_s / ours_s,
                    "memory": most_memory(ALONE.format(str(path), stated)),
                }
            )
    read_csv(SMALL)
    small = min(seconds(partial(read_csv, SMALL)) for _ in range(5))
    return [*lines, {"name": "read_csv of 201 rows", "bytes": len(SMALL), "ours_s": small}]
