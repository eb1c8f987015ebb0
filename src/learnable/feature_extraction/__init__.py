"""Features out of what is no table: words, counts and weights out of texts."""

from learnable.feature_extraction.count_vectorizer import CountVectorizer
from learnable.feature_extraction.tfidf_transformer import TfidfTransformer
from learnable.feature_extraction.tfidf_vectorizer import TfidfVectorizer

__all__ = ["CountVectorizer", "TfidfTransformer", "TfidfVectorizer"]
