"""A plan of folds: fixed before anything is learned, and the same for all that are compared.

A plan is a value. It states its kind, its seed and what it looked at (classes, groups, order), and
has a hash over all of that, so that results of one plan can be told apart from those of another,
compared fold by fold, and resumed. It is a splitter for scikit-learn's tools as it is.

References
----------
.. [1] R. Kohavi: A study of cross-validation and bootstrap for accuracy estimation and model
   selection. IJCAI 1995.
.. [2] C. Bergmeir, R. J. Hyndman, B. Koo: A note on the validity of cross-validation for evaluating
   autoregressive time series prediction. Computational Statistics and Data Analysis 120, 2018.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

import numpy as np
from numpy.typing import NDArray

from learnable.core.errors import DataError, ParameterError
from learnable.data.texts import Texts
from learnable.resampling.dealing import deal, deal_by_class, deal_groups, deal_groups_by_class
from learnable.stats.arrays import frozen

KINDS = ("k-fold", "leave one out", "hold-out", "bootstrap", "ordered")
_NOBODY: NDArray[np.int32] = frozen(np.empty(0, np.int32))
Split = tuple[NDArray[np.int64], NDArray[np.int64]]


@dataclass(frozen=True, eq=False)
class FoldPlan:
    """Who is learned from and who is asked, fold by fold.

    Parameters
    ----------
    kind : {"k-fold", "leave one out", "hold-out", "bootstrap", "ordered"}
        How rows are set aside; ``"ordered"`` learns from the past and asks what came next.
    n : int
        Number of rows.
    folds : int, default=10
        Folds of a repeat; draws of a bootstrap.
    repeats : int, default=1
        How many times over.
    seed : int, default=0
        What the draws begin with; each repeat has a stream of its own.
    share : float, default=1/3
        Share of the rows that a hold-out sets aside.
    classes : array (n,), optional
        Class of each row: folds hold the classes in proportion.
    groups : array (n,), optional
        Group of each row: no group is both learned from and asked in one fold.
    order : array (n,), optional
        When each row came, for ``"ordered"``; by default the rows are in order.
    gap : int, default=0
        Rows left out between past and future.

    Notes
    -----
    Folds differ in size by one row at most (with groups: by as little as dealing out the largest
    groups first allows). The same plan gives the same folds on any machine.

    References
    ----------
    R. Kohavi: A study of cross-validation and bootstrap for accuracy estimation and model
    selection. IJCAI 1995.

    Examples
    --------
    >>> from learnable.resampling import FoldPlan
    >>> plan = FoldPlan("k-fold", 6, folds=3, classes=["a", "a", "a", "b", "b", "b"])
    >>> [(len(train), len(test)) for train, test in plan]
    [(4, 2), (4, 2), (4, 2)]
    >>> plan.hash == FoldPlan("k-fold", 6, folds=3, classes=[7, 7, 7, 8, 8, 8]).hash
    True
    """

    kind: str
    n: int
    folds: int = 10
    repeats: int = 1
    seed: int = 0
    share: float = 1.0 / 3.0
    classes: Any = field(default=None, repr=False)
    groups: Any = field(default=None, repr=False)
    order: Any = field(default=None, repr=False)
    gap: int = 0

    def __post_init__(self) -> None:
        for name in ("classes", "groups"):
            object.__setattr__(self, name, self._coded(name))
        object.__setattr__(self, "order", self._ranked())
        self._check()

    def _coded(self, name: str) -> NDArray[np.int32]:
        given = getattr(self, name)
        if given is None:
            return _NOBODY
        codes = Texts.of(np.asarray(given).tolist()).codes
        self._refuse_wrong_length(name, len(codes))
        if (codes < 0).any():
            row = int(np.argmax(codes < 0))
            raise DataError(f"A row has no {name}.", row=row, remedy="Give every row one.")
        return frozen(codes)

    def _ranked(self) -> NDArray[Any]:
        if self.order is None:
            return _NOBODY
        order = np.asarray(self.order)
        self._refuse_wrong_length("order", len(order))
        return frozen(np.argsort(order, kind="stable").astype(np.int32))

    def _refuse_wrong_length(self, name: str, length: int) -> None:
        if length != self.n:
            raise DataError(f"{name} has {length} rows, the plan {self.n}.")

    def _check(self) -> None:
        if self.kind not in KINDS:
            msg = f"kind must be one of {', '.join(KINDS)}, not {self.kind!r}"
            raise ParameterError(msg)
        if self.repeats < 1 or self.gap < 0 or not 0.0 < self.share < 1.0:
            msg = "a plan has repeats >= 1, gap >= 0 and a share between 0 and 1"
            raise ParameterError(msg)
        folds = self.folds_of_a_repeat
        rows = self.n if not len(self.groups) else int(self.groups.max()) + 1
        what = "groups" if len(self.groups) else "rows"
        least = folds + 1 if self.kind == "ordered" else folds
        if self.kind in {"k-fold", "ordered", "leave one out"} and not 2 <= least <= rows:
            raise DataError(
                f"{folds} folds cannot be dealt out of {rows} {what}.",
                remedy=f"Ask for 2 to {rows} folds.",
            )
        if len(self.classes) and self.kind == "k-fold" and not len(self.groups):
            rarest = int(np.bincount(self.classes).min())
            if rarest < 2:
                raise DataError(
                    "A class has a single row: it can be learned or asked, not both.",
                    row=int(np.argmin(np.bincount(self.classes)[self.classes])),
                    remedy="Leave it out, join it with another class, or do not stratify.",
                )

    @property
    def folds_of_a_repeat(self) -> int:
        """Number of splits in one repeat."""
        if self.kind == "leave one out":
            return self.n if not len(self.groups) else int(self.groups.max()) + 1
        return 1 if self.kind == "hold-out" else self.folds

    @property
    def hash(self) -> str:
        """A hash of the whole plan: equal for equal folds of equal rows."""
        facts = (self.kind, self.n, self.folds, self.repeats, self.seed, self.share, self.gap)
        digest = sha256(repr(facts).encode())
        for codes in (self.classes, self.groups, self.order):
            digest.update(len(codes).to_bytes(8, "little") + codes.tobytes())
        return digest.hexdigest()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FoldPlan) and self.hash == other.hash

    def __hash__(self) -> int:
        return int(self.hash[:15], 16)

    def __len__(self) -> int:
        return self.repeats * self.folds_of_a_repeat

    def __iter__(self) -> Iterator[Split]:
        for repeat in range(self.repeats):
            yield from self.repeat(repeat)

    def repeat(self, number: int) -> Iterator[Split]:
        """Yield the splits of one repeat: rows to learn from, rows to ask, both rising."""
        rng = np.random.default_rng([self.seed, number])
        if self.kind == "ordered":
            yield from self._ordered()
        elif self.kind == "bootstrap":
            yield from self._drawn(rng)
        else:
            where = self._dealt(rng)
            for fold in range(self.folds_of_a_repeat):
                yield np.flatnonzero(where != fold), np.flatnonzero(where == fold)

    def _dealt(self, rng: np.random.Generator) -> NDArray[np.int32]:
        """Return the fold of each row; a hold-out is fold 0 of finer folds."""
        if self.kind == "leave one out":
            return self.groups if len(self.groups) else np.arange(self.n, dtype=np.int32)
        if self.kind == "hold-out":
            return self._held_out(rng)
        if len(self.groups) and len(self.classes):
            return deal_groups_by_class(self.groups, self.classes, self.folds, rng)
        if len(self.groups):
            return deal_groups(self.groups, self.folds, rng)
        if len(self.classes):
            return deal_by_class(self.classes, self.folds, rng)
        return deal(self.n, self.folds, rng)

    def _held_out(self, rng: np.random.Generator) -> NDArray[np.int32]:
        """Set the share aside: of every class in proportion, or whole groups."""
        units = self.groups if len(self.groups) else np.arange(self.n)
        shuffled = rng.permutation(int(units.max()) + 1)
        if len(self.classes) and not len(self.groups):
            shuffled = shuffled[np.argsort(self.classes[shuffled], kind="stable")]
            marks = np.floor(np.arange(len(shuffled) + 1) * self.share + rng.random())
            chosen = shuffled[np.diff(marks) > 0.0]
        else:
            chosen = shuffled[: max(round(self.share * len(shuffled)), 1)]
        aside = np.isin(units, chosen)
        return np.where(aside, 0, 1).astype(np.int32)

    def _drawn(self, rng: np.random.Generator) -> Iterator[Split]:
        """Yield draws with replacement (of groups, if there are any) and who was not drawn."""
        units = self.groups if len(self.groups) else np.arange(self.n)
        count = int(units.max()) + 1
        members = np.argsort(units, kind="stable")
        starts = np.searchsorted(units[members], np.arange(count + 1))
        for _ in range(self.folds):
            drawn = rng.integers(0, count, count)
            rows = [members[starts[unit] : starts[unit + 1]] for unit in np.sort(drawn)]
            yield np.concatenate(rows), np.flatnonzero(~np.isin(units, drawn))

    def _ordered(self) -> Iterator[Split]:
        order = self.order if len(self.order) else np.arange(self.n)
        size = self.n // (self.folds + 1)
        first = self.n - self.folds * size
        for fold in range(self.folds):
            start = first + fold * size
            past, future = order[: max(start - self.gap, 0)], order[start : start + size]
            yield np.sort(past).astype(np.int64), np.sort(future).astype(np.int64)

    def split(self, X: Any = None, y: Any = None, groups: Any = None) -> Iterator[Split]:
        """Yield the splits as scikit-learn's tools ask for them; the data must be those planned."""
        del y, groups
        if X is not None:
            length = X.shape[0] if hasattr(X, "shape") else len(X)
            self._refuse_wrong_length("X", length)
        return iter(self)

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Return the number of splits."""
        del X, y, groups
        return len(self)
