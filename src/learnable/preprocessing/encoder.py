"""What the encoders share: the values of each column, their counts, and the place of each cell."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from learnable.core.certificate import Certificate
from learnable.core.errors import DataError, ParameterError
from learnable.core.explanation import Explanation, Part
from learnable.core.trace import emit, listening
from learnable.core.warning import warn
from learnable.data.rows import refuse_cell
from learnable.data.table import Table
from learnable.data.texts import Texts
from learnable.estimator.contract import TransformerContract, answers_in_chosen_form
from learnable.estimator.learner import Learner, answering, fitting
from learnable.preprocessing.cells import Cells, counted, factorised, is_nan, is_nothing, read_cells
from learnable.preprocessing.quantiles import each_column
from learnable.theory.statements import share_of_new_rows

UNKNOWN = -1
Codes = NDArray[np.int32]


class Kind:
    """A kind of number (or ``object``) as NumPy names it; ``floats`` asks for one."""

    def accepts(self, value: Any) -> bool:
        """Whether NumPy knows it."""
        if value is None:
            return False
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")  # names that NumPy is about to drop
                return np.dtype(value).kind in "biuf"
        except (TypeError, ValueError, Warning):
            return False

    def __str__(self) -> str:
        return "a kind of number, such as float or numpy.float32"


class Stated:
    """``"auto"``, or a list of the values of each column."""

    def accepts(self, value: Any) -> bool:
        """Whether it is one of both."""
        return value == "auto" if isinstance(value, str) else isinstance(value, (list, tuple))

    def __str__(self) -> str:
        return '"auto", or a list with the values of each column'


class Coded(NamedTuple):
    """A column by the places of its cells among the categories, and the values that are not there.

    Attributes
    ----------
    codes : array (n,)
        The places; ``UNKNOWN`` where the value is not among the categories.
    strange : list
        The values that are not.
    """

    codes: Codes
    strange: list[Any]


class Looked(NamedTuple):
    """Cells with the different values of each column, and the place of each cell among them.

    Attributes
    ----------
    cells : Cells
        The cells.
    found : list
        Values and places of each column.
    """

    cells: Cells
    found: list[Any]


class Encoder(TransformerContract, Learner):
    """Base of the encoders of nominal columns.

    A subclass has ``_encoded(looked)``, which makes of the places of the cells what ``transform``
    answers, and the attributes ``categories`` and ``handle_unknown``.
    """

    _encoded: Callable[[Looked], Any]
    kind = "transformer"
    takes_strings = True
    allows_nan = True

    @fitting
    def fit(self, X: Any, y: Any = None) -> Any:  # noqa: ARG002 (the contract's signature)
        """Learn the values of each column.

        Parameters
        ----------
        X : array (n, d), data frame or Table
            Numbers, text or both; None and NaN are values of their own.
        y : None
            Ignored.
        """
        cells = self._cells(X, reset=True)
        self._learn(cells, each_column(counted, cells.columns, cells.n))
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """Fit to the rows, then transform them; they are looked up once.

        Parameters
        ----------
        X, y
            As in :meth:`fit`.
        """
        looked = self._fit_looked(read_cells(_features(X), type(self).__name__), y)
        return self._answered(X, looked)

    @fitting
    def _fit_looked(self, cells: Cells, y: Any = None) -> Looked:  # noqa: ARG002 (as fit)
        cells = self._accepted(cells, reset=True)
        found = each_column(factorised, cells.columns, cells.n)
        counts = [np.bincount(codes, minlength=len(values)) for values, codes in found]
        self._learn(cells, [(values, n) for (values, _), n in zip(found, counts, strict=True)])
        return Looked(cells, found)

    def _learn(self, cells: Cells, found: list[Any]) -> None:
        """Settle the values of each column and their counts."""
        self.categories_ = [self._values(j, cells, values) for j, (values, _) in enumerate(found)]
        self.n_samples_seen_, weights = cells.n, []
        for j, (values, counts) in enumerate(found):
            places = _places(values, self.categories_[j])
            if self.handle_unknown == "error" and (places == UNKNOWN).any():
                coded = _placed(*factorised(cells.columns[j]), self.categories_[j])
                self._refuse_unknown(cells, j, coded, "fit")
            known = places >= 0
            weight = np.zeros(len(self.categories_[j]), np.int64)
            weight[places[known]] = counts[known]
            weights.append(weight)
        self._counts = np.concatenate(weights)
        self._derive()
        if listening():
            self._tell()

    @answers_in_chosen_form
    @answering
    def transform(self, X: Any) -> Any:
        """Return the encoded rows.

        Parameters
        ----------
        X : array (n, d), data frame or Table
            Rows.
        """
        return self._encoded(self._looked(X))

    @answers_in_chosen_form
    @answering
    def _answered(self, X: Any, found: Looked) -> Any:  # noqa: ARG002 (its form is asked for)
        return self._encoded(found)

    def _looked(self, X: Any) -> Looked:
        cells = self._cells(X)
        return Looked(cells, each_column(factorised, cells.columns, cells.n))

    def _cells(self, X: Any, *, reset: bool = False) -> Cells:
        if not reset:
            self._check_fitted()
        return self._accepted(read_cells(X, type(self).__name__), reset=reset)

    def _accepted(self, cells: Cells, *, reset: bool) -> Cells:
        if reset:
            self.n_features_in_ = cells.d
            vars(self).pop("feature_names_in_", None)
            if cells.names is not None:
                self.feature_names_in_ = np.array(cells.names, dtype=object)
        else:
            self._compare_columns(cells.names, cells.d)
        if cells.names is None and "feature_names_in_" in vars(self):
            cells = cells._replace(names=tuple(self.feature_names_in_))
        return cells

    def _values(self, j: int, cells: Cells, values: NDArray[Any]) -> NDArray[Any]:
        """Return the categories of a column, as stated or in order."""
        column = cells.columns[j]
        _refuse_infinite(cells, j, values)
        if not isinstance(self.categories, str):
            return self._stated(j, cells.d, values)
        if isinstance(column, Texts):
            return values
        return ordered(values, cells.name(j))

    def _stated(self, j: int, d: int, values: NDArray[Any]) -> NDArray[Any]:
        if len(self.categories) != d:
            msg = "Shape mismatch: if categories is an array, it has to be of shape (n_features,)."
            raise ParameterError(msg)
        given = self.categories[j]
        if values.dtype.kind == "O":
            stated = np.empty(len(given), dtype=object)
            stated[:] = list(given)
        else:
            stated = np.array(given, dtype=values.dtype if values.dtype.kind != "U" else None)
        if any(is_nan(one) for one in stated.tolist()[:-1]):
            msg = (
                "Nan should be the last element in user provided categories, see categories "
                f"{stated} in column #{j}"
            )
            raise ParameterError(msg)
        if len(_index(stated)) != len(stated):
            msg = (
                f"In column {j}, the predefined categories contain duplicate elements: "
                f"{stated.tolist()}"
            )
            raise ParameterError(msg)
        return stated

    def _codes(self, looked: Looked) -> Iterator[Coded]:
        """Yield every column by the places of its cells; infinity is refused."""
        cells = looked.cells
        for j, (column, (values, codes)) in enumerate(
            zip(cells.columns, looked.found, strict=True)
        ):
            _refuse_infinite(cells, j, values)
            coded = _placed(values, codes, self.categories_[j])
            if coded.strange and isinstance(column, Texts):
                self._name_unseen(cells, j, coded)
                coded = coded._replace(strange=[])
            yield coded

    def _name_unseen(self, cells: Cells, j: int, coded: Coded) -> None:
        """Say once that values of a nominal column are new; they are taken as missing."""
        new = [value for value in coded.strange if not is_nothing(value)]
        if new:
            warn(
                f"The value {new[0]!r} of column {cells.name(j)!r} was never seen; "
                f"{int((coded.codes == UNKNOWN).sum())} cells are treated as missing."
            )

    def _refuse_unknown(self, cells: Cells, j: int, coded: Coded, when: str) -> None:
        row = int(np.argmax(coded.codes == UNKNOWN))
        raise DataError(
            f"Found unknown categories {coded.strange[:10]} in column {j} during {when}.",
            column=cells.name(j),
            row=row,
            value=coded.strange[0],
            remedy="State the categories, or choose another handle_unknown.",
        )

    @property
    def category_count_(self) -> list[NDArray[np.int64]]:
        """Rows of each value of each column."""
        ends = np.cumsum([len(values) for values in self.categories_])
        return np.split(self._counts, ends[:-1])

    def _tell(self) -> None:
        """Hand the values and their counts to the trace."""
        numbers = self.category_count_
        for j, name in enumerate(self._column_names()):
            emit(
                "values", j, column=name, values=[str(v) for v in self.categories_[j].tolist()],
                counts=numbers[j].tolist(),
            )  # fmt: skip

    def _check_state(self) -> None:
        if len(self._counts) != sum(map(len, self.categories_)):
            msg = "other values were counted than there are"
            raise DataError(msg)
        for values, counts in zip(self.categories_, self.category_count_, strict=True):
            if len(_index(values)) != len(values):
                msg = "the values of a column are not distinct"
                raise DataError(msg)
            if int(counts.sum()) > self.n_samples_seen_:
                msg = "more cells were counted than there were rows"
                raise DataError(msg)
        super()._check_state()

    @answering
    def _explain(self, X: Any) -> list[Explanation]:
        looked = self._looked(X)
        cells, columns = looked.cells, list(self._codes(looked))
        answers, counts = self._dense(looked), self.category_count_
        return [self._reasons(cells, columns, i, answers[i], counts) for i in range(cells.n)]

    def _reasons(
        self, cells: Cells, columns: list[Coded], i: int, answer: Any, counts: list[Any]
    ) -> Explanation:
        """Say how rare each value of a row is: its information in bits, by its count."""
        parts = []
        for j, (name, coded) in enumerate(zip(self._column_names(), columns, strict=True)):
            code = int(coded.codes[i])
            count = int(counts[j][code]) if code >= 0 else 0
            bits = math.log2((self.n_samples_seen_ + 1) / (count + 1))
            told = f"in {count} of {self.n_samples_seen_} training rows"
            value = _cell(cells.columns[j], i)
            parts.append(Part(name, value, told if code >= 0 else "never seen", bits))
        rarest = max(parts, key=lambda part: part.weight)
        told = f"Rarest value: {rarest.label} = {rarest.value}, {rarest.evidence}."
        score = sum(part.weight for part in parts)
        unit = "bits by which the values of the row are rare"
        return Explanation(tuple(answer.tolist()), "contributions", tuple(parts), score, unit, told)

    def _dense(self, looked: Looked) -> Any:
        """Return what ``transform`` answers as an array."""
        return self._encoded(looked)

    @answering
    def _certify(self, X: Any, y: Any, role: str, confidence: float) -> Certificate:  # noqa: ARG002 (the contract's signature)
        if role != "test":
            msg = (
                "The training rows hold no value that they do not hold. Give rows that were not "
                'learned from, with role="test"'
            )
            raise ParameterError(msg)
        looked = self._looked(X)
        cells, new = looked.cells, np.zeros(looked.cells.n, bool)
        for coded in self._codes(looked):
            new |= coded.codes == UNKNOWN
        return share_of_new_rows(
            int(new.sum()),
            cells.n,
            quantity="share of new rows with a value never seen",
            told="hold a value that was never seen in its column",
            confidence=confidence,
        )


def _features(X: Any) -> Any:
    return X.features() if isinstance(X, Table) else X


def _refuse_infinite(cells: Cells, j: int, values: NDArray[Any]) -> None:
    if values.dtype.kind == "f" and np.isinf(values).any():
        row = int(np.argmax(np.isinf(cells.columns[j])))
        refuse_cell(cells.columns[j][row], row, j, cells.names)


def _cell(column: Any, i: int) -> Any:
    if isinstance(column, Texts):
        return None if column.codes[i] < 0 else column.values[column.codes[i]]
    cell = column[i]
    return cell.item() if isinstance(cell, np.generic) else cell


def ordered(values: NDArray[Any], column: Any) -> NDArray[Any]:
    """Return values in order, None and then NaN last.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.preprocessing.encoder import ordered
    >>> ordered(np.array(["b", None, "a"], dtype=object), "x0").tolist()
    ['a', 'b', None]
    """
    if values.dtype.kind != "O":
        return np.sort(values)
    cells = values.tolist()
    known = [cell for cell in cells if not is_nothing(cell)]
    try:
        known.sort()
    except TypeError as error:
        kinds = sorted({type(cell).__name__ for cell in cells})
        # scikit-learn's contract wants a TypeError here.
        msg = (
            "Encoders require their input argument must be uniformly strings or numbers. Got "
            f"{kinds} in column {column!r}."
        )
        raise TypeError(msg) from error
    missing = [cell for cell in cells if is_nothing(cell)]
    missing.sort(key=lambda cell: cell is not None)
    found = np.empty(len(cells), dtype=object)
    found[:] = known + missing
    return found


def _index(values: NDArray[Any]) -> dict[Any, int]:
    """Return the place of each value; NaN stands under its own name."""
    return {_key(value): place for place, value in enumerate(values.tolist())}


def place_of(value: Any, values: NDArray[Any]) -> int | None:
    """Return the place of a value among others, None where it is not among them.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.preprocessing.encoder import place_of
    >>> place_of("b", np.array(["a", "b"])), place_of("c", np.array(["a", "b"]))
    (1, None)
    """
    return _index(values).get(_key(value))


def _key(value: Any) -> Any:
    return "\0NaN" if is_nan(value) else value


def _places(values: NDArray[Any], categories: NDArray[Any]) -> Codes:
    """Return the place of each value among the categories."""
    if not len(categories):
        return np.full(len(values), UNKNOWN, np.int32)
    if values.dtype.kind in "biuf" and categories.dtype.kind in "biuf":
        order = np.argsort(categories, kind="stable")
        place = np.searchsorted(categories, values, sorter=order)
        place = order[np.minimum(place, len(categories) - 1)]
        found = categories[place]
        same = (found == values) | (np.isnan(found) & np.isnan(values))
        return np.where(same, place, UNKNOWN).astype(np.int32)
    index = _index(categories)
    return np.array([index.get(_key(value), UNKNOWN) for value in values.tolist()], dtype=np.int32)


def _placed(values: NDArray[Any], codes: Codes, categories: NDArray[Any]) -> Coded:
    """Translate places among the values that are there into places among the categories."""
    places = _places(values, categories)
    return Coded(places[codes], values[places == UNKNOWN].tolist())
