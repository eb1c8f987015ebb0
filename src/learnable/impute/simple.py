"""Every missing cell filled with one value of its column.

    x_ij  becomes  f({x_kj : known})    with f the mean, the median, the most frequent value

or the same over the rows of its class, while the class is known: filling within class keeps the
classes apart where the overall fill would blur them. At prediction the class is not known; the
overall fill stands in, which is said once.

Cost: one pass (median: a selection) to learn, one comparison a cell to fill.

References
----------
.. [1] R. J. A. Little, D. B. Rubin: Statistical Analysis with Missing Data. Wiley 2002.
.. [2] T. M. Mitchell: Machine Learning. McGraw-Hill 1997, section 3.7.4.
"""

from __future__ import annotations

from functools import partial
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from learnable.core.certificate import Certificate
from learnable.core.errors import DataError, ParameterError
from learnable.core.explanation import Explanation, Part
from learnable.core.trace import emit, listening
from learnable.core.warning import warn
from learnable.data import is_sparse, read_rows
from learnable.data.table import Table
from learnable.estimator.contract import TransformerContract, answers_in_chosen_form
from learnable.estimator.labels import as_labels
from learnable.estimator.learner import Learner, answering, fitting, same_length
from learnable.estimator.params import Choice, Flag
from learnable.estimator.state import Count, Integer, Integers, Joined, Labels, Names
from learnable.impute.columns import Columns
from learnable.impute.compressed import Compressed
from learnable.impute.fills import WITHIN, Rule
from learnable.impute.gaps import NUMBERS, Plain, as_values, place_of
from learnable.impute.tables import filled_table
from learnable.preprocessing.base import Scaler
from learnable.preprocessing.cells import is_nan, read_cells
from learnable.preprocessing.state import Values
from learnable.theory.statements import share_of_new_rows

STRATEGIES = ("mean", "median", "most_frequent", "constant")
_KINDS = ("float64", "float32", "int64", "object")


