"""Parameters of text learners that have no effect beside others: said, never silent."""

from __future__ import annotations

from typing import Any

from learnable.core.warning import warn
from learnable.feature_extraction.analysis import DEFAULT_PATTERN


def warn_of_unused(learner: Any) -> None:
    """Warn of each parameter that another one makes idle.

    Examples
    --------
    >>> import warnings
    >>> from learnable.feature_extraction.text import CountVectorizer
    >>> from learnable.feature_extraction.unused import warn_of_unused
    >>> with warnings.catch_warnings(record=True) as seen:
    ...     warnings.simplefilter("always")
    ...     warn_of_unused(CountVectorizer(analyzer="char", stop_words=["a"]))
    >>> str(seen[0].message)
    "The parameter 'stop_words' will not be used since 'analyzer' != 'word'"
    """
    own = callable(learner.analyzer)
    other = own or learner.analyzer != "word"
    pattern = learner.token_pattern
    idle = {
        "token_pattern": ("'tokenizer' is not None", learner.tokenizer is not None and pattern),
        "preprocessor": ("'analyzer' is callable", own and learner.preprocessor is not None),
        "ngram_range": ("'analyzer' is callable", own and tuple(learner.ngram_range) != (1, 1)),
        "stop_words": ("'analyzer' != 'word'", other and learner.stop_words is not None),
        "stemmer": ("'analyzer' != 'word'", other and learner.stemmer is not None),
        "tokenizer": ("'analyzer' != 'word'", other and learner.tokenizer is not None),
    }
    for name, (reason, is_idle) in idle.items():
        if is_idle:
            warn(f"The parameter '{name}' will not be used since {reason}")
    if other and pattern not in {None, DEFAULT_PATTERN}:
        warn("The parameter 'token_pattern' will not be used since 'analyzer' != 'word'")
