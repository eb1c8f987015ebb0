"""Texts to counts of their words: a column a term, a row a document.

    X[i, j] = how often term j occurs in document i

A document is decoded, preprocessed (lowercase, accents), cut into tokens, cleared of stop words,
stemmed, and joined to n-grams; the vocabulary is what occurs, within limits on the number of
documents a term is in. Words of the default pattern and slices of characters are found by compiled
loops in the pool, everything else in Python, with the same terms.

Cost: one pass over the text and one look-up a term; sorting the vocabulary.

References
----------
.. [1] G. Salton, A. Wong, C. S. Yang: A vector space model for automatic indexing. Communications
   of the ACM 18, 1975, 613-620.
.. [2] M. F. Porter: An algorithm for suffix stripping. Program 14, 1980, 130-137.
"""

from __future__ import annotations

from functools import partial
from typing import Any, ClassVar

import numpy as np

from learnable.core.certificate import Certificate
from learnable.core.errors import DataError, ParameterError, not_fitted
from learnable.core.explanation import Explanation, Part
from learnable.estimator.learner import Learner, answering, fitting
from learnable.estimator.params import Choice, Either, Flag, Function, Integer, Number
from learnable.estimator.state import Count, Names
from learnable.estimator.state import Flag as FlagState
from learnable.estimator.state import Integers as IntegersState
from learnable.feature_extraction import analysis, unused
from learnable.feature_extraction.documents import BLOCK_CHARACTERS, documents_of, in_blocks
from learnable.feature_extraction.numbering import Numbered, Scan, listed, number_documents
from learnable.feature_extraction.parameters import NgramRange, NumberType, TextList
from learnable.feature_extraction.sequences import changed_words, counted, sequences
from learnable.feature_extraction.shares import unknown_share
from learnable.feature_extraction.stop_words import stop_words_of
from learnable.feature_extraction.vocabulary import given_terms, kept_columns, tell_pruned

_NONE = Choice(None)
_LIMIT = Either(Number(low=0.0, high=1.0), Integer(low=1))


