"""Learners take tables as they are."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline

import learnable
from learnable.cluster import KMeans
from learnable.core import DataError, SchemaError
from learnable.data import Table
from learnable.datasets import load_iris, load_play_tennis
from learnable.naive_bayes import CategoricalNB, GaussianNB
from learnable.preprocessing import StandardScaler


@pytest.fixture(scope="module")
def iris():
    frame = load_iris(as_frame=True).frame
    return Table.of(frame).changed({frame.columns[-1]: {"role": "target"}})


@pytest.fixture(scope="module")
def days():
    return Table.of(load_play_tennis(as_frame=True).frame).changed({"play": {"role": "target"}})


def test_the_target_of_the_table_is_learned(iris):
    X, y = load_iris(return_X_y=True)
    model = GaussianNB().fit(iris)
    plain = GaussianNB().fit(X, y)
    np.testing.assert_array_equal(model.predict_proba(iris), plain.predict_proba(X))
    assert model.feature_names_in_.tolist() == iris.features().columns
    parts = GaussianNB().partial_fit(iris[:70], classes=plain.classes_).partial_fit(iris[70:])
    np.testing.assert_allclose(parts.theta_, plain.theta_, rtol=1e-12)


def test_clusters_of_a_table(iris):
    X, _ = load_iris(return_X_y=True)
    found = KMeans(3, random_state=0).fit(iris)
    np.testing.assert_array_equal(found.labels_, KMeans(3, random_state=0).fit(X).labels_)


def test_nominal_columns_are_counted_by_all_values_of_their_schema(days):
    stated = days.changed({"outlook": "nominal: Sunny, Overcast, Rain, Snow"})
    model = CategoricalNB().fit(stated)
    assert model.categories_[0].tolist() == ["Overcast", "Rain", "Snow", "Sunny"]
    text = CategoricalNB(alpha=0).fit(days)
    X, y = load_play_tennis(return_X_y=True)
    expected = CategoricalNB(alpha=0).fit(X, y).predict_proba(X)
    np.testing.assert_array_equal(text.predict_proba(days), expected)


def test_columns_are_found_by_name(iris):
    model = GaussianNB().fit(iris)
    turned = iris.only(iris.columns[::-1])
    np.testing.assert_array_equal(model.predict(turned), model.predict(iris))
    with pytest.raises(SchemaError, match="are missing: sepal length"):
        model.predict(iris.only(iris.columns[1:]))


def test_a_table_of_the_wrong_kind_is_refused(days, iris):
    with pytest.raises(DataError, match="GaussianNB takes numbers, and a column is nominal"):
        GaussianNB().fit(days)
    with pytest.raises(DataError, match="a column is numeric"):
        CategoricalNB().fit(iris)


def test_explain_and_certify_speak_of_the_columns(iris, days):
    model = make_pipeline(StandardScaler(), GaussianNB()).fit(iris[::2], iris[::2].target())
    why = learnable.explain(model, iris[1:2])[0]
    assert {part.label: part.value for part in why.parts}["sepal length (cm)"] == 4.9
    assert learnable.certify(model, iris[1::2]).n == 75
    why = learnable.explain(CategoricalNB().fit(days), days[:1])[0]
    assert {part.label: part.value for part in why.parts}["outlook"] == "Sunny"


def test_scikit_learn_cuts_tables_into_folds(iris):
    X, y = load_iris(return_X_y=True)
    found = cross_val_score(GaussianNB(), iris, iris.target())
    np.testing.assert_array_equal(found, cross_val_score(GaussianNB(), X, y))
