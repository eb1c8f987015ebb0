"""The classification report: precision, recall, F1 and support of every class, and averages.

References
----------
.. [1] M. Sokolova, G. Lapalme: A systematic analysis of performance measures for classification
   tasks. Information Processing and Management 45, 2009.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from learnable.core.errors import ParameterError
from learnable.core.warning import warn
from learnable.metrics.answers import Answers, Indicators, answers
from learnable.metrics.tallies import judge

_HEAD = ("precision", "recall", "f1-score", "support")
_RATES = ("precision", "recall", "f-score")


def classification_report(
    y_true: Any,
    y_pred: Any,
    *,
    labels: Any = None,
    target_names: Any = None,
    sample_weight: Any = None,
    digits: int = 2,
    output_dict: bool = False,
    zero_division: Any = "warn",
) -> Any:
    """Return a table of the main rates as text, or as a dict.

    Parameters
    ----------
    y_true, y_pred : array (n,) or (n, labels)
        Right and predicted answers.
    labels : sequence, optional
        Which classes, in which order.
    target_names : sequence of str, optional
        What to call them.
    sample_weight : array (n,), optional
        Weight of each row.
    digits : int, default=2
        Decimals in the text.
    output_dict : bool, default=False
        A dict of dicts instead of text.
    zero_division : {"warn", 0, 1, nan}
        Stands for an undefined rate; ``"warn"`` warns and takes 0.

    Returns
    -------
    str or dict

    Examples
    --------
    >>> from learnable.metrics import classification_report
    >>> print(classification_report(["a", "b", "b"], ["b", "b", "b"], zero_division=0))
                  precision    recall  f1-score   support
    <BLANKLINE>
               a       0.00      0.00      0.00         1
               b       0.67      1.00      0.80         2
    <BLANKLINE>
        accuracy                           0.67         3
       macro avg       0.33      0.50      0.40         3
    weighted avg       0.44      0.67      0.53         3
    <BLANKLINE>
    """
    found = answers(y_true, y_pred, sample_weight)
    asked, whole = _labels(found, labels)
    names = _names(asked, labels, target_names)
    lines = _lines(found, asked, names, whole, zero_division)
    if output_dict:
        return {
            name: row[0] if name == "accuracy" else dict(zip(_HEAD, row, strict=True))
            for name, row in lines.items()
        }
    return _text(lines, names, digits, found.whole)


def _labels(found: Answers | Indicators, labels: Any) -> tuple[list[Any], bool]:
    """Return the labels asked for, and whether the micro average is the accuracy."""
    if isinstance(found, Indicators):
        every = list(range(found.actual.shape[1]))
        return (every if labels is None else np.asarray(labels).tolist()), False
    if labels is None:
        return found.classes.tolist(), True
    given = np.asarray(labels).tolist()
    return given, set(given) >= set(found.classes.tolist())


def _names(asked: list[Any], labels: Any, target_names: Any) -> list[str]:
    if target_names is None:
        return [str(label) for label in asked]
    if len(target_names) != len(asked):
        msg = f"there are {len(asked)} classes and {len(target_names)} target_names"
        if labels is None:
            raise ParameterError(msg + "; try the labels parameter")
        warn(msg)
    return [str(name) for name in target_names]


def _lines(
    found: Answers | Indicators, asked: list[Any], names: list[str], whole: bool, fill: Any
) -> dict[str, list[float]]:
    each = judge(found, asked, None, None)
    columns = [each.value(rate, fill) for rate in _RATES]
    support = each.tallies.actual
    lines = {
        name: [*(float(column[i]) for column in columns), float(support[i])]
        for i, name in enumerate(names[: len(asked)])
    }
    averages = ["micro", "macro", "weighted"]
    if isinstance(found, Indicators):
        averages.append("samples")
    for average in averages:
        one = judge(found, asked, None, average)
        head = "accuracy" if whole and average == "micro" else f"{average} avg"
        lines[head] = [*(one.value(rate, fill) for rate in _RATES), float(support.sum())]
    return lines


def _text(lines: dict[str, list[float]], names: list[str], digits: int, whole: bool) -> str:
    width = max(len("weighted avg"), digits, *map(len, names)) if names else len("weighted avg")
    head = f"{'':>{width}} " + "".join(f" {title:>9}" for title in _HEAD)
    made = [head, ""]
    for i, (name, row) in enumerate(lines.items()):
        if i == len(names):
            made.append("")
        support = f"{row[3]:.0f}" if whole else str(row[3])
        cells = [f"{value:.{digits}f}" for value in row[:3]]
        if name == "accuracy":
            cells[:2] = ["", ""]
        made.append(f"{name:>{width}} " + "".join(f" {c:>9}" for c in [*cells, support]))
    return "\n".join([*made, ""])
