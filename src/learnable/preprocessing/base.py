"""What the scalers share: rows in, one array out that is filled block by block."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from learnable.core.errors import DataError, ParameterError, not_fitted
from learnable.core.fold import Threads, runner, serial
from learnable.data import Block, Rows, read_rows
from learnable.data.rows import refuse_cell
from learnable.estimator.contract import TransformerContract
from learnable.estimator.learner import Learner
from learnable.stats.arrays import Floats, frozen

ROUNDING = 10.0 * float(np.finfo(np.float64).eps)
_TILED = 64


class Scaler(TransformerContract, Learner):
    """Base of the scalers: a column in, a column out, of the same name; float32 stays float32."""

    kind = "transformer"
    keeps_float32 = True

    @property
    def _n_features_out(self) -> int:
        return int(self.n_features_in_)

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """Return the names of the columns, which are those that came in.

        Parameters
        ----------
        input_features : array of str, optional
            Names for columns that had none; otherwise they must be those of ``fit``.
        """
        if "n_features_in_" not in vars(self):
            raise not_fitted(self)
        if input_features is None:
            return np.array(self._column_names(), dtype=object)
        names = np.asarray(input_features, dtype=object)
        if "feature_names_in_" in vars(self) and not np.array_equal(names, self.feature_names_in_):
            raise ParameterError("input_features is not equal to feature_names_in_")
        if len(names) != self.n_features_in_:
            msg = (
                "input_features should have length equal to number of features "
                f"({self.n_features_in_}), got {len(names)}"
            )
            raise ParameterError(msg)
        return names

    def _read_scaled(self, X: Any) -> Rows:
        """Read rows that ``transform`` gave, whatever their columns are called by now."""
        self._check_fitted()
        rows = read_rows(X, sparse=self.takes_sparse, learner=type(self).__name__)
        if "n_features_in_" in vars(self) and rows.d != self.n_features_in_:
            raise DataError(
                f"X has {rows.d} features, but {type(self).__name__} scales {self.n_features_in_}.",
                remedy="Pass the columns that transform returned.",
            )
        return rows


class NanScaler(Scaler):
    """Base of the scalers that leave missing cells (NaN) out of account and in their place."""

    allows_nan = True


def dense_form(form: str, remedy: str, *, sparse: bool) -> str:
    """Return the form of the answer; compressed rows fit into no data frame.

    Examples
    --------
    >>> from learnable.preprocessing.base import dense_form
    >>> dense_form("pandas", "Set sparse_output=False", sparse=False)
    'pandas'
    """
    if sparse and form != "default":
        name = form.capitalize()
        msg = (
            f"{name} output does not support sparse data. {remedy} to output {form} dataframes or "
            f'disable {name} output via set_output(transform="default").'
        )
        raise ParameterError(msg)
    return form


def without_spread(spread: Floats, magnitude: Floats) -> Any:
    """Tell which columns are constant: what varies is no more than rounding of what is there.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.preprocessing.base import without_spread
    >>> without_spread(np.array([0.0, 1e-16, 1e-200]), np.array([0.0, 0.3, 1e-200]))
    array([ True,  True, False])
    """
    return spread <= ROUNDING * magnitude


def refuse_infinite(X: Floats, start: int, names: Any) -> None:
    """Raise for the first infinite cell of a block, if there is one."""
    found = np.argwhere(np.isinf(X))
    if len(found):
        i, j = map(int, found[0])
        refuse_cell(X[i, j], start + i, j, names)


def filled(
    task: Callable[[Block, Any], Any], rows: Rows, *, in_place: bool = False, dtype: Any = None
) -> Any:
    """Run ``task(block, out)`` on all blocks and return the one array of their results.

    Parameters
    ----------
    task : callable
        Writes the answer for a block into an array of its size. A module-level function or a
        ``partial`` of one, so that a cluster can run it.
    rows : Rows
        What comes in.
    in_place : bool
        Write over the rows themselves, where they are an array that allows it.
    dtype : dtype, optional
        Kind of number of the results; that of the rows by default.
    """
    blocks = rows.blocks()
    kind = np.dtype(rows.dtype if dtype is None else dtype)
    fresh = not (in_place and _can_be_written(rows))
    out = np.empty((rows.n, rows.d), kind) if fresh else rows.cells
    places = [out[block.start : block.start + block.n] for block in blocks]
    run = runner() if len(blocks) > 1 else serial
    if run is serial or isinstance(run, Threads):
        for _ in run(partial(_write, task), list(zip(blocks, places, strict=True))):
            pass
        return out
    # Elsewhere there may be no memory in common: the results travel back.
    sized = [(block, len(place)) for block, place in zip(blocks, places, strict=True)]
    answers = run(partial(_make, task, rows.d, kind), sized)
    for place, answer in zip(places, answers, strict=True):
        place[...] = answer
    return out


def _can_be_written(rows: Rows) -> bool:
    cells = rows.cells
    return (
        isinstance(cells, np.ndarray)
        and cells.dtype == rows.dtype
        and cells.flags.c_contiguous
        and cells.flags.writeable
    )


def _write(task: Callable[[Block, Any], Any], item: tuple[Block, Any]) -> None:
    task(*item)


def _make(task: Callable[[Block, Any], Any], d: int, dtype: Any, item: tuple[Block, int]) -> Any:
    block, n = item
    out = np.empty((n, d), dtype)
    task(block, out)
    return out


def tiled(
    X: Floats, out: Floats, vectors: list[Floats]
) -> list[tuple[Floats, Floats, list[Floats]]]:
    """Lay narrow rows side by side, so that a loop over columns is long enough to be fast.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.preprocessing.base import tiled
    >>> X = np.zeros((70, 2))
    >>> [(part.shape, len(v[0])) for part, _, v in tiled(X, X.copy(), [np.ones(2)])]
    [((2, 64), 64), ((6, 2), 2)]
    """
    n, d = X.shape
    times = _TILED // d if d else 1
    if times < 2 or n < times:
        return [(X, out, vectors)]
    whole = n - n % times
    shape = (whole // times, times * d)
    wide = [frozen(np.tile(vector, times)) for vector in vectors]
    parts = [(frozen(X[:whole].reshape(shape)), out[:whole].reshape(shape), wide)]
    return parts if whole == n else [*parts, (frozen(X[whole:]), out[whole:], vectors)]
