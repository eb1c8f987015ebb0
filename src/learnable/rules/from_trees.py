"""From the paths of a tree to rules, and rules pruned one by one.

A path is a conjunction; conditions on one column become one. A condition is dropped where the rule
is expected to make no larger share of errors without it, judged by the upper limit of
:mod:`learnable.tree.pessimistic`, the one whose loss helps most first.

Cost: the rows for every condition of every rule, squared in the conditions of a rule.

References
----------
.. [1] J. R. Quinlan: C4.5, Programs for Machine Learning. Morgan Kaufmann 1993, chapter 5.
.. [2] T. M. Mitchell: Machine Learning. McGraw-Hill 1997, section 3.7.1.2.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from learnable.loops.rule_fire import condition_truths
from learnable.rules.flat import rules_of
from learnable.stats.arrays import Floats
from learnable.tree.pessimistic import added_errors
from learnable.tree.structure import Nodes
from learnable.tree.wording import Condition, condition

Conditions = list[Condition]
Drafts = list[tuple[Conditions, int]]


def paths(nodes: Nodes) -> Drafts:
    """Return a rule for every leaf, in the order of the tree; together they hold for every row."""
    found: Drafts = []
    waiting: list[tuple[int, Conditions]] = [(0, [])]
    while waiting:
        node, above = waiting.pop()
        below = nodes.children_of(node).tolist()
        if not below:
            found.append((joined(above), int(nodes.value[node].argmax())))
        waiting += [
            (below[branch], [*above, condition(nodes, node, branch)])
            for branch in range(len(below) - 1, -1, -1)
        ]
    return found


def joined(conditions: Conditions) -> Conditions:
    """Return one condition a column, that holds where all on this column do."""
    one: dict[int, Condition] = {}
    for new in conditions:
        old = one.get(new.column)
        one[new.column] = new if old is None else _both(old, new)
    return list(one.values())


def _both(a: Condition, b: Condition) -> Condition:
    codes = None
    if a.codes is not None and b.codes is not None:
        codes = tuple(code for code in a.codes if code in b.codes)
    return Condition(
        a.column, max(a.low, b.low), min(a.high, b.high), codes, a.missing and b.missing
    )


def same_answers_together(nodes: Nodes) -> Nodes:
    """Return the tree with nodes made leaves whose leaves all answer the same.

    Examples
    --------
    >>> from learnable.rules.from_trees import same_answers_together
    >>> from learnable.tree import DecisionTreeClassifier
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], ["a", "a", "a", "b"]
    >>> nodes = DecisionTreeClassifier(thresholds={"x0": [0.5, 2.5]}).fit(X, y).nodes_
    >>> same_answers_together(nodes).count <= nodes.count
    True
    """
    from learnable.tree.complexity import cut_at

    answer = nodes.value.argmax(axis=1)
    for node in range(nodes.count - 1, -1, -1):
        below = nodes.children_of(node)
        if len(below):
            same = answer[below[0]]
            answer[node] = same if (answer[below] == same).all() else -1
    agreed = (answer >= 0) & (nodes.column >= 0)
    return cut_at(nodes, np.flatnonzero(agreed))


def pruned(drafts: Drafts, X: Floats, codes: Any, weight: Floats, k: int, factor: float) -> Drafts:
    """Return rules with conditions dropped, each once, those of the least expected error first."""
    found: dict[Any, tuple[float, float, Conditions, int]] = {}
    for conditions, answer in drafts:
        kept, share, covered = _without_useless(conditions, answer, X, codes, weight, k, factor)
        key = (tuple(sorted(kept, key=lambda c: c.column)), answer)
        if covered > 0.0:
            found.setdefault(key, (share, -covered, kept, answer))
    order = sorted(found.values(), key=lambda one: one[:2])
    return [(conditions, answer) for _, _, conditions, answer in order]


def _without_useless(
    conditions: Conditions,
    answer: int,
    X: Floats,
    codes: Any,
    weight: Floats,
    k: int,
    factor: float,
) -> tuple[Conditions, float, float]:
    flat = rules_of([(conditions, answer)], np.zeros((1, k))).flat()
    truths = np.empty((len(conditions), len(X)), np.bool_)
    condition_truths(X, flat, truths)
    right = codes == answer

    def judged(places: list[int]) -> tuple[float, float]:
        fires = truths[places].all(axis=0)
        total = float(weight[fires].sum())
        wrong = float(weight[fires & ~right].sum())
        share = (wrong + added_errors(total, wrong, factor)) / total if total > 0.0 else 1.0
        return share, total

    kept = list(range(len(conditions)))
    share, covered = judged(kept)
    while kept:
        trials = [(judged([p for p in kept if p != place]), place) for place in kept]
        (best, total), place = min(trials, key=lambda one: (one[0][0], one[1]))
        if best > share:
            break
        kept.remove(place)
        share, covered = best, total
    return [conditions[p] for p in kept], share, covered
