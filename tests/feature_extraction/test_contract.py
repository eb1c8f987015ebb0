"""What learners of texts owe, in place of the laws of tables: bits, files, pickles, clones."""

from __future__ import annotations

import pickle
import warnings
from contextlib import suppress

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline

import learnable
from learnable.checks import same_bits
from learnable.cluster import KMeans
from learnable.core import Dask, LearnableError, Threads, config, serial
from learnable.dummy import DummyClassifier
from learnable.estimator import learners, table_learners
from learnable.estimator.persistence import from_bytes, to_bytes
from learnable.feature_extraction import documents
from learnable.feature_extraction.text import CountVectorizer, TfidfVectorizer
from tests.estimator.model_file_mutations import survey
from tests.feature_extraction.texts import ODD

TEXTS = [text for text in ODD if "\ud800" not in text and "\x00" not in text]
CASES = [
    CountVectorizer(),
    CountVectorizer(ngram_range=(1, 3), stop_words=["the"], dtype=np.float32),
    CountVectorizer(analyzer="char_wb", ngram_range=(2, 4), max_features=50),
    CountVectorizer(tokenizer=str.split, token_pattern=None),
    CountVectorizer(stemmer="english"),
    TfidfVectorizer(),
    TfidfVectorizer(sublinear_tf=True, min_df=2, vocabulary=["be", "the"]),
]
each = pytest.mark.parametrize("learner", CASES, ids=str)


def test_every_learner_of_documents_is_here():
    ours = set(learners()) - set(table_learners())
    assert ours == {type(case).__name__ for case in CASES}


def whole(learner):
    model = clone(learner).fit(TEXTS)
    counts = model.transform(TEXTS)
    both = clone(learner).fit_transform(TEXTS)
    parts = [[one.data, one.indices, one.indptr] for one in (counts, both)]
    assert (counts != both).nnz == 0
    return {"state": vars(model), "answers": parts}


@each
def test_the_same_bits_whoever_runs_the_blocks(learner, monkeypatch):
    monkeypatch.setattr(documents, "BLOCK_DOCUMENTS", 2)
    with config(runner=serial):
        expected = whole(learner)
    for runner in (Threads(1), Threads(2), Threads(3), Dask("threads"), Dask("synchronous")):
        with config(runner=runner):
            same_bits(whole(learner), expected, str(runner))


@each
def test_clones_parameters_and_pickles(learner):
    model = clone(learner).fit(TEXTS)
    again = pickle.loads(pickle.dumps(model))  # noqa: S301 (its own)
    assert again.vocabulary_ == model.vocabulary_
    assert (again.transform(TEXTS) != model.transform(TEXTS)).nnz == 0
    assert clone(model).get_params() == learner.get_params()
    assert not vars(clone(model)).keys() & {"terms_", "vocabulary_"}
    changed = clone(learner).set_params(lowercase=False)
    assert not changed.lowercase
    with pytest.raises(NotFittedError):
        type(learner)().transform(TEXTS)
    first = vars(model).copy()
    same_bits(vars(model.fit(TEXTS)), first, "the second fit")


@each
def test_model_files(learner, tmp_path):
    model = clone(learner).fit(TEXTS)
    path = tmp_path / "text.model"
    if learner.tokenizer is not None:
        with pytest.raises(LearnableError, match="functions cannot be stored"):
            learnable.save(model, path)
        return
    learnable.save(model, path)
    again = learnable.load(path)
    assert again.get_params() == model.get_params()
    same_bits(vars(again), vars(model), "the model file")
    assert (again.transform(TEXTS) != model.transform(TEXTS)).nnz == 0


def use(model):
    with warnings.catch_warnings(), np.errstate(all="ignore"), suppress(LearnableError):
        warnings.simplefilter("ignore", UserWarning)
        found = model.transform(TEXTS)
        assert found.shape == (len(TEXTS), len(model.terms_))
        model.inverse_transform(found)
        learnable.explain(model, TEXTS[:2])


@pytest.mark.parametrize("learner", [CASES[0], CASES[5]], ids=str)
def test_mutated_model_files_are_refused_or_whole(learner):
    data = to_bytes(clone(learner).fit(TEXTS))
    tally = survey(data, from_bytes, use, seed=1, count=300)
    assert tally["unsealed refused"] == 300
    assert tally["resealed refused"] > 150


@each
def test_explanations_name_the_words(learner):
    model = clone(learner).fit(TEXTS)
    weights = model.transform(TEXTS)
    for i, why in enumerate(learnable.explain(model, TEXTS)):
        assert len(why.parts) == weights[i].nnz
        assert why.score == pytest.approx(weights[i].sum())
        assert {part.label for part in why.parts} <= set(model.terms_)


def test_a_trace_changes_nothing_and_depends_on_no_thread(monkeypatch):
    monkeypatch.setattr(documents, "BLOCK_DOCUMENTS", 2)
    seen = []
    for size in (1, 3):
        with config(runner=Threads(size)), learnable.tracing() as trace:
            TfidfVectorizer(min_df=2).fit(TEXTS)
        seen.append([event._asdict() for event in trace])
    assert seen[0] == seen[1]


def test_pipelines_explain_in_words(tmp_path):
    texts = ["good fine good", "bad poor bad", "good good", "poor bad poor"] * 5
    model = make_pipeline(TfidfVectorizer(), KMeans(2, random_state=0)).fit(texts)
    labels = {part.label for part in learnable.explain(model, ["good bad"])[0].parts}
    assert labels <= {"good", "bad", "fine", "poor"}
    assert {"good", "bad"} <= labels
    learnable.save(model, tmp_path / "pipeline.model")
    again = learnable.load(tmp_path / "pipeline.model")
    assert again.predict(texts).tolist() == model.predict(texts).tolist()
    guess = make_pipeline(CountVectorizer(), DummyClassifier()).fit(texts, ["x", "y"] * 10)
    assert learnable.explain(guess, texts[:1])[0].prediction in {"x", "y"}


def test_scikit_learn_sees_learners_of_texts():
    tags = CountVectorizer().__sklearn_tags__()
    assert tags.input_tags.string
    assert not tags.input_tags.two_d_array
