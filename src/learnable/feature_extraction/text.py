"""Texts to numbers, under the names of scikit-learn's module."""

from learnable.feature_extraction.characters import strip_accents_ascii, strip_accents_unicode
from learnable.feature_extraction.count_vectorizer import CountVectorizer
from learnable.feature_extraction.stop_words import ENGLISH_STOP_WORDS
from learnable.feature_extraction.tfidf_transformer import TfidfTransformer
from learnable.feature_extraction.tfidf_vectorizer import TfidfVectorizer

__all__ = [
    "ENGLISH_STOP_WORDS",
    "CountVectorizer",
    "TfidfTransformer",
    "TfidfVectorizer",
    "strip_accents_ascii",
    "strip_accents_unicode",
]