class SimpleImputer(TransformerContract, Learner):
    """Fill missing cells with a value of their column.

    Parameters
    ----------
    missing_values : number, str, NaN or None, default=NaN
        What stands for a missing cell; NaN means None and pandas' NA too.
    strategy : str, default="mean"
        "mean", "median", "most_frequent" or "constant"; the first three also with
        "_within_class" behind them, over the rows of the class.
    fill_value : number or str, optional
        The constant; by default 0, and "missing_value" where a column holds text.
    copy : bool, default=True
        Kept for scikit-learn's sake; the rows that are given are never written to.
    add_indicator : bool, default=False
        Add a column of truth values for each column that missed cells in training.
    keep_empty_features : bool, default=False
        Keep columns of which no cell is known (as 0, or the constant), instead of dropping them.

    Attributes
    ----------
    statistics_ : array (d,)
        The overall fill of each column; NaN where no cell is known.
    classes_ : array (K,) or None
        The classes within which was filled.
    class_statistics_ : list of arrays (K,), or None
        The fills of each column within each class.
    missing_count_ : array (d,)
        Missing training cells of each column.
    n_samples_seen_ : int
        Training rows.
    incomplete_ : int
        Training rows that missed a cell.
    indicator_ : array or None
        Numbers of the columns that have an indicator.
    n_features_in_, feature_names_in_
        Number and names of the columns.

    Notes
    -----
    A :class:`~learnable.data.Table` comes back as a Table; its nominal columns get their most
    frequent value where a mean or median is asked for.

    References
    ----------
    R. J. A. Little, D. B. Rubin: Statistical Analysis with Missing Data. Wiley 2002.

    Examples
    --------
    >>> from learnable.impute import SimpleImputer
    >>> SimpleImputer().fit_transform([[1.0], [None], [3.0]]).ravel().tolist()
    [1.0, 2.0, 3.0]
    >>> X, y = [[1.0], [None], [5.0], [None]], ["low", "low", "high", "high"]
    >>> SimpleImputer(strategy="mean_within_class").fit_transform(X, y).ravel().tolist()
    [1.0, 1.0, 5.0, 5.0]
    """

    kind = "transformer"
    takes_strings = True
    takes_sparse = True
    allows_nan = True
    keeps_float32 = True
    exempt = {"units_do_not_matter": "what is filled in has the unit of its column"}
    parameters: ClassVar[dict[str, Any]] = {
        "missing_values": Plain(),
        "strategy": Choice(*STRATEGIES, *(s + WITHIN for s in STRATEGIES[:3])),
        "fill_value": Plain(),
        "copy": Flag(),
        "add_indicator": Flag(),
        "keep_empty_features": Flag(),
    }
    fitted_state: ClassVar[dict[str, Any]] = {
        "n_features_in_": Count("d", low=1),
        "feature_names_in_": Names("d", optional=True),
        "statistics_": Values(),
        "classes_": Labels("K", optional=True),
        "class_statistics_": Joined(Values(), length="d", optional=True),
        "missing_count_": Integers("d", low=0, dtype="int64"),
        "n_samples_seen_": Integer(low=1),
        "incomplete_": Integer(low=0),
    }
    derived = ("indicator_",)

    def __init__(
        self,
        *,
        missing_values: Any = np.nan,
        strategy: str = "mean",
        fill_value: Any = None,
        copy: bool = True,
        add_indicator: bool = False,
        keep_empty_features: bool = False,
    ) -> None:
        self.missing_values = missing_values
        self.strategy = strategy
        self.fill_value = fill_value
        self.copy = copy
        self.add_indicator = add_indicator
        self.keep_empty_features = keep_empty_features

    @fitting
    def fit(self, X: Any, y: Any = None) -> SimpleImputer:
        """Learn the fill of each column.

        Parameters
        ----------
        X : array (n, d), data frame, Table or sparse matrix
            Numbers, text or both; of a sparse matrix, what is not stored is 0.
        y : array (n,), optional
            Classes; needed to fill within them.
        """
        given = self._given(X, reset=True)
        self.n_samples_seen_ = given.n
        self.missing_count_, self.incomplete_ = given.counts()
        self.statistics_ = given.fills(self._rule())
        self.classes_ = self.class_statistics_ = None
        if self.strategy.endswith(WITHIN):
            self._learn_classes(given, y)
        self._derive()
        if listening():
            for j, name in enumerate(self._column_names()):
                missed = int(self.missing_count_[j])
                emit("fill", j, column=name, value=str(self.statistics_[j]), missing=missed)
        return self

    def _given(self, X: Any, *, reset: bool = False) -> Columns | Compressed:
        """Read rows, and refuse what cannot be in them."""
        if not reset:
            self._check_fitted()
        given: Columns | Compressed
        if is_sparse(X):
            given = Compressed(_columns_of(X, type(self).__name__), self.missing_values)
        else:
            averaged = self.strategy.removesuffix(WITHIN) in {"mean", "median"}
            cells = read_cells(X, type(self).__name__)
            given = Columns(cells, self.missing_values, averaged=averaged)
        if reset:
            self.n_features_in_ = given.d
            vars(self).pop("feature_names_in_", None)
            if given.names is not None:
                self.feature_names_in_ = np.array(given.names, dtype=object)
        else:
            self._compare_columns(given.names, given.d)
            if "feature_names_in_" in vars(self):
                given.call(tuple(self.feature_names_in_))
        given.refuse_wild()
        return given

    def _rule(self) -> Rule:
        return Rule(
            self.strategy.removesuffix(WITHIN),
            self.fill_value,
            self.missing_values,
            keep_empty=self.keep_empty_features,
        )

    def _learn_classes(self, given: Columns | Compressed, y: Any) -> None:
        if y is None:
            msg = f"strategy={self.strategy!r} fills within classes: pass y, the class of each row"
            raise ParameterError(msg)
        labels = as_labels(y, learner=type(self).__name__)
        same_length(given.n, len(labels))
        self.classes_ = np.unique(labels)
        by_class = []
        for label in self.classes_:
            found = given.part(labels == label).fills(self._rule()).astype(object)
            # A class of which nothing is known in a column takes what is known of all classes.
            lost = np.array([is_nan(value) for value in found])
            found[lost] = self.statistics_[lost]
            by_class.append(found)
        kind = self.statistics_.dtype
        columns = zip(*by_class, strict=True)
        self.class_statistics_ = [as_values(list(fills), kind) for fills in columns]

    def _derive(self) -> None:
        known = [not is_nan(value) for value in self.statistics_.tolist()]
        self._kept = np.flatnonzero(np.array(known))
        self.indicator_ = np.flatnonzero(self.missing_count_ > 0) if self.add_indicator else None

    def _check_state(self) -> None:
        if len(self.statistics_) != self.n_features_in_:
            msg = "there is not one fill for each column"
            raise DataError(msg)
        arrays = [self.statistics_, *(self.class_statistics_ or ())]
        if any(a.dtype != self.statistics_.dtype or a.dtype.name not in _KINDS for a in arrays):
            msg = "the fills are neither numbers of one kind nor values"
            raise DataError(msg)
        if max(self.incomplete_, int(self.missing_count_.max())) > self.n_samples_seen_:
            msg = "more cells were missing than there were rows"
            raise DataError(msg)
        if (self.classes_ is None) != (self.class_statistics_ is None) or any(
            len(fills) != len(self.classes_) for fills in self.class_statistics_ or ()
        ):
            msg = "there is not one fill for each class"
            raise DataError(msg)
        super()._check_state()

    @property
    def _n_features_out(self) -> int:
        return len(self._kept) + (0 if self.indicator_ is None else len(self.indicator_))

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """Fit to the rows, then fill them, within their classes if the strategy says so.

        Parameters
        ----------
        X, y
            As in :meth:`fit`.
        """
        return self.fit(X, y).transform(X, y if self.strategy.endswith(WITHIN) else None)

    @answers_in_chosen_form
    @answering
    def transform(self, X: Any, y: Any = None) -> Any:
        """Return the rows with every missing cell filled.

        Parameters
        ----------
        X : array (n, d), data frame, Table or sparse matrix
            Rows.
        y : array (n,), optional
            Their classes, where they are known and fills within classes were learned.
        """
        given, choose = self._given(X), self._overall_of
        if self.classes_ is not None and y is not None:
            labels = as_labels(y, learner=type(self).__name__)
            same_length(given.n, len(labels))
            choose = partial(self._within, place_of(labels, self.classes_))
        elif self.classes_ is not None and given.counts()[1]:
            self._tell_fallback()
        self._tell_empty()
        if isinstance(X, Table) and isinstance(given, Columns):
            fills = ((j, given.gaps[j], choose(j, np.flatnonzero(given.gaps[j])))
                     for j in self._kept.tolist())  # fmt: skip
            return filled_table(X, fills, self.indicator_)
        given.check_like(self.statistics_)
        if choose == self._overall_of and self.statistics_.dtype.kind in NUMBERS:
            answer = given.filled(self._kept, [self._overall(j) for j in self._kept])
        else:
            answer = given.filled_by(self._kept, choose)
        if self.indicator_ is None or not len(self.indicator_):
            return answer
        return given.with_marks(answer, self.indicator_)

    def _overall_of(self, j: int, rows: NDArray[np.intp]) -> Any:  # noqa: ARG002 (as _within)
        return self._overall(j)

    def _within(self, place: NDArray[np.intp], j: int, rows: NDArray[np.intp]) -> Any:
        """Return the fill of each row by its class."""
        choices = np.append(self.class_statistics_[j].astype(object), [self._overall(j)])
        return choices[place[rows]]

    def _tell_fallback(self) -> None:
        if "_told" not in vars(self):
            self._told = True
            warn(
                "SimpleImputer filled within classes; where the class is not known, missing cells "
                "get the overall fill of their column."
            )

    def _tell_empty(self) -> None:
        lost = sorted(set(range(self.n_features_in_)) - set(self._kept.tolist()))
        if lost:
            every = self._column_names()
            names = [every[j] for j in lost]
            warn(
                f"Skipping features without any observed values: {names}. At least one non-missing "
                f"value is needed for imputation with strategy={self.strategy!r}."
            )

    def _overall(self, j: int) -> Any:
        value = self.statistics_[j]
        return 0 if is_nan(value) else value

    @answering
    def inverse_transform(self, X: Any) -> Any:
        """Return the rows with the filled cells missing again, as the indicators say.

        Parameters
        ----------
        X : array (n, columns and indicators)
            What ``transform`` returned, under ``add_indicator=True``.
        """
        self._check_fitted()
        if self.indicator_ is None:
            msg = (
                "inverse_transform works only when SimpleImputer is instantiated with "
                f"add_indicator=True. Got add_indicator={self.add_indicator} instead."
            )
            raise ParameterError(msg)
        given = np.asarray(X)
        if given.ndim != 2 or given.shape[1] != self._n_features_out:
            raise DataError(f"X must have {self._n_features_out} columns, as transform returned.")
        mark = self.missing_values
        kind = np.result_type(given.dtype, np.float64) if given.dtype.kind in "biuf" else object
        found = np.full((len(given), self.n_features_in_), mark, dtype=kind)
        found[:, self._kept] = given[:, : len(self._kept)]
        for place, j in enumerate(self.indicator_, len(self._kept)):
            found[given[:, place].astype(bool), j] = mark
        return found

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """Return the names of the columns that are kept, then those of the indicators.

        Parameters
        ----------
        input_features : array of str, optional
            Names for columns that had none; otherwise they must be those of ``fit``.
        """
        names = Scaler.get_feature_names_out(self, input_features)
        marks = [] if self.indicator_ is None else self.indicator_
        extra = [f"missingindicator_{names[j]}" for j in marks]
        return np.array([*names[self._kept], *extra], dtype=object)

    def sources_out(self) -> list[int]:
        """Return the number of the column that each column of the answer comes from."""
        self._check_fitted()
        return [*self._kept.tolist(), *([] if self.indicator_ is None else self.indicator_)]

    @answering
    def _explain(self, X: Any) -> list[Explanation]:
        given = self._given(X)
        return [self._reasons(*given.row(i)) for i in range(given.n)]

    def _reasons(self, row: list[Any], missing: NDArray[np.bool_]) -> Explanation:
        parts, answer = [], []
        for j, name in enumerate(self._column_names()):
            value, fill = row[j], self._overall(j)
            told = f"missing, filled with {fill}" if missing[j] else "known"
            parts.append(Part(name, value, told, float(missing[j])))
            answer.append(fill if missing[j] else value)
        count = int(missing.sum())
        names = ", ".join(part.label for part in parts if part.weight)
        summary = f"{count} of {len(parts)} cells filled: {names}." if count else "Nothing to fill."
        unit = "cells filled"
        return Explanation(
            tuple(answer), "contributions", tuple(parts), float(count), unit, summary
        )

    @answering
    def _certify(self, X: Any, y: Any, role: str, confidence: float) -> Certificate:  # noqa: ARG002 (the contract's signature)
        count, n = self.incomplete_, self.n_samples_seen_
        if role == "test":
            given = self._given(X)
            count, n = given.counts()[1], given.n
        return share_of_new_rows(
            count,
            n,
            quantity="share of new rows with a missing cell",
            told="miss a cell and are filled",
            confidence=confidence,
        )


def _columns_of(X: Any, learner: str) -> Any:
    """Return compressed rows as compressed columns, each cell stored once."""
    if X.ndim != 2 or X.dtype.kind == "c" or not all(X.shape):
        read_rows(X, sparse=True, learner=learner)
    matrix = X.tocsc()
    if not matrix.has_canonical_format:
        matrix = matrix.copy() if matrix is X else matrix
        matrix.sum_duplicates()
    return matrix
