"""Weights of words against scikit-learn's."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError
from sklearn.feature_extraction.text import TfidfVectorizer as Peer

import learnable
from learnable.feature_extraction.text import CountVectorizer, TfidfTransformer, TfidfVectorizer
from tests.feature_extraction.texts import ODD

WAYS = [
    {},
    {"ngram_range": (1, 2), "norm": "l1"},
    {"use_idf": False},
    {"smooth_idf": False, "sublinear_tf": True, "norm": None},
    {"binary": True, "min_df": 2},
    {"dtype": np.float32},
    {"vocabulary": ["be", "the", "never"]},
]


def same(parameters, texts):
    ours, peer = TfidfVectorizer(**parameters), Peer(**parameters)
    found, expected = ours.fit_transform(texts), peer.fit_transform(texts)
    assert ours.vocabulary_ == peer.vocabulary_
    if ours.use_idf:
        assert ours.idf_.tolist() == peer.idf_.tolist()
    assert found.dtype == expected.dtype
    assert abs(found - expected).max() < 20 * np.finfo(found.dtype).eps
    assert (ours.transform(texts) != found).nnz == 0


@pytest.mark.parametrize("parameters", WAYS, ids=str)
def test_odd_texts(parameters):
    same(parameters, ODD)


def test_real_texts(needs_data):
    same({"sublinear_tf": True}, needs_data("sms-spam").table["text"].tolist())
    same({"max_df": 0.7, "min_df": 3}, needs_data("federalist").table["text"].tolist())


def test_it_is_counting_then_weighing():
    counts = CountVectorizer().fit_transform(ODD)
    weights = TfidfTransformer().fit_transform(counts)
    assert abs(TfidfVectorizer().fit_transform(ODD) - weights).max() == 0.0


def test_a_given_vocabulary_has_no_weights_before_fit():
    assert TfidfVectorizer(vocabulary=["be"], use_idf=False).transform(["be"]).nnz == 1
    with pytest.raises(NotFittedError):
        TfidfVectorizer(vocabulary=["be"]).transform(["be"])


def test_other_kinds_of_number_become_floats():
    with pytest.warns(UserWarning, match="float64"):
        found = TfidfVectorizer(dtype=np.int64).fit_transform(["to be"])
    assert found.dtype == np.float64


def test_a_second_fit_without_idf_forgets_it():
    model = TfidfVectorizer().fit(["to be"])
    assert not hasattr(model.set_params(use_idf=False).fit(["to be"]), "idf_")


def test_explanations_say_how_rare_a_word_is():
    model = TfidfVectorizer().fit(["to be or not to be", "be there"])
    parts = {part.label: part for part in learnable.explain(model, ["to to be"])[0].parts}
    assert parts["to"].value == 2
    assert parts["to"].evidence == "in 1 of 2 documents, idf 1.405"
    assert parts["be"].evidence == "in 2 of 2 documents, idf 1"
