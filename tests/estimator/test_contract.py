"""What scikit-learn's tools ask of a learner."""

from __future__ import annotations

import copy
import inspect
import pickle
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
import sklearn
from joblib import Parallel, delayed
from sklearn.base import clone, is_classifier, is_clusterer, is_regressor
from sklearn.calibration import CalibratedClassifierCV
from sklearn.callback import ProgressBar
from sklearn.compose import make_column_transformer
from sklearn.ensemble import BaggingClassifier, StackingClassifier, VotingClassifier
from sklearn.exceptions import UnsetMetadataPassedError
from sklearn.inspection import permutation_importance
from sklearn.model_selection import GridSearchCV, cross_val_score, cross_validate
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import make_pipeline, make_union
from sklearn.preprocessing import StandardScaler as TheirScaler
from sklearn.utils import get_tags
from sklearn.utils.metadata_routing import UNCHANGED

from learnable.cluster import KMeans
from learnable.core import DataError
from learnable.datasets import load_iris
from learnable.dummy import DummyClassifier, DummyRegressor
from learnable.naive_bayes import CategoricalNB, GaussianNB
from learnable.preprocessing import StandardScaler

X, y = load_iris(return_X_y=True)
FRAME = pd.DataFrame(X, columns=list("abcd"))
GRID = {"var_smoothing": [1e-9, 1e3]}


def test_tags_say_what_a_learner_is():
    assert is_classifier(GaussianNB())
    assert is_regressor(DummyRegressor())
    assert is_clusterer(KMeans())
    assert get_tags(StandardScaler()).transformer_tags is not None
    assert get_tags(GaussianNB()).transformer_tags is None
    assert get_tags(GaussianNB()).target_tags.required
    assert get_tags(CategoricalNB()).input_tags.string
    assert not get_tags(GaussianNB()).input_tags.sparse


def test_signatures_are_those_that_were_written():
    assert list(inspect.signature(GaussianNB.fit).parameters) == ["self", "X", "y", "sample_weight"]
    assert "sample_weight" in inspect.signature(GaussianNB().partial_fit).parameters


TOOLS = {
    "voting": lambda: VotingClassifier(
        [("a", GaussianNB()), ("b", DummyClassifier())], voting="soft"
    ),
    "bagging": lambda: BaggingClassifier(GaussianNB(), n_estimators=3, random_state=0),
    "stacking": lambda: StackingClassifier([("a", GaussianNB())], GaussianNB()),
    "calibration": lambda: CalibratedClassifierCV(GaussianNB()),
    "one against the rest": lambda: OneVsRestClassifier(GaussianNB()),
    "grid": lambda: GridSearchCV(GaussianNB(), GRID),
    "pipeline": lambda: make_pipeline(TheirScaler(), StandardScaler(), GaussianNB()),
    "columns": lambda: make_pipeline(
        make_column_transformer((StandardScaler(), [0, 1]), (TheirScaler(), [2, 3])), GaussianNB()
    ),
    "union": lambda: make_pipeline(make_union(StandardScaler(), TheirScaler()), GaussianNB()),
}


@pytest.mark.parametrize("tool", TOOLS)
def test_scikit_learns_tools_take_our_learners(tool):
    assert TOOLS[tool]().fit(X, y).score(X, y) > 0.9


def test_scores_are_those_of_the_learner():
    expected = [GaussianNB().fit(X[::2], y[::2]).score(X[1::2], y[1::2])]
    split = [(np.arange(0, len(X), 2), np.arange(1, len(X), 2))]
    assert cross_val_score(GaussianNB(), X, y, cv=split).tolist() == expected
    several = cross_validate(GaussianNB(), FRAME, y, scoring=["neg_log_loss", "f1_macro"], cv=3)
    assert np.isfinite(several["test_neg_log_loss"]).all()
    search = GridSearchCV(GaussianNB(), GRID).fit(X, y)
    assert search.best_params_ == {"var_smoothing": 1e-9}
    importance = permutation_importance(
        GaussianNB().fit(FRAME, y), FRAME, y, n_repeats=3, random_state=0
    )
    assert set(np.argsort(importance.importances_mean)[2:]) == {2, 3}


def fitted_answers(seed):
    return GaussianNB(var_smoothing=10.0**-seed).fit(X, y).predict_proba(X)


