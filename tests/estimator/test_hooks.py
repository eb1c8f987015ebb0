"""explain and certify, alone and through pipelines, in the names of the original columns."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse as sp
from sklearn.compose import ColumnTransformer, make_column_transformer
from sklearn.decomposition import PCA
from sklearn.exceptions import NotFittedError
from sklearn.feature_selection import SelectKBest
from sklearn.impute import SimpleImputer
from sklearn.pipeline import Pipeline, make_pipeline, make_union
from sklearn.preprocessing import FunctionTransformer, PolynomialFeatures
from sklearn.preprocessing import StandardScaler as TheirScaler

import learnable
from learnable.core import DataError, ParameterError
from learnable.datasets import load_iris
from learnable.estimator.classifier import Classifier
from learnable.naive_bayes import GaussianNB
from learnable.preprocessing import StandardScaler

X, y = load_iris(return_X_y=True)
FRAME = pd.DataFrame(X, columns=list("abcd"))
FIRST = dict(zip("abcd", X[0].tolist(), strict=True))


def told(model, table):
    """Label and value of each part of the first row's explanation, but for the prior."""
    reason = learnable.explain(model.fit(table, y), table)[0]
    assert reason.parts[0].label == "prior"
    assert reason.parts[0].value == ""
    assert abs(sum(part.weight for part in reason.parts) - reason.score) < 1e-9 * abs(reason.score)
    return {part.label: part.value for part in reason.parts[1:]}


CHAINS = {
    "our scaler": (lambda: [StandardScaler()], "abcd"),
    "their scaler": (lambda: [TheirScaler()], "abcd"),
    "a selection": (lambda: [SelectKBest(k=2)], "cd"),
    "several": (lambda: [TheirScaler(), "passthrough", SelectKBest(k=2), StandardScaler()], "cd"),
    "nested": (lambda: [make_pipeline(StandardScaler(), SelectKBest(k=2))], "cd"),
    "an imputer": (lambda: [SimpleImputer()], "abcd"),
    "one to one": (lambda: [FunctionTransformer(np.log1p, feature_names_out="one-to-one")], "abcd"),
}


@pytest.mark.parametrize("chain", CHAINS)
@pytest.mark.parametrize("form", ["default", "pandas", "polars"])
def test_reasons_name_the_original_columns_and_cells(chain, form):
    steps, kept = CHAINS[chain]
    model = make_pipeline(*steps(), GaussianNB())
    if chain != "nested":
        model.set_output(transform=form)
    assert told(model, FRAME) == {name: FIRST[name] for name in kept}


TABLES = {
    "pandas": FRAME,
    "polars": pl.DataFrame(FRAME),
    "pyarrow": pa.Table.from_pandas(FRAME),
}


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("scaler", [StandardScaler, TheirScaler])
def test_reasons_are_told_from_any_table(table, scaler):
    model = make_pipeline(scaler(), SelectKBest(k=2), GaussianNB())
    assert told(model, TABLES[table]) == {"c": FIRST["c"], "d": FIRST["d"]}


@pytest.mark.parametrize("form", [np.asarray, lambda cells: cells.tolist()])
def test_columns_without_names_are_numbered(form):
    model = make_pipeline(SelectKBest(k=2), GaussianNB())
    assert told(model, form(X)) == {"x2": X[0, 2], "x3": X[0, 3]}


def test_cells_are_found_in_sparse_tables_too():
    dense = FunctionTransformer(lambda cells: cells.toarray(), feature_names_out="one-to-one")
    chain = make_pipeline(SelectKBest(k=2), dense, GaussianNB())
    assert told(chain, sp.csc_array(X)) == {"x2": X[0, 2], "x3": X[0, 3]}


def test_unions_of_transformers_name_the_original_columns():
    several = make_column_transformer((StandardScaler(), ["c", "a"]), (TheirScaler(), ["d"]))
    found = told(make_pipeline(several, GaussianNB()), FRAME)
    assert list(found.items()) == [("c", FIRST["c"]), ("a", FIRST["a"]), ("d", FIRST["d"])]
    plain = ColumnTransformer([("s", TheirScaler(), ["b"])], verbose_feature_names_out=False)
    assert told(make_pipeline(plain, GaussianNB()), FRAME) == {"b": FIRST["b"]}
    twice = make_union(StandardScaler(), SelectKBest(k=1))
    found = told(make_pipeline(twice, GaussianNB()), FRAME)
    assert list(found) == ["a", "b", "standardscaler__c", "d", "selectkbest__c"] or list(found) == [
        "a", "b", "c", "standardscaler__d", "selectkbest__d",
    ]  # fmt: skip
    assert [found[name] for name in ("a", "b")] == [FIRST["a"], FIRST["b"]]


