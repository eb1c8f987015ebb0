"""What all tests share: data from outside the repository, Hypothesis' profile, the loop cache."""

from __future__ import annotations

import csv
import gzip
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import hypothesis
import numpy as np
import pytest

DATA = "LEARNABLE_TEST_DATA"

# scikit-learn's checks of the array API want this set before SciPy is imported.
os.environ.setdefault("SCIPY_ARRAY_API", "1")

# All workers of a run share one cache, and no run writes into the home folder.
os.environ.setdefault("LEARNABLE_CACHE", str(Path(__file__).parents[1] / ".cache" / "loops"))

# "steady" draws the same examples every time; HYPOTHESIS_PROFILE=search looks for new ones.
hypothesis.settings.register_profile("steady", derandomize=True, deadline=None, database=None)
hypothesis.settings.register_profile("search", deadline=None, print_blob=True)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))


@dataclass(frozen=True)
class DataSet:
    """A data set of the test data: raw columns, and the numeric ones as a matrix."""

    folder: Path
    schema: dict[str, Any]
    table: dict[str, np.ndarray]  # every column as text

    @property
    def columns(self) -> list[str]:
        """Names of the numeric features, the columns of X."""
        wanted = {"kind": "numeric", "role": "feature"}
        return [c["name"] for c in self.schema["columns"] if wanted.items() <= c.items()]

    @property
    def X(self) -> np.ndarray:  # noqa: N802
        """The numeric features, rows by columns; a missing cell is NaN."""
        if not self.columns:
            return np.empty((len(next(iter(self.table.values()))), 0))
        return np.column_stack([self._numbers(name) for name in self.columns])

    @property
    def y(self) -> np.ndarray:
        """The target: floats when it is numeric, otherwise text."""
        target = self.schema["target"]
        kind = next(c["kind"] for c in self.schema["columns"] if c["name"] == target)
        return self._numbers(target) if kind == "numeric" else self.table[target]

    def _numbers(self, name: str) -> np.ndarray:
        cells = self.table[name]
        return np.where(cells == self.schema["missing"], "nan", cells).astype(np.float64)


def read_data(folder: Path) -> DataSet:
    schema = json.loads((folder / "schema.json").read_text())
    file = folder / schema["file"]
    with gzip.open(file, "rt") if file.suffix == ".gz" else file.open() as lines:
        header, *rows = csv.reader(lines)
    return DataSet(folder, schema, dict(zip(header, np.array(rows).T, strict=True)))


@pytest.fixture(scope="session")
def needs_data():
    """Read a data set by name: the only way for a test to be left out."""

    def read(name: str) -> DataSet:
        if not os.environ.get(DATA):
            pytest.skip(f"{DATA} is not set")
        return read_data(Path(os.environ[DATA]) / name)

    return read


def refuse_other_skips(report):
    """Let no test be left out for any other reason."""
    if report.skipped and not hasattr(report, "wasxfail") and DATA not in str(report.longrepr):
        report.outcome = "failed"
        report.longrepr = f"only needs_data may leave a test out: {report.longrepr}"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport():
    return refuse_other_skips((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report():
    return refuse_other_skips((yield))


def pytest_terminal_summary(terminalreporter):
    skipped = terminalreporter.stats.get("skipped", [])
    left_out = sorted(report.nodeid for report in skipped if DATA in str(report.longrepr))
    if left_out:
        terminalreporter.section("left out")
        terminalreporter.line(f"Left out without {DATA} (tests: {len(left_out)}):")
        for name in left_out:
            terminalreporter.line(f"  {name}")
        terminalreporter.line("")
