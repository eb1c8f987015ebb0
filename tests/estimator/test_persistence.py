"""Saved learners: the same answers, the same bytes, no code, and one type of error."""

from __future__ import annotations

import json
import pickle
import sys

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression
from sklearn.pipeline import Pipeline, make_pipeline

import learnable
from learnable.checks import same_bits
from learnable.core.errors import ModelFileError, ParameterError
from learnable.estimator import Learner, register
from learnable.estimator.persistence import from_bytes, to_bytes
from learnable.estimator.registry import LEARNERS
from learnable.estimator.sealed_zip import assemble, disassemble
from learnable.estimator.state import Floats, Integer
from learnable.naive_bayes import GaussianNB
from tests.estimator.test_mutations import CASES, METHODS, NUMBERS, WORDS
from tests.estimator.toy_learners import Bell, Crowd, Everything, Halve

each_case = pytest.mark.parametrize("case", CASES.values(), ids=CASES)


def document_of(data):
    return json.loads(bytes(disassemble(data)[0]))


def edited(model, change):
    """The file of a model after its document was changed, seal renewed."""
    text, *arrays = disassemble(to_bytes(model))
    document = json.loads(bytes(text))
    change(document["model"])
    return b"".join(assemble([json.dumps(document).encode(), *arrays]))


def bayes(**parameters):
    return GaussianNB(**parameters).fit(NUMBERS, WORDS)


# ------------------------------------------------------------------------------ what is the same


@pytest.mark.filterwarnings("ignore:SimpleImputer filled within classes")
@each_case
def test_a_loaded_learner_answers_with_the_same_bits(case, tmp_path):
    model = case.make().fit(case.X, case.y)
    learnable.save(model, tmp_path / "a.model")
    loaded = learnable.load(tmp_path / "a.model")
    assert type(loaded) is type(model)
    for method in METHODS:
        if hasattr(model, method):
            X = model.transform(case.X) if method == "inverse_transform" else case.X
            answers = [np.asarray(dense(getattr(one, method)(X))) for one in (model, loaded)]
            if answers[0].dtype == object:  # NaN among objects equals nothing
                answers = [repr(answer.tolist()) for answer in answers]
            same_bits(*answers, method)


def dense(answers):
    return answers.toarray() if hasattr(answers, "toarray") else answers


@each_case
def test_the_same_model_gives_the_same_bytes(case):
    data = to_bytes(case.make().fit(case.X, case.y))
    assert to_bytes(case.make().fit(case.X, case.y)) == data
    assert to_bytes(from_bytes(data)) == data


@each_case
def test_a_learner_that_was_not_fitted_comes_back_unfitted(case):
    model = case.make()
    loaded = from_bytes(to_bytes(model))
    assert repr(loaded) == repr(model)
    assert to_bytes(loaded) == to_bytes(model)


def test_every_array_of_a_loaded_learner_is_read_only():
    loaded = from_bytes(to_bytes(Everything().fit(NUMBERS, WORDS)))
    arrays = [value for value in vars(loaded).values() if isinstance(value, np.ndarray)]
    arrays += [*loaded.tables_, *loaded.targets_, loaded.notes_["path"], loaded.sums_.mean]
    assert len(arrays) > 10
    assert not any(array.flags.writeable for array in arrays)


def test_a_loaded_learner_learns_on():
    half = GaussianNB().partial_fit(NUMBERS[::2], WORDS[::2], classes=np.unique(WORDS))
    loaded = from_bytes(to_bytes(half))
    for model in (half, loaded):
        model.partial_fit(NUMBERS[1::2], WORDS[1::2])
    assert np.array_equal(half.theta_, loaded.theta_)
    assert np.array_equal(half.var_, loaded.var_)


def test_what_follows_from_the_rest_is_not_stored_but_there():
    model = bayes()
    assert set(document_of(to_bytes(model))["model"]["state"]).isdisjoint(GaussianNB.derived)
    loaded = from_bytes(to_bytes(model))
    for name in GaussianNB.derived:
        assert np.array_equal(getattr(loaded, name), getattr(model, name))


def test_names_of_columns_labels_and_parameters_keep_their_types():
    import pandas as pd

    frame = pd.DataFrame(NUMBERS, columns=["a", "größe", "c"])
    model = GaussianNB(priors=[0.2, 0.3, 0.5]).fit(frame, np.array(WORDS, dtype=object))
    loaded = from_bytes(to_bytes(model))
    assert loaded.feature_names_in_.dtype == object
    assert loaded.feature_names_in_.tolist() == ["a", "größe", "c"]
    assert loaded.classes_.dtype == object
    assert loaded.priors == [0.2, 0.3, 0.5]