class CountVectorizer(Learner):
    r"""Count the words of documents.

    Parameters
    ----------
    input : {"content", "filename", "file"}, default="content"
        What a document is given as: itself, the path of a file, or an open file.
    encoding : str, default="utf-8"
        How bytes are decoded.
    decode_error : {"strict", "ignore", "replace"}, default="strict"
        What happens to bytes that cannot be decoded.
    strip_accents : {"ascii", "unicode"} or function, optional
        Take the accents off.
    lowercase : bool, default=True
        Make everything small.
    preprocessor : function, optional
        In place of the two above: document to text.
    tokenizer : function, optional
        In place of ``token_pattern``: text to tokens.
    stop_words : "english" or list, optional
        Words to leave out. "english" is a list of this library's own, and not scikit-learn's.
    token_pattern : str, default=r"(?u)\\b\\w\\w+\\b"
        What a token is; of a pattern with one group, the group.
    ngram_range : tuple (least, most), default=(1, 1)
        Lengths of the sequences of words, or of characters, that are counted.
    analyzer : {"word", "char", "char_wb"} or function, default="word"
        Words, slices of the text, slices inside words; or a function from document to terms.
    max_df, min_df : int or float, default=1.0 and 1
        Leave out terms that are in more, or in fewer, documents: a number or a share of them.
    max_features : int, optional
        Keep the terms that occur most often.
    vocabulary : mapping or iterable, optional
        The terms, instead of those that occur.
    binary : bool, default=False
        Whether a term occurs, not how often.
    dtype : type, default=numpy.int64
        Kind of number.
    stemmer : str or function, optional
        A Snowball language such as "english", or a function from word to stem; words that share a
        stem are one term. Needs the extra ``text``.

    Attributes
    ----------
    vocabulary_ : dict
        The column of each term.
    terms_ : array of str
        The term of each column, in alphabetical order unless the vocabulary was given.
    document_frequency_ : array of int, optional
        How many documents each term was in; None for a vocabulary that saw none.
    n_documents_ : int
        How many documents there were.
    fixed_vocabulary_ : bool
        Whether the vocabulary was given.

    Notes
    -----
    ``X[i, j]`` is how often term j occurs in document i. Terms and counts are scikit-learn's, to
    the last one (but for the list of English stop words).

    References
    ----------
    G. Salton, A. Wong, C. S. Yang: A vector space model for automatic indexing. Communications of
    the ACM 18, 1975.

    Examples
    --------
    >>> from learnable.feature_extraction.text import CountVectorizer
    >>> words = CountVectorizer()
    >>> words.fit_transform(["to be or not to be", "be there"]).toarray().tolist()
    [[2, 1, 1, 0, 2], [1, 0, 0, 1, 0]]
    >>> words.get_feature_names_out().tolist()
    ['be', 'not', 'or', 'there', 'to']
    """

    kind = "transformer"
    takes_documents = True
    """Rows are documents: what is not about tables of numbers asks for this."""

    parameters: ClassVar[dict[str, Any]] = {
        "input": Choice("content", "filename", "file"),
        "encoding": TextList(),
        "decode_error": Choice("strict", "ignore", "replace"),
        "strip_accents": Either(Choice("ascii", "unicode", None), Function()),
        "lowercase": Flag(),
        "preprocessor": Either(_NONE, Function()),
        "tokenizer": Either(_NONE, Function()),
        "stop_words": Either(_NONE, TextList(many=True)),
        "token_pattern": Either(_NONE, TextList()),
        "ngram_range": NgramRange(),
        "analyzer": Either(Choice("word", "char", "char_wb"), Function()),
        "max_df": _LIMIT,
        "min_df": _LIMIT,
        "max_features": Integer(low=1, none=True),
        "vocabulary": Either(_NONE, TextList(many=True)),
        "binary": Flag(),
        "dtype": NumberType(),
        "stemmer": Either(_NONE, TextList(), Function()),
    }
    fitted_state: ClassVar[dict[str, Any]] = {
        "terms_": Names("d"),
        "fixed_vocabulary_": FlagState(),
        "n_documents_": Count("documents"),
        "document_frequency_": IntegersState("d", low=0, dtype="int64", optional=True),
    }
    derived = ("vocabulary_",)

    def __init__(
        self,
        *,
        input: str = "content",  # noqa: A002 (scikit-learn's name)
        encoding: str = "utf-8",
        decode_error: str = "strict",
        strip_accents: Any = None,
        lowercase: bool = True,
        preprocessor: Any = None,
        tokenizer: Any = None,
        stop_words: Any = None,
        token_pattern: str | None = analysis.DEFAULT_PATTERN,
        ngram_range: tuple[int, int] = (1, 1),
        analyzer: Any = "word",
        max_df: float = 1.0,
        min_df: float = 1,
        max_features: int | None = None,
        vocabulary: Any = None,
        binary: bool = False,
        dtype: Any = np.int64,
        stemmer: Any = None,
    ) -> None:
        self.input = input
        self.encoding = encoding
        self.decode_error = decode_error
        self.strip_accents = strip_accents
        self.lowercase = lowercase
        self.preprocessor = preprocessor
        self.tokenizer = tokenizer
        self.stop_words = stop_words
        self.token_pattern = token_pattern
        self.ngram_range = ngram_range
        self.analyzer = analyzer
        self.max_df = max_df
        self.min_df = min_df
        self.max_features = max_features
        self.vocabulary = vocabulary
        self.binary = binary
        self.dtype = dtype
        self.stemmer = stemmer

    def __sklearn_tags__(self) -> Any:
        """Return scikit-learn's tags: a row is a text."""
        tags = super().__sklearn_tags__()
        tags.input_tags.string, tags.input_tags.two_d_array = True, False
        tags.input_tags.sparse = tags.input_tags.categorical = False
        return tags

    def __sklearn_is_fitted__(self) -> bool:
        """Whether there is a vocabulary."""
        return "terms_" in vars(self)

    @property
    def _n_features_out(self) -> int:
        return len(self.terms_)

    def decode(self, doc: Any) -> str:
        """Return a document as a string.

        Parameters
        ----------
        doc : str, bytes, path or open file
            As the parameter ``input`` says.
        """
        return self._decoder()(doc)

    def build_preprocessor(self) -> Any:
        """Return the function from document to text."""
        if self.preprocessor is not None:
            return self.preprocessor
        return analysis.preprocessor(self.lowercase, self.strip_accents)

    def build_tokenizer(self) -> Any:
        """Return the function from text to tokens."""
        if self.tokenizer is not None:
            return self.tokenizer
        return analysis.pattern_tokenizer(self.token_pattern)

    def get_stop_words(self) -> Any:
        """Return the set of the words to leave out, or None."""
        return stop_words_of(self.stop_words)

    def build_analyzer(self) -> Any:
        """Return the function from document to terms (before the vocabulary's limits)."""
        if callable(self.analyzer):
            return analysis.Analyzer(self._decoder(), self.analyzer)
        preprocess = self.build_preprocessor()
        if self.analyzer != "word":
            of = {"char": analysis.char_ngrams, "char_wb": analysis.char_wb_ngrams}[self.analyzer]
            return analysis.Analyzer(
                self._decoder(), preprocess, None, partial(of, self.ngram_range)
            )
        stop, tokenize = self.get_stop_words(), self.build_tokenizer()
        analysis.check_stop_words(stop, preprocess, tokenize)
        stem = analysis.stemmer_of(self.stemmer)
        ngrams = partial(analysis.word_ngrams, self.ngram_range, stop_words=stop, stem=stem)
        return analysis.Analyzer(self._decoder(), preprocess, tokenize, ngrams)

    def _decoder(self) -> analysis.Decoder:
        return analysis.Decoder(self.input, self.encoding, self.decode_error)

    def fit(self, raw_documents: Any, y: Any = None) -> Any:
        """Learn the vocabulary.

        Parameters
        ----------
        raw_documents : iterable of str, bytes, paths or open files
            The documents.
        y : None
            Ignored.
        """
        self._learn_and_count(raw_documents, y)
        return self

    def fit_transform(self, raw_documents: Any, y: Any = None) -> Any:
        """Learn the vocabulary and count it, reading the documents once.

        Parameters
        ----------
        raw_documents : iterable of str, bytes, paths or open files
            The documents.
        y : None
            Ignored.
        """
        return self._learn_and_count(raw_documents, y)

    @fitting
    def _learn_and_count(self, raw_documents: Any, y: Any) -> Any:  # noqa: ARG002 (the contract's signature)
        unused.warn_of_unused(self)
        self.fixed_vocabulary_ = self.vocabulary is not None
        if self.fixed_vocabulary_:
            self._keep_terms(given_terms(self.vocabulary))
            counts = self._counts(raw_documents)
            self.document_frequency_ = np.bincount(counts.indices, minlength=len(self.terms_))
        else:
            counts = self._learned(self._number(raw_documents))
        self.n_documents_ = counts.shape[0]
        self._weigh_terms()
        return counts

    def _learned(self, found: Numbered) -> Any:
        """Choose the terms, and return the counts of those."""
        if not found.size:
            raise DataError(
                "empty vocabulary; perhaps the documents only contain stop words",
                remedy="Pass documents with words in them, or another token_pattern.",
            )
        order = found.order()
        columns = np.empty(found.size, np.int64)
        columns[order] = np.arange(found.size)
        counts = self._as_asked(counted(found, columns, found.size, self._count_type()))
        kept, self.document_frequency_ = kept_columns(
            counts, max_df=self.max_df, min_df=self.min_df, max_features=self.max_features
        )
        if len(kept) < found.size:
            pruned = np.setdiff1d(np.arange(found.size), kept, assume_unique=True)
            tell_pruned(lambda which: found.names(order[which]), pruned)
            counts = counts[:, kept]
        self._keep_terms(found.names(order[kept]))
        return counts

    def _keep_terms(self, terms: list[Any]) -> None:
        self.terms_ = np.empty(len(terms), dtype=object)
        self.terms_[:] = terms
        self._derive()

    def _derive(self) -> None:
        self.vocabulary_ = dict(zip(self.terms_.tolist(), range(len(self.terms_)), strict=True))

    def _weigh_terms(self) -> None:
        """Learn what further the terms are worth."""

    def _count_type(self) -> Any:
        return np.dtype(self.dtype)

    def _number(self, raw_documents: Any) -> Numbered:
        """Give numbers to the terms of the documents: compiled where the parameters allow it."""
        # Slices are many to a character: what a block of them takes is to stay small.
        size = BLOCK_CHARACTERS if self.analyzer == "word" else BLOCK_CHARACTERS // 16
        files = self.input != "content"
        blocks = in_blocks(documents_of(raw_documents), files=files, characters=size)
        analyze = self.build_analyzer()
        if not self._can_be_scanned():
            return number_documents(partial(listed, analyze), blocks)
        plain = self.preprocessor is None and not self.strip_accents
        preprocess = None if plain else self.build_preprocessor()
        how = (self._decoder(), preprocess, self.lowercase, self.analyzer, tuple(self.ngram_range))
        found = number_documents(Scan(*how), blocks)
        if self.analyzer != "word":
            return found
        stop, stem = self.get_stop_words(), analysis.stemmer_of(self.stemmer)
        if stop is not None or stem is not None:
            found = changed_words(found, partial(_stemmed, stop or (), stem or str))
        return found if self.ngram_range[1] == 1 else sequences(found, tuple(self.ngram_range))

    def _can_be_scanned(self) -> bool:
        """Whether the compiled loops find these terms."""
        if self.analyzer == "word":
            default = self.tokenizer is None and self.token_pattern == analysis.DEFAULT_PATTERN
            return default and not callable(self.stemmer)
        return not callable(self.analyzer)

    def _counts(self, raw_documents: Any) -> Any:
        """Return the counts of the terms of the vocabulary."""
        found = self._number(raw_documents)
        names = found.names(np.arange(found.size))
        columns = [self.vocabulary_.get(name, -1) for name in names]
        width = len(self.terms_)
        return self._as_asked(
            counted(found, np.array(columns, np.int64), width, self._count_type())
        )

    def _as_asked(self, counts: Any) -> Any:
        if self.binary:
            counts.data.fill(1)
        return counts

    def _check_vocabulary(self) -> None:
        """Take the vocabulary that was given, if there was no fit."""
        if not self.__sklearn_is_fitted__():
            if self.vocabulary is None:
                raise not_fitted(self)
            self._check_params()
            self.fixed_vocabulary_, self.n_documents_ = True, 0
            self.document_frequency_ = None
            self._keep_terms(given_terms(self.vocabulary))

    @answering
    def transform(self, raw_documents: Any) -> Any:
        """Return the counts of the vocabulary's terms; what is no term counts nowhere.

        Parameters
        ----------
        raw_documents : iterable of str, bytes, paths or open files
            The documents.

        Returns
        -------
        scipy.sparse.csr_matrix
            A row a document, a column a term.
        """
        self._check_vocabulary()
        return self._counts(raw_documents)

    def inverse_transform(self, X: Any) -> list[Any]:
        """Return the terms of each row: those whose cells are not zero.

        Parameters
        ----------
        X : array or sparse matrix (n, d)
            Counts.
        """
        from scipy.sparse import csr_matrix

        self._check_vocabulary()
        X = csr_matrix(X)
        if X.shape[1] != len(self.terms_):
            raise DataError(
                f"X has {X.shape[1]} columns, but there are {len(self.terms_)} terms.",
                remedy="Pass what transform returned.",
            )
        return [self.terms_[X[i].nonzero()[1]] for i in range(X.shape[0])]

    def get_feature_names_out(self, input_features: Any = None) -> Any:  # noqa: ARG002 (the contract's signature)
        """Return the term of each column.

        Parameters
        ----------
        input_features : None
            Ignored: documents have no columns.
        """
        self._check_vocabulary()
        return self.terms_.copy()

    def _evidence(self, column: int, count: float) -> str:  # noqa: ARG002 (a weighted count says more)
        """Say what is known of a term."""
        if self.document_frequency_ is None:
            return "a term of the given vocabulary"
        seen = int(self.document_frequency_[column])
        return f"in {seen} of {self.n_documents_} documents"

    @answering
    def _explain(self, raw_documents: Any) -> list[Explanation]:
        """Say which terms a document has, how often, and what they weigh."""
        self._check_vocabulary()
        documents = list(documents_of(raw_documents))
        weights, counts = self.transform(documents), self._counts(documents)
        return [self._reasons(weights[i], counts[i]) for i in range(len(documents))]

    def _reasons(self, weights: Any, counts: Any) -> Explanation:
        count_of = dict(zip(counts.indices.tolist(), counts.data.tolist(), strict=True))
        found = list(zip(weights.indices.tolist(), weights.data.tolist(), strict=True))
        parts = tuple(
            Part(str(self.terms_[j]), count_of[j], self._evidence(j, count_of[j]), float(weight))
            for j, weight in found
        )
        told = f"{len(parts)} of {len(self.terms_)} terms occur."
        if parts:
            heaviest = max(parts, key=lambda part: abs(part.weight))
            told += f" The heaviest is {heaviest.label!r}."
        score = sum(part.weight for part in parts)
        prediction = {part.label: part.weight for part in parts}
        return Explanation(prediction, "contributions", parts, score, "sum of the row", told)

    @answering
    def _certify(self, raw_documents: Any, y: Any, role: str, confidence: float) -> Certificate:  # noqa: ARG002 (the contract's signature)
        """Bound the share of a new document's terms that the vocabulary does not know."""
        self._check_vocabulary()
        if role != "test":
            msg = (
                "What the vocabulary covers is certified on documents that it was not learned "
                'from: role="test".'
            )
            raise ParameterError(msg)
        found = self._number(raw_documents)
        names = found.names(np.arange(found.size))
        unknown = np.array([name not in self.vocabulary_ for name in names], bool)
        return unknown_share(found, unknown, confidence)


def _stemmed(stop: Any, stem: Any, word: str) -> str | None:
    return None if word in stop else stem(word)
