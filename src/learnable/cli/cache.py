"""``learnable warmup`` and ``learnable cache``."""

from __future__ import annotations

import sys
import time

from learnable.core import cache_folder, clear_cache, warm_up

MEGABYTE = 1e6


def warmup() -> None:
    """Compile every loop of the library; show on a terminal which one is being compiled."""
    live = sys.stdout.isatty()
    begin = time.perf_counter()

    def show(name: str, seconds: float) -> None:
        if live:
            print(f"\r\x1b[K{seconds:6.2f} s  {name}", end="", flush=True)

    count = warm_up(show)
    end = "\r\x1b[K" if live else ""
    seconds = time.perf_counter() - begin
    print(f"{end}{count} loops are ready after {seconds:.1f} s; they lie in {cache_folder()}.")


def show() -> None:
    """Say where the compiled loops lie and how much they take."""
    folder = cache_folder()
    files = [] if folder is None else list(folder.glob("*/*.loop"))
    size = sum(file.stat().st_size for file in files) / MEGABYTE
    print(f"{len(files)} compiled loops take {size:.1f} MB in {folder}.")


def clear() -> None:
    """Remove the compiled loops."""
    print(f"Cleared {clear_cache() / MEGABYTE:.1f} MB of compiled loops from {cache_folder()}.")
