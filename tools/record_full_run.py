"""Run the simulations and write down what came out: ``record_full_run.py PAGE``.

Each test marked ``full`` gives its figures with ``record_property(name, value)``; they are printed
here beside its outcome, with the date and the versions they were measured with.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from xml.etree import ElementTree as ET

LIBRARIES = ("numpy", "scipy", "numba", "scikit-learn")
OUTCOMES = ("failure", "error", "skipped")


def run(record: Path) -> int:
    """Run the simulations, one after the other, and leave pytest's record in a file."""
    command = [sys.executable, "-m", "pytest", "-m", "full", f"--junitxml={record}"]
    return subprocess.run(command, check=False).returncode


def row(case: ET.Element) -> str:
    """Put one test into one line of the table."""
    outcome = next((tag for tag in OUTCOMES if case.find(tag) is not None), "passed")
    figures = [f"{p.get('name')}: {p.get('value')}" for p in case.iter("property")]
    name = f"`{case.get('classname')}.{case.get('name')}`"
    seconds = float(case.get("time", 0))
    return f"| {name} | {outcome} | {seconds:.1f} | {'; '.join(figures)} |"


def page(record: Path) -> str:
    """Write the page from pytest's record."""
    cases = list(ET.parse(record).iter("testcase"))  # noqa: S314
    versions = ", ".join(f"{name} {version(name)}" for name in LIBRARIES)
    lines = [
        "# The last full run",
        "",
        "Simulations take too long to run at every change. `make full` runs them and writes this",
        "page; it is committed before a release.",
        "",
        f"Run on {datetime.now(UTC):%Y-%m-%d %H:%M} UTC, Python {platform.python_version()},",
        f"{versions}, {platform.machine()}, {os.cpu_count()} cores.",
        "",
        "| simulation | outcome | seconds | figures |",
        "|---|---|---|---|",
        *map(row, cases),
    ]
    return "\n".join(lines) + "\n"


def main(target: str) -> int:
    """Run, write the page, and hand on pytest's exit code."""
    with tempfile.TemporaryDirectory() as folder:
        record = Path(folder) / "record.xml"
        code = run(record)
        Path(target).write_text(page(record), encoding="utf-8")
    print(f"The result lies in {target}")
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
