"""Categorical naive Bayes: every nominal column a table of its own within every class.

    P(c | x)  is proportional to  P(c) prod_j P(x_j | c),    P(v | c) = (n_cv + m p_v) / (n_c + m)

where ``n_c`` counts the rows of the class whose cell is known and ``n_cv`` those of them with the
value. ``m`` rows' worth of the prior ``p`` are added (the m-estimate); ``alpha`` rows of each value
are the same with ``m = alpha |values|`` and ``p = 1 / |values|``. Counts come from
:class:`~learnable.stats.Counts`, so learning is one pass and ``partial_fit`` is a merge. A missing
cell says nothing, and neither does a value that was never seen.

Cost: n d to learn, n K d to answer, K times the number of values to keep.

References
----------
.. [1] T. M. Mitchell: Machine Learning. McGraw-Hill 1997, section 6.9.
.. [2] B. Cestnik: Estimating probabilities: a crucial task in machine learning. ECAI 1990.
"""

from __future__ import annotations

from functools import partial
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from learnable.core.errors import DataError, ParameterError, SchemaError
from learnable.core.fold import fold, runner
from learnable.core.trace import emit, listening
from learnable.core.warning import warn
from learnable.data import Block, Rows
from learnable.data.nominal import UNSEEN, TextColumns, text_columns
from learnable.data.summaries import fold_fingerprint
from learnable.estimator.joining import Joining, half_log
from learnable.estimator.learner import features_of, fitting
from learnable.estimator.params import ArrayLike, Either, Flag, Integer, Number
from learnable.estimator.state import Count, Joined, Labels, Names
from learnable.estimator.statistic_state import COUNTS, FINGERPRINT
from learnable.loops.tables import joint_log_tables, whole_codes
from learnable.naive_bayes.base import NaiveBayes
from learnable.naive_bayes.priors import PRIORS, class_priors
from learnable.stats import Counts, Fingerprint
from learnable.stats.arrays import Floats, frozen

MOST = 1 << 24
"""The largest code: tables have a cell for every code up to the largest one."""


def m_estimate(table: Floats, m: float, p: Floats) -> Floats:
    """Return ``(n_cv + m p_v) / (n_c + m)`` of each class and value; ``p`` where nothing is known.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.naive_bayes.categorical import m_estimate
    >>> m_estimate(np.array([[2.0, 4.0, 3.0]]), 3.0, np.full(3, 1 / 3)).round(4)
    array([[0.25  , 0.4167, 0.3333]])
    """
    total = table.sum(axis=1, keepdims=True) + m
    known = total > 0.0
    return np.where(known, (table + m * p) / np.where(known, total, 1.0), p)


def _free_chances(model: CategoricalNB) -> int:
    """Return how many probabilities were fitted."""
    k = len(model.classes_)
    return int(k * (model.n_categories_ - 1).clip(0).sum()) + k - 1


