"""Which products of columns make polynomials, each one an earlier one times a column."""

from __future__ import annotations

from itertools import chain, combinations, combinations_with_replacement
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from learnable.stats.arrays import frozen

Term = tuple[int, ...]


class Products(NamedTuple):
    """Products of columns, those of few columns first.

    Attributes
    ----------
    terms : list of tuples
        The columns of each product, in order; one column twice is its square.
    before, columns : array
        The product that each continues (-1: none), and the column that it adds.

    Examples
    --------
    >>> from learnable.preprocessing.products import Products
    >>> found = Products.of([(0,), (1,), (0, 0), (0, 1), (1, 1)])
    >>> found.before, found.columns
    (array([-1, -1,  0,  0,  1]), array([0, 1, 0, 1, 1]))
    """

    terms: list[Term]
    before: NDArray[np.int64]
    columns: NDArray[np.int64]

    @classmethod
    def of(cls, terms: list[Term]) -> Products:
        """Find for each product the one that it continues."""
        place = {(): -1}
        before = np.empty(len(terms), np.int64)
        for k, term in enumerate(terms):
            before[k] = place[term[:-1]]
            place[term] = k
        columns = np.array([term[-1] for term in terms], np.int64)
        return cls(terms, frozen(before), frozen(columns))


def powers_of(d: int, most: int) -> list[Term]:
    """Return the powers of each column, column by column.

    Examples
    --------
    >>> from learnable.preprocessing.products import powers_of
    >>> powers_of(2, 2)
    [(0,), (0, 0), (1,), (1, 1)]
    """
    return [(j,) * k for j in range(d) for k in range(1, most + 1)]


def monomials_of(d: int, most: int, *, once: bool) -> list[Term]:
    """Return all products of up to some columns, each column once at most if so wanted.

    Examples
    --------
    >>> from learnable.preprocessing.products import monomials_of
    >>> monomials_of(2, 2, once=True)
    [(0,), (1,), (0, 1)]
    """
    choose = combinations if once else combinations_with_replacement
    return list(chain.from_iterable(choose(range(d), k) for k in range(1, most + 1)))


def told(term: Term, names: list[str]) -> str:
    """Return the name of a product.

    Examples
    --------
    >>> from learnable.preprocessing.products import told
    >>> told((0, 0, 1), ["a", "b"])
    'a^2 b'
    """
    each = [(names[j], term.count(j)) for j in dict.fromkeys(term)]
    return " ".join(name if power == 1 else f"{name}^{power}" for name, power in each)
