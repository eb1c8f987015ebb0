"""What the repository promises around the code: documented commands run, pages stay offline."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tools.check_offline import outside_references
from tools.check_packages import complaints, shipped

ROOT = Path(__file__).parents[1]


def documented_commands(page):
    blocks = re.findall(r"```console\n(.*?)```", (ROOT / page).read_text(), re.DOTALL)
    return re.findall(r"^\$ (.+)$", "\n".join(blocks), re.MULTILINE)


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "docs/index.md"])
def test_every_documented_command_is_run_at_every_change(page):
    steps = re.findall(r"^step (.+)$", (ROOT / ".ci" / "run").read_text(), re.MULTILINE)
    commands = documented_commands(page)
    assert commands
    assert set(commands) <= set(steps)


FETCHES = [
    '<script src="https://a.example/x.js"></script>',
    '<link rel="stylesheet" href="//a.example/x.css">',
    '<link rel="preload canonical" href="https://a.example/x.css">',
    '<img alt="" srcset="x.png 1x, https://a.example/x.png 2x">',
    '<p style="background: url(https://a.example/x.png)">',
    '<style>@import "https://a.example/x.css";</style>',
    "<script>import('https://a.example/x.js')</script>",
]
FREE = [
    '<a href="https://a.example/">a link</a>',
    '<link rel="canonical" href="https://a.example/">',
    '<script src="_static/x.js"></script>',
    "<p>import 'https://a.example/x.js'</p>",
]


@pytest.mark.parametrize("text", FETCHES)
def test_a_page_that_fetches_from_elsewhere_is_found(text, tmp_path):
    page = tmp_path / "page.html"
    page.write_text(f"<html><body>{text}</body></html>")
    assert len(outside_references(page)) == 1


@pytest.mark.parametrize("text", FREE)
def test_a_page_that_only_links_is_free(text, tmp_path):
    page = tmp_path / "page.html"
    page.write_text(f"<html><body>{text}</body></html>")
    assert outside_references(page) == []


def test_a_package_that_lacks_a_file_or_holds_junk_is_found():
    whole = shipped() | {"LICENSE"}
    package = Path("learnable.whl")
    assert complaints(package, whole) == []
    assert complaints(package, whole - {"learnable/py.typed"})
    assert complaints(package, whole - {"LICENSE"})
    assert complaints(package, whole | {"learnable/__pycache__/x.pyc"})


HEAVY = {"dask", "distributed", "matplotlib", "numba", "pandas", "polars", "pyarrow", "rich"}
HEAVY |= {"scipy.stats", "sklearn"}


def loaded_by(code):
    """Modules in a fresh interpreter after it ran ``code``."""
    script = f"{code}\nimport sys\nprint(*sys.modules)"
    command = [sys.executable, "-c", script]
    return set(subprocess.run(command, check=True, capture_output=True, text=True).stdout.split())


def test_importing_the_library_loads_nothing_heavy():
    assert loaded_by("import learnable") & HEAVY == set()


@pytest.mark.alone
def test_importing_the_library_takes_a_moment():
    timed = "from time import perf_counter as now; t = now(); import learnable; print(now() - t)"
    command = [sys.executable, "-c", timed]
    runs = [subprocess.run(command, check=True, capture_output=True) for _ in range(5)]
    assert min(float(run.stdout) for run in runs) < 0.15


def test_data_from_outside_the_repository_are_read(needs_data):
    iris = needs_data("iris")
    assert iris.columns == ["sepallength", "sepalwidth", "petallength", "petalwidth"]
    assert iris.X.shape == (150, 4)
    assert iris.X[0].tolist() == [5.1, 3.5, 1.4, 0.2]
    assert iris.y[0] == "Iris-setosa"


def test_missing_cells_numeric_targets_and_packed_files_are_read(needs_data):
    cars = needs_data("auto-mpg")
    assert np.isnan(cars.X[:, cars.columns.index("horsepower")]).sum() == 6
    assert cars.y[0] == 18.0
    assert needs_data("adult").X.shape == (48842, 6)
