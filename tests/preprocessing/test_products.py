"""Products of columns: which there are, and what each continues."""

from __future__ import annotations

from math import comb

import pytest

from learnable.preprocessing.products import Products, monomials_of, powers_of, told


@pytest.mark.parametrize(("d", "most"), [(1, 4), (3, 2), (4, 3)])
def test_there_are_as_many_as_the_formula_says(d, most):
    assert len(monomials_of(d, most, once=False)) == comb(d + most, most) - 1
    assert len(monomials_of(d, most, once=True)) == sum(comb(d, k) for k in range(1, most + 1))


@pytest.mark.parametrize("terms", [powers_of(2, 3), monomials_of(3, 3, once=False)])
def test_each_continues_an_earlier_one(terms):
    found = Products.of(terms)
    for k, term in enumerate(terms):
        start = () if found.before[k] < 0 else terms[found.before[k]]
        assert found.before[k] < k
        assert (*start, found.columns[k]) == term


def test_names():
    assert told((0, 0, 2), ["a", "b", "c"]) == "a^2 c"