def test_records_and_learners_inside_come_back():
    model = Everything(kernel=Bell(2.0), grid=[Bell(1), (Halve(3.0), None)], inner=Crowd(Halve()))
    loaded = from_bytes(to_bytes(model))
    assert loaded.kernel == Bell(2.0)
    assert loaded.grid[0] == Bell(1)
    assert repr(loaded.grid[1]) == repr(model.grid[1])
    assert loaded.inner.member.by == 2.0


def test_the_chosen_output_comes_back():
    model = Halve().set_output(transform="pandas").fit(NUMBERS)
    assert from_bytes(to_bytes(model))._output_form() == "pandas"


# -------------------------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (
            LinearRegression(),
            r"LinearRegression is not one of the classes that can be: .*GaussianNB",
        ),
        (make_pipeline(Halve(), LinearRegression()), "LinearRegression is not one of"),
        (3, "int is not one of"),
        (GaussianNB, "type is not one of"),
        (Everything(kernel=len), r"Everything\.kernel: functions cannot be stored"),
        (Everything(grid=[{"a": np.random.default_rng(0)}]), "give an integer seed"),
        (Everything(alpha=-1.0), "alpha must be positive"),
        (GaussianNB(var_smoothing=-1.0), "var_smoothing of GaussianNB must be"),
        (make_pipeline(Halve(), memory="somewhere"), "memory cannot be saved: set memory=None"),
        (Pipeline([("verbose", Halve())]), "no step may be called like a parameter"),
        (Pipeline([("a", GaussianNB()), ("b", GaussianNB())]), "no transform"),
    ],
)
def test_what_cannot_be_stored_is_said_before_a_file_is_touched(model, words, tmp_path):
    path = tmp_path / "a.model"
    path.write_bytes(b"old")
    with pytest.raises(ParameterError, match=words):
        learnable.save(model, path)
    assert path.read_bytes() == b"old"


def test_an_attribute_that_nothing_declares_is_refused():
    model = bayes()
    model.mine_ = 3
    with pytest.raises(ParameterError, match=r"GaussianNB\.mine_: no declaration says how"):
        to_bytes(model)


def test_a_spoilt_model_is_not_saved():
    model = bayes()
    model.statistic_ = model.statistic_._replace(mean=model.theta_ * np.nan)
    with pytest.raises(ParameterError, match=r"GaussianNB\.statistic_\.mean: it holds NaN"):
        to_bytes(model)


def test_overflow_and_nan_among_what_is_derived_refuse_the_file():
    data = to_bytes(bayes())
    text, *arrays = map(bytes, disassemble(data))
    place = json.loads(text)["model"]["state"]["statistic_"]["weight"]["array"]
    for weight in (5e-324, 0.0):
        arrays[place] = np.full(3, weight).tobytes()
        with pytest.raises(ModelFileError, match=r"GaussianNB: (overflow|invalid value)"):
            from_bytes(b"".join(assemble([text, *arrays])))


def setter(*path):
    def change(node):
        *holders, key, value = path
        for holder in holders:
            node = node[holder]
        node[key] = value

    return change


@pytest.mark.parametrize(
    "name",
    ["os.system", "builtins.eval", "sklearn.svm.SVC", "json", "", None, 3, ["os"], "naive_bayes"],
)
def test_no_other_class_is_loaded_or_imported(name):
    before = set(sys.modules)
    with pytest.raises(ModelFileError, match="it may come with a newer version of learnable"):
        from_bytes(edited(bayes(), setter("class", name)))
    assert set(sys.modules) == before


def test_a_pickle_is_not_read(tmp_path):
    class Bomb:
        def __reduce__(self):
            return exec, ("raise SystemExit",)

    (tmp_path / "a.model").write_bytes(pickle.dumps(Bomb()))
    with pytest.raises(ModelFileError):
        learnable.load(tmp_path / "a.model")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (setter("params", "var_smoothing", -1.0), "var_smoothing of GaussianNB must be"),
        (setter("params", "unknown", 1), "its parameters are priors, var_smoothing"),
        (setter("params", []), "its parameters are"),
        (setter("params", "priors", {"float": "nan"}), "priors"),
        (setter("params", "priors", [0.5, 0.5]), "Number of priors must match"),
        (setter("params", "priors", {"record": {"class": "naive_bayes.GaussianNB", "params": {}}}),
         "it is no record"),
        (setter("state", "n_features_in_", 2), "its size 2 is not the 3 of 'd'"),
        (setter("state", "classes_", 1), "classes_"),
        (setter("state", "extra_", 1), "extra_.*is unknown"),
        (setter("state", {}), "classes_: it is missing"),
        (setter("state", []), "an object is wanted"),
        (setter("output", "excel"), "its output cannot be"),
        (setter("more", 1), "an object with class, params, state"),
    ],
)  # fmt: skip
def test_what_cannot_be_right_is_refused_with_its_place(change, words):
    with pytest.raises(ModelFileError, match=f"^The model file holds what no model can.*{words}"):
        from_bytes(edited(bayes(), change))


