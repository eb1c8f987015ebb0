"""The column transformer against scikit-learn's, and explanations through it."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.compose import ColumnTransformer as Peer
from sklearn.compose import make_column_selector
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures

import learnable
from learnable.compose import ColumnTransformer
from learnable.core import LearnableError, ParameterError
from learnable.data import Table
from learnable.estimator.persistence import from_bytes, to_bytes
from learnable.impute import SimpleImputer
from learnable.naive_bayes import GaussianNB
from learnable.preprocessing import MinMaxScaler, OneHotEncoder, StandardScaler

RANDOM = np.random.default_rng(0)
FRAME = pd.DataFrame({"a": RANDOM.normal(size=30), "b": RANDOM.choice(list("xyz"), 30),
                      "c": RANDOM.normal(size=30), "d": RANDOM.choice(list("pq"), 30)})  # fmt: skip
ARRAY = RANDOM.normal(size=(30, 4))
Y = np.repeat(["n", "y"], 15)
SCALE, CODE = StandardScaler(), OneHotEncoder()
CASES = {
    "two": (FRAME, [("s", SCALE, ["a", "c"]), ("o", CODE, ["b", "d"])], {}),
    "the rest passes": (FRAME, [("s", SCALE, ["c"]), ("o", CODE, ["b"])],
                        {"remainder": "passthrough"}),
    "the rest is scaled": (FRAME, [("o", CODE, ["b", "d"])], {"remainder": SCALE}),
    "compressed": (FRAME, [("o", CODE, ["b", "d"])], {"sparse_threshold": 1.0}),
    "by a rule": (FRAME, [("s", SCALE, make_column_selector(dtype_include="number"))],
                  {"verbose_feature_names_out": False}),
    "no column": (FRAME, [("s", SCALE, []), ("t", SCALE, ["a"])], {}),
    "weights": (ARRAY, [("s", SCALE, [0, 2]), ("m", MinMaxScaler(), [-1])],
                {"remainder": "passthrough", "transformer_weights": {"s": 2.0}}),
    "a mask": (ARRAY, [("s", SCALE, [True, False, False, True])], {}),
    "another library's": (ARRAY, [("q", PolynomialFeatures(), [0, 1])], {}),
    "dropped": (ARRAY, [("q", "drop", [0, 1]), ("p", "passthrough", [3])], {}),
}  # fmt: skip
WRONG = {
    "a name in an array": (ARRAY, [("s", SCALE, ["a"])], {}),
    "an unknown name": (FRAME, [("s", SCALE, ["zz"])], {}),
    "a number too large": (ARRAY, [("s", SCALE, [9])], {}),
    "no transformer": (ARRAY, [("s", "other", [1])], {}),
    "a name twice": (ARRAY, [("s", SCALE, [0]), ("s", SCALE, [1])], {}),
}


def dense(answer):
    return answer.toarray() if hasattr(answer, "toarray") else np.asarray(answer)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_the_peers_answers(case):
    X, steps, options = case
    ours, theirs = ColumnTransformer(steps, **options), Peer(steps, **options)
    found, expected = ours.fit_transform(X), theirs.fit_transform(X)
    assert sp.issparse(found) == sp.issparse(expected)
    assert np.array_equal(dense(found), dense(expected))
    assert np.array_equal(dense(ours.transform(X)), dense(expected))
    assert ours.get_feature_names_out().tolist() == theirs.get_feature_names_out().tolist()
    assert ours.output_indices_ == theirs.output_indices_


@pytest.mark.parametrize("case", WRONG.values(), ids=WRONG)
def test_what_the_peer_refuses(case):
    X, steps, options = case
    with pytest.raises((ValueError, TypeError)):
        Peer(steps, **options).fit(X)
    with pytest.raises(LearnableError):
        ColumnTransformer(steps, **options).fit(X)


def test_slices_of_names_and_numbers():
    steps = [("o", CODE, slice("b", "b")), ("s", SCALE, slice(2, 3))]
    names = ColumnTransformer(steps).fit(FRAME).get_feature_names_out().tolist()
    assert names == ["o__b_x", "o__b_y", "o__b_z", "s__c"]


def test_parameters_of_what_is_inside():
    both = ColumnTransformer([("s", StandardScaler(), [0]), ("m", MinMaxScaler(), [1])])
    both.set_params(s__with_mean=False, m="drop")
    assert both.get_params()["s__with_mean"] is False
    assert both.get_params()["m"] == "drop"
    copied = clone(both).fit(ARRAY)
    assert copied.named_transformers_["s"].with_mean is False
    assert not both.__sklearn_is_fitted__()


def test_frames_in_another_order_and_library():
    steps = [("s", SCALE, ["a", "c"])]
    ours = ColumnTransformer(steps).fit(FRAME)
    expected = ours.transform(FRAME)
    assert np.array_equal(ours.transform(FRAME[["d", "c", "a", "b"]]), expected)
    polars = pl.DataFrame(FRAME.to_dict("list"))
    assert np.array_equal(ColumnTransformer(steps).fit(polars).transform(polars), expected)


def test_a_missing_column_is_named():
    ours = ColumnTransformer([("s", SCALE, ["a"])]).fit(FRAME)
    with pytest.raises(LearnableError, match="columns are missing") as caught:
        ours.transform(FRAME[["b", "c"]])
    assert caught.value.column == "a"


def test_tables():
    table = Table.of({"w": ["x", None, "y", "x"], "t": [1.0, None, 3.0, 5.0]})
    fill = make_pipeline(SimpleImputer(strategy="most_frequent"), OneHotEncoder())
    both = ColumnTransformer([("code", fill, ["w"]), ("fill", SimpleImputer(), ["t"])])
    assert both.fit_transform(table).tolist() == [
        [1.0, 0.0, 1.0], [1.0, 0.0, 3.0], [0.0, 1.0, 3.0], [1.0, 0.0, 5.0],
    ]  # fmt: skip


def test_frames_come_back_in_the_chosen_form():
    steps = [("s", SCALE, ["a"]), ("o", OneHotEncoder(sparse_output=False), ["d"])]
    frame = ColumnTransformer(steps).set_output(transform="pandas").fit_transform(FRAME)
    assert frame.columns.tolist() == ["s__a", "o__d_p", "o__d_q"]


def test_names_that_clash():
    both = ColumnTransformer(
        [("s", SCALE, ["a"]), ("m", MinMaxScaler(), ["a"])], verbose_feature_names_out=False
    ).fit(FRAME)
    with pytest.raises(ParameterError, match="not unique"):
        both.get_feature_names_out()


def test_explanations_speak_of_the_original_columns_and_sum_their_indicators():
    steps = [("s", SCALE, ["c"]), ("o", OneHotEncoder(sparse_output=False), ["b", "d"])]
    both, bayes = ColumnTransformer(steps), GaussianNB()
    model = make_pipeline(both, bayes).fit(FRAME, Y)
    why = learnable.explain(model, FRAME[:3])[0]
    assert [part.label for part in why.parts] == ["prior", "c", "b", "d"]
    assert why.parts[2].value == FRAME["b"][0]
    inner = learnable.explain(bayes, both.transform(FRAME[:3]))[0]
    wanted = sum(part.weight for part in inner.parts if part.label in {"x1", "x2", "x3"})
    assert why.parts[2].weight == pytest.approx(wanted)
    assert why.score == pytest.approx(sum(part.weight for part in why.parts))


def test_mixtures_keep_names_of_their_own():
    both = ColumnTransformer([("q", PolynomialFeatures(include_bias=False), [0, 1])]).fit(ARRAY)
    assert both.sources_out() == [None] * 5 or both.sources_out()[2] is None


def test_model_files_keep_what_is_inside():
    steps = [("s", SCALE, ["a", "c"]), ("o", CODE, ["b"])]
    ours = ColumnTransformer(steps, remainder="passthrough").fit(FRAME[["a", "b", "c"]])
    again = from_bytes(to_bytes(ours))
    assert np.array_equal(dense(again.transform(FRAME)), dense(ours.transform(FRAME)))
    assert again.get_feature_names_out().tolist() == ours.get_feature_names_out().tolist()


def test_its_own_explanation():
    why = learnable.explain(ColumnTransformer([("s", SCALE, [0, 2])]).fit(ARRAY), ARRAY[:1])[0]
    assert why.parts[0].evidence == "StandardScaler made 2 columns"
    assert why.parts[0].value == "x0, x2"