def test_learners_work_in_other_processes():
    expected = [fitted_answers(seed) for seed in (1, 2)]
    found = Parallel(n_jobs=2)(delayed(fitted_answers)(seed) for seed in (1, 2))
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_array_equal(one, other)
    serial, parallel = (cross_val_score(GaussianNB(), X, y, n_jobs=jobs) for jobs in (1, 2))
    np.testing.assert_array_equal(serial, parallel)


def pickled(model):
    return pickle.loads(pickle.dumps(model))  # noqa: S301


@pytest.mark.parametrize("copied", [copy.deepcopy, pickled])
def test_copies_answer_the_same_and_are_apart(copied):
    model = GaussianNB().fit(FRAME, y)
    expected = model.predict_proba(FRAME)
    twin = copied(model)
    np.testing.assert_array_equal(twin.predict_proba(FRAME), expected)
    twin.fit(FRAME[::3], y[::3])
    np.testing.assert_array_equal(model.predict_proba(FRAME), expected)


# Metadata routing ------------------------------------------------------------------------------


@pytest.fixture
def routing():
    with sklearn.config_context(enable_metadata_routing=True):
        yield


WEIGHT = np.random.default_rng(0).uniform(0.1, 3.0, len(y))


@pytest.mark.usefixtures("routing")
def test_weights_find_their_way_through_a_pipeline_and_a_grid():
    asks = GaussianNB().set_fit_request(sample_weight=True).set_score_request(sample_weight=True)
    chain = make_pipeline(StandardScaler().set_fit_request(sample_weight=False), asks)
    chain.fit(X, y, sample_weight=WEIGHT)
    scaled = StandardScaler().fit_transform(X)
    direct = GaussianNB().fit(scaled, y, WEIGHT)
    np.testing.assert_array_equal(chain.predict_proba(X), direct.predict_proba(scaled))
    assert chain.score(X, y, sample_weight=WEIGHT) == direct.score(scaled, y, WEIGHT)
    search = GridSearchCV(chain, {"gaussiannb__var_smoothing": [1e-9]}).fit(
        X, y, sample_weight=WEIGHT
    )
    np.testing.assert_array_equal(search.predict_proba(X), direct.predict_proba(scaled))


@pytest.mark.usefixtures("routing")
def test_requests_may_rename_are_cloned_and_are_asked_for():
    asks = GaussianNB().set_fit_request(sample_weight="trust")
    chain = make_pipeline(TheirScaler().set_fit_request(sample_weight=False), asks)
    direct = GaussianNB().fit(TheirScaler().fit_transform(X), y, WEIGHT)
    found = clone(chain).fit(X, y, trust=WEIGHT).predict_proba(X)
    np.testing.assert_array_equal(found, direct.predict_proba(TheirScaler().fit_transform(X)))
    with pytest.raises(UnsetMetadataPassedError):
        make_pipeline(GaussianNB()).fit(X, y, sample_weight=WEIGHT)


@pytest.mark.usefixtures("routing")
def test_a_request_left_unchanged_stays():
    asks = GaussianNB().set_fit_request(sample_weight=True)
    asks.set_fit_request(sample_weight=UNCHANGED)
    assert asks.get_metadata_routing().fit.requests == {"sample_weight": True}
    with pytest.raises(TypeError, match="accepts sample_weight"):
        asks.set_fit_request(bogus=True)


def test_requests_exist_where_there_is_something_to_route():
    assert not hasattr(GaussianNB(), "set_predict_request")
    assert hasattr(GaussianNB(), "set_partial_fit_request")
    with pytest.raises(RuntimeError, match="metadata routing"):
        GaussianNB().set_fit_request(sample_weight=True)


# Output ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["pandas", "polars"])
def test_transformers_answer_in_the_chosen_form(form):
    frame = StandardScaler().set_output(transform=form).fit_transform(FRAME)
    assert type(frame).__module__.split(".")[0] == form
    assert list(frame.columns) == list("abcd")
    np.testing.assert_array_equal(frame.to_numpy(), StandardScaler().fit_transform(X))
    with sklearn.config_context(transform_output=form):
        assert list(StandardScaler().fit(FRAME).transform(FRAME).columns) == list("abcd")
        own = StandardScaler().set_output(transform="default").fit(FRAME)
        assert isinstance(own.transform(FRAME), np.ndarray)
    assert isinstance(
        clone(StandardScaler().set_output(transform=form)).fit(X).transform(X), type(frame)
    )


