"""tf-idf: what a term says about a document, as a number.

    idf_j = ln((n + s) / (df_j + s)) + 1,    s = 1 (smooth) or 0
    w_ij = tf_ij idf_j,    tf = count, or 1 + ln(count) (sublinear);    rows to norm 1

df_j is the number of the n documents that term j is in; smooth counts one document more that has
every term.

References
----------
.. [1] K. Spärck Jones: A statistical interpretation of term specificity and its application in
   retrieval. Journal of Documentation 28, 1972, 11-21.
.. [2] G. Salton, C. Buckley: Term-weighting approaches in automatic text retrieval. Information
   Processing and Management 24, 1988, 513-523.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from learnable.core.errors import DataError
from learnable.loops import scaling
from learnable.stats.arrays import frozen

NORMS = {"l1": scaling.L1, "l2": scaling.L2}


def inverse_document_frequency(
    frequency: Any, n: int, *, smooth: bool = True, dtype: Any = np.float64
) -> Any:
    """Return the idf of each term; infinite for one that is in no document, unless smoothed.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.feature_extraction.weighting import inverse_document_frequency
    >>> inverse_document_frequency(np.array([1, 3]), 3).round(4).tolist()
    [1.6931, 1.0]
    """
    with np.errstate(divide="ignore"):
        share = np.full(len(frequency), n + smooth, dtype) / (frequency.astype(dtype) + smooth)
    return np.log(share) + dtype(1.0)


def weighted(counts: Any, idf: Any, *, norm: str | None, sublinear: bool) -> Any:
    """Weigh counts (compressed rows of floats, which are written over) and scale each row.

    Examples
    --------
    >>> import numpy as np
    >>> from scipy.sparse import csr_matrix
    >>> from learnable.feature_extraction.weighting import weighted
    >>> counts = csr_matrix([[3.0, 4.0]])
    >>> weighted(counts, None, norm="l2", sublinear=False).toarray().tolist()
    [[0.6, 0.8]]
    """
    data = counts.data
    if sublinear:
        if len(data) and data.min() <= 0.0:
            raise DataError(
                "sublinear_tf takes the logarithm of counts, and a count is not positive.",
                value=float(data.min()),
                remedy="Pass counts, or set sublinear_tf=False.",
            )
        np.log(data, out=data)
        data += 1.0
    if idf is not None:
        _refuse_unseen(counts, idf)
        data *= idf[counts.indices]
    if norm is not None:
        starts = frozen(counts.indptr.astype(np.int64))
        if not scaling.normalise_stored(frozen(data.copy()), starts, NORMS[norm], data):
            raise DataError(
                "The norm of a row leaves the range of floats.", remedy="Pass smaller counts."
            )
    return counts


def _refuse_unseen(counts: Any, idf: Any) -> None:
    """Refuse a term whose weight is infinite: no document of ``fit`` had it."""
    if np.isfinite(idf).all():
        return
    for p in np.flatnonzero(~np.isfinite(idf[counts.indices]))[:1].tolist():
        raise DataError(
            "A term is here that was in no document of fit; its idf is infinite.",
            column=int(counts.indices[p]),
            row=int(np.searchsorted(counts.indptr, p, side="right")) - 1,
            remedy="Set smooth_idf=True.",
        )
