"""Vocabularies: given ones are checked, learned ones are cut down to what says something."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Integral
from typing import Any

import numpy as np

from learnable.core.errors import DataError, ParameterError
from learnable.core.trace import emit, listening

_NAMED = 10


def given_terms(vocabulary: Any) -> list[Any]:
    """Return the terms of a ``vocabulary`` parameter in the order of their columns.

    Examples
    --------
    >>> from learnable.feature_extraction.vocabulary import given_terms
    >>> given_terms({"b": 0, "a": 1}), given_terms({"b", "a"})
    (['b', 'a'], ['a', 'b'])
    """
    if isinstance(vocabulary, Mapping):
        terms = _in_order(vocabulary)
    else:
        terms = sorted(vocabulary) if isinstance(vocabulary, (set, frozenset)) else list(vocabulary)
        seen: set[Any] = set()
        for term in terms:
            if term in seen:
                msg = f"Duplicate term in vocabulary: {term!r}"
                raise ParameterError(msg)
            seen.add(term)
    if not terms:
        msg = "empty vocabulary passed to fit"
        raise ParameterError(msg)
    return terms


def _in_order(vocabulary: Mapping[Any, int]) -> list[Any]:
    indices = set(vocabulary.values())
    if len(indices) != len(vocabulary):
        msg = "Vocabulary contains repeated indices."
        raise ParameterError(msg)
    for i in range(len(vocabulary)):
        if i not in indices:
            msg = f"Vocabulary of size {len(vocabulary)} doesn't contain index {i}."
            raise ParameterError(msg)
    return sorted(vocabulary, key=vocabulary.__getitem__)


def kept_columns(
    counts: Any, *, max_df: float, min_df: float, max_features: int | None
) -> tuple[Any, Any]:
    """Choose the columns whose document frequency lies between limits, the most frequent ones.

    Parameters
    ----------
    counts : sparse matrix (n, d)
        Counts, a row a document.
    max_df, min_df : int or float
        Numbers of documents, or shares of them.
    max_features : int, optional
        At most so many columns, those of the greatest sums.

    Returns
    -------
    columns, frequency
        Numbers of the columns, ascending, and in how many documents each occurs.

    Examples
    --------
    >>> import numpy as np
    >>> from scipy.sparse import csr_matrix
    >>> from learnable.feature_extraction.vocabulary import kept_columns
    >>> counts = csr_matrix(np.array([[1, 2, 0], [1, 0, 1]]))
    >>> kept_columns(counts, max_df=1, min_df=1, max_features=None)[0].tolist()
    [1, 2]
    """
    n, d = counts.shape
    most = max_df if isinstance(max_df, Integral) else max_df * n
    least = min_df if isinstance(min_df, Integral) else min_df * n
    if most < least:
        raise DataError(
            "max_df corresponds to < documents than min_df", remedy="Raise max_df or lower min_df."
        )
    frequency = np.bincount(counts.indices, minlength=d)
    kept = (frequency <= most) & (frequency >= least)
    inside = kept.copy()
    if max_features is not None and kept.sum() > max_features:
        totals = np.asarray(counts.sum(axis=0)).ravel()
        # The same sort on the same numbers as scikit-learn's, so that ties fall alike.
        best = (-totals[kept]).argsort()[:max_features]
        columns = np.flatnonzero(kept)[best]
        kept = np.zeros(d, bool)
        kept[columns] = True
    if not kept.any():
        raise DataError(
            "After pruning, no terms remain. Try a lower min_df or a higher max_df.",
            remedy="Or pass more documents.",
        )
    emit(
        "prune",
        terms=d,
        kept=int(kept.sum()),
        too_frequent=int((frequency > most).sum()),
        too_rare=int((frequency < least).sum()),
        beyond_max_features=int((inside & ~kept).sum()),
    )
    return np.flatnonzero(kept), frequency[kept]


def tell_pruned(names: Any, pruned: Any) -> None:
    """Name the first terms that were left out, for whoever records.

    Examples
    --------
    >>> import learnable, numpy as np
    >>> from learnable.feature_extraction.vocabulary import tell_pruned
    >>> with learnable.tracing() as trace:
    ...     tell_pruned(lambda which: ["a", "b"][:len(which)], np.array([0]))
    >>> trace.events[0].values
    {'term': 'a'}
    """
    if listening():
        for turn, name in enumerate(names(pruned[:_NAMED])):
            emit("pruned", turn, term=name)