def test_columns_that_were_made_keep_their_own_names_and_values():
    made = told(make_pipeline(PolynomialFeatures(2, include_bias=False), GaussianNB()), FRAME)
    assert made["a"] == FIRST["a"]
    assert made["a b"] == pytest.approx(FIRST["a"] * FIRST["b"])
    turned = told(make_pipeline(PCA(2), GaussianNB()), FRAME)
    assert list(turned) == ["pca0", "pca1"]


def test_a_column_called_prior_is_not_taken_for_the_prior():
    frame = FRAME.rename(columns={"a": "prior"})
    model = make_pipeline(StandardScaler(), GaussianNB()).fit(frame, y)
    parts = learnable.explain(model, frame[:1])[0].parts
    assert [(part.label, part.value) for part in parts[:2]] == [("prior", ""), ("prior", 5.1)]


def test_a_step_that_hides_its_names_is_named():
    model = make_pipeline(FunctionTransformer(np.log1p), GaussianNB()).fit(X, y)
    with pytest.raises(ParameterError, match="FunctionTransformer does not tell the names"):
        learnable.explain(model, X)


def test_a_pipeline_is_certified_as_its_learner_is():
    chain = make_pipeline(StandardScaler(), SelectKBest(k=2), GaussianNB()).fit(FRAME[::2], y[::2])
    found = learnable.certify(chain, FRAME[1::2], y[1::2])
    inner = learnable.certify(chain[-1], chain[:-1].transform(FRAME[1::2]), y[1::2])
    assert found == inner
    assert found.value == chain.score(FRAME[1::2], y[1::2])
    with pytest.raises(DataError, match="were among the training rows"):
        learnable.certify(chain, FRAME[::2], y[::2])


def test_a_stated_confidence_reaches_the_certificate():
    model = GaussianNB().fit(X[::2], y[::2])
    narrow, wide = (
        learnable.certify(model, X[1::2], y[1::2], confidence=level) for level in (0.8, 0.99)
    )
    assert wide.low < narrow.low < narrow.high < wide.high


WRONG = [
    (lambda _: learnable.explain(TheirScaler().fit(X), X), "StandardScaler cannot explain"),
    (lambda _: learnable.certify(TheirScaler().fit(X), X), "StandardScaler cannot certify"),
    (lambda _: learnable.explain(make_pipeline(TheirScaler()).fit(X), X), "cannot explain"),
    (lambda _: learnable.explain(Pipeline([("a", "passthrough")]), X), "empty pipeline"),
    (lambda m: learnable.certify(m, X, y, role="both"), "role must be one of test, train"),
    (lambda m: learnable.certify(m, X, y, confidence=1.0), "strictly between 0 and 1"),
    (lambda m: learnable.certify(m, X, y, confidence=95), "strictly between 0 and 1"),
]


@pytest.mark.parametrize(("act", "message"), WRONG, ids=range(len(WRONG)))
def test_what_cannot_be_asked_is_refused(act, message):
    with pytest.raises(ParameterError, match=message):
        act(GaussianNB().fit(X, y))


def test_answers_are_certified_against_the_true_ones():
    with pytest.raises(DataError, match="needs the true ones"):
        learnable.certify(GaussianNB().fit(X, y), X)
    with pytest.raises(DataError, match="inconsistent numbers of samples"):
        learnable.certify(GaussianNB().fit(X, y), X + 0.01, y[:-1])


def test_unfitted_models_are_refused():
    for model in (GaussianNB(), make_pipeline(StandardScaler(), GaussianNB())):
        with pytest.raises(NotFittedError):
            learnable.explain(model, X)
        with pytest.raises(NotFittedError):
            learnable.certify(model, X, y)


def test_any_class_with_the_hooks_can_be_asked():
    class Own:
        def _explain(self, rows):
            return [f"{len(rows)} rows"]

        def _certify(self, rows, truth, role, confidence):
            return rows, truth, role, confidence

    assert learnable.explain(Own(), X) == ["150 rows"]
    assert learnable.certify(Own(), X, role="train")[2:] == ("train", 0.95)


def test_a_classifier_without_hooks_says_so():
    class Bare(Classifier):
        def __init__(self): ...

    with pytest.raises(ParameterError, match="Bare cannot explain"):
        learnable.explain(Bare(), X)
