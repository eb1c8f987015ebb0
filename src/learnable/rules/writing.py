"""The rules that a fitted tree is: text, disjunctive normal form, SQL, Python."""

from __future__ import annotations

from typing import Any

from learnable.core.errors import ParameterError
from learnable.rules.flat import rules_of
from learnable.rules.from_trees import paths, same_answers_together
from learnable.rules.printing import Printer

FORMS = ("text", "dnf", "sql", "python")


def rules_of_tree(tree: Any, form: str = "text", *, answer: Any = None) -> str:
    """Write a fitted tree for classes as rules, one for each leaf; they answer as the tree does.

    Leaves beside each other that answer the same become one, and conditions on one column become
    one.

    Parameters
    ----------
    tree : fitted tree
        The model. A tree of C4.5 answers a row whose cell is missing by all its paths; its rules
        send it the heaviest way.
    form : {"text", "dnf", "sql", "python"}, default="text"
        Lines of text, the condition of one class, a CASE expression, or a function.
    answer : object, optional
        The class whose condition the form "dnf" gives.

    Examples
    --------
    >>> from learnable.datasets import load_play_tennis
    >>> from learnable.rules import rules_of_tree
    >>> from learnable.tree import ID3Classifier
    >>> X, y = load_play_tennis(return_X_y=True, as_frame=True)
    >>> print(rules_of_tree(ID3Classifier().fit(X, y), "dnf", answer="No"))
    ((outlook = Rain or missing) and wind = Strong) or
    (outlook = Sunny and (humidity = High or missing))
    """
    if form not in FORMS:
        msg = f"form must be one of {', '.join(FORMS)}, not {form!r}"
        raise ParameterError(msg)
    tree._check_fitted()  # noqa: SLF001
    nodes = same_answers_together(tree.nodes_)
    leaves = nodes.leaves
    rules = rules_of(paths(nodes), nodes.value[leaves] * nodes.weight[leaves, None])
    printer = Printer(tree._column_names(), tree.schema_, tree.classes_.tolist())  # noqa: SLF001
    default = int(nodes.value[0].argmax())
    if form != "dnf":
        return str(getattr(printer, form)(rules, default))
    labels = tree.classes_.tolist()
    if answer not in labels:
        msg = f'the form "dnf" is that of one class: answer must be one of {labels}'
        raise ParameterError(msg)
    return printer.dnf(rules, labels.index(answer))
