"""How much of a new document a vocabulary does not know.

The share of a document's terms that are in no column lies in [0, 1]; documents that are drawn
alike and independently have a mean share, which by Hoeffding's inequality exceeds the mean over n
of them by more than sqrt(ln(1 / delta) / (2 n)) with probability at most delta.

References
----------
.. [1] W. Hoeffding: Probability inequalities for sums of bounded random variables. Journal of the
   American Statistical Association 58, 1963.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from learnable.core.certificate import Certificate
from learnable.core.errors import DataError
from learnable.feature_extraction.numbering import Numbered


def document_shares(found: Numbered, unknown: Any) -> Any:
    """Return for each document the share of its terms that are unknown (0 where it has none).

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.feature_extraction.numbering import Numbered
    >>> from learnable.feature_extraction.shares import document_shares
    >>> found = Numbered([(np.array([0, 1, 1, 1]), np.array([2, 4, 4]))], ["to", "be"])
    >>> document_shares(found, np.array([False, True])).tolist()
    [0.5, 1.0, 0.0]
    """
    shares = [np.empty(0)]
    for ids, places in found.blocks:
        totals = np.concatenate([[0], np.cumsum(unknown[ids])])
        starts = np.concatenate([[0], places[:-1]])
        sizes = places - starts
        shares.append((totals[places] - totals[starts]) / np.maximum(sizes, 1))
    return np.concatenate(shares)


def unknown_share(found: Numbered, unknown: Any, confidence: float) -> Certificate:
    """Bound the mean share of unknown terms in a new document.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.feature_extraction.numbering import Numbered
    >>> from learnable.feature_extraction.shares import unknown_share
    >>> found = Numbered([(np.zeros(400, int), np.arange(1, 401))], ["to"])
    >>> round(unknown_share(found, np.array([False]), 0.95).high, 4)
    0.0612
    """
    shares = document_shares(found, unknown)
    if not len(shares):
        raise DataError("There are no documents.", remedy="Give at least one.")
    mean = float(shares.mean())
    high = min(mean + math.sqrt(-math.log1p(-confidence) / (2 * len(shares))), 1.0)
    return Certificate(
        kind="guaranteed",
        quantity="mean share of unknown terms in a new document",
        value=mean,
        low=0.0,
        high=high,
        confidence=confidence,
        method="Hoeffding inequality",
        n=len(shares),
        assumptions=(
            "the documents are drawn independently, as new ones will be",
            "the vocabulary was not learned from them",
        ),
        text=(
            f"On average at most {high:.4g} of the terms of a new document are unknown, at "
            f"confidence {confidence:g} ({mean:.4g} in {len(shares)} documents here)."
        ),
    )
