"""``learnable predict``, ``explain``, ``certify`` and ``check``: a saved model and a file."""

from __future__ import annotations

import argparse
import csv
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

ANSWERING = {
    "predict": "answer the rows of a file with a saved model",
    "explain": "say why a saved model answers a row as it does",
    "certify": "say what can be promised about a saved model on rows it never saw",
    "check": "say whether the rows of a file are like those a model learned from",
}


def add_answering_arguments(parser: argparse.ArgumentParser, name: str) -> None:
    """State the arguments of one of the commands."""
    parser.add_argument("model", help="a model file")
    parser.add_argument("file", help="CSV, Parquet, JSON lines, ARFF, LIBSVM or Excel")
    if name == "predict":
        parser.add_argument("--id", default="", metavar="COL", help="kept beside the answers")
        parser.add_argument("--out", metavar="FILE", help="CSV to write (default: print it)")
    if name == "explain":
        parser.add_argument("--row", type=int, default=1, metavar="N", help="which row, from 1")
    if name == "certify":
        parser.add_argument("--target", required=True, metavar="COL", help="the true answers")
        parser.add_argument("--confidence", type=float, default=0.95, metavar="P")


def predict(options: argparse.Namespace) -> None:
    """Write the answers as CSV: an id, the answer, the chance of each class."""
    from learnable.data import read
    from learnable.estimator import load
    from learnable.studies.answering import answered, rows_for

    model, table = load(options.model), read(options.file)
    found = answered(model, rows_for(model, table))
    head = [options.id or "row", "answer", *(f"chance of {label}" for label in found.classes)]
    ids = table.labels(options.id).tolist() if options.id else range(1, len(table) + 1)
    chances: Any = [[]] * len(table) if found.chances is None else found.chances.tolist()
    lines = [
        [name, answer, *(f"{chance:.6g}" for chance in each)]
        for name, answer, each in zip(ids, found.answers.tolist(), chances, strict=True)
    ]
    if options.out is None:
        csv.writer(sys.stdout, lineterminator="\n").writerows([head, *lines])
        return
    with Path(options.out).open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([head, *lines])
    print(f"{len(lines):,} answers lie in {options.out}.")


def explain(options: argparse.Namespace) -> None:
    """Print the reasons for the answer to one row."""
    from learnable.core.errors import ParameterError
    from learnable.estimator import explain as why
    from learnable.estimator import load
    from learnable.studies.answering import rows_for

    model = load(options.model)
    rows = rows_for(model, options.file)
    if not 1 <= options.row <= len(rows):
        msg = f"there are rows 1 to {len(rows)}, no row {options.row}"
        raise ParameterError(msg)
    print(why(model, rows[options.row - 1 : options.row])[0])


def certify(options: argparse.Namespace) -> None:
    """Print what can be promised."""
    import numpy as np

    from learnable.data import read
    from learnable.estimator import certify as promise
    from learnable.estimator import load
    from learnable.studies.answering import rows_for

    model, table = load(options.model), read(options.file)
    known = table.take(np.flatnonzero(~table.missing(options.target)))
    truth = known.labels(options.target)
    labels = getattr(model, "classes_", None)
    if labels is not None and np.asarray(labels).dtype.kind in "UO" and truth.dtype.kind == "f":
        truth = np.array([f"{value:g}" for value in truth.tolist()])
    print(promise(model, rows_for(model, known), truth, confidence=options.confidence))


def check(options: argparse.Namespace) -> None:
    """Print how the columns of a file differ from those that a study learned from."""
    from learnable.core.errors import ParameterError
    from learnable.data import read
    from learnable.studies.drift import drift

    beside = Path(options.model).with_name("results.json")
    if not beside.exists():
        msg = f"{beside} is not there: it says what the rows were like that were learned from"
        raise ParameterError(msg)
    found, table = json.loads(beside.read_text(encoding="utf-8")), read(options.file)
    asked = [name for name in table.columns if name != found["target"]]
    print(drift(found["summaries"], table.only(asked)))


RUNS: dict[str, Callable[[argparse.Namespace], None]] = {
    "predict": predict,
    "explain": explain,
    "certify": certify,
    "check": check,
}
