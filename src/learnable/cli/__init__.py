"""The command line: ``learnable``.

Each command imports what it needs when it runs, so that ``learnable --help`` answers at once.
"""

from learnable.cli.main import main

__all__ = ["main"]
