"""A tree as text, in Graphviz's language, and as a picture."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from learnable.core.errors import ParameterError
from learnable.tree.structure import Nodes
from learnable.tree.wording import condition, told


class Labels(NamedTuple):
    """What the texts of a tree are made of."""

    nodes: Nodes
    names: list[str]
    schema: Any
    classes: list[str] | None

    @classmethod
    def of(cls, model: Any, feature_names: Any, class_names: Any) -> Labels:
        """Take the names of a fitted tree, or those that are stated."""
        model._check_fitted()  # noqa: SLF001
        names = model._column_names() if feature_names is None else list(map(str, feature_names))  # noqa: SLF001
        if feature_names is None and "feature_names_in_" not in vars(model):
            names = [f"feature_{j}" for j in range(len(names))]
        if len(names) != model.n_features_in_:
            msg = f"feature_names must contain {model.n_features_in_} elements, got {len(names)}"
            raise ParameterError(msg)
        known = vars(model).get("classes_")
        stated = known if class_names is None or class_names is True else class_names
        classes = None if known is None else list(map(str, stated))
        if known is not None and len(classes or []) != len(known):
            msg = f"class_names must contain {len(known)} elements, got {len(classes or [])}"
            raise ParameterError(msg)
        return cls(model.nodes_, names, model.schema_, classes)

    def asked(self, node: int, branch: int) -> str:
        """Say what a branch asks."""
        return told(condition(self.nodes, node, branch), self.names, self.schema)

    def answer(self, node: int) -> str:
        """Say what a node answers."""
        value = self.nodes.value[node]
        if self.classes is not None:
            return self.classes[int(value.argmax())]
        return ", ".join(f"{number:.6g}" for number in value)


def export_text(
    decision_tree: Any,
    *,
    feature_names: Any = None,
    class_names: Any = None,
    max_depth: int = 10,
    spacing: int = 3,
    decimals: int = 2,
    show_weights: bool = False,
) -> str:
    """Return a tree as text, in the form of scikit-learn's function.

    Parameters
    ----------
    decision_tree : fitted tree
        The model.
    feature_names, class_names : sequence of str, optional
        Other names than those of the model.
    max_depth : int, default=10
        Branches below it are cut short.
    spacing : int, default=3
        Dashes at a level.
    decimals : int, default=2
        Digits of thresholds and values.
    show_weights : bool, default=False
        Show the weight of each class at the leaves.

    Examples
    --------
    >>> from learnable.tree import DecisionTreeClassifier, export_text
    >>> model = DecisionTreeClassifier().fit([[0.0], [1.0]], ["no", "yes"])
    >>> print(export_text(model, feature_names=["rain"]))
    |--- rain <= 0.50
    |   |--- class: no
    |--- rain >  0.50
    |   |--- class: yes
    <BLANKLINE>
    """
    labels = Labels.of(decision_tree, feature_names, class_names)
    nodes, indent, dashes = labels.nodes, "|" + " " * spacing, "|" + "-" * spacing
    lines: list[str] = []
    waiting: list[tuple[int, int, str]] = [(0, 0, "")]
    while waiting:
        node, depth, question = waiting.pop()
        if question:
            lines.append(f"{indent * (depth - 1)}{dashes} {question}")
        below = nodes.children_of(node)
        if not len(below):
            lines.append(f"{indent * depth}{dashes} {_leaf(labels, node, decimals, show_weights)}")
        elif depth > max_depth:
            reach = int(_height(nodes, node))
            lines.append(f"{indent * depth}{dashes} truncated branch of depth {reach}")
        else:
            for branch in range(len(below) - 1, -1, -1):
                asked = _question(labels, node, branch, decimals)
                waiting.append((int(below[branch]), depth + 1, asked))
    return "\n".join(lines) + "\n"


def _question(labels: Labels, node: int, branch: int, decimals: int) -> str:
    nodes = labels.nodes
    if nodes.nominal[node] or branch > 1 or not np.isfinite(nodes.threshold[node]):
        return labels.asked(node, branch)
    sign = ("<=", "> ")[branch]
    return f"{labels.names[nodes.column[node]]} {sign} {nodes.threshold[node]:.{decimals}f}"


def _leaf(labels: Labels, node: int, decimals: int, show_weights: bool) -> str:
    value = labels.nodes.value[node]
    if labels.classes is None:
        return "value: [" + ", ".join(f"{number:.{decimals}f}" for number in value) + "]"
    weights = ""
    if show_weights:
        counts = value * labels.nodes.weight[node]
        weights = "weights: [" + ", ".join(f"{c:.{decimals}f}" for c in counts) + "] "
    return f"{weights}class: {labels.answer(node)}"


def _height(nodes: Nodes, node: int) -> int:
    below = nodes.children_of(node).tolist()
    height = 1
    while below:
        height += 1
        below = [child for parent in below for child in nodes.children_of(parent).tolist()]
    return height


def export_graphviz(
    decision_tree: Any,
    out_file: Any = None,
    *,
    max_depth: int | None = None,
    feature_names: Any = None,
    class_names: Any = None,
    precision: int = 3,
) -> str | None:
    """Return a tree in Graphviz's language, or write it to a file.

    Parameters
    ----------
    decision_tree : fitted tree
        The model.
    out_file : str or file, optional
        Where to write; returned as text by default.
    max_depth : int, optional
        Nodes below are left out.
    feature_names, class_names : sequence of str, optional
        Other names than those of the model.
    precision : int, default=3
        Digits of impurities.

    Examples
    --------
    >>> from learnable.tree import DecisionTreeClassifier, export_graphviz
    >>> model = DecisionTreeClassifier().fit([[0.0], [1.0]], ["no", "yes"])
    >>> export_graphviz(model).splitlines()[0]
    'digraph Tree {'
    """
    labels = Labels.of(decision_tree, feature_names, class_names)
    nodes, depth = labels.nodes, labels.nodes.depth
    most = np.inf if max_depth is None else max_depth
    lines = ["digraph Tree {", 'node [shape=box, fontname="helvetica"] ;']
    for node in np.flatnonzero(depth <= most).tolist():
        text = [
            f"impurity = {nodes.impurity[node]:.{precision}f}",
            f"samples = {nodes.rows[node]}",
            f"{'value' if labels.classes is None else 'class'} = {labels.answer(node)}",
        ]
        lines.append(f'{node} [label="{_escaped(chr(10).join(text))}"] ;')
        if depth[node] < most:
            for branch, child in enumerate(nodes.children_of(node).tolist()):
                asked = _escaped(labels.asked(node, branch))
                lines.append(f'{node} -> {child} [label="{asked}"] ;')
    text = "\n".join([*lines, "}"])
    if out_file is None:
        return text
    if hasattr(out_file, "write"):
        out_file.write(text)
    else:
        with open(out_file, "w", encoding="utf-8") as file:  # noqa: PTH123 (a path or its name)
            file.write(text)
    return None


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def plot_tree(
    decision_tree: Any,
    *,
    max_depth: int | None = None,
    feature_names: Any = None,
    class_names: Any = None,
    ax: Any = None,
    fontsize: float | None = None,
) -> list[Any]:
    """Draw a tree with matplotlib, every leaf in a column of its own.

    Parameters
    ----------
    decision_tree : fitted tree
        The model.
    max_depth : int, optional
        Nodes below are left out.
    feature_names, class_names : sequence of str, optional
        Other names than those of the model.
    ax : matplotlib axes, optional
        Where to draw.
    fontsize : float, optional
        Size of the text; by default as large as the number of leaves allows.

    Returns
    -------
    list of annotations

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> from learnable.tree import DecisionTreeClassifier, plot_tree
    >>> model = DecisionTreeClassifier().fit([[0.0], [1.0]], ["no", "yes"])
    >>> len(plot_tree(model, ax=plt.figure().add_subplot()))
    3
    """
    from matplotlib import pyplot as plt

    labels = Labels.of(decision_tree, feature_names, class_names)
    nodes = labels.nodes
    axes = plt.gca() if ax is None else ax
    shown = nodes.depth <= (np.inf if max_depth is None else max_depth)
    across, depth = _places(nodes, shown), nodes.depth
    size = fontsize or max(min(10.0, 90.0 / max(len(nodes.leaves), 1)), 3.0)
    drawn = []
    for node in np.flatnonzero(shown).tolist():
        place = (across[node], -float(depth[node]))
        inner = len(nodes.children_of(node)) and shown[nodes.children_of(node)].all()
        column = labels.names[nodes.column[node]] if inner else labels.answer(node)
        text = f"{column}\n{nodes.weight[node]:.6g} rows"
        colour = "white" if inner else _colour(labels, node)
        style = {"boxstyle": "round", "facecolor": colour, "edgecolor": "#555555"}
        drawn.append(
            axes.annotate(
                text, place, ha="center", va="center", bbox=style, fontsize=size, zorder=3
            )
        )
        for branch, child in enumerate(nodes.children_of(node).tolist() if inner else []):
            end = (across[child], -float(depth[child]))
            axes.plot(*zip(place, end, strict=True), color="#999999", linewidth=1, zorder=1)
            asked = (
                labels.asked(node, branch).removeprefix(labels.names[nodes.column[node]]).strip()
            )
            middle = ((place[0] + end[0]) / 2, (place[1] + end[1]) / 2)
            axes.annotate(
                asked.removeprefix("= "), middle, ha="center", va="center", fontsize=0.85 * size,
                bbox={"facecolor": "white", "edgecolor": "none", "pad": 1}, zorder=2,
            )  # fmt: skip
    axes.set_axis_off()
    return drawn


def _places(nodes: Nodes, shown: Any) -> Any:
    """Give every last shown node a column; those above stand over the middle of theirs."""
    across, leaf = np.zeros(nodes.count), 0.0
    for node in range(nodes.count):
        below = nodes.children_of(node)
        if shown[node] and not (len(below) and shown[below].all()):
            across[node], leaf = leaf, leaf + 1.0
    for node in range(nodes.count - 1, -1, -1):
        below = nodes.children_of(node)
        if shown[node] and len(below) and shown[below].all():
            across[node] = (across[below[0]] + across[below[-1]]) / 2.0
    return across


_COLOURS = ("#cfe0f3", "#f8dcc4", "#d3ead9", "#f3cfd6", "#e2d6ee", "#ece8c9")


def _colour(labels: Labels, node: int) -> str:
    if labels.classes is None:
        return "#e8e8e8"
    return _COLOURS[int(labels.nodes.value[node].argmax()) % len(_COLOURS)]
