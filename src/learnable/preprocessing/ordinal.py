"""Nominal columns as codes: the place of each value among those of its column.

Cost: one look-up a cell to learn and to transform; the different values to keep.

References
----------
.. [1] S. S. Stevens: On the theory of scales of measurement. Science 103, 1946.
.. [2] F. Pargent, F. Pfisterer, J. Thomas, B. Bischl: Regularized target encoding outperforms
   traditional methods in supervised machine learning with high cardinality features.
   Computational Statistics 37, 2022.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from learnable.core.errors import DataError, ParameterError
from learnable.data import read_rows
from learnable.estimator.learner import answering
from learnable.estimator.params import Choice, Either, Integer, Number
from learnable.estimator.state import Count, Integers, Joined, Names
from learnable.estimator.state import Integer as Whole
from learnable.preprocessing.base import Scaler
from learnable.preprocessing.cells import is_nan
from learnable.preprocessing.encoder import UNKNOWN, Encoder, Kind, Looked, Stated
from learnable.preprocessing.frequency import grouped
from learnable.preprocessing.state import Values


class Code:
    """A number, NaN or None."""

    def accepts(self, value: Any) -> bool:
        """Whether it is one."""
        return Number(none=True).accepts(value) or (value is not None and is_nan(value))

    def __str__(self) -> str:
        return "a number, NaN or None"


class OrdinalEncoder(Encoder):
    """Encode the values of each column as 0, 1, ...

    Parameters
    ----------
    categories : "auto" or list of lists, default="auto"
        The values of each column in the order of their codes; by default they are sorted (on a
        :class:`~learnable.data.Table`: in the order of its schema).
    dtype : dtype, default=numpy.float64
        Kind of number of the answer.
    handle_unknown : {"error", "use_encoded_value"}, default="error"
        What a value becomes that was not learned.
    unknown_value : int or nan, optional
        Its code, under ``"use_encoded_value"``.
    encoded_missing_value : int or nan, default=nan
        The code of missing cells (NaN).
    min_frequency : int or float, optional
        Values in fewer rows (or in a smaller share of them) share one code.
    max_categories : int, optional
        Most codes of a column; the rarest values share the last one.

    Attributes
    ----------
    categories_ : list of arrays
        The values of each column.
    category_count_ : list of arrays
        Training rows of each value.
    infrequent_categories_ : list of arrays or None
        The values that share a code.
    n_samples_seen_ : int
        Training rows.
    n_features_in_, feature_names_in_
        Number and names of the columns.

    Notes
    -----
    Codes say an order; where the values have none, :class:`OneHotEncoder` says none.

    References
    ----------
    S. S. Stevens: On the theory of scales of measurement. Science 103, 1946.

    Examples
    --------
    >>> from learnable.preprocessing import OrdinalEncoder
    >>> sizes = OrdinalEncoder(categories=[["small", "medium", "large"]])
    >>> sizes.fit_transform([["large"], ["small"]]).ravel().tolist()
    [2.0, 0.0]
    """

    parameters: ClassVar[dict[str, Any]] = {
        "categories": Stated(),
        "dtype": Kind(),
        "handle_unknown": Choice("error", "use_encoded_value"),
        "unknown_value": Code(),
        "encoded_missing_value": Code(),
        "min_frequency": Either(Integer(low=1, none=True), Number(low=0.0, high=1.0, open=True)),
        "max_categories": Integer(low=1, none=True),
    }
    fitted_state: ClassVar[dict[str, Any]] = {
        "n_features_in_": Count("d", low=1),
        "feature_names_in_": Names("d", optional=True),
        "categories_": Joined(Values(), length="d"),
        "_counts": Integers("?", low=0, dtype="int64"),
        "n_samples_seen_": Whole(low=1),
    }
    derived = ("infrequent_categories_",)
    get_feature_names_out = Scaler.get_feature_names_out

    def __init__(
        self,
        *,
        categories: Any = "auto",
        dtype: Any = np.float64,
        handle_unknown: str = "error",
        unknown_value: Any = None,
        encoded_missing_value: Any = np.nan,
        min_frequency: Any = None,
        max_categories: int | None = None,
    ) -> None:
        self.categories = categories
        self.dtype = dtype
        self.handle_unknown = handle_unknown
        self.unknown_value = unknown_value
        self.encoded_missing_value = encoded_missing_value
        self.min_frequency = min_frequency
        self.max_categories = max_categories

    def _check_params(self) -> None:
        super()._check_params()
        given = self.unknown_value is not None
        if self.handle_unknown == "use_encoded_value":
            if not given:
                msg = (
                    "unknown_value should be an integer or np.nan when handle_unknown is "
                    "'use_encoded_value', got None."
                )
                raise ParameterError(msg)
            if is_nan(self.unknown_value) and np.dtype(self.dtype).kind != "f":
                msg = (
                    "When unknown_value is np.nan, the dtype parameter should be a float dtype. "
                    f"Got {self.dtype}."
                )
                raise ParameterError(msg)
        elif given:
            msg = (
                "unknown_value should only be set when handle_unknown is 'use_encoded_value', got "
                f"{self.unknown_value}."
            )
            raise ParameterError(msg)

    def _derive(self) -> None:
        self._groups = [
            grouped(counts, self.n_samples_seen_, self.min_frequency, self.max_categories, values)
            for counts, values in zip(self.category_count_, self.categories_, strict=True)
        ]
        self._check_codes()

    @property
    def infrequent_categories_(self) -> list[Any]:
        """The values of each column that share a code, None where none do."""
        pairs = zip(self.categories_, self._groups, strict=True)
        return [values[group.rare] if len(group.rare) else None for values, group in pairs]

    def _check_codes(self) -> None:
        for j, group in enumerate(self._groups):
            missing = _missing(self.categories_[j])
            if (
                self.handle_unknown == "use_encoded_value"
                and not is_nan(self.unknown_value)
                and 0 <= self.unknown_value < group.size
            ):
                msg = (
                    f"The used value for unknown_value {self.unknown_value} is one of the values "
                    "already used for encoding the seen categories."
                )
                raise ParameterError(msg)
            nan = is_nan(self.encoded_missing_value)
            if missing and nan and np.dtype(self.dtype).kind != "f":
                msg = (
                    f"There are missing values in features [{j}]. For OrdinalEncoder to encode "
                    f"missing values with dtype: {self.dtype}, set encoded_missing_value to a "
                    "non-nan value, or set dtype to a float dtype"
                )
                raise ParameterError(msg)
            if missing and not nan and 0 <= self.encoded_missing_value < group.size - missing:
                msg = (
                    f"encoded_missing_value ({self.encoded_missing_value}) is already used to "
                    f"encode a known category in features: [{j}]"
                )
                raise ParameterError(msg)

    def _encoded(self, looked: Looked) -> Any:
        cells = looked.cells
        out = np.empty((cells.n, cells.d), self.dtype)
        for j, coded in enumerate(self._codes(looked)):
            if coded.strange and self.handle_unknown == "error":
                self._refuse_unknown(cells, j, coded, "transform")
            out[:, j] = self._numbers(j, bool(coded.strange))[coded.codes]
        return out

    def _numbers(self, j: int, strange: bool) -> Any:
        """Return the number of each place; the last one is that of a value which is not there."""
        group, values = self._groups[j], self.categories_[j]
        kind = np.dtype(self.dtype)
        missing = _missing(values)
        last: Any = self.unknown_value if strange else self.encoded_missing_value
        numbers = np.empty(len(values) + 1, np.float64 if kind.kind != "f" else kind)
        numbers[:-1] = group.places
        if missing:
            numbers[-1 - missing : -1] = self.encoded_missing_value
        numbers[-1] = last if last is not None and (kind.kind == "f" or last == last) else 0  # noqa: PLR0124
        return numbers.astype(kind)

    @answering
    def inverse_transform(self, X: Any) -> Any:
        """Return the values that the codes stand for; None for the code of unknown values.

        Parameters
        ----------
        X : array (n, d)
            Codes.
        """
        self._check_fitted()
        codes = read_rows(X, learner=type(self).__name__).array()
        if codes.shape[1] != self.n_features_in_:
            raise DataError(
                "Shape of the passed X data is not correct. Expected "
                f"{self.n_features_in_} columns, got {codes.shape[1]}."
            )
        columns = [self._values_of(j, codes[:, j]) for j in range(codes.shape[1])]
        kinds = [column.dtype for column in columns]
        same = kinds[0] if len(set(kinds)) == 1 else None
        return np.column_stack([c.astype(same or np.result_type(*kinds)) for c in columns])

    def _values_of(self, j: int, codes: Any) -> Any:
        """Return the values behind the codes of one column."""
        values, group = self.categories_[j], self._groups[j]
        names = group.names(values)
        place = np.full(len(codes), UNKNOWN)
        whole = np.isfinite(codes) & (codes == np.floor(codes))
        inside = whole & (codes >= 0) & (codes < group.size - _missing(values))
        place[inside] = codes[inside].astype(int)
        if _missing(values):
            nothing = np.isnan(codes) if is_nan(self.encoded_missing_value) else (
                codes == self.encoded_missing_value
            )  # fmt: skip
            place[nothing & (place == UNKNOWN)] = group.size - 1
        lost = place == UNKNOWN
        if not lost.any():
            return names[place]
        if self.handle_unknown == "error" and not np.isnan(codes[lost]).all():
            row = int(np.argmax(lost))
            raise DataError(
                "A code stands for no value.", column=self._column_names()[j], row=row,
                value=float(codes[row]), remedy="Pass codes that transform returned.",
            )  # fmt: skip
        return np.append(names.astype(object), [None])[place]


def _missing(values: Any) -> int:
    """Return whether the last value stands for missing cells."""
    return int(len(values) > 0 and is_nan(values[-1]))
