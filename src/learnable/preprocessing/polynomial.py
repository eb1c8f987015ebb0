"""Products of columns up to a degree, so that a linear learner draws curved surfaces.

    z = (1, x_1, ..., x_d, x_1^2, x_1 x_2, ..., x_d^m)

d columns become C(d + m, m) of degree up to m.

Cost: one multiplication a product.

References
----------
.. [1] C. M. Bishop: Pattern Recognition and Machine Learning. Springer 2006, section 1.1.
.. [2] R. Livni, S. Shalev-Shwartz, O. Shamir: On the computational efficiency of training neural
   networks. NIPS 2014 (networks with squares for activations).
"""

from __future__ import annotations

from math import comb
from typing import Any, ClassVar

import numpy as np

from learnable.core.errors import DataError, ParameterError
from learnable.core.trace import emit
from learnable.data import Block, Rows
from learnable.estimator.contract import answers_in_chosen_form
from learnable.estimator.learner import answering, fitting
from learnable.estimator.params import ArrayLike, Choice, Either, Flag, Integer
from learnable.loops.expansions import write_products
from learnable.preprocessing.expansion import Expansion
from learnable.preprocessing.products import Products, monomials_of, told

_MOST_COLUMNS = 1_000_000


class PolynomialFeatures(Expansion):
    """Replace the columns by their products up to a degree.

    Parameters
    ----------
    degree : int or (least, most), default=2
        How many columns a product has at most, or at least and at most.
    interaction_only : bool, default=False
        Take each column once at most: no squares.
    include_bias : bool, default=True
        Add a column of ones.
    order : {"C", "F"}, default="C"
        Whether rows or columns of the answer lie in one piece.

    Attributes
    ----------
    powers_ : array (products, d)
        The power of each column in each product.
    n_output_features_ : int
        How many products.
    low_, high_ : array (d,)
        Training range of each column.
    n_samples_seen_ : int
        Training rows.
    n_features_in_, feature_names_in_
        Number and names of the columns.

    Notes
    -----
    Parameters, columns and names are scikit-learn's. Compressed rows stay compressed.

    References
    ----------
    C. M. Bishop: Pattern Recognition and Machine Learning. Springer 2006, section 1.1.

    Examples
    --------
    >>> from learnable.preprocessing import PolynomialFeatures
    >>> squares = PolynomialFeatures(2)
    >>> squares.fit_transform([[2.0, 3.0]]).tolist()
    [[1.0, 2.0, 3.0, 4.0, 6.0, 9.0]]
    >>> squares.get_feature_names_out(["a", "b"]).tolist()
    ['1', 'a', 'b', 'a^2', 'a b', 'b^2']
    """

    keeps_float32 = True
    takes_sparse = True
    exempt: ClassVar[dict[str, str]] = {
        "units_do_not_matter": "products keep the units of their columns",
    }
    parameters: ClassVar[dict[str, Any]] = {
        "degree": Either(Integer(low=0), ArrayLike()),
        "interaction_only": Flag(),
        "include_bias": Flag(),
        "order": Choice("C", "F"),
    }
    derived = ("powers_", "n_output_features_")

    def __init__(
        self,
        degree: Any = 2,
        *,
        interaction_only: bool = False,
        include_bias: bool = True,
        order: str = "C",
    ) -> None:
        self.degree = degree
        self.interaction_only = interaction_only
        self.include_bias = include_bias
        self.order = order

    @fitting
    def fit(self, X: Any, y: Any = None) -> PolynomialFeatures:  # noqa: ARG002 (the contract's signature)
        """Learn the columns, and their training range.

        Parameters
        ----------
        X : array (n, d), data frame or sparse matrix
            Finite numbers.
        y : None
            Ignored.
        """
        self._degrees()
        rows = self._read(X, reset=True)
        self._learn_range(rows)
        self._derive()
        emit("products", products=len(self._terms))
        return self

    def _degrees(self) -> tuple[int, int]:
        """Return the least and the largest number of columns in a product."""
        pair = (0, self.degree) if isinstance(self.degree, (int, np.integer)) else self.degree
        whole = all(isinstance(end, (int, np.integer)) for end in pair)
        if len(pair) != 2 or not whole or not 0 <= pair[0] <= pair[1]:
            msg = f"degree must be a number from 0 on, or (least, most), not {self.degree!r}"
            raise ParameterError(msg)
        if pair[1] == 0 and not self.include_bias:
            msg = "degree 0 without include_bias leaves no column: take a larger degree"
            raise ParameterError(msg)
        return int(pair[0]), int(pair[1])

    def _derive(self) -> None:
        """Count the products; a model file alone says how many, so they are made when needed."""
        least, most = self._degrees()
        d = self.n_features_in_
        count = sum(
            comb(d, k) if self.interaction_only else comb(d + k - 1, k)
            for k in range(max(least, 1), most + 1)
        )
        self.n_output_features_ = count + int(self.include_bias)
        vars(self).pop("_made", None)

    @property
    def _products(self) -> Products:
        """The products of all sizes, smaller ones first."""
        if "_made" not in vars(self):
            _, most = self._degrees()
            every = monomials_of(self.n_features_in_, most, once=self.interaction_only)
            self._made = Products.of(every)
        return self._made

    @property
    def _skipped(self) -> int:
        """Products that are made on the way alone: they are of fewer columns than asked for."""
        return len(self._products.terms) + int(self.include_bias) - self.n_output_features_

    @property
    def _terms(self) -> list[Any]:
        terms: list[Any] = list(self._products.terms[self._skipped :])
        return [(), *terms] if self.include_bias else terms

    @property
    def powers_(self) -> Any:
        """The power of each column in each product."""
        terms = self._terms
        powers = np.zeros((len(terms), self.n_features_in_), np.int64)
        for row, term in zip(powers, terms, strict=True):
            np.add.at(row, list(term), 1)
        return powers

    def _check_state(self) -> None:
        _, most = self._degrees()
        if (self.n_features_in_ + 1) ** min(most, 64) > _MOST_COLUMNS**2:
            msg = "there are more products than can be computed"
            raise DataError(msg)
        super()._check_state()

    @property
    def _n_features_out(self) -> int:
        return int(self.n_output_features_)

    @answers_in_chosen_form
    @answering
    def transform(self, X: Any) -> Any:
        """Return the products of the columns.

        Parameters
        ----------
        X : array (n, d), data frame or sparse matrix
            Finite numbers.
        """
        rows = self._read(X)
        if rows.sparse:
            return self._compressed(rows)
        return np.asarray(self._values(rows, rows.dtype), order=self.order)

    def _compressed(self, rows: Rows) -> Any:
        """Return the products of compressed rows: where one of its columns is 0, a product is."""
        from scipy.sparse import csc_matrix, hstack

        for block in rows.blocks():
            block.finite_array()
        whole = rows.cells.tocsc().astype(rows.dtype)
        columns = [whole[:, [j]] for j in range(rows.d)]
        made: list[Any] = []
        for before, j in zip(self._products.before, self._products.columns, strict=True):
            made.append(columns[j] if before < 0 else made[before].multiply(columns[j]).tocsc())
            if not np.isfinite(made[-1].data).all():
                wrong = int(np.argmax(~np.isfinite(made[-1].data)))
                row = int(made[-1].indices[wrong])
                self._refuse_overflow(
                    rows.blocks()[0], row, j, columns[j][[row], :].toarray()[0, 0]
                )
        bias = [csc_matrix(np.ones((rows.n, 1), rows.dtype))] if self.include_bias else []
        return hstack([*bias, *made[self._skipped :]], format="csr")

    def _write(self, block: Block, X: Any, out: Any) -> None:
        first = int(self.include_bias)
        out[:, :first] = 1.0
        made = np.empty((len(X), out.shape[1] - first), X.dtype) if first else out
        products = self._products
        row, j = write_products(X, products.before, products.columns, self._skipped, made)
        if row >= 0:
            self._refuse_overflow(block, row, j, X[row, j])
        if first:
            out[:, 1:] = made

    def _names(self, names: list[str]) -> list[str]:
        return [told(term, names) if term else "1" for term in self._terms]

    def sources_out(self) -> list[int | None]:
        """Return the number of the column behind each product, None for more than one."""
        self._check_fitted()
        return [term[0] if len(set(term)) == 1 else None for term in self._terms]
