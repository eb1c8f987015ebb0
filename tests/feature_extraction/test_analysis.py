"""Analyzers in Python against scikit-learn's, one document at a time."""

from __future__ import annotations

import pickle
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.feature_extraction.text import CountVectorizer as Peer

from learnable.core import DataError, MissingDependencyError
from learnable.feature_extraction import analysis
from learnable.feature_extraction.text import CountVectorizer
from tests.feature_extraction.test_count_vectorizer import WAYS
from tests.feature_extraction.texts import CHARACTERS, ODD


@pytest.mark.parametrize("parameters", WAYS, ids=str)
def test_terms_are_those_of_scikit_learn(parameters):
    ours, peer = CountVectorizer(**parameters), Peer(**parameters)
    analyze = pickle.loads(pickle.dumps(ours.build_analyzer()))  # noqa: S301 (its own)
    for text in ODD:
        assert sorted(analyze(text)) == sorted(peer.build_analyzer()(text))
        if not callable(parameters.get("analyzer")):
            assert ours.build_preprocessor()(text) == peer.build_preprocessor()(text)
            assert list(ours.build_tokenizer()(text)) == list(peer.build_tokenizer()(text))


@given(text=st.text(CHARACTERS), least=st.integers(1, 3), more=st.integers(0, 3))
def test_slices(text, least, more):
    most = least + more
    for analyzer in ("char", "char_wb"):
        peer = Peer(analyzer=analyzer, ngram_range=(least, most)).build_analyzer()
        mine = getattr(analysis, f"{analyzer}_ngrams")
        assert sorted(mine((least, most), text.lower())) == sorted(peer(text))


def test_a_decoder_names_what_is_no_text():
    with pytest.raises(DataError, match=r"3\.5 is an invalid document"):
        analysis.Decoder()(3.5)
    assert CountVectorizer(encoding="latin-1").decode(b"\xe9") == "é"


def test_without_the_extra_the_remedy_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "snowballstemmer", None)
    with pytest.raises(MissingDependencyError, match=r"learnable\[text\]"):
        analysis.stemmer_of("english")


def test_stop_words_that_no_tokenizer_takes_are_not_judged():
    analysis.check_stop_words({"a"}, None, None)
