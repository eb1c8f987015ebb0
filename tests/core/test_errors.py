"""Errors say where, print in full and survive a pickle."""

from __future__ import annotations

import copy
import pickle

import pytest

from learnable import core
from learnable.core import DataError, LearnableError, MissingDependencyError, ParameterError
from learnable.core.errors import ModelFileError, SchemaError, not_fitted

FULL = {"column": "age", "row": 3, "value": float("inf"), "remedy": "Impute it first."}


@pytest.mark.parametrize("cls", [DataError, SchemaError])
@pytest.mark.parametrize("details", [FULL, {}, {"row": 0}, {"column": 0, "value": ""}])
def test_data_errors_survive_a_pickle(cls, details):
    error = cls("A cell is unusable.", **details)
    for again in (pickle.loads(pickle.dumps(error)), copy.copy(error), copy.deepcopy(error)):  # noqa: S301
        assert type(again) is cls
        assert vars(again) == vars(error)
        assert str(again) == str(error)
        assert again.args == error.args


def test_a_data_error_says_what_where_and_what_to_do():
    text = "A cell is unusable. (column 'age', row 3, value inf) Impute it first."
    assert str(DataError("A cell is unusable.", **FULL)) == text
    assert str(DataError("No rows.")) == "No rows."
    assert str(DataError("No.", row=0)) == "No. (row 0)"
    assert str(DataError("No.", remedy="Add one.")) == "No. Add one."


def test_notes_of_a_data_error_survive_too():
    error = DataError("No rows.", row=1)
    error.add_note("while reading x.csv")
    again = pickle.loads(pickle.dumps(error))  # noqa: S301
    assert again.__notes__ == ["while reading x.csv"]
    assert str(again) == str(error)


@pytest.mark.parametrize("cls", [ParameterError, ModelFileError, MissingDependencyError])
def test_other_errors_survive_a_pickle(cls):
    again = pickle.loads(pickle.dumps(cls("alpha must be positive")))  # noqa: S301
    assert type(again) is cls
    assert str(again) == "alpha must be positive"


def test_the_family():
    errors = [v for v in vars(core).values() if isinstance(v, type) and issubclass(v, Exception)]
    assert len(errors) == 6
    assert all(issubclass(error, LearnableError) for error in errors)
    for error in (DataError, SchemaError, ParameterError, ModelFileError):
        assert issubclass(error, ValueError)
    assert issubclass(SchemaError, DataError)
    assert issubclass(MissingDependencyError, ImportError)


def test_not_fitted_is_the_class_that_scikit_learn_expects():
    from sklearn.exceptions import NotFittedError

    error = not_fitted({})
    assert type(error) is NotFittedError
    assert str(error) == "This dict is not fitted yet. Call fit first."
