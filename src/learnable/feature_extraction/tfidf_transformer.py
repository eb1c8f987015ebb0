"""Counts to tf-idf: see :mod:`learnable.feature_extraction.weighting` for the formula.

Cost: one pass over the counts that are not zero.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from learnable.core.explanation import Explanation, Part
from learnable.core.trace import emit
from learnable.data import Rows
from learnable.data.rows import refuse_cell
from learnable.estimator.learner import answering, fitting
from learnable.estimator.params import Choice, Flag
from learnable.estimator.state import Count, Floats, Names
from learnable.feature_extraction.weighting import NORMS, inverse_document_frequency, weighted
from learnable.preprocessing.base import Scaler


class TfidfTransformer(Scaler):
    """Weigh counts by how few documents a term is in.

    Parameters
    ----------
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
    n_features_in_, feature_names_in_
        Number and names of the columns.

    Notes
    -----
    ``w_ij = tf_ij idf_j``, each row divided by its norm.

    References
    ----------
    K. Spärck Jones: A statistical interpretation of term specificity and its application in
    retrieval. Journal of Documentation 28, 1972.

    Examples
    --------
    >>> from learnable.feature_extraction.text import TfidfTransformer
    >>> model = TfidfTransformer(norm=None).fit([[1, 0], [1, 0], [1, 2]])
    >>> model.transform([[1, 1]]).toarray().round(4).tolist()
    [[1.0, 1.6931]]
    """

    exempt = {"units_do_not_matter": "counts have no units: twice the count is another document"}
    takes_sparse = True
    parameters: ClassVar[dict[str, Any]] = {
        "norm": Choice(*NORMS, None),
        "use_idf": Flag(),
        "smooth_idf": Flag(),
        "sublinear_tf": Flag(),
    }
    fitted_state: ClassVar[dict[str, Any]] = {
        "n_features_in_": Count("d", low=1),
        "feature_names_in_": Names("d", optional=True),
        "idf_": Floats("d", infinite=True, optional=True),
    }

    def __init__(
        self,
        *,
        norm: str | None = "l2",
        use_idf: bool = True,
        smooth_idf: bool = True,
        sublinear_tf: bool = False,
    ) -> None:
        self.norm = norm
        self.use_idf = use_idf
        self.smooth_idf = smooth_idf
        self.sublinear_tf = sublinear_tf

    @fitting
    def fit(self, X: Any, y: Any = None) -> TfidfTransformer:  # noqa: ARG002 (the contract's signature)
        """Learn in how many documents each term is.

        Parameters
        ----------
        X : array, data frame or sparse matrix (n, d)
            Counts, a row a document.
        y : None
            Ignored.
        """
        counts = _compressed(self._read(X, reset=True))
        n, d = counts.shape
        frequency = np.bincount(counts.indices[counts.data != 0], minlength=d)
        vars(self).pop("idf_", None)
        if self.use_idf:
            self.idf_ = inverse_document_frequency(
                frequency, n, smooth=self.smooth_idf, dtype=counts.dtype.type
            )
        emit("frequencies", documents=n, terms=d, in_none=int((frequency == 0).sum()))
        return self

    @answering
    def transform(self, X: Any, copy: bool = True) -> Any:  # noqa: ARG002 (scikit-learn's signature)
        """Return the weights of the terms of each row.

        Parameters
        ----------
        X : array, data frame or sparse matrix (n, d)
            Counts, a row a document.
        copy : bool, default=True
            What is given is never changed, whatever this says.

        Returns
        -------
        scipy.sparse.csr_matrix
            The weights.
        """
        return self._weighted(_compressed(self._read(X)))

    def _weighted(self, counts: Any) -> Any:
        idf = vars(self).get("idf_")
        if idf is not None:
            idf = idf.astype(counts.dtype, copy=False)
        return weighted(counts, idf, norm=self.norm, sublinear=self.sublinear_tf)

    @answering
    def _explain(self, X: Any) -> list[Explanation]:
        counts = _compressed(self._read(X))
        weights = self._weighted(counts.copy())
        return [self._reasons(counts[i], weights[i]) for i in range(counts.shape[0])]

    def _reasons(self, counts: Any, weights: Any) -> Explanation:
        names, idf = self._column_names(), vars(self).get("idf_")
        count_of = dict(zip(counts.indices.tolist(), counts.data.tolist(), strict=True))
        parts = tuple(
            Part(
                names[j],
                count_of[j],
                "every term weighs alike" if idf is None else f"idf {idf[j]:.4g}",
                float(weight),
            )
            for j, weight in zip(weights.indices.tolist(), weights.data.tolist(), strict=True)
        )
        score = sum(part.weight for part in parts)
        told = f"{len(parts)} of {len(names)} terms occur."
        prediction = {part.label: part.weight for part in parts}
        return Explanation(prediction, "contributions", parts, score, "sum of the row", told)


def _compressed(rows: Rows) -> Any:
    """Return a copy of the rows as compressed rows of finite floats."""
    from scipy.sparse import csr_matrix, vstack

    if not rows.sparse:
        blocks = [csr_matrix(block.finite_array()) for block in rows.blocks()]
        return blocks[0] if len(blocks) == 1 else vstack(blocks, format="csr")
    cells = csr_matrix(rows.cells, dtype=rows.dtype, copy=True)
    for p in np.flatnonzero(~np.isfinite(cells.data))[:1].tolist():
        row = int(np.searchsorted(cells.indptr, p, side="right")) - 1
        refuse_cell(cells.data[p], row, int(cells.indices[p]), rows.names)
    return cells
