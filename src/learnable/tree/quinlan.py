"""Growing as C4.5 does: rows of missing cells are divided among the branches by weight.

A node holds rows with weights. Each column is scored on its known cells; the gain counts for the
share of known cells, and pays for the number of thresholds that were tried (release 8). The column
of the best gain ratio among those of at least average gain divides the node, every value of a
nominal column has a branch, and a row whose cell is missing goes into all branches with weights in
proportion to theirs.

Cost: the rows of every node times the columns, with a sort of the values at every node.

References
----------
.. [1] J. R. Quinlan: C4.5, Programs for Machine Learning. Morgan Kaufmann 1993.
.. [2] J. R. Quinlan: Improved use of continuous attributes in C4.5. JAIR 4, 1996.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from learnable.loops.tree_groups import search_coded
from learnable.loops.tree_search import KNOWN, ORDERED, Found, SearchRules, State
from learnable.stats.arrays import NO_WEIGHTS, Floats, frozen
from learnable.tree.columns import Columns
from learnable.tree.criteria import Entropy
from learnable.tree.pessimistic import expected_errors
from learnable.tree.selection import split_information

_SMALL, _NEAR, _MANY = 1e-6, 1e-3, 0.3
_CEILING, _SHARE = 25.0, 0.1


@dataclass
class Node:
    """A node with its rows, their weights, and what it asks."""

    rows: NDArray[np.int32]
    weight: Floats
    counts: Floats
    column: int = -1
    cut: int = -1
    threshold: float = 0.0
    sons: list[Node] = field(default_factory=list)

    @property
    def errors(self) -> float:
        """Weight of the rows that are not of the largest class."""
        return float(self.counts.sum() - self.counts.max())

    @property
    def is_leaf(self) -> bool:
        """Whether the node asks nothing."""
        return self.column < 0

    def become_leaf(self) -> None:
        """Ask nothing any more."""
        self.column, self.sons = -1, []

    def become(self, other: Node) -> None:
        """Ask what another node asks."""
        self.column, self.cut, self.threshold = other.column, other.cut, other.threshold
        self.sons = other.sons


class Quinlan:
    """One table, and trees over it.

    Parameters
    ----------
    columns : Columns
        All of them codes.
    y : array (n,) of int32
        Classes.
    k : int
        Their number.
    least : float
        Two branches of a split hold this weight at least.
    penalty : bool
        Whether thresholds pay for the number that was tried.
    """

    def __init__(
        self, columns: Columns, y: NDArray[np.int32], k: int, least: float, *, penalty: bool
    ) -> None:
        self.columns, self.y, self.k, self.least, self.penalty = columns, y, k, least, penalty
        self.line = -1 - columns.slot
        self.sizes = columns.sizes[self.line]
        self.ordered = columns.modes[self.line] == ORDERED
        self.few = self.ordered | (self.sizes < _MANY * len(columns.rows))
        self.rules = SearchRules(
            np.int64(0), np.float64(least), np.int64(KNOWN), np.int64(0),
            np.float64(_SHARE / max(k, 1)), np.float64(max(_CEILING, least)),
        )  # fmt: skip
        self.form = Entropy().lowered()
        self.answers = frozen(np.ascontiguousarray(y[:, None]))

    def node(self, rows: NDArray[np.int32], weight: Floats) -> Node:
        """Make a leaf of rows."""
        return Node(rows, weight, np.bincount(self.y[rows], weight, minlength=self.k))

    def grown(self, rows: NDArray[np.int32], weight: Floats) -> Node:
        """Grow a whole tree over some rows."""
        root = self.node(rows, weight)
        waiting = [root]
        while waiting:
            node = waiting.pop()
            if self._ask(node):
                parts = self.divided(node, node.rows, node.weight)
                node.sons = [self.node(*part) for part in parts]
                waiting.extend(reversed(node.sons))
        return root

    def _ask(self, node: Node) -> bool:
        """Choose what a node asks; return whether it asks anything."""
        total = float(node.counts.sum())
        if total < 2.0 * self.least or node.counts.max() >= total * (1.0 - 1e-12):
            return False
        found = self._found(node, total)
        gain = np.where(np.isfinite(found.gain), found.gain / total, 0.0)
        if self.penalty:
            gain -= np.where(self.ordered, np.log2(np.maximum(found.tried, 1)) / total, 0.0)
        valid = np.isfinite(found.gain) & ((gain > _SMALL) | ~self.ordered)
        if not valid.any():
            return False
        counted = valid & (self.few | ~self.few.any())
        mean = gain[counted].mean() if counted.any() else 0.0
        one = Found(*(array[None] for array in found))
        info = split_information(one, np.array([total]))[0] / total
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = np.where(info > _SMALL, gain / info, 0.0)
        ratio[~valid | (gain < mean - _NEAR)] = 0.0
        best = 0
        for j in range(1, len(ratio)):
            best = j if ratio[j] > ratio[best] + _SMALL else best
        if ratio[best] <= _SMALL:
            return False
        node.column, node.cut = best, int(found.cut[best])
        values = self.columns.values[self.line[best]]
        if values is not None:
            middle = (values[found.cut[best]] + values[found.after[best]]) / 2.0
            node.threshold = float(values[np.searchsorted(values, middle, side="right") - 1])
            node.cut = int(np.searchsorted(values, middle, side="right") - 1)
        return True

    def _found(self, node: Node, total: float) -> Found:
        """Search all columns at a node."""
        d = len(self.line)
        stat = np.append(node.counts, 0.0)[None]
        logs = node.counts[node.counts > 0.0]
        cost = total * np.log2(total) - float((logs * np.log2(logs)).sum())
        state = State(
            frozen(stat), frozen(np.zeros((1, 1))), frozen(np.array([total])),
            frozen(np.array([cost])), frozen(np.array([_SMALL * total])),
        )  # fmt: skip
        reals, whole = (lambda: np.zeros(d)), (lambda: np.full(d, -1))
        found = Found(
            np.full(d, -np.inf), whole(), whole(), whole(), reals(), reals(), whole(), whole(),
            reals(),
        )  # fmt: skip
        columns = self.columns
        search_coded(
            self.form, frozen(columns.codes), frozen(columns.modes), frozen(columns.sizes),
            frozen(np.zeros(d, np.int64)), frozen(self.line), frozen(np.zeros(1, np.int64)),
            frozen(np.array([len(node.rows)])), frozen(node.rows), frozen(node.weight),
            self.answers, state, NO_WEIGHTS, self.rules, found, np.empty(0, np.int32),
            frozen(np.empty(0, np.int64)),
        )  # fmt: skip
        return found

    def divided(self, node: Node, rows: Any, weight: Floats) -> list[tuple[Any, Floats]]:
        """Divide rows among the branches of a node, those of missing cells among all of them."""
        codes = self.columns.codes[self.line[node.column], rows].astype(np.int64)
        size = int(self.sizes[node.column])
        lost = codes == size
        branch = (codes > node.cut).astype(np.int64) if self.ordered[node.column] else codes
        count = 2 if self.ordered[node.column] else size
        shares = np.bincount(branch[~lost], weight[~lost], minlength=count)
        shares = shares / max(float(shares.sum()), 1e-300)
        parts = []
        for b in range(count):
            take = (branch == b) & ~lost
            if shares[b] > 0.0 and lost.any():
                take |= lost
            part = weight[take].copy()
            part[lost[take]] *= shares[b]
            parts.append((rows[take], part))
        return parts

    # ------------------------------------------------------------------------------------- pruning

    def collapse(self, node: Node) -> None:
        """Make leaves of nodes whose sons make no fewer errors on the training rows."""
        if node.is_leaf:
            return
        if self._training_errors(node) >= node.errors - _NEAR:
            node.become_leaf()
            return
        for son in node.sons:
            self.collapse(son)

    def _training_errors(self, node: Node) -> float:
        return node.errors if node.is_leaf else sum(map(self._training_errors, node.sons))

    def prune(self, node: Node, factor: float, *, raising: bool) -> None:
        """Prune from the leaves up by expected errors."""
        if node.is_leaf:
            return
        for son in node.sons:
            self.prune(son, factor, raising=raising)
        largest = node.sons[int(np.argmax([son.counts.sum() for son in node.sons]))]
        raised = np.inf
        if raising:
            raised = self._errors_for(largest, node.rows, node.weight, factor)
        as_leaf, as_tree = expected_errors(node.counts, factor), self._errors(node, factor)
        if as_leaf <= as_tree + 0.1 + _SMALL and as_leaf <= raised + 0.1 + _SMALL:
            node.become_leaf()
        elif raised <= as_tree + 0.1 + _SMALL:
            node.become(largest)
            self._refill(node, node.rows, node.weight)
            self.prune(node, factor, raising=raising)

    def _errors(self, node: Node, factor: float) -> float:
        if node.is_leaf:
            return expected_errors(node.counts, factor)
        return sum(self._errors(son, factor) for son in node.sons)

    def _errors_for(self, node: Node, rows: Any, weight: Floats, factor: float) -> float:
        """Return the errors of a subtree if it held other rows."""
        if node.is_leaf:
            return expected_errors(np.bincount(self.y[rows], weight, minlength=self.k), factor)
        parts = self.divided(node, rows, weight)
        return sum(self._errors_for(s, *p, factor) for s, p in zip(node.sons, parts, strict=True))

    def _refill(self, node: Node, rows: Any, weight: Floats) -> None:
        node.rows, node.weight = rows, weight
        node.counts = np.bincount(self.y[rows], weight, minlength=self.k)
        if not node.is_leaf:
            for son, part in zip(node.sons, self.divided(node, rows, weight), strict=True):
                self._refill(son, *part)