def test_fit_transform_is_fit_and_transform_and_hands_weights_on():
    weighted = StandardScaler().fit_transform(X, sample_weight=WEIGHT)
    np.testing.assert_array_equal(
        weighted, StandardScaler().fit(X, sample_weight=WEIGHT).transform(X)
    )


# Callbacks -------------------------------------------------------------------------------------


class Recorder:
    """A callback that writes down what it is told, and stops after some turns."""

    def __init__(self, stop_after=None):
        self.log, self.stop_after = [], stop_after

    def setup(self, estimator, context):  # noqa: ARG002 (the protocol's names)
        self.log.append(("setup", type(estimator).__name__))

    def teardown(self, estimator, context):  # noqa: ARG002
        self.log.append(("teardown", type(estimator).__name__))

    def on_fit_task_begin(self, estimator, context, *, X=None):  # noqa: ARG002
        self.log.append(("begin", context.task_name, len(X)))

    def on_fit_task_end(self, estimator, context, *, metadata=None):  # noqa: ARG002
        self.log.append(("end", context.task_name, metadata))
        turns = [entry for entry in self.log if entry[:2] == ("end", "lloyd")]
        return self.stop_after is not None and len(turns) >= self.stop_after


def test_callbacks_hear_of_the_fit():
    heard = Recorder()
    GaussianNB().set_callbacks(heard).fit(X, y)
    assert heard.log == [
        ("setup", "GaussianNB"),
        ("begin", "fit", 150),
        ("end", "fit", None),
        ("teardown", "GaussianNB"),
    ]


def test_callbacks_hear_of_every_turn_of_every_start():
    heard = Recorder()
    model = KMeans(4, n_init=3, max_iter=4, random_state=0).set_callbacks(heard).fit(X)
    turns = [entry[2] for entry in heard.log if entry[:2] == ("end", "lloyd")]
    assert len(turns) > 4 >= model.n_iter_
    assert all("change" in info for info in turns)
    assert heard.log[-2:] == [("end", "fit", None), ("teardown", "KMeans")]


def test_callbacks_can_stop_and_are_taken_down_after_a_failure():
    assert KMeans(4, n_init=1, random_state=0).set_callbacks(Recorder(2)).fit(X).n_iter_ == 2
    heard = Recorder()
    with pytest.raises(DataError):
        GaussianNB().set_callbacks(heard).fit(X * np.nan, y)
    assert heard.log[-1] == ("teardown", "GaussianNB")


@pytest.mark.parametrize("learner", [GaussianNB(), KMeans(3, n_init=2, max_iter=5, random_state=0)])
def test_scikit_learns_progress_bar_runs_alone_in_pipelines_and_grids(learner, capsys):
    clone(learner).set_callbacks(ProgressBar()).fit(X, y)
    make_pipeline(clone(learner)).set_callbacks(ProgressBar()).fit(X, y)
    GridSearchCV(clone(learner), {}, cv=2).set_callbacks(ProgressBar()).fit(X, y)
    assert type(learner).__name__ in capsys.readouterr().out


def test_callbacks_change_no_bit_and_can_be_taken_off():
    model = GaussianNB().set_callbacks(Recorder())
    np.testing.assert_array_equal(
        model.fit(X, y).predict_proba(X), GaussianNB().fit(X, y).predict_proba(X)
    )
    assert "_skl_callbacks" not in vars(model.set_callbacks())


# Without scikit-learn ---------------------------------------------------------------------------


def test_html_views_come_from_scikit_learn():
    assert "GaussianNB" in GaussianNB()._repr_html_()
    assert set(GaussianNB()._repr_mimebundle_()) == {"text/plain", "text/html"}


def test_a_plain_fit_and_predict_import_no_scikit_learn():
    code = """
import sys, warnings
import numpy as np
from learnable.naive_bayes import GaussianNB
X = np.arange(12.0).reshape(6, 2) % 5
model = GaussianNB().fit(X, [0, 1, 0, 1, 0, 1])
model.predict(X), model.predict_proba(X), model.score(X, [0, 1, 0, 1, 0, 1]), repr(model)
print([name for name in sys.modules if name.split(".")[0] in ("sklearn", "pandas", "polars")])
"""
    run = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert run.stdout.strip() == "[]"
