"""The nodes of a tree while it grows, in the order in which they came up."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from learnable.loops.tree_number import preorder
from learnable.stats.arrays import Floats, frozen
from learnable.tree.structure import Nodes

Ints = NDArray[np.int64]
Tables = dict[int, tuple[Ints, Ints]]
"""Codes of nominal nodes and the branch of each."""


class Splits(NamedTuple):
    """Decisions about some nodes, a line each."""

    node: Ints
    column: Ints
    gain: Floats
    cut: Ints
    after: Ints
    side: Ints
    left: Floats
    known: Floats
    rows: Ints


class Grown:
    """Nodes in the order in which they came up."""

    def __init__(self, width: int) -> None:
        self.n, self.width = 0, width
        whole = {
            "parent": -1,
            "start": 0,
            "end": 0,
            "depth": 0,
            "column": -1,
            "missing": -1,
            "begin": 0,
            "count": 0,
        }
        for name, fill in whole.items():
            setattr(self, name, np.full(64, fill))
        for name in ("weight", "impurity", "threshold"):
            setattr(self, name, np.zeros(64))
        self.value = np.zeros((64, width))
        self.tables: dict[int, Any] = {}
        self.weight_of_all = 1.0

    def add(self, parent: Ints, start: Ints, end: Ints, depth: Ints) -> Ints:
        """Add nodes; return their numbers."""
        nodes = np.arange(self.n, self.n + len(start))
        self.n += len(start)
        while self.n > len(self.parent):
            for name, array in list(vars(self).items()):
                if isinstance(array, np.ndarray):
                    more = np.full_like(array, -1 if name in {"column", "missing"} else 0)
                    setattr(self, name, np.concatenate([array, more]))
        self.parent[nodes], self.start[nodes], self.end[nodes] = parent, start, end
        self.depth[nodes] = depth
        return nodes

    def describe(self, nodes: Ints, weight: Floats, impurity: Floats, value: Floats) -> None:
        """Write what a batch of nodes holds."""
        self.weight[nodes], self.impurity[nodes], self.value[nodes] = weight, impurity, value
        if nodes[0] == 0:
            self.weight_of_all = float(weight[0])

    def divide(
        self,
        splits: Splits,
        threshold: Floats,
        side: Ints,
        tables: Tables,
        firsts: Ints,
        sizes: Ints,
    ) -> Ints:
        """Add the branches of nodes; an empty one becomes no node."""
        nodes = splits.node
        widths = np.diff(firsts)
        parents = np.repeat(nodes, widths)
        starts = (
            self.start[parents]
            + np.cumsum(sizes)
            - sizes
            - np.repeat((np.cumsum(sizes) - sizes)[firsts[:-1]], widths)
        )
        new = self.add(parents, starts, starts + sizes, self.depth[parents] + 1)
        self.column[nodes], self.threshold[nodes], self.missing[nodes] = (
            splits.column,
            threshold,
            side,
        )
        self.missing[nodes] = np.where(side < widths, side, self._largest(firsts, sizes))
        self.begin[nodes], self.count[nodes] = new[firsts[:-1]], widths
        for k, table in tables.items():
            self.tables[int(nodes[k])] = table
        return new

    @staticmethod
    def _largest(firsts: Ints, sizes: Ints) -> Ints:
        """Return the largest branch of each node (where nothing was missing in training)."""
        most = np.maximum.reduceat(sizes, firsts[:-1])
        at = np.flatnonzero(sizes == np.repeat(most, np.diff(firsts)))
        return at[np.searchsorted(at, firsts[:-1])] - firsts[:-1]

    def numbered(self) -> Nodes:
        """Return the nodes numbered from the root down, each subtree in one run."""
        n, none = self.n, np.empty(0, np.int64)
        old = np.empty(n, np.int64)
        preorder(frozen(self.begin[:n]), frozen(self.count[:n]), old)
        new = np.empty(n, np.int32)
        new[old] = np.arange(n, dtype=np.int32)
        counts, begins = self.count[old], self.begin[old]
        first = np.concatenate([[0], np.cumsum(counts)])
        offset = np.arange(first[-1]) - np.repeat(first[:-1], counts)
        nominal = np.zeros(n, np.uint8)
        nominal[list(self.tables)] = 1
        tables = [self.tables[node] for node in old[nominal[old] == 1].tolist()]
        sizes = np.zeros(n, np.int64)
        sizes[nominal[old] == 1] = [len(codes) for codes, _ in tables]
        return Nodes(
            column=self.column[old].astype(np.int32),
            threshold=self.threshold[old],
            nominal=nominal[old],
            missing=self.missing[old].astype(np.int32),
            first=first.astype(np.int32),
            children=new[np.repeat(begins, counts) + offset],
            table=np.concatenate([[0], np.cumsum(sizes)]).astype(np.int32),
            codes=np.concatenate([none, *(codes for codes, _ in tables)]).astype(np.int32),
            branches=np.concatenate([none, *(b for _, b in tables)]).astype(np.int32),
            impurity=self.impurity[old],
            rows=(self.end - self.start)[old],
            weight=self.weight[old],
            value=self.value[old],
        )