@pytest.mark.parametrize(
    ("make", "output"), [(Halve, "excel"), (Halve, 3), (Halve, ["pandas"]), (bayes, "pandas")]
)
def test_an_output_that_cannot_be_is_refused(make, output):
    with pytest.raises(ModelFileError, match="its output cannot be"):
        from_bytes(edited(make(), setter("output", output)))


def test_a_record_whose_numbers_are_none_is_refused():
    change = setter("params", "kernel", "record", "params", "width", "wide")
    with pytest.raises(ModelFileError, match=r"Bell: Bell\.width must hold float values"):
        from_bytes(edited(Everything(kernel=Bell()), change))


def test_a_record_is_no_learner():
    node = {"class": f"{Bell.__module__}.Bell", "params": {}, "state": None}
    with pytest.raises(ModelFileError, match="it is no learner"):
        from_bytes(edited(bayes(), lambda model: (model.clear(), model.update(node))))


def test_a_learner_within_a_learner_without_end_is_refused():
    def deepen(node):
        inner = {"class": node["class"], "params": {}, "state": None}
        for _ in range(50):
            inner = {**inner, "params": {"inner": {"learner": inner}}}
        node["params"]["inner"] = {"learner": inner}

    with pytest.raises(ModelFileError, match="more than 16 levels deep"):
        from_bytes(edited(Everything(), deepen))


# --------------------------------------------------------------------------------------- pipelines


def chain():
    steps = [("halve", Halve()), ("idle", "passthrough"), ("none", None), ("answer", GaussianNB())]
    return Pipeline(steps).fit(NUMBERS, WORDS)


def test_pipelines_of_our_learners_come_back():
    model = Pipeline([("outer", Halve()), ("inner", chain())]).fit(NUMBERS, WORDS)
    loaded = from_bytes(to_bytes(model))
    assert type(loaded) is Pipeline
    assert np.array_equal(loaded.predict_proba(NUMBERS), model.predict_proba(NUMBERS))
    assert to_bytes(loaded) == to_bytes(model)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (setter("steps", []), "steps of distinct names"),
        (setter("steps", None), "steps of distinct names"),
        (setter("steps", 0, "halve"), "a step is a name and a learner"),
        (setter("steps", 0, 0, "answer"), "distinct names"),
        (setter("steps", 0, 0, "a__b"), "distinct names without '__'"),
        (setter("steps", 0, 0, 3), "distinct names"),
        (setter("steps", 0, 0, ""), "distinct names"),
        (setter("steps", 0, 0, "memory"), "called like a parameter"),
        (setter("steps", 0, 1, "drop"), "no class None is known"),
        (setter("steps", 0, 1, {"class": "naive_bayes.GaussianNB", "params": {}, "state": None}),
         "it has no transform"),
    ],
)  # fmt: skip
def test_a_pipeline_that_cannot_be_is_refused(change, words):
    with pytest.raises(ModelFileError, match=words):
        from_bytes(edited(chain(), change))


def test_steps_that_do_not_fit_on_each_other_are_refused():
    model = chain()
    model.steps[0] = ("halve", Halve().fit(NUMBERS[:, :2]))
    with pytest.raises(ParameterError, match="hands 2 columns to one that was fitted to 3"):
        to_bytes(model)


# ---------------------------------------------------------------------------- learners of a user


def test_a_learner_of_a_user_can_be_saved_once_registered():
    class Mean(Learner):
        fitted_state = {"n_features_in_": Integer(low=1), "mean_": Floats("d")}

        def fit(self, X, _y=None):
            self.n_features_in_, self.mean_ = X.shape[1], X.mean(axis=0)
            return self

    model = Mean().fit(NUMBERS)
    with pytest.raises(ParameterError, match="Mean is not one of the classes"):
        to_bytes(model)
    register(Mean)
    try:
        assert np.array_equal(from_bytes(to_bytes(model)).mean_, model.mean_)
    finally:
        del LEARNERS[f"{Mean.__module__}.{Mean.__qualname__}"]


def test_no_class_takes_a_name_of_the_library():
    impostor = type("GaussianNB", (), {"__module__": "naive_bayes"})
    with pytest.raises(ParameterError, match="a name of the library's own"):
        register(impostor)
