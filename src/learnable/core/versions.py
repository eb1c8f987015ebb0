"""What is installed and where it runs: the first thing a report of a problem needs."""

from __future__ import annotations

import platform
import sys

from learnable.core.compiler import cache_folder
from learnable.core.pool import thread_count

LIBRARIES = (
    "learnable", "numpy", "scipy", "numba", "llvmlite", "scikit-learn", "narwhals", "threadpoolctl",
    "pyarrow", "pandas", "polars", "matplotlib", "dask",
)  # fmt: skip


def versions() -> dict[str, str]:
    """Return the versions of Python, the system and the libraries that are installed.

    Examples
    --------
    >>> from learnable.core.versions import versions
    >>> "numba" in versions()
    True
    """
    from importlib.metadata import PackageNotFoundError, version

    found = {"python": platform.python_version(), "system": platform.platform()}
    for name in LIBRARIES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    found["threads"] = str(thread_count())
    found["compiled loops"] = str(cache_folder())
    return found


def show_versions() -> None:
    """Print the versions of everything that matters, a line each.

    Examples
    --------
    >>> import learnable
    >>> learnable.show_versions()
    python...
    """
    known = versions()
    width = max(map(len, known))
    sys.stdout.write("".join(f"{name:<{width}}  {told}\n" for name, told in known.items()))
