"""Texts to tf-idf: counting, then weighting, in one learner.

Cost: that of counting, and one pass over the counts.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from learnable.core.errors import not_fitted
from learnable.core.warning import warn
from learnable.estimator.learner import answering
from learnable.estimator.params import Choice, Flag
from learnable.estimator.state import Floats
from learnable.feature_extraction.analysis import DEFAULT_PATTERN
from learnable.feature_extraction.count_vectorizer import CountVectorizer
from learnable.feature_extraction.weighting import NORMS, inverse_document_frequency, weighted

_FLOATS = (np.float64, np.float32)


class TfidfVectorizer(CountVectorizer):
    r"""Weigh the words of documents: :class:`CountVectorizer`, then :class:`TfidfTransformer`.

    Parameters
    ----------
    input, encoding, decode_error, strip_accents, lowercase, preprocessor, tokenizer, analyzer
        As in :class:`CountVectorizer`.
    stop_words, token_pattern, ngram_range, max_df, min_df, max_features, vocabulary, binary
        As in :class:`CountVectorizer`.
    stemmer : str or function, optional
        As in :class:`CountVectorizer`.
    dtype : type, default=numpy.float64
        float64 or float32.
    norm : {"l2", "l1"} or None, default="l2"
        What each row has norm 1 in.
    use_idf : bool, default=True
        Whether rare terms weigh more.
    smooth_idf : bool, default=True
        Count one document more that has every term: no term has infinite weight.
    sublinear_tf : bool, default=False
        Use 1 + ln(count) in place of the count.

    Attributes
    ----------
    idf_ : array (d,), optional
        Weight of each term, ``ln((n + s) / (df + s)) + 1`` with s = 1 if smoothed, else 0.
    vocabulary_, terms_, document_frequency_, n_documents_, fixed_vocabulary_
        As in :class:`CountVectorizer`.

    Notes
    -----
    ``w_ij = tf_ij idf_j``, each row divided by its norm.

    References
    ----------
    G. Salton, C. Buckley: Term-weighting approaches in automatic text retrieval. Information
    Processing and Management 24, 1988.

    Examples
    --------
    >>> import learnable
    >>> from learnable.feature_extraction.text import TfidfVectorizer
    >>> words = TfidfVectorizer().fit(["to be or not to be", "be there"])
    >>> print(learnable.explain(words, ["not there"])[0].parts[0].evidence)
    in 1 of 2 documents, idf 1.405
    """

    parameters: ClassVar[dict[str, Any]] = {
        **CountVectorizer.parameters,
        "norm": Choice(*NORMS, None),
        "use_idf": Flag(),
        "smooth_idf": Flag(),
        "sublinear_tf": Flag(),
    }
    fitted_state: ClassVar[dict[str, Any]] = {
        **CountVectorizer.fitted_state,
        "idf_": Floats("d", infinite=True, optional=True),
    }

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
        analyzer: Any = "word",
        stop_words: Any = None,
        token_pattern: str | None = DEFAULT_PATTERN,
        ngram_range: tuple[int, int] = (1, 1),
        max_df: float = 1.0,
        min_df: float = 1,
        max_features: int | None = None,
        vocabulary: Any = None,
        binary: bool = False,
        dtype: Any = np.float64,
        norm: str | None = "l2",
        use_idf: bool = True,
        smooth_idf: bool = True,
        sublinear_tf: bool = False,
        stemmer: Any = None,
    ) -> None:
        super().__init__(
            input=input,
            encoding=encoding,
            decode_error=decode_error,
            strip_accents=strip_accents,
            lowercase=lowercase,
            preprocessor=preprocessor,
            tokenizer=tokenizer,
            stop_words=stop_words,
            token_pattern=token_pattern,
            ngram_range=ngram_range,
            analyzer=analyzer,
            max_df=max_df,
            min_df=min_df,
            max_features=max_features,
            vocabulary=vocabulary,
            binary=binary,
            dtype=dtype,
            stemmer=stemmer,
        )
        self.norm = norm
        self.use_idf = use_idf
        self.smooth_idf = smooth_idf
        self.sublinear_tf = sublinear_tf

    def _count_type(self) -> Any:
        asked = np.dtype(self.dtype)
        return asked if asked in _FLOATS else np.dtype(np.float64)

    def _weigh_terms(self) -> None:
        if np.dtype(self.dtype) not in _FLOATS:
            warn(f"Only float64 and float32 are weights; dtype {self.dtype!r} becomes float64.")
        vars(self).pop("idf_", None)
        if self.use_idf:
            self.idf_ = inverse_document_frequency(
                self.document_frequency_,
                self.n_documents_,
                smooth=self.smooth_idf,
                dtype=self._count_type().type,
            )

    def fit_transform(self, raw_documents: Any, y: Any = None) -> Any:
        """Learn vocabulary and weights, and return the weights, reading the documents once.

        Parameters
        ----------
        raw_documents : iterable of str, bytes, paths or open files
            The documents.
        y : None
            Ignored.
        """
        return self._weighted(self._learn_and_count(raw_documents, y))

    @answering
    def transform(self, raw_documents: Any) -> Any:
        """Return the weights of the vocabulary's terms in each document.

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
        if self.use_idf and vars(self).get("idf_") is None:
            raise not_fitted(self)
        return self._weighted(self._counts(raw_documents))

    def _weighted(self, counts: Any) -> Any:
        idf = self.idf_.astype(counts.dtype, copy=False) if self.use_idf else None
        return weighted(counts, idf, norm=self.norm, sublinear=self.sublinear_tf)

    def _evidence(self, column: int, count: float) -> str:
        told = super()._evidence(column, count)
        return f"{told}, idf {self.idf_[column]:.4g}" if self.use_idf else told
