"""``learnable study``: from a file to a verdict."""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import Any

from learnable.core.errors import ParameterError

BUDGET_ENDED = 3
INTERRUPTED = 130
STUDY_EXAMPLES = """examples:
  learnable study penguins.csv --target species
  learnable study visits.csv --target ill --group patient --budget 5m --out visits-study
  learnable study adult.csv --target class --positive ">50K" --test adult-test.csv
  learnable study sales.csv --target amount --order date --dry-run
  learnable study sales.csv --out sales-study --resume

The folder holds report.html, report.md, results.json, model.learnable, card.md, plan.toml and
predict.py. Exit codes: 0 done, 2 the data or the options cannot be used, 3 the time was up before
the plan was (a report is written; --resume goes on), 130 interrupted (a report is written).
"""
_UNITS = {"": 1.0, "s": 1.0, "m": 60.0, "h": 3600.0}
_COLUMNS = ("positive", "group", "order", "weights", "id")
_OPTIONS = ("metric", "confidence", "margin", "seed")


def add_study_arguments(parser: argparse.ArgumentParser) -> None:
    """State the arguments of ``learnable study``."""
    parser.add_argument("file", help="CSV, Parquet, JSON lines, ARFF, LIBSVM or Excel")
    parser.add_argument("--target", default="", metavar="COL", help="the column to predict")
    parser.add_argument("--out", metavar="DIR", help="folder for all results (default: NAME-study)")
    parser.add_argument("--budget", default="2m", metavar="TIME",
                        help="time to plan for, such as 90s, 2m, 1h; 0 for no limit")  # fmt: skip
    parser.add_argument("--confidence", type=float, default=0.95, metavar="P",
                        help="of intervals and verdicts (default: %(default)s)")  # fmt: skip
    parser.add_argument("--margin", type=float, default=0.01, metavar="X",
                        help="a difference in score that does not matter")  # fmt: skip
    parser.add_argument("--learners", default="", metavar="NAMES", help="who takes part, a,b,c")
    parser.add_argument("--metric", default="", metavar="NAME", help="a scorer, such as roc_auc")
    parser.add_argument("--task", default="", choices=["", "classification", "regression"],
                        help="what is asked, where it is not plain")  # fmt: skip
    parser.add_argument("--positive", default="", metavar="LABEL", help="the class that matters")
    parser.add_argument("--group", default="", metavar="COL", help="rows that belong together")
    parser.add_argument("--order", default="", metavar="COL", help="time: the past is learned from")
    parser.add_argument("--id", default="", metavar="COL", help="a column that names the rows")
    parser.add_argument("--drop", default="", metavar="COL,...", help="columns to leave out")
    parser.add_argument("--weights", default="", metavar="COL", help="weights of the rows")
    parser.add_argument("--test", metavar="FILE", help="rows to certify on")
    parser.add_argument("--cost", default="", metavar="FILE", help="CSV of what answers cost")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="what draws begin with")
    parser.add_argument("--plan", metavar="FILE", help="a plan.toml to follow")
    parser.add_argument("--dry-run", action="store_true", help="write the plan and stop")
    parser.add_argument("--resume", action="store_true", help="go on where a run was cut off")
    parser.add_argument("--quiet", action="store_true", help="no lines on how far it is")


def run_study(options: argparse.Namespace) -> int:
    """Run a study and return its exit code."""
    from learnable.cli.live import Live

    live = Live(quiet=options.quiet)
    live.say(f"studying {options.file}")
    from learnable.report.studying import names, study
    from learnable.studies import Options, Wishes, planned

    folder = Path(options.out or f"{Path(options.file).name.split('.')[0]}-study")
    columns = {name: getattr(options, name) for name in _COLUMNS}
    shared = {name: getattr(options, name) for name in _OPTIONS}
    shared |= {"budget": seconds(options.budget), "costs": options.cost}
    if options.dry_run:
        columns["ids"] = columns.pop("id")
        wishes = Wishes(options.target, drop=names(options.drop), task=options.task, **columns)
        wanted = Options(learners=names(options.learners), **shared)
        _print_plan(*planned(options.file, wishes, wanted, options.test), folder)
        return 0
    found = study(
        options.file, options.target, test=options.test, out=folder, plan=options.plan,
        resume=options.resume, drop=options.drop, task=options.task, learners=options.learners,
        watch=live, **columns, **shared,
    )  # fmt: skip
    live.close()
    print(found.text)
    print(f"\nThe report lies in {folder / 'report.html'}; the model and all else are beside it.")
    return {"complete": 0, "budget": BUDGET_ENDED, "interrupted": INTERRUPTED}[found.ended]


def _print_plan(plan: Any, problem: Any, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "plan.toml"
    path.write_text(plan.to_toml(), encoding="utf-8")
    print("\n".join(plan.lines()))
    for finding in problem.findings:
        print(f"  - {finding.text}. {finding.remedy}".rstrip())
    print(f"The plan lies in {path}; nothing was learned.")


def seconds(text: str) -> float:
    """Return a time in seconds: ``90``, ``90s``, ``2m`` or ``1.5h``.

    Examples
    --------
    >>> from learnable.cli.study import seconds
    >>> seconds("2m"), seconds("0")
    (120.0, 0.0)
    """
    found = re.fullmatch(r"(\d+(?:\.\d+)?)([smh]?)", text.strip())
    if found is None:
        msg = f"a time looks like 90s, 2m or 1h, not {text!r}"
        raise ParameterError(msg)
    return float(found[1]) * _UNITS[found[2]]
