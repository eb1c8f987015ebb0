"""Changed model files: never loaded unsealed; resealed, refused or whole; never much memory."""

from __future__ import annotations

import tracemalloc
import warnings
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from sklearn.pipeline import Pipeline

from learnable.core import LearnableError
from learnable.estimator import certify, explain, table_learners
from learnable.estimator.persistence import from_bytes, to_bytes
from learnable.estimator.registry import LEARNERS, class_named
from learnable.stats import Counts, Fingerprint, Moments
from tests.estimator import toy_learners
from tests.estimator.model_file_mutations import survey

ROOM = 64_000_000
METHODS = (
    "predict", "predict_proba", "predict_log_proba", "predict_joint_log_proba", "transform",
    "inverse_transform",
)  # fmt: skip


class Case(NamedTuple):
    """A learner, and what to fit it to."""

    make: object
    X: np.ndarray
    y: np.ndarray | None = None
    times: int = 60_000  # how often its columns are repeated where wide models are saved


DRAW = np.random.default_rng(0)
WORDS = np.repeat(["high", "low", "mid"], 10)
NUMBERS = DRAW.normal(size=(30, 3)) + np.repeat([[9.0], [0.0], [4.0]], 10, axis=0)
HOLED = np.where(DRAW.random(NUMBERS.shape) < 0.1, np.nan, NUMBERS)
CODES = np.minimum(NUMBERS.astype(int).clip(0), 3)
for shared in (NUMBERS, HOLED, CODES):
    shared.setflags(write=False)


def ours(name, **parameters):
    return lambda: class_named(name)(**parameters)


def scaled_bayes():
    steps = [("scale", ours("preprocessing.StandardScaler")()), ("idle", "passthrough")]
    return Pipeline([*steps, ("answer", ours("naive_bayes.GaussianNB")())])


def side_by_side():
    steps = [("scale", ours("preprocessing.StandardScaler")(), [2, 0]), ("cut", "drop", [1])]
    return ours("compose.ColumnTransformer", transformers=steps)()


def calibrated():
    bayes = ours("naive_bayes.GaussianNB")()
    return ours("calibration.CalibratedClassifierCV", estimator=bayes, cv=2, method="isotonic")()


