"""The same vocabulary and counts as scikit-learn, to the last one, on odd, drawn and real texts."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.feature_extraction.text import CountVectorizer as Peer

import learnable
from learnable.core import DataError, ParameterError
from learnable.feature_extraction import documents
from learnable.feature_extraction.text import CountVectorizer
from tests.feature_extraction.texts import DOCUMENTS, ODD

WAYS = [
    {},
    {"ngram_range": (1, 2)},
    {"ngram_range": (2, 3)},
    {"ngram_range": (3, 3), "min_df": 1},
    {"analyzer": "char"},
    {"analyzer": "char", "ngram_range": (1, 4)},
    {"analyzer": "char_wb", "ngram_range": (2, 5)},
    {"analyzer": "char_wb", "ngram_range": (9, 12)},
    {"lowercase": False},
    {"lowercase": False, "analyzer": "char", "ngram_range": (2, 2)},
    {"strip_accents": "unicode"},
    {"strip_accents": "ascii", "analyzer": "char_wb", "ngram_range": (1, 3)},
    {"strip_accents": str.upper},
    {"binary": True, "max_features": 5},
    {"max_features": 7, "ngram_range": (1, 2)},
    {"min_df": 2, "max_df": 0.9},
    {"stop_words": ["the", "of"], "ngram_range": (1, 2)},
    {"token_pattern": r"(?u)\b\w+\b"},
    {"token_pattern": r"(\w)\w*"},
    {"tokenizer": str.split, "token_pattern": None},
    {"preprocessor": str.swapcase},
    {"analyzer": str.split},
    {"dtype": np.float32},
]


def same(parameters, texts):
    ours, peer = CountVectorizer(**parameters), Peer(**parameters)
    try:
        expected = peer.fit_transform(texts)
    except ValueError:
        with pytest.raises(ValueError, match=r"empty vocabulary|no terms remain|< documents"):
            ours.fit(texts)
        return
    found = ours.fit_transform(texts)
    assert ours.vocabulary_ == peer.vocabulary_
    assert ours.get_feature_names_out().tolist() == peer.get_feature_names_out().tolist()
    assert found.dtype == expected.dtype
    assert found.shape == expected.shape
    assert (found != expected).nnz == 0
    assert (ours.transform(texts) != peer.transform(texts)).nnz == 0
    assert found.has_canonical_format
    assert (np.diff(found.indptr) >= 0).all()


@pytest.mark.parametrize("parameters", WAYS, ids=str)
def test_odd_texts(parameters):
    same(parameters, ODD)
    same(parameters, ODD[:4] + ODD[-3:])


@given(
    texts=DOCUMENTS,
    analyzer=st.sampled_from(["word", "char", "char_wb"]),
    least=st.integers(1, 3),
    more=st.integers(0, 3),
    lowercase=st.booleans(),
    strip_accents=st.sampled_from([None, "unicode", "ascii"]),
)
def test_drawn_texts(texts, analyzer, least, more, lowercase, strip_accents):
    same(
        {
            "analyzer": analyzer,
            "ngram_range": (least, least + more),
            "lowercase": lowercase,
            "strip_accents": strip_accents,
        },
        texts,
    )


@given(texts=DOCUMENTS, least=st.integers(1, 2), limit=st.integers(1, 6))
def test_drawn_limits(texts, least, limit):
    same({"min_df": least, "max_features": limit, "max_df": 0.8}, texts)


def real(needs_data, name):
    table = needs_data(name).table
    return max(table.values(), key=lambda column: sum(map(len, column))).tolist()


@pytest.mark.parametrize("name", ["sms-spam", "federalist"])
@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"ngram_range": (1, 2), "min_df": 2},
        {"analyzer": "char_wb", "ngram_range": (3, 4), "max_features": 500},
        {"stop_words": ["the", "to"], "ngram_range": (2, 3), "max_df": 0.5},
    ],
    ids=str,
)
def test_real_texts(needs_data, name, parameters):
    same(parameters, real(needs_data, name))


def test_blocks_of_another_length_change_nothing(monkeypatch):
    expected = CountVectorizer(ngram_range=(1, 3)).fit_transform(ODD)
    for name, value in {"BLOCK_DOCUMENTS": 1, "BLOCK_CHARACTERS": 60}.items():
        monkeypatch.setattr(documents, name, value)
        found = CountVectorizer(ngram_range=(1, 3)).fit_transform(iter(ODD))
        assert (found != expected).nnz == 0
        monkeypatch.undo()


def test_more_terms_than_there_is_room_for_at_first():
    texts = [" ".join(f"w{i}" for i in range(40_000))]
    model = CountVectorizer().fit(texts)
    assert len(model.terms_) == 40_000
    assert model.transform(texts).sum() == 40_000


def test_bytes_files_and_names_of_files(tmp_path):
    paths = []
    for i, text in enumerate(["to be", "dÉjà be"]):
        paths.append(tmp_path / f"{i}.txt")
        paths[-1].write_text(text, encoding="latin-1")
    expected = [[1, 0, 1], [1, 1, 0]]
    options = {"encoding": "latin-1"}
    given_bytes = [path.read_bytes() for path in paths]
    assert CountVectorizer(**options).fit_transform(given_bytes).toarray().tolist() == expected
    by_name = CountVectorizer(input="filename", **options).fit_transform(paths)
    assert by_name.toarray().tolist() == expected
    files = [path.open("rb") for path in paths]
    by_file = CountVectorizer(input="file", **options).fit_transform(files)
    for file in files:
        file.close()
    assert by_file.toarray().tolist() == expected
    with pytest.raises(UnicodeDecodeError):
        CountVectorizer().fit(given_bytes)
    assert "dj" in CountVectorizer(decode_error="ignore").fit(given_bytes).vocabulary_


def test_a_given_vocabulary():
    for vocabulary in (["be", "to"], {"be": 0, "to": 1}, {"to", "be"}):
        model = CountVectorizer(vocabulary=vocabulary)
        assert model.transform(["to be to"]).toarray().tolist() == [[1, 2]]
        assert model.fixed_vocabulary_
        assert model.fit(["x y"]).get_feature_names_out().tolist() == ["be", "to"]
    for wrong, told in (
        (["a", "a"], "Duplicate term"),
        ({"a": 0, "b": 0}, "repeated indices"),
        ({"a": 0, "b": 2}, "doesn't contain index 1"),
        ([], "empty vocabulary"),
    ):
        with pytest.raises(ParameterError, match=told):
            CountVectorizer(vocabulary=wrong).fit(["a"])


def test_inverse_transform_names_the_terms():
    model = CountVectorizer().fit(["to be or not"])
    found = model.inverse_transform(model.transform(["be be to", ""]))
    assert [one.tolist() for one in found] == [["be", "to"], []]
    with pytest.raises(DataError, match="4 terms"):
        model.inverse_transform(np.zeros((1, 3)))


def test_stems_are_the_terms():
    texts = ["Questions questioned questioning", "the question", "learned learning"]
    model = CountVectorizer(stemmer="english", stop_words=["the"], ngram_range=(1, 2))
    found = model.fit_transform(texts)
    assert model.get_feature_names_out().tolist() == [
        "learn", "learn learn", "question", "question question",
    ]  # fmt: skip
    assert found.toarray().tolist() == [[0, 0, 3, 2], [0, 0, 1, 0], [2, 1, 0, 0]]
    assert model.build_analyzer()(texts[1]) == ["question"]
    plain = CountVectorizer(stemmer=lambda word: word[:4]).fit(texts)
    assert plain.get_feature_names_out().tolist() == ["lear", "ques", "the"]
    with pytest.raises(ParameterError, match="no Snowball stemmer 'klingon'"):
        CountVectorizer(stemmer="klingon").fit(texts)


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ("one string", "string object received"),
        (np.zeros((2, 2)), "not as a table"),
        (7, "not as int"),
        (["a b", None], "row 1"),
        (["a b", np.nan], "invalid document"),
        ([["a"]], "invalid document"),
    ],
)
def test_what_is_no_list_of_documents_is_refused(wrong, told):
    with pytest.raises(DataError, match=told):
        CountVectorizer().fit(wrong)


@pytest.mark.parametrize(
    ("parameters", "told"),
    [
        ({"ngram_range": (2, 1)}, "lower boundary"),
        ({"min_df": -1}, "min_df"),
        ({"max_df": 1.5}, "max_df"),
        ({"stop_words": "klingon"}, "not a built-in stop list"),
        ({"token_pattern": "(a)(b)"}, "More than 1 capturing group"),
        ({"analyzer": "sentence"}, "analyzer"),
        ({"dtype": "words"}, "dtype"),
    ],
)
def test_a_parameter_out_of_range_is_refused(parameters, told):
    with pytest.raises(ParameterError, match=re.escape(told)):
        CountVectorizer(**parameters).fit(["a b c dd"])


def test_idle_parameters_and_strange_stop_words_are_said():
    with pytest.warns(UserWarning, match="'token_pattern' will not be used"):
        CountVectorizer(tokenizer=str.split).fit(["a"])
    with pytest.warns(UserWarning, match="inconsistent"):
        CountVectorizer(stop_words=["don't"]).fit(["they don't"])
    CountVectorizer(stop_words="english").fit(["they don't like trains"])


def test_trace_tells_how_the_vocabulary_grew_and_what_was_left_out():
    with learnable.tracing() as trace:
        CountVectorizer(min_df=2).fit(["to be", "to do"])
    assert trace.steps() == ["terms", "prune", "pruned"]
    assert trace.only("terms").events[0].values["terms"] == 3
    assert trace.only("prune").events[0].values["too_rare"] == 2
    assert [event.values["term"] for event in trace.only("pruned")] == ["be", "do"]


def test_the_share_of_unknown_terms_is_bounded():
    model = CountVectorizer().fit(["to be", "or not"])
    certificate = learnable.certify(model, ["to be", "to go"] * 50)
    assert certificate.value == 0.25
    assert certificate.high == pytest.approx(0.25 + np.sqrt(np.log(20) / 200))
    with pytest.raises(ParameterError, match="role"):
        learnable.certify(model, ["to be"], role="train")
