"""Typed errors: each says what is wrong, where, and what to do about it."""

from __future__ import annotations

from typing import Any


class LearnableError(Exception):
    """Base of every error that the library raises on purpose.

    Examples
    --------
    >>> from learnable.core import LearnableError, DataError
    >>> issubclass(DataError, LearnableError) and issubclass(DataError, ValueError)
    True
    """


class DataError(LearnableError, ValueError):
    """The data cannot be used as they are.

    Parameters
    ----------
    message : str
        What is wrong, in one sentence.
    column, row, value : optional
        Where it was found: the column's name or number, the row's number, the value.
    remedy : str, optional
        What to do about it, in one sentence.

    Examples
    --------
    >>> from learnable.core import DataError
    >>> str(DataError("a cell holds NaN.", column="age", row=3, remedy="Impute it first."))
    "a cell holds NaN. (column 'age', row 3) Impute it first."
    """

    def __init__(
        self,
        message: str,
        *,
        column: Any = None,
        row: int | None = None,
        value: Any = None,
        remedy: str | None = None,
    ) -> None:
        self.message, self.column, self.row = message, column, row
        self.value, self.remedy = _plain(value), remedy
        super().__init__(message)

    def __str__(self) -> str:
        found = {"column": self.column, "row": self.row, "value": self.value}
        where = ", ".join(f"{name} {item!r}" for name, item in found.items() if item is not None)
        return " ".join(filter(None, [self.message, where and f"({where})", self.remedy]))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.message,), dict(self.__dict__)


class SchemaError(DataError):
    """A column is missing, superfluous, out of order or of the wrong kind.

    Examples
    --------
    >>> from learnable.core import DataError, SchemaError
    >>> issubclass(SchemaError, DataError)
    True
    """


class ParameterError(LearnableError, ValueError):
    """A parameter has a value that makes no sense.

    Examples
    --------
    >>> from learnable.core import ParameterError
    >>> issubclass(ParameterError, ValueError)
    True
    """


class ModelFileError(LearnableError, ValueError):
    """A model file is damaged, tampered with, too new, or no model file at all.

    Examples
    --------
    >>> from learnable.core import ModelFileError
    >>> issubclass(ModelFileError, ValueError)
    True
    """


class MissingDependencyError(LearnableError, ImportError):
    """An optional library is needed for this and is not installed.

    Examples
    --------
    >>> from learnable.core import MissingDependencyError
    >>> issubclass(MissingDependencyError, ImportError)
    True
    """


def _plain(value: Any) -> Any:
    """Return a number of NumPy as Python's own, which prints as people write it."""
    return value.item() if getattr(value, "ndim", None) == 0 else value


def not_fitted(learner: object) -> Exception:
    """Make scikit-learn's ``NotFittedError`` (its contract wants that very class)."""
    from sklearn.exceptions import NotFittedError

    error: Exception = NotFittedError(
        f"This {type(learner).__name__} is not fitted yet. Call fit first."
    )
    return error
