"""The commands and their arguments."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import Any

from learnable import __version__
from learnable.core.errors import LearnableError

INTERRUPTED = 130
COMPARE_EXAMPLES = """examples:
  learnable compare answers.csv --truth diagnosis
      A column of right answers and a column of answers for each model: McNemar's test; of
      numbers, a paired t of squared errors (--task regression).
  learnable compare scores.csv
      A row for each data set, a column of scores for each model, perhaps a first column with the
      names of the data sets: Wilcoxon's signed ranks.
  learnable compare folds.csv --rows 569 --folds 10 --repeats 10
      A row for each fold of a cross-validation: the corrected resampled t.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code: 0 done, 1 an error, 2 wrong use, 130 interrupted.

    ``compare`` alone returns 2 for whatever it refuses, so that scripts need to know one code.

    Examples
    --------
    >>> from learnable.cli import main
    >>> main(["--version"])
    learnable 0.1.0.dev0
    0
    """
    parser = _parser()
    try:
        options = parser.parse_args(arguments)
    except SystemExit as end:
        return int(end.code or 0)
    try:
        return int(options.run(options) or 0)
    except (LearnableError, OSError) as error:
        print("learnable:", " ".join(str(error).split()), file=sys.stderr)
        return int(getattr(options, "refused", 1))
    except KeyboardInterrupt:
        print("learnable: interrupted", file=sys.stderr)
        return INTERRUPTED


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="learnable",
        description="What can be learned from your data, by what, and how sure can you be?",
    )
    parser.add_argument("--version", action="version", version=f"learnable {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)

    demo = commands.add_parser(
        "demo",
        help="fit, explain and certify a model on shipped data",
        description="Fit, explain and certify a model on the shipped PlayTennis data.",
    )
    demo.add_argument(
        "--out", default="demo", metavar="DIR", help="folder for the results (default: %(default)s)"
    )
    demo.set_defaults(run=_demo)

    info = commands.add_parser(
        "info",
        help="say what is in a table and what to beware of",
        description="Say what is in a table: kinds, missing, typical and odd values, duplicates, "
        "constant and identifier-like columns, class balance, columns that give the target away.",
    )
    info.add_argument("file", help="CSV, Parquet, JSON lines, ARFF, LIBSVM or Excel")
    info.add_argument("--target", metavar="COLUMN", help="the column to predict")
    info.add_argument("--kinds", metavar="FILE", help="TOML file that states kinds of columns")
    info.add_argument("--toml", action="store_true", help="print the schema as a TOML file instead")
    info.set_defaults(run=_info)

    _add_compare(commands)

    warmup = commands.add_parser(
        "warmup",
        help="compile all loops ahead, so that no fit waits",
        description="Compile all loops ahead and keep them on disk, so that no fit waits.",
    )
    warmup.set_defaults(run=_warmup)

    cache = commands.add_parser(
        "cache",
        help="show or clear the folder of compiled loops",
        description="Show or clear the folder of compiled loops.",
    )
    cache.add_argument("action", choices=["show", "clear"], help="what to do with it")
    cache.set_defaults(run=_cache)
    return parser


def _add_compare(commands: Any) -> None:
    compare = commands.add_parser(
        "compare",
        help="compare models made elsewhere by their answers or scores",
        description="Compare models made elsewhere: choose the test that fits what the table "
        "holds, say why, and print statistic, p, effect, interval, assumptions and one plain "
        "sentence.",
        epilog=COMPARE_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    compare.add_argument("file", help="CSV, Parquet, JSON lines, ARFF or Excel")
    compare.add_argument("--truth", metavar="COLUMN", help="the column of right answers")
    compare.add_argument(
        "--models", nargs="+", metavar="COLUMN", help="the columns to compare (default: the others)"
    )
    compare.add_argument(
        "--task", choices=["classification", "regression"], help="of answers (default: seen)"
    )
    compare.add_argument("--rows", type=int, help="rows that the folds were dealt from")
    compare.add_argument("--folds", type=int, help="folds of a repeat (default: as in the table)")
    compare.add_argument("--repeats", type=int, default=1, help="repeats (default: %(default)s)")
    compare.add_argument("--lower-is-better", action="store_true", help="for losses")
    compare.add_argument(
        "--confidence", type=float, default=0.95, help="for all pairs (default: %(default)s)"
    )
    compare.set_defaults(run=_compare, refused=2)


def _compare(options: argparse.Namespace) -> None:
    from learnable.cli.compare import compare

    given = {key: value for key, value in vars(options).items() if key not in {"run", "refused"}}
    compare(given.pop("file"), **given)


def _demo(options: argparse.Namespace) -> None:
    from learnable.cli.demo import demo

    demo(options.out)


def _info(options: argparse.Namespace) -> None:
    from learnable.data import describe, read

    table = read(options.file, kinds=options.kinds)
    print(table.schema.to_toml() if options.toml else describe(table, options.target))


def _warmup(_: argparse.Namespace) -> None:
    from learnable.cli.cache import warmup

    warmup()


def _cache(options: argparse.Namespace) -> None:
    from learnable.cli import cache

    cache.clear() if options.action == "clear" else cache.show()
