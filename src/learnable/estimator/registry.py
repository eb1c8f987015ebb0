"""Which learners there are: by name, found without importing them.

Model files name classes only by the names kept here, so nothing that a file states is imported.
A learner of your own joins by :func:`register`.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any, Final, TypeVar

from learnable.core.errors import ParameterError
from learnable.estimator.joining import Joining

C = TypeVar("C", bound=type)

LEARNERS: Final[dict[str, str | type]] = {
    f"{room}.{name}": f"learnable.{room}:{name}"
    for room, names in {
        "calibration": "CalibratedClassifierCV",
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
        "OrdinalEncoder PolynomialFeatures RobustScaler SplineTransformer StandardScaler",
        "rules": "RuleListClassifier",
        "tree": "C45Classifier DecisionTreeClassifier DecisionTreeRegressor ID3Classifier",
    }.items()
    for name in names.split()
}
"""Public names of the classes that model files may name, and where they are (or the class)."""


def register(cls: C, joins: Joining | None = None) -> C:
    """Make a learner (or a record) of your own known, so that it can be saved and loaded.

    Parameters
    ----------
    cls : type
        The class; in model files it goes by its module and name.
    joins : Joining, optional
        How it joins studies; a class may also state it as its attribute ``joins``.

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
    if joins is not None:
        cls.joins = joins  # type: ignore[attr-defined]
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


def joining_learners() -> dict[str, Any]:
    """Return the learners that join studies, by name; those of users among them.

    Each says so itself: a subclass of one that joins does not join by that.

    Examples
    --------
    >>> from learnable.estimator.registry import joining_learners
    >>> joining_learners()["GaussianNB"].joins.tasks
    ('classification',)
    """
    found = {name.rpartition(".")[2]: class_named(name) for name in LEARNERS}
    return {name: cls for name, cls in found.items() if vars(cls).get("joins") is not None}


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
