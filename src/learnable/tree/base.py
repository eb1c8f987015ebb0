"""What every tree shares: reading, growing, leaves, paths, reasons, the views of other tools."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from learnable.core.explanation import Explanation, Part
from learnable.core.fold import runner
from learnable.core.trace import emit, listening
from learnable.data import Block, Rows
from learnable.data.summaries import fold_fingerprint
from learnable.estimator.learner import Learner, answering, features_of
from learnable.loops.scanning import all_finite
from learnable.stats.arrays import NO_WEIGHTS, Floats
from learnable.tree.columns import typed_columns
from learnable.tree.complexity import pruned_at
from learnable.tree.growing import Growth, Plan
from learnable.tree.reading import read_rows_as, read_training, sizes_of
from learnable.tree.structure import Nodes, check_nodes, leaf_numbers, path_arrays
from learnable.tree.view import TreeView, importances
from learnable.tree.wording import condition, told


class TreeLearner(Learner):
    """Base of the trees; a subclass plans how to grow, and says what a leaf answers."""

    allows_nan = True
    nodes_: Nodes

    def _read_training(self, X: Any, nominal: Any) -> Rows:
        """Read training rows, and learn what their columns are."""
        read = read_training(X, nominal, type(self).__name__)
        rows = self._accept(read.rows, reset=True)
        self.schema_ = read.schema
        self.fingerprint_ = fold_fingerprint(rows)
        return rows

    def _rows_of(self, X: Any) -> Rows:
        return read_rows_as(X, vars(self).get("schema_"), type(self).__name__)

    def _comparable(self, X: Any) -> Rows:
        return self._rows_of(features_of(self, X))

    def _grow(
        self, rows: Rows, y: Any, weight: Floats, plan: Plan, width: int, **options: Any
    ) -> Nodes:
        """Grow a tree; ``options`` are those of :func:`typed_columns`."""
        weight = NO_WEIGHTS if len(weight) and (weight == 1.0).all() else weight
        columns = typed_columns(rows, sizes_of(self.schema_, rows.d), weight, **options)
        return Growth(columns, y, weight, plan, width).run()

    def _prune(self, nodes: Nodes, alpha: float) -> Nodes:
        """Prune by cost and complexity, and tell how much."""
        found = pruned_at(nodes, alpha)
        if listening() and alpha > 0.0:
            emit("prune", 0, alpha=alpha, before=len(nodes.leaves), after=len(found.leaves))
        return found

    def _check_state(self) -> None:
        super()._check_state()
        check_nodes(self.nodes_, self.n_features_in_)
        if self.schema_ is not None:
            sizes = sizes_of(self.schema_, self.n_features_in_)
            asked = self.nodes_.column[self.nodes_.nominal == 1]
            owner = np.repeat(asked, np.diff(self.nodes_.table)[self.nodes_.nominal == 1])
            if (sizes[asked] == 0).any() or (self.nodes_.codes >= sizes[owner]).any():
                msg = "a node asks for codes that its column does not have"
                raise ValueError(msg)
        elif self.nodes_.nominal.any():
            msg = "a node asks for codes, but no column has any"
            raise ValueError(msg)

    # ------------------------------------------------------------------------------ where rows end

    def _leaves(self, rows: Rows) -> Any:
        return np.concatenate(list(runner()(partial(_block_leaves, self.nodes_), rows.blocks())))

    @answering
    def apply(self, X: Any) -> Any:
        """Return the leaf at which every row ends."""
        return self._leaves(self._read(X)).astype(np.int64)

    @answering
    def decision_path(self, X: Any) -> Any:
        """Return the nodes that every row passes, as a sparse matrix of ones."""
        from scipy.sparse import csr_matrix

        rows = self._read(X)
        starts, passed = path_arrays(self.nodes_, all_cells(rows))
        ones = np.ones(len(passed), np.int64)
        return csr_matrix((ones, passed, starts), shape=(rows.n, self.nodes_.count))

    def get_depth(self) -> int:
        """Return the most questions on a path."""
        self._check_fitted()
        return int(self.nodes_.depth.max())

    def get_n_leaves(self) -> int:
        """Return the number of leaves."""
        self._check_fitted()
        return len(self.nodes_.leaves)

    @property
    def tree_(self) -> TreeView:
        """The arrays of the tree under scikit-learn's names."""
        self._check_fitted()
        return TreeView(self.nodes_, self.n_features_in_, getattr(self, "n_outputs_", 1))

    @property
    def feature_importances_(self) -> Floats:
        """Share of each column in the decrease of impurity."""
        self._check_fitted()
        return importances(self.nodes_, self.n_features_in_)

    # ------------------------------------------------------------------------------------- reasons

    @answering
    def _explain(self, X: Any) -> list[Explanation]:
        rows = self._read(X)
        return [self._reasons(rows.row(i)) for i in range(rows.n)]

    def _reasons(self, x: Floats) -> Explanation:
        """Say the path of a row, and what each question on it changes."""
        nodes, names = self.nodes_, self._column_names()
        _, passed = path_arrays(nodes, np.ascontiguousarray(x[None], np.float64))
        target = self._target_of(nodes.value[passed[-1]])
        parts = []
        for node, after in zip(passed[:-1].tolist(), passed[1:].tolist(), strict=True):
            branch = int(np.flatnonzero(nodes.children_of(node) == after)[0])
            j = int(nodes.column[node])
            asked = told(condition(nodes, node, branch), names, self.schema_)
            change = target(nodes.value[after]) - target(nodes.value[node])
            evidence = f"{asked}: {self._leaf_text(after)}"
            parts.append(Part(names[j], self._cell(x[j], j), evidence, float(change)))
        leaf = int(passed[-1])
        conditions = [part.evidence.rpartition(": ")[0] for part in parts]
        told_path = " and ".join(conditions) or "every row"
        return Explanation(
            prediction=self._answer_of(nodes.value[leaf]),
            kind="path",
            parts=tuple(parts),
            score=float(target(nodes.value[leaf])),
            unit=self._unit(nodes.value[leaf]),
            summary=f"{self._leaf_text(leaf)}, since {told_path}.",
        )

    def _cell(self, value: float, j: int) -> Any:
        if np.isnan(value):
            return "missing"
        if self.schema_ is not None and self.schema_.columns[j].coded:
            return self.schema_.columns[j].values[int(value)]
        return float(value)


def _block_leaves(nodes: Nodes, block: Block) -> Any:
    """Answer for one block (a module-level function, so that a cluster can run it)."""
    return leaf_numbers(nodes, checked_cells(block))


def checked_cells(block: Block) -> Floats:
    """Return the cells of a block as float64; NaN is a missing cell, infinity is refused."""
    X = block.array()
    if X.dtype != np.float64:
        X = X.astype(np.float64)
    if not all_finite(X.reshape(1, -1)):
        wrong = np.isinf(X)
        if wrong.any():
            from learnable.data.rows import refuse_cell

            i, j = np.argwhere(wrong)[0]
            refuse_cell(X[i, j], block.start + int(i), int(j), block.names)
    return X


def all_cells(rows: Rows) -> Floats:
    """Return the cells of all rows as one array, checked like those of a block."""
    return checked_cells(Block(0, rows.cells, rows.dtype, rows.names))