class CategoricalNB(NaiveBayes):
    """Categorical naive Bayes.

    Parameters
    ----------
    alpha : float, default=1.0
        Rows of each value that are added to the counts (1: Laplace; 0: no smoothing).
    m : float, optional
        Rows' worth of the prior ``p`` that are added instead of ``alpha``.
    p : list of arrays, optional
        Prior probability of each value of each column; by default all values are equal.
    force_alpha : bool, default=True
        Whether an ``alpha`` below 1e-10 is taken as it is.
    fit_prior : bool, default=True
        Whether the priors of the classes are counted; else they are equal.
    class_prior : array (K,), dict, "empirical" or "uniform", optional
        Prior probabilities of the classes.
    min_categories : int or array (d,), optional
        Values that a column of codes has at least, ``0 .. min_categories - 1``.

    Attributes
    ----------
    classes_ : array (K,)
        The labels.
    categories_ : list of arrays, or None
        The values of each column, where the columns held text; None where they held codes.
    n_categories_ : array (d,)
        How many values each column has.
    class_count_, class_log_prior_ : array (K,)
        Weight of the training rows of each class, and the log of its prior.
    category_count_, feature_log_prob_ : list of arrays (K, n_categories_[j])
        Weight of each class with each value, and the log of its probability within the class.
    statistic_ : Counts
        What was learned from; two models' statistics merge.
    fingerprint_ : Fingerprint
        Which rows were learned from.
    n_features_in_, feature_names_in_
        Number and names of the columns.

    Notes
    -----
    ``P(c | x)`` is proportional to ``P(c) prod_j P(x_j | c)``. A column is nominal whatever it
    holds: codes ``0, 1, ...`` in a table of numbers, or values known by their text in a table
    that holds text. NaN and None are missing cells and say nothing; so do values never seen, with
    one warning.

    References
    ----------
    T. M. Mitchell: Machine Learning. McGraw-Hill 1997, section 6.9.

    Examples
    --------
    >>> from learnable.datasets import load_play_tennis
    >>> from learnable.naive_bayes import CategoricalNB
    >>> X, y = load_play_tennis(return_X_y=True)
    >>> model = CategoricalNB(alpha=0).fit(X, y)
    >>> model.predict_proba([["Sunny", "Cool", "High", "Strong"]]).round(4)
    array([[0.7954, 0.2046]])
    """

    joins: ClassVar[Joining] = Joining(
        "categorical naive Bayes",
        ("classification",),
        "codes",
        cost=lambda n, d, k: 3e-3 + 2e-9 * n * d * k,
        bits=lambda model, n: half_log(_free_chances(model), n),
        space={"alpha": (1.0, 0.1, 10.0)},
        readable=True,
    )
    parameters = {
        "alpha": Number(low=0.0),
        "m": Number(low=0.0, none=True),
        "p": ArrayLike(),
        "force_alpha": Flag(),
        "fit_prior": Flag(),
        "class_prior": PRIORS,
        "min_categories": Either(Integer(low=1, none=True), ArrayLike()),
    }
    fitted_state = {
        "classes_": Labels("K"),
        "n_features_in_": Count("d", low=1),
        "feature_names_in_": Names("d", optional=True),
        "categories_": Joined(Labels("?"), length="d", optional=True),
        "statistic_": COUNTS,
        "fingerprint_": FINGERPRINT,
    }
    derived = (
        "class_count_", "class_log_prior_", "n_categories_",
    )  # fmt: skip
    exempt: ClassVar = {"units_do_not_matter": "the columns are codes, which have no units"}
    takes_strings = True
    positive_only = True
    allows_nan = True

    def __init__(
        self,
        *,
        alpha: float = 1.0,
        m: float | None = None,
        p: Any = None,
        force_alpha: bool = True,
        fit_prior: bool = True,
        class_prior: Any = None,
        min_categories: Any = None,
    ) -> None:
        self.alpha = alpha
        self.m = m
        self.p = p
        self.force_alpha = force_alpha
        self.fit_prior = fit_prior
        self.class_prior = class_prior
        self.min_categories = min_categories

    @fitting
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> CategoricalNB:
        """Learn from rows and their classes.

        Parameters
        ----------
        X : array (n, d) or data frame
            Codes, or nominal cells of which at least one is text.
        y : array (n,)
            Class of each row.
        sample_weight : array (n,), optional
            A weight of 2 is the row twice.
        """
        table = text_columns(X)
        rows = self._accept(self._rows_of(X) if table is None else table.hashed(), reset=True)
        self.categories_ = None if table is None else table.values()
        codes = self._read_answers(y, rows)
        self._learn(*self._seen(rows, table, codes, sample_weight))
        return self

    @fitting
    def partial_fit(
        self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None
    ) -> CategoricalNB:
        """Learn from more rows; the result is that of ``fit`` on all of them.

        Parameters
        ----------
        X, y, sample_weight
            As in :meth:`fit`.
        classes : array (K,), optional
            All labels there will be; needed in the first call.
        """
        first = not self.__sklearn_is_fitted__()
        table = text_columns(X)
        rows = self._accept(self._rows_of(X) if table is None else table.hashed(), reset=first)
        codes = self._first_or_known(y, rows, classes, first=first)
        earlier = None if first else self._same_form(table)
        self.categories_ = None if table is None else self._widened(table, first=first)
        counts, fingerprint = self._seen(rows, table, codes, sample_weight)
        if earlier is not None:
            counts = _recoded(self.statistic_, earlier, self.categories_).merge(counts)
            fingerprint = self.fingerprint_.merge(fingerprint)
        self._learn(counts, fingerprint)
        return self

    def _same_form(self, table: TextColumns | None) -> list[Any]:
        """Refuse text where codes were learned, and codes where text was; return the values."""
        learned = self.categories_
        if (table is None) != (learned is None):
            now, then = ("codes", "text") if table is None else ("text", "codes")
            raise SchemaError(
                f"X holds {now}, but {type(self).__name__} learned from {then}.",
                remedy=f"Pass {then}.",
            )
        return [] if learned is None else learned

    def _widened(self, table: TextColumns, *, first: bool) -> list[Any]:
        """Return the values of each column, those known so far and those of the table."""
        if first:
            return table.values()
        pairs = zip(self.categories_, table.values(), strict=True)
        return [np.union1d(old, new) for old, new in pairs]

    def _seen(
        self, rows: Rows, table: TextColumns | None, codes: Any, sample_weight: Any
    ) -> tuple[Counts, Fingerprint]:
        weight = self._read_weights(sample_weight, rows.n)
        coded = rows if table is None else table.codes(self.categories_)
        of = partial(_block_counts, k=len(self.classes_), sizes=self._least_sizes(rows.d))
        counts: Counts = fold(of, Counts.merge, coded.blocks(codes, weight))
        return counts, fold_fingerprint(rows)

    def _least_sizes(self, d: int) -> Any:
        if self.categories_ is not None:
            return np.array([len(values) for values in self.categories_])
        if self.min_categories is None:
            return np.zeros(d, np.int64)
        least = np.asarray(self.min_categories)
        if least.dtype.kind not in "iu" or least.shape not in {(), (d,)}:
            msg = f"min_categories must be an integer or an array of {d} integers"
            raise ParameterError(msg)
        return np.broadcast_to(least, d).astype(np.int64)

    def _learn(self, counts: Counts, fingerprint: Fingerprint) -> None:
        """Turn the statistic into the model: the whole of naive Bayes."""
        self.statistic_, self.fingerprint_ = counts, fingerprint
        self._derive()
        if listening():
            self._tell()

    def _derive(self) -> None:
        """Compute what answers need from the statistic."""
        counts = self.statistic_
        stated = self.class_prior
        if stated is None and not self.fit_prior:
            stated = "uniform"
        prior = class_priors(stated, self.classes_, counts.weight)
        self.class_count_, self.n_categories_ = counts.weight, counts.sizes
        with np.errstate(divide="ignore"):
            self.class_log_prior_ = self._log_prior = np.log(prior)
        unseen = np.where(counts.weight > 0.0, 0.0, -np.inf) if self.m == 0.0 else 0.0
        self._constant = self.class_log_prior_ + unseen
        self._logs = np.empty(counts.table.shape[::-1])
        with np.errstate(divide="ignore"):
            for j in range(len(self.n_categories_)):
                self._logs[self._place(j)] = np.log(self._probabilities(j)).T

    def _place(self, j: int) -> slice:
        """Return where the values of a column stand in the table."""
        return slice(*self.statistic_.offsets[j : j + 2])

    @property
    def category_count_(self) -> list[Floats]:
        """Weight of each class with each value, one array a column."""
        return [self.statistic_.column(j) for j in range(len(self.n_categories_))]

    @property
    def feature_log_prob_(self) -> list[Floats]:
        """Log of the probability of each value within each class, one array a column."""
        return [self._logs[self._place(j)].T for j in range(len(self.n_categories_))]

    def _probabilities(self, j: int) -> Floats:
        """Return the probability of each value of a column within each class."""
        size = int(self.n_categories_[j])
        alpha = self.alpha if self.force_alpha else max(self.alpha, 1e-10)
        m = alpha * size if self.m is None else self.m
        p = np.full(size, 1.0 / max(size, 1)) if self.p is None else self._stated_prior(j, size)
        return m_estimate(self.statistic_.column(j), m, p)

    def _stated_prior(self, j: int, size: int) -> Floats:
        if len(self.p) != self.n_features_in_:
            msg = f"p must hold one array for each of the {self.n_features_in_} columns"
            raise ParameterError(msg)
        p = np.asarray(self.p[j], dtype=np.float64)
        if p.shape != (size,) or not np.isclose(p.sum(), 1.0) or (p < 0.0).any():
            msg = f"p[{j}] must hold {size} probabilities that sum to 1"
            raise ParameterError(msg)
        return p

    def _check_state(self) -> None:
        if len(self.statistic_.offsets) != self.n_features_in_ + 1:
            msg = "the number of tables is not the number of columns"
            raise DataError(msg)
        if self.categories_ is not None and any(
            len(values) != size or values.dtype.kind != "U"
            for values, size in zip(self.categories_, self.statistic_.sizes, strict=True)
        ):
            msg = "the values of a column do not fit its table"
            raise DataError(msg)
        self._derive()

    def _tell(self) -> None:
        for c, label in enumerate(self.classes_):
            weight, prior = float(self.class_count_[c]), float(np.exp(self.class_log_prior_[c]))
            emit("priors", c, label=str(label), weight=weight, prior=prior)
        for j, (name, counts) in enumerate(
            zip(self._column_names(), self.category_count_, strict=True)
        ):
            values = (
                range(self.n_categories_[j]) if self.categories_ is None else self.categories_[j]
            )
            emit(
                "counts", j, column=name, values=[str(value) for value in values],
                counts=counts.tolist(), zeros=int((counts == 0.0).sum()),
            )  # fmt: skip

    def _comparable(self, X: Any) -> Rows:
        X = features_of(self, X)
        table = text_columns(X)
        return self._rows_of(X) if table is None else table.hashed()

    def _read(self, X: Any, *, reset: bool = False) -> Rows:
        """Return the rows as codes; name text that was never seen."""
        self._check_fitted()
        table = text_columns(X)
        rows = self._accept(self._rows_of(X) if table is None else table.hashed(), reset=reset)
        self._same_form(table)
        if table is None:
            return rows
        coded = table.codes(self.categories_)
        coded.names = rows.names
        unseen = [np.flatnonzero(column == UNSEEN) for column in coded.cells]
        if count := sum(map(len, unseen)):
            j = next(j for j, places in enumerate(unseen) if len(places))
            self._name_unseen(table.cell(int(unseen[j][0]), j), j, count)
        return coded

    def _joint(self, rows: Rows) -> Floats:
        offsets = self.statistic_.offsets
        task = partial(_block_joint, frozen(offsets), frozen(self._logs), frozen(self._constant))
        parts = list(runner()(task, rows.blocks()))
        if count := sum(part.unseen for part in parts):
            first = next(part for part in parts if part.unseen)
            self._name_unseen(first.value, first.column, count)
        return np.concatenate([part.joint for part in parts])

    def _name_unseen(self, value: Any, j: int, count: int) -> None:
        cells = f" ({count} such cells in all)" if count > 1 else ""
        warn(
            f"CategoricalNB: the value {value} of column {self._column_names()[j]} was never seen "
            f"and is treated as missing{cells}.",
        )

    def _parts(self, rows: Rows, i: int) -> list[tuple[str, Any, Floats]]:
        parts: list[tuple[str, Any, Floats]] = [("prior", "", self.class_log_prior_)]
        codes = rows.row(i)
        for j, (name, code) in enumerate(zip(self._column_names(), codes.tolist(), strict=True)):
            if 0 <= code < self.n_categories_[j]:
                logs = self._logs[self._place(j)][int(code)]
                parts.append((name, self._value(j, int(code)), logs))
            else:
                parts.append((name, "missing", np.zeros(len(self.classes_))))
        return parts

    def _value(self, j: int, code: int) -> Any:
        return int(code) if self.categories_ is None else str(self.categories_[j][code])


