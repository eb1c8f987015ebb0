"""Nominal columns as indicators: a column of 0 and 1 for each value.

The answer is a compressed matrix with at most d stored ones a row; its cost is that of the codes.

Cost: one look-up a cell to learn and to transform; the different values to keep.

References
----------
.. [1] D. B. Suits: Use of dummy variables in regression equations. Journal of the American
   Statistical Association 52, 1957.
.. [2] T. Hastie, R. Tibshirani, J. Friedman: The Elements of Statistical Learning. Springer 2009,
   section 2.2.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from learnable.core.errors import DataError, ParameterError
from learnable.core.warning import warn
from learnable.data import is_sparse, read_rows
from learnable.estimator.learner import answering
from learnable.estimator.params import ArrayLike, Choice, Either, Flag, Function, Integer, Number
from learnable.estimator.state import Count, Integers, Joined, Names
from learnable.estimator.state import Integer as Whole
from learnable.preprocessing.base import Scaler, dense_form
from learnable.preprocessing.encoder import UNKNOWN, Coded, Encoder, Kind, Looked, Stated, place_of
from learnable.preprocessing.frequency import grouped
from learnable.preprocessing.indicators import compressed, spread_out
from learnable.preprocessing.state import Values


class OneHotEncoder(Encoder):
    """Encode the values of each column as columns of 0 and 1.

    Parameters
    ----------
    categories : "auto" or list of lists, default="auto"
        The values of each column in the order of their indicators; by default they are sorted (on
        a :class:`~learnable.data.Table`: in the order of its schema).
    drop : {"first", "if_binary"} or array (d,), optional
        A value of each column that gets no indicator.
    sparse_output : bool, default=True
        Answer with a compressed matrix.
    dtype : dtype, default=numpy.float64
        Kind of number of the answer.
    handle_unknown : {"error", "ignore", "infrequent_if_exist", "warn"}, default="error"
        What a value does that was not learned: an error, zeros, the indicator of the rare values
        (zeros where there is none), the same with a warning.
    min_frequency : int or float, optional
        Values in fewer rows (or in a smaller share of them) share one indicator.
    max_categories : int, optional
        Most indicators of a column; the rarest values share the last one.
    feature_name_combiner : "concat" or function, default="concat"
        Makes the name of an indicator from column and value; "concat" joins them by "_".

    Attributes
    ----------
    categories_ : list of arrays
        The values of each column.
    category_count_ : list of arrays
        Training rows of each value.
    drop_idx_ : array of object or None
        The value of each column that gets no indicator.
    infrequent_categories_ : list of arrays or None
        The values that share an indicator.
    n_samples_seen_ : int
        Training rows.
    n_features_in_, feature_names_in_
        Number and names of the columns.

    Notes
    -----
    On a Table a value that was never seen counts as missing, with a warning.

    References
    ----------
    D. B. Suits: Use of dummy variables in regression equations. Journal of the American
    Statistical Association 52, 1957.

    Examples
    --------
    >>> from learnable.preprocessing import OneHotEncoder
    >>> winds = OneHotEncoder(categories=[["Weak", "Strong"]], sparse_output=False)
    >>> winds.fit_transform([["Strong"], ["Weak"]]).tolist()
    [[0.0, 1.0], [1.0, 0.0]]
    >>> winds.get_feature_names_out(["wind"]).tolist()
    ['wind_Weak', 'wind_Strong']
    """

    parameters: ClassVar[dict[str, Any]] = {
        "categories": Stated(),
        "drop": Either(Choice("first", "if_binary"), ArrayLike()),
        "sparse_output": Flag(),
        "dtype": Kind(),
        "handle_unknown": Choice("error", "ignore", "infrequent_if_exist", "warn"),
        "min_frequency": Either(Integer(low=1, none=True), Number(low=0.0, high=1.0, open=True)),
        "max_categories": Integer(low=1, none=True),
        "feature_name_combiner": Either(Choice("concat"), Function()),
    }
    fitted_state: ClassVar[dict[str, Any]] = {
        "n_features_in_": Count("d", low=1),
        "feature_names_in_": Names("d", optional=True),
        "categories_": Joined(Values(), length="d"),
        "_counts": Integers("?", low=0, dtype="int64"),
        "n_samples_seen_": Whole(low=1),
    }
    derived = ("drop_idx_", "infrequent_categories_")

    def __init__(
        self,
        *,
        categories: Any = "auto",
        drop: Any = None,
        sparse_output: bool = True,
        dtype: Any = np.float64,
        handle_unknown: str = "error",
        min_frequency: Any = None,
        max_categories: int | None = None,
        feature_name_combiner: Any = "concat",
    ) -> None:
        self.categories = categories
        self.drop = drop
        self.sparse_output = sparse_output
        self.dtype = dtype
        self.handle_unknown = handle_unknown
        self.min_frequency = min_frequency
        self.max_categories = max_categories
        self.feature_name_combiner = feature_name_combiner

    def _derive(self) -> None:
        self._groups = [
            grouped(counts, self.n_samples_seen_, self.min_frequency, self.max_categories, None)
            for counts in self.category_count_
        ]
        self._dropped = self._dropped_places()
        sizes = [
            group.size - (dropped is not None)
            for group, dropped in zip(self._groups, self._dropped, strict=True)
        ]
        self._offsets = np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)])
        self.drop_idx_ = None
        if self.drop is not None:
            places = [
                None if dropped is None else int(np.flatnonzero(group.places == dropped)[0])
                for group, dropped in zip(self._groups, self._dropped, strict=True)
            ]
            self.drop_idx_ = np.array(places, dtype=object)

    def _dropped_places(self) -> list[int | None]:
        """Return the place of each column that gets no indicator."""
        if self.drop is None:
            return [None] * len(self._groups)
        if isinstance(self.drop, str):
            wanted = self.drop == "first"
            return [0 if (wanted and g.size) or g.size == 2 else None for g in self._groups]
        if len(self.drop) != len(self._groups):
            msg = f"drop should have length equal to the number of features ({len(self._groups)})"
            raise ParameterError(msg)
        places: list[int | None] = []
        for j, (value, values, group) in enumerate(
            zip(self.drop, self.categories_, self._groups, strict=True)
        ):
            place = place_of(value, values)
            if place is None:
                msg = (
                    "The following categories were supposed to be dropped, but were not found in "
                    f"the training data.\nCategory: {value}, Feature: {j}"
                )
                raise ParameterError(msg)
            if place in group.rare:
                msg = f"Unable to drop category {value!r} from feature {j} because it is infrequent"
                raise ParameterError(msg)
            places.append(int(group.places[place]))
        return places

    @property
    def infrequent_categories_(self) -> list[Any]:
        """The values of each column that share an indicator, None where none do."""
        pairs = zip(self.categories_, self._groups, strict=True)
        return [values[group.rare] if len(group.rare) else None for values, group in pairs]

    @property
    def _n_features_out(self) -> int:
        return int(self._offsets[-1])

    def _output_form(self) -> str:
        remedy = "Set sparse_output=False"
        return dense_form(super()._output_form(), remedy, sparse=self.sparse_output)

    def _encoded(self, looked: Looked) -> Any:
        return self._indicators(looked, sparse=self.sparse_output)

    def _dense(self, looked: Looked) -> Any:
        return self._indicators(looked, sparse=False)

    def _indicators(self, looked: Looked, *, sparse: bool) -> Any:
        cells = looked.cells
        places = np.empty((cells.n, cells.d), np.int32)
        strange = []
        for j, coded in enumerate(self._codes(looked)):
            if coded.strange and self.handle_unknown == "error":
                self._refuse_unknown(cells, j, coded, "transform")
            if coded.strange:
                strange.append(j)
            places[:, j] = self._columns_of(j, coded)[coded.codes]
        if strange:
            self._tell_strange(strange)
        return compressed(places, self._n_features_out, self.dtype) if sparse else (
            spread_out(places, self._n_features_out, self.dtype)
        )  # fmt: skip

    def _columns_of(self, j: int, coded: Coded) -> Any:
        """Return the indicator of each value, -1 for none; the last one is that of new values."""
        group, dropped = self._groups[j], self._dropped[j]
        rare = len(group.rare) and coded.strange and self.handle_unknown != "ignore"
        last = group.places[group.rare[0]] if rare else UNKNOWN
        place = np.append(group.places, last)
        gone = place == UNKNOWN
        if dropped is not None:
            gone |= place == dropped
            place = place - (place > dropped)
        return np.where(gone, UNKNOWN, place + self._offsets[j]).astype(np.int32)

    def _tell_strange(self, columns: list[int]) -> None:
        if self.handle_unknown != "warn" and self.drop is None:
            return
        shared = self.handle_unknown != "ignore" and any(len(g.rare) for g in self._groups)
        how = "the infrequent category" if shared else "all zeros"
        warn(
            f"Found unknown categories in columns {columns} during transform. These unknown "
            f"categories will be encoded as {how}."
        )

    @answering
    def inverse_transform(self, X: Any) -> Any:
        """Return the values whose indicators were given.

        Parameters
        ----------
        X : array (n, indicators) or sparse matrix
            Indicators; of several, the first largest one counts, and zeros are the dropped value.
        """
        self._check_fitted()
        rows = read_rows(X, sparse=True, learner=type(self).__name__)
        if rows.d != self._n_features_out:
            raise DataError(
                "Shape of the passed X data is not correct. Expected "
                f"{self._n_features_out} columns, got {rows.d}."
            )
        cells = rows.array() if is_sparse(X) else np.asarray(rows.array())
        columns = [self._values_of(j, cells) for j in range(self.n_features_in_)]
        kinds = {column.dtype for column in columns}
        kind = kinds.pop() if len(kinds) == 1 else np.result_type(*[c.dtype for c in columns])
        return np.column_stack([column.astype(kind) for column in columns])

    def _values_of(self, j: int, cells: Any) -> Any:
        """Return the values of one column behind its indicators."""
        group, dropped = self._groups[j], self._dropped[j]
        names = group.names(self.categories_[j])
        part = cells[:, self._offsets[j] : self._offsets[j + 1]]
        if not part.shape[1]:
            if not len(names):
                return np.full(len(cells), None, dtype=object)
            return names[np.full(len(cells), dropped)]
        place = part.argmax(axis=1)
        if dropped is not None:
            place = place + (place >= dropped)
        zeros = part.sum(axis=1) == 0
        if not zeros.any():
            return names[place]
        if dropped is not None:
            place[zeros] = dropped
            return names[place]
        if self.handle_unknown in {"infrequent_if_exist", "warn"} and len(group.rare):
            place[zeros] = group.places[group.rare[0]]
            return names[place]
        if self.handle_unknown == "error":
            row = int(np.argmax(zeros))
            raise DataError(
                f"Samples {np.flatnonzero(zeros)[:10].tolist()} can not be inverted when drop=None "
                "and handle_unknown='error' because they contain all zeros",
                column=self._column_names()[j],
                row=row,
            )
        return np.where(zeros, None, names.astype(object)[place])

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """Return the names of the indicators.

        Parameters
        ----------
        input_features : array of str, optional
            Names for columns that had none; otherwise they must be those of ``fit``.
        """
        self._check_fitted()
        combine = _joined if self.feature_name_combiner == "concat" else self.feature_name_combiner
        names = []
        for name, values, group, dropped in zip(
            Scaler.get_feature_names_out(self, input_features),
            self.categories_,
            self._groups,
            self._dropped,
            strict=True,
        ):
            made = [combine(name, value) for value in group.names(values).tolist()]
            if odd := [one for one in made if not isinstance(one, str)]:
                msg = (
                    "When `feature_name_combiner` is a callable, it should return a Python "
                    f"string. Got {type(odd[0])} instead."
                )
                raise TypeError(msg)
            names += [one for place, one in enumerate(made) if place != dropped]
        return np.array(names, dtype=object)

    def sources_out(self) -> list[int]:
        """Return the number of the column that each indicator tells of."""
        self._check_fitted()
        return np.repeat(np.arange(self.n_features_in_), np.diff(self._offsets)).tolist()


def _joined(name: str, value: Any) -> str:
    return f"{name}_{value!s}"