LIBRARY = {
    "calibration.CalibratedClassifierCV": Case(calibrated, NUMBERS, WORDS),
    "cluster.KMeans": Case(ours("cluster.KMeans", n_clusters=3, random_state=0), NUMBERS),
    "decomposition.TruncatedSVD": Case(ours("decomposition.TruncatedSVD", random_state=0), NUMBERS),
    "compose.ColumnTransformer": Case(side_by_side, NUMBERS),
    "compose.TablePrep": Case(ours("compose.TablePrep", scale="standard"), HOLED),
    "dummy.DummyClassifier": Case(ours("dummy.DummyClassifier"), NUMBERS, WORDS),
    "dummy.DummyRegressor": Case(ours("dummy.DummyRegressor"), NUMBERS, NUMBERS[:, 0]),
    "feature_extraction.TfidfTransformer": Case(ours("feature_extraction.TfidfTransformer"), CODES),
    "impute.SimpleImputer": Case(
        ours("impute.SimpleImputer", strategy="mean_within_class", add_indicator=True),
        HOLED,
        WORDS,
    ),
    "linear_model.BayesianLinearRegression": Case(
        ours("linear_model.BayesianLinearRegression"),
        NUMBERS,
        NUMBERS @ [1.0, 2.0, 3.0],
        times=300,  # a covariance of all columns
    ),
    "linear_model.BayesianRidge": Case(
        ours("linear_model.BayesianRidge"), NUMBERS, NUMBERS @ [1.0, 2.0, 3.0] + NUMBERS[:, 0] ** 2
    ),
    "linear_model.LinearRegression": Case(
        ours("linear_model.LinearRegression", covariance="HC3"),
        NUMBERS,
        NUMBERS @ [1.0, 2.0, 3.0],
        times=30_000,
    ),
    "linear_model.LogisticRegression": Case(
        ours("linear_model.LogisticRegression", penalty=None),
        NUMBERS,
        np.tile(["high", "low", "mid"], 10),
        times=600,  # an information of all columns
    ),
    "linear_model.Perceptron": Case(ours("linear_model.Perceptron"), NUMBERS, WORDS),
    "linear_model.PoissonRegressor": Case(
        ours("linear_model.PoissonRegressor", alpha=0),
        NUMBERS,
        np.round(NUMBERS[:, 0] ** 2),
        times=600,  # an information of all columns
    ),
    "linear_model.Ridge": Case(ours("linear_model.Ridge"), NUMBERS, NUMBERS @ [1.0, 2.0, 3.0]),
    "linear_model.RidgeCV": Case(
        ours("linear_model.RidgeCV", store_cv_results=True), NUMBERS, NUMBERS @ [1.0, 2.0, 3.0]
    ),
    "naive_bayes.CategoricalNB": Case(ours("naive_bayes.CategoricalNB"), CODES, WORDS),
    "naive_bayes.GaussianNB": Case(ours("naive_bayes.GaussianNB"), NUMBERS, WORDS),
    "preprocessing.BasisFunctions": Case(
        ours("preprocessing.BasisFunctions", basis="spline"), NUMBERS
    ),
    "preprocessing.Clipper": Case(ours("preprocessing.Clipper"), NUMBERS),
    "preprocessing.Discretizer": Case(ours("preprocessing.Discretizer", encode="ordinal"), HOLED),
    "preprocessing.MinMaxScaler": Case(ours("preprocessing.MinMaxScaler"), NUMBERS),
    "preprocessing.Normalizer": Case(ours("preprocessing.Normalizer"), NUMBERS),
    "preprocessing.OneHotEncoder": Case(
        ours("preprocessing.OneHotEncoder", sparse_output=False, handle_unknown="ignore"), CODES
    ),
    "preprocessing.OrdinalEncoder": Case(ours("preprocessing.OrdinalEncoder"), CODES),
    "preprocessing.PolynomialFeatures": Case(
        ours("preprocessing.PolynomialFeatures"),
        NUMBERS,
        times=100,  # products of all pairs
    ),
    "preprocessing.RobustScaler": Case(ours("preprocessing.RobustScaler"), HOLED),
    "preprocessing.SplineTransformer": Case(
        ours("preprocessing.SplineTransformer", knots="quantile"), NUMBERS
    ),
    "preprocessing.StandardScaler": Case(ours("preprocessing.StandardScaler"), NUMBERS),
    "rules.RuleListClassifier": Case(ours("rules.RuleListClassifier"), HOLED, WORDS),
    "tree.C45Classifier": Case(ours("tree.C45Classifier"), HOLED, WORDS),
    "tree.DecisionTreeClassifier": Case(ours("tree.DecisionTreeClassifier"), HOLED, WORDS),
    "tree.DecisionTreeRegressor": Case(ours("tree.DecisionTreeRegressor"), HOLED, NUMBERS[:, 0]),
    "tree.ID3Classifier": Case(ours("tree.ID3Classifier"), HOLED, WORDS),
}
OTHERS = {
    "words and gaps": Case(
        ours("preprocessing.OneHotEncoder", min_frequency=2, handle_unknown="ignore"),
        np.array([["a", 1.5], ["b", None], [None, float("nan")]] * 5, dtype=object),
    ),
    "priors by label": Case(
        ours("naive_bayes.GaussianNB", priors={"high": 0.5, "low": 0.25, "mid": 0.25}),
        NUMBERS,
        WORDS,
    ),
    "a pipeline": Case(scaled_bayes, NUMBERS, WORDS),
    "toys.Everything": Case(
        lambda: toy_learners.Everything(kernel=toy_learners.Bell(2), inner=toy_learners.Halve()),
        NUMBERS,
        WORDS,
    ),
    "toys.Halve": Case(toy_learners.Halve, NUMBERS),
    "toys.Crowd": Case(toy_learners.Crowd, NUMBERS, WORDS),
}
CASES = LIBRARY | OTHERS
each_case = pytest.mark.parametrize("case", CASES.values(), ids=CASES)


def test_every_learner_of_the_library_is_held_against_mutations():
    """Those that take documents have files of another kind: tests/feature_extraction."""
    ours = {name for name, place in LEARNERS.items() if isinstance(place, str)}
    documents = {name for name in ours if getattr(class_named(name), "takes_documents", False)}
    assert ours - documents == set(LIBRARY)
    assert {name.rpartition(".")[2] for name in LIBRARY} == set(table_learners())