class Answers(NamedTuple):
    """Joint log likelihoods of a block, and how many cells were never seen, with the first one."""

    joint: Floats
    unseen: int
    column: int
    value: Any


def _codes(block: Block) -> NDArray[np.int32]:
    """Return the codes of a block; refuse numbers that are none."""
    X = block.array()
    if X.dtype == np.int32:
        return X
    codes = np.empty(X.shape, np.int32)
    i, j = whole_codes(X, codes, MOST)
    if i >= 0:
        raise DataError(
            "Negative values in data passed to CategoricalNB: a code is a whole number from 0 on."
            if X[i, j] < 0
            else f"A code is a whole number from 0 to {MOST}.",
            column=block.names[j] if block.names is not None else j,
            row=block.start + i,
            value=float(X[i, j]),
            remedy="Encode the values of the column as 0, 1, ..., or pass them as text.",
        )
    return codes


def _block_counts(block: Block, k: int, sizes: NDArray[np.int64]) -> Counts:
    """Count one block (a module-level function, so that a cluster can run it)."""
    codes = _codes(block)
    sizes = np.maximum(sizes, codes.max(axis=0, initial=-1) + 1)
    return Counts.of(codes, block.codes, k, block.weight, sizes=sizes)


def _block_joint(
    offsets: NDArray[np.int64], logs: Floats, constant: Floats, block: Block
) -> Answers:
    """Answer for one block (a module-level function, so that a cluster can run it)."""
    codes = _codes(block)
    joint = joint_log_tables(frozen(codes), offsets, logs, constant)
    unseen = codes >= np.diff(offsets)
    count = int(unseen.sum())
    i, j = np.unravel_index(int(unseen.argmax()), unseen.shape)
    return Answers(joint, count, int(j), int(codes[i, j]))


def _recoded(counts: Counts, old: list[Any], new: list[Any] | None) -> Counts:
    """Return counts by the old values as counts by more values."""
    if new is None:
        return counts
    wider = counts.resized(np.array([len(values) for values in new]))
    table = np.zeros_like(wider.table)
    for j, (before, after) in enumerate(zip(old, new, strict=True)):
        places = wider.offsets[j] + np.searchsorted(after, before)
        table[:, places] = counts.column(j)
    return Counts(counts.weight, table, wider.offsets)
