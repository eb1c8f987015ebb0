"""The commands and their arguments."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import Any

from learnable import __version__
from learnable.cli.answering import ANSWERING, RUNS, add_answering_arguments
from learnable.cli.study import STUDY_EXAMPLES, add_study_arguments, run_study
from learnable.core.errors import LearnableError

REFUSED = 2
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
    """Run one command and return its exit code: 0 done, 2 wrong use or data, 130 interrupted.

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
        return REFUSED
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
        help="study shipped data: compare, choose, certify, report",
        description="Study the shipped penguins: compare learners, choose, certify, report.",
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

    _add_study(commands)
    _add_answering(commands)
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


def _add_study(commands: Any) -> None:
    study = commands.add_parser(
        "study",
        help="from a file to a verdict: compare, choose, certify, report",
        description="Read a table, compare what can learn from it, choose, certify, and report.",
        epilog=STUDY_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_study_arguments(study)
    study.set_defaults(run=run_study)


def _add_answering(commands: Any) -> None:
    for name, told in ANSWERING.items():
        parser = commands.add_parser(name, help=told, description=told[:1].upper() + told[1:] + ".")
        add_answering_arguments(parser, name)
        parser.set_defaults(run=RUNS[name])


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
    compare.set_defaults(run=_compare)


def _compare(options: argparse.Namespace) -> None:
    from learnable.cli.compare import compare

    given = {key: value for key, value in vars(options).items() if key != "run"}
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
