"""Which learners there are: by name, found without importing them.

Model files name classes only by the names kept here, so nothing that a file states is imported.
A learner of your own joins by :func:`register`.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any, Final, TypeVar

from learnable.core.errors import ParameterError

C = TypeVar("C", bound=type)

LEARNERS: Final[dict[str, str | type]] = {
    f"{room}.{name}": f"learnable.{room}:{name}"
    for room, names in {
        "cluster": "KMeans",
        "decomposition": "TruncatedSVD",
        "compose": "ColumnTransformer TablePrep",
        "dummy": "DummyClassifier DummyRegressor",
        "feature_extraction": "CountVectorizer TfidfTransformer TfidfVectorizer",
        "impute": "SimpleImputer",
        "linear_model": "BayesianLinearRegression BayesianRidge LinearRegression "
        "LogisticRegression Perceptron PoissonRegressor Ridge RidgeCV",
        "naive_bayes": "CategoricalNB GaussianNB",
        "preprocessing": "BasisFunctions Clipper Discretizer MinMaxScaler Normalizer OneHotEncoder "
        "OrdinalEncoder RobustScaler StandardScaler",
    }.items()
    for name in names.split()
}
"""Public names of the classes that model files may name, and where they are (or the class)."""


def register(cls: C) -> C:
    """Make a learner (or a record) of your own known, so that it can be saved and loaded.

    Parameters
    ----------
    cls : type
        The class; in model files it goes by its module and name.

    Returns
    -------
    type
        The class, so that this serves as a decorator.

    Examples
    --------
    >>> from learnable.estimator import Learner, register
    >>> @register
    ... class Mine(Learner):
    ...     "Learns nothing yet."
    """
    name = f"{cls.__module__}.{cls.__qualname__}"
    if isinstance(LEARNERS.get(name), str):
        msg = f"{name} is a name of the library's own"
        raise ParameterError(msg)
    LEARNERS[name] = cls
    return cls


def learners() -> dict[str, Any]:
    """Return the library's learners by name.

    Examples
    --------
    >>> from learnable.estimator.registry import learners
    >>> "GaussianNB" in learners()
    True
    """
    places = [place for place in LEARNERS.values() if isinstance(place, str)]
    return {place.partition(":")[2]: imported(place) for place in places}


def table_learners() -> dict[str, Any]:
    """Return those that learn from tables; the others say ``takes_documents = True``.

    Examples
    --------
    >>> from learnable.estimator.registry import table_learners
    >>> "GaussianNB" in table_learners(), "CountVectorizer" in table_learners()
    (True, False)
    """
    every = learners().items()
    return {name: cls for name, cls in every if not getattr(cls, "takes_documents", False)}


def class_named(name: str) -> type:
    """Return the class that a registered name stands for."""
    place = LEARNERS[name]
    return place if isinstance(place, type) else imported(place)


@cache
def imported(place: str) -> type:
    """Import a class by ``module:name``."""
    module, _, name = place.partition(":")
    cls: type = getattr(import_module(module), name)
    return cls
