"""Rows to norm 1, so that only their direction counts.

    y = x / |x|,    |x| = sum |x_j|  (l1),  sqrt(sum x_j**2)  (l2),  max |x_j|  (max)

A row of zeros stays as it is. Squares that would leave the range of floats are taken in a power of
two, so that rows of scale 1e-200 or 1e200 are right too.

Cost: 2 n d, nothing to keep.

References
----------
.. [1] G. Salton, C. Buckley: Term-weighting approaches in automatic text retrieval. Information
   Processing and Management 24, 1988, 513-523.
.. [2] J. L. Blue: A portable Fortran program to find the Euclidean norm of a vector. ACM
   Transactions on Mathematical Software 4, 1978.
"""

from __future__ import annotations

from functools import partial
from typing import Any, ClassVar

import numpy as np

from learnable.core.certificate import Certificate
from learnable.core.errors import DataError
from learnable.core.explanation import Explanation, Part
from learnable.core.fold import runner
from learnable.data import Block, Rows, read_rows
from learnable.data.rows import refuse_cell
from learnable.estimator.contract import answers_in_chosen_form
from learnable.estimator.learner import answering, fitting
from learnable.estimator.params import Choice, Flag
from learnable.estimator.state import Count, Names
from learnable.loops import scaling
from learnable.preprocessing.base import Scaler, filled
from learnable.stats.arrays import Floats, frozen

NORMS = {"l1": scaling.L1, "l2": scaling.L2, "max": scaling.LARGEST}


class Normalizer(Scaler):
    """Scale rows to norm 1.

    Parameters
    ----------
    norm : {"l2", "l1", "max"}, default="l2"
        Root of the sum of squares, sum of the sizes, or largest size.
    copy : bool, default=True
        False lets ``transform`` write over an array of floats that it is given.

    Attributes
    ----------
    n_features_in_, feature_names_in_
        Number and names of the columns, if ``fit`` was called; nothing is learned.

    Notes
    -----
    ``y = x / |x|``; a row of zeros stays as it is.

    References
    ----------
    G. Salton, C. Buckley: Term-weighting approaches in automatic text retrieval. Information
    Processing and Management 24, 1988.

    Examples
    --------
    >>> from learnable.preprocessing import Normalizer
    >>> Normalizer().transform([[3.0, 4.0], [0.0, 0.0], [3e200, 4e200]]).round(6).tolist()
    [[0.6, 0.8], [0.0, 0.0], [0.6, 0.8]]
    """

    exempt = {
        "units_do_not_matter": "a row has another direction in other units",
        "a_trace_changes_nothing": "it learns nothing, so there are no steps to record",
    }
    takes_sparse = True
    needs_fit = False
    parameters: ClassVar[dict[str, Any]] = {"norm": Choice(*NORMS), "copy": Flag()}
    fitted_state: ClassVar[dict[str, Any]] = {
        "n_features_in_": Count("d", low=1),
        "feature_names_in_": Names("d", optional=True),
    }

    def __init__(self, norm: str = "l2", *, copy: bool = True) -> None:
        self.norm = norm
        self.copy = copy

    def __sklearn_is_fitted__(self) -> bool:
        """Whether it can transform: always."""
        return True

    @fitting
    def fit(self, X: Any, y: Any = None) -> Normalizer:  # noqa: ARG002 (the contract's signature)
        """Learn number and names of the columns, nothing else.

        Parameters
        ----------
        X : array (n, d), data frame or sparse matrix
            Finite numbers.
        y : None
            Ignored.
        """
        rows = self._read(X, reset=True)
        if not rows.sparse:
            for _ in runner()(_check_finite, rows.blocks()):
                pass
        elif not np.isfinite(rows.cells.data).all():
            _refuse_stored(rows)
        return self

    def _read(self, X: Any, *, reset: bool = False) -> Rows:
        if reset or "n_features_in_" in vars(self):
            return super()._read(X, reset=reset)
        self._check_params()
        return read_rows(X, sparse=True, learner=type(self).__name__)

    @answers_in_chosen_form
    @answering
    def transform(self, X: Any, copy: bool | None = None) -> Any:
        """Return the rows, each over its norm.

        Parameters
        ----------
        X : array (n, d), data frame or sparse matrix
            Finite numbers.
        copy : bool, optional
            Overrules the parameter.
        """
        in_place = not (self.copy if copy is None else copy)
        return self._normalised(self._read(X), in_place=in_place)

    def _normalised(self, rows: Rows, *, in_place: bool = False) -> Any:
        if rows.sparse:
            return _normalised_stored(rows, NORMS[self.norm])
        return filled(partial(_normalise_block, NORMS[self.norm]), rows, in_place=in_place)

    @answering
    def _explain(self, X: Any) -> list[Explanation]:
        rows = self._read(X)
        names = list(rows.names) if rows.names is not None else [f"x{j}" for j in range(rows.d)]
        return [self._reasons(names, rows.row(i).astype(float)) for i in range(rows.n)]

    def _reasons(self, names: list[str], row: Floats) -> Explanation:
        """Say which columns make the norm: their shares of it, which sum to 1."""
        scaled = self._normalised(Rows(row[None]))[0]
        shares = _shares(np.abs(scaled), self.norm)
        norm = scaling.norm_of(frozen(row), NORMS[self.norm])
        parts = tuple(
            Part(name, value, f"{share:.4g} of the norm, now {new:.4g}", float(share))
            for name, value, share, new in zip(names, row.tolist(), shares, scaled, strict=True)
        )
        told = "A row of zeros stays as it is."
        if norm:
            largest = names[int(shares.argmax())]
            told = f"Divided by its {self.norm} norm {norm:.6g}, most of it from {largest}."
        score = sum(part.weight for part in parts)
        unit = "share of the squared norm" if self.norm == "l2" else "share of the norm"
        return Explanation(tuple(scaled.tolist()), "contributions", parts, score, unit, told)

    @answering
    def _certify(self, X: Any, y: Any, role: str, confidence: float) -> Certificate:  # noqa: ARG002 (the contract's signature)
        """State the rounding bound: d + 2 sums and quotients, each right to half a unit."""
        rows = self._read(X)
        limit = (rows.d + 4) * float(np.finfo(rows.dtype).eps)
        worst = 0.0
        for block in rows.blocks():
            answer = np.empty_like(block.array())
            _normalise_block(NORMS[self.norm], block, answer)
            for row in answer[answer.any(axis=1)].astype(float):
                worst = max(worst, abs(scaling.norm_of(frozen(row), NORMS[self.norm]) - 1.0))
        return Certificate(
            kind="guaranteed",
            quantity="distance of the norm of a scaled row from 1",
            value=worst,
            low=0.0,
            high=limit,
            confidence=confidence,
            method="rounding error of a sum",
            n=rows.n,
            assumptions=("floats are those of IEEE 754", "no scaled cell underflows"),
            text=(
                f"Every row that is not zero leaves with {self.norm} norm 1 to within {limit:.3g} "
                f"({worst:.3g} at most in {rows.n} rows here)."
            ),
        )


