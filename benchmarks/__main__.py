"""``python -m benchmarks [--smoke] [NAME ...]``: measure, and print a table for each module."""

from __future__ import annotations

import argparse
import pkgutil
from importlib import import_module

import benchmarks
from benchmarks.measure import machine

FRAME = {"measure", "__main__"}


def table(lines: list[dict[str, object]]) -> str:
    names = list(dict.fromkeys(name for line in lines for name in line))
    cells = [names, *[[_text(line.get(name, "")) for name in names] for line in lines]]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return "\n".join(
        "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in cells
    )


def _text(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def main() -> None:
    modules = [m.name for m in pkgutil.iter_modules(benchmarks.__path__) if m.name not in FRAME]
    parser = argparse.ArgumentParser(prog="benchmarks", description=benchmarks.__doc__)
    parser.add_argument("--smoke", action="store_true", help="small data, one run of each")
    parser.add_argument("names", nargs="*", help=f"which ones (default: {' '.join(modules)})")
    options = parser.parse_args()
    for name in options.names or modules:
        print(f"== {name}\n{machine()}")
        module = import_module(f"benchmarks.{name}")
        print(table(module.run(smoke=options.smoke)), flush=True)


if __name__ == "__main__":
    main()