def user_of(case):
    """Return what a user would do with the model; the answers must have the form they should."""

    def use(model):
        # Numbers may overflow and names may be gone, and both may be said; nothing else may be.
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore", UserWarning)
            for method in METHODS:
                if hasattr(model, method):
                    X = case.X.copy()  # a changed file may say that the rows may be overwritten
                    X = model.transform(X) if method == "inverse_transform" else X
                    answers = getattr(model, method)(X)
                    answers = answers if hasattr(answers, "toarray") else np.asarray(answers)
                    assert answers.shape[-1 if method == "predict" else 0] == len(case.X)
                    if method == "predict" and "classes_" in vars(model):
                        assert np.isin(answers, model.classes_).all()
            if case.y is not None and hasattr(model, "score"):
                model.score(case.X, case.y)
            if hasattr(model, "_explain"):
                explain(model, case.X[:2])
            if hasattr(model, "_certify"):
                for role in ("train", "test"):
                    with suppress(LearnableError):  # neither suits every learner and these rows
                        certify(model, case.X, case.y, role=role)

    return use


def fitted(case):
    model = case.make().fit(case.X, case.y)
    data = to_bytes(model)
    user_of(case)(from_bytes(data))
    return data


def held_against(case, *, seed, count):
    data = fitted(case)
    return survey(data, from_bytes, user_of(case), seed=seed, count=count)


@each_case
def test_a_few_hundred_mutated_files(case):
    tally = held_against(case, seed=1, count=300)
    assert tally["unsealed refused"] == 300
    assert tally["resealed refused"] > 150
    assert tally["loaded, predicted"] > 10


@pytest.mark.slow
@each_case
def test_ten_thousand_mutated_files(case):
    tally = held_against(case, seed=2, count=10_000)
    assert tally["unsealed refused"] == 10_000


def peak_memory():
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return 1024 * int(status.split("VmHWM:")[1].split()[0])


@pytest.mark.slow
@pytest.mark.alone
@each_case
def test_mutated_files_never_take_much_memory(case):
    """The peak of the process over thousands of files bounds that of each of them."""
    data = fitted(case)
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    before = peak_memory()
    survey(data, from_bytes, user_of(case), seed=3, count=3000)
    assert peak_memory() - before < 2 * len(data) + ROOM


def traced_peak(data):
    """The size of a file and what loading it takes on top, at its peak."""
    tracemalloc.start()
    from_bytes(data)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return len(data) + peak


@pytest.mark.slow
@pytest.mark.alone
# Six rows of repeated columns: what learners say of these is no news.
@pytest.mark.filterwarnings("ignore:(LinearRegression. rank|GaussianNB. constant)")
@pytest.mark.parametrize("name", LIBRARY)
def test_wide_models_take_at_most_their_double_and_64_mb(name):
    case = LIBRARY[name]
    wide = np.tile(case.X[::5], (1, case.times))
    data = to_bytes(case.make().fit(wide, None if case.y is None else case.y[::5]))
    assert traced_peak(data) < 2 * len(data) + ROOM


def heavy_bayes():
    """Eighty megabytes of means and variances."""
    k, d = 40, 125_000
    model = ours("naive_bayes.GaussianNB")()
    model.n_features_in_, model.classes_ = d, np.arange(k)
    draw = np.random.default_rng(0).random((k, d))
    model._learn(Moments(np.full(k, 9.0), draw, draw, np.ones(d)), Fingerprint.zero())
    return model


def hollow_bayes():
    """Many columns that have no values: eight bytes each in the file."""
    model = ours("naive_bayes.CategoricalNB")()
    model.n_features_in_, model.classes_, model.categories_ = 300_000, np.arange(2), None
    counts = Counts(np.ones(2), np.zeros((2, 0)), np.zeros(300_001, np.int64))
    model._learn(counts, Fingerprint.zero())
    return model


@pytest.mark.slow
@pytest.mark.alone
@pytest.mark.parametrize("make", [heavy_bayes, hollow_bayes])
def test_what_is_derived_while_loading_fits_into_the_bound(make):
    data = to_bytes(make())
    assert traced_peak(data) < 2 * len(data) + ROOM
