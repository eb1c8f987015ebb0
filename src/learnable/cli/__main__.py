"""``python -m learnable.cli``: the command line where the script is not on the path."""

import sys

from learnable.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