def _shares(sizes: Floats, norm: str) -> Floats:
    """Return the share of the norm that each column of a scaled row makes."""
    if norm == "max":
        return np.eye(len(sizes))[int(sizes.argmax())] * sizes.any()
    shares = sizes**2 if norm == "l2" else sizes
    return np.asarray(shares / (shares.sum() or 1.0))


def _check_finite(block: Block) -> None:
    """Refuse a cell that is not finite; nothing travels back."""
    block.finite_array()


def _normalise_block(kind: int, block: Block, out: Floats) -> None:
    X = block.array()
    if not scaling.normalise_rows(X, kind, out):
        block.refuse(X)
        raise DataError("The norm of a row leaves the range of floats.", row=block.start)


def _normalised_stored(rows: Rows, kind: int) -> Any:
    out = rows.cells.astype(rows.dtype, copy=True)
    data = frozen(np.ascontiguousarray(rows.cells.data, dtype=rows.dtype))
    if not scaling.normalise_stored(data, frozen(out.indptr.astype(np.int64)), kind, out.data):
        _refuse_stored(rows)
        raise DataError("The norm of a row leaves the range of floats.")
    return out


def _refuse_stored(rows: Rows) -> None:
    """Raise for the first stored cell that is not finite."""
    cells = rows.cells
    for p in np.flatnonzero(~np.isfinite(cells.data))[:1]:
        row = int(np.searchsorted(cells.indptr, p, side="right")) - 1
        refuse_cell(cells.data[p], row, int(cells.indices[p]), rows.names)
