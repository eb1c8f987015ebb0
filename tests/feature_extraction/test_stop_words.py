"""The list of English stop words."""

from __future__ import annotations

import pytest

from learnable.core import ParameterError
from learnable.feature_extraction.analysis import DEFAULT_PATTERN, pattern_tokenizer
from learnable.feature_extraction.stop_words import ENGLISH_STOP_WORDS, stop_words_of


def test_the_default_pattern_cuts_no_stop_word_into_others():
    tokenize = pattern_tokenizer(DEFAULT_PATTERN)
    pieces = {piece for word in ENGLISH_STOP_WORDS for piece in tokenize(word)}
    assert pieces <= ENGLISH_STOP_WORDS
    assert all(word == word.lower() for word in ENGLISH_STOP_WORDS)


def test_contractions_of_real_english_leave_nothing():
    tokenize = pattern_tokenizer(DEFAULT_PATTERN)
    for text in ("don't", "we'll", "you've", "isn't", "they're", "wouldn't"):
        assert set(tokenize(text)) <= ENGLISH_STOP_WORDS


def test_the_words_of_a_published_list_are_in_it(needs_data):
    """Those of the Snowball project that are one token."""
    folder = needs_data("sms-spam").folder.parent
    published = (folder / "stopwords-en" / "snowball.txt").read_text().split()
    single = {word for word in published if "'" not in word}
    assert single - ENGLISH_STOP_WORDS == set()


def test_what_a_parameter_may_name():
    assert stop_words_of(None) is None
    assert stop_words_of(["a", "b"]) == {"a", "b"}
    with pytest.raises(ParameterError, match="klingon"):
        stop_words_of("klingon")
