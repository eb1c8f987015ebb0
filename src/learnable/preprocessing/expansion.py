"""What the expansions share: columns in, functions of them out, and where they extrapolate."""

from __future__ import annotations

from functools import partial
from typing import Any, ClassVar

import numpy as np

from learnable.core.certificate import Certificate
from learnable.core.errors import DataError
from learnable.core.explanation import Explanation, Part
from learnable.core.fold import Threads, fold, merge_each, runner, serial
from learnable.data import Block, Rows
from learnable.estimator.contract import TransformerContract
from learnable.estimator.learner import Learner, answering
from learnable.estimator.state import Count, Floats, Names
from learnable.estimator.state import Integer as Whole
from learnable.preprocessing.base import Scaler, without_spread
from learnable.preprocessing.min_max import block_extent
from learnable.preprocessing.outside import refuse_training_rows, share_outside
from learnable.stats.arrays import Floats as Array

RANGE: dict[str, Any] = {
    "n_features_in_": Count("d", low=1),
    "feature_names_in_": Names("d", optional=True),
    "low_": Floats("d", dtype="float64"),
    "high_": Floats("d", dtype="float64"),
    "n_samples_seen_": Whole(low=1),
}
"""What every expansion learns: the training range of each column."""


class Expansion(TransformerContract, Learner):
    """Base of what replaces columns by functions of them.

    A subclass has ``sources_out``, ``_n_features_out``, ``_names(names)`` and
    ``_write(block, X, out)``.
    """

    kind = "transformer"
    fitted_state: ClassVar[dict[str, Any]] = RANGE

    def _learn_range(self, rows: Rows) -> None:
        """Learn the training range of each column."""
        extent, presence = fold(block_extent, merge_each, rows.blocks())
        if not self.allows_nan and int(presence.cells.sum()) < rows.n * rows.d:
            for block in rows.blocks():
                block.finite_array()
        unseen = extent.low > extent.high
        self.low_ = np.where(unseen, 0.0, extent.low)
        self.high_ = np.where(unseen, 0.0, extent.high)
        self.n_samples_seen_ = rows.n

    @property
    def _reach(self) -> Array:
        """Width of the training range, 1 for a constant column."""
        reach = self.high_ - self.low_
        flat = without_spread(reach, np.maximum(np.abs(self.low_), np.abs(self.high_)))
        return np.where(flat, 1.0, reach)

    def _check_state(self) -> None:
        if (self.low_ > self.high_).any() or not np.isfinite(self.high_ - self.low_).all():
            msg = "the range of a column is not in order, or leaves the range of floats"
            raise DataError(msg)
        super()._check_state()

    def _values(self, rows: Rows, dtype: Any = np.float64) -> Any:
        """Return the functions of all rows, block by block."""
        out = np.zeros((rows.n, self._n_features_out), dtype)
        blocks = rows.blocks()
        run = runner() if len(blocks) > 1 else serial
        run = run if isinstance(run, Threads) else serial  # elsewhere no memory is in common
        for _ in run(partial(self._write_block, out), blocks):
            pass
        return out

    def _write_block(self, out: Any, block: Block) -> None:
        self._write(block, self._cells(block), out[block.start : block.start + block.n])

    def _cells(self, block: Block) -> Any:
        return block.array() if self.allows_nan else block.finite_array()

    def _refuse_overflow(self, block: Block, row: int, j: int, value: Any) -> None:
        raise DataError(
            "A function of this value leaves the range of floats.",
            column=self._column_names()[j], row=block.start + row, value=float(value),
            remedy="Scale the column first, or take fewer powers.",
        )  # fmt: skip

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """Return the names of the functions.

        Parameters
        ----------
        input_features : array of str, optional
            Names for columns that had none; otherwise they must be those of ``fit``.
        """
        self._check_fitted()
        names = Scaler.get_feature_names_out(self, input_features)
        return np.array(self._names([str(name) for name in names]), dtype=object)

    @answering
    def _explain(self, X: Any) -> list[Explanation]:
        rows = self._read(X)
        values = self._values(rows)
        return [self._reasons(rows.row(i).tolist(), values[i]) for i in range(rows.n)]

    def _reasons(self, row: list[float], values: Any) -> Explanation:
        """Say which function of each column is the largest, and whether it is extrapolated."""
        names, sources = self.get_feature_names_out(), self.sources_out()
        parts = []
        for j, name in enumerate(self._column_names()):
            mine = [k for k, source in enumerate(sources) if source == j]
            told = "it stands in products alone"
            if mine:
                k = max(mine, key=lambda k: abs(values[k]))
                told = f"largest: {names[k]} = {values[k]:.4g}"
            out = max(self.low_[j] - row[j], row[j] - self.high_[j], 0.0) / self._reach[j]
            told += f"; outside the training range by {out:.4g} of it" if out > 0.0 else ""
            parts.append(Part(name, row[j], told, float(out)))
        score = float(sum(part.weight for part in parts))
        told = f"{len(parts)} columns became {len(values)} functions."
        unit = "distance outside the training range"
        return Explanation(tuple(values.tolist()), "contributions", tuple(parts), score, unit, told)

    @answering
    def _certify(self, X: Any, y: Any, role: str, confidence: float) -> Certificate:  # noqa: ARG002 (the contract's signature)
        refuse_training_rows("The range is that", role)
        return share_outside(
            self._read(X),
            self.low_,
            self.high_,
            quantity="share of new rows outside the training range",
            told="have a cell where the functions are extrapolated",
            confidence=confidence,
        )
