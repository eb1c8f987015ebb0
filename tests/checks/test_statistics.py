"""Every law of statistics is broken by somebody, and honest statistics pass."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest

from learnable.checks import LawBroken, check_statistic
from learnable.stats import Moments


class Sums(NamedTuple):
    """Count, sum and sum of squares of one column: the variance by their difference."""

    n: float
    total: np.ndarray
    squares: np.ndarray

    @classmethod
    def of(cls, X):
        return cls(float(len(X)), X.sum(axis=0), (X**2).sum(axis=0))

    @classmethod
    def zero(cls):
        return cls(0.0, np.zeros(2), np.zeros(2))

    def merge(self, other):
        return type(self)(*(a + b for a, b in zip(self, other, strict=True)))

    def minus(self, other):
        return type(self)(*(a - b for a, b in zip(self, other, strict=True)))

    def variance(self):
        return self.squares / self.n - (self.total / self.n) ** 2


class Mean(NamedTuple):
    """The mean alone, which does not know how many rows it stands for."""

    mean: np.ndarray

    @classmethod
    def of(cls, X):
        return cls(X.mean(axis=0))

    def merge(self, other):
        return Mean((self.mean + other.mean) / 2)


class Left(Sums):
    def merge(self, other):
        return Left(self.n + other.n, self.total, self.squares + other.squares)


class NoIdentity(Sums):
    def merge(self, other):
        with np.errstate(invalid="ignore"):
            share = np.float64(self.n) / self.n
        return NoIdentity(*(a * share + b for a, b in zip(self, other, strict=True)))


class Spender(Sums):
    def merge(self, other):
        other.total[:] += self.total
        return Spender(self.n + other.n, other.total.copy(), self.squares + other.squares)


class HalfBack(Sums):
    def minus(self, other):
        return HalfBack(self.n - other.n, self.total - other.total, self.squares)


def blocks(shift=0.0):
    rng = np.random.default_rng(0)
    return [rng.normal(size=(n, 2)) + shift for n in (20, 9, 33)]


def together(one, other):
    return np.concatenate([one, other])


def test_an_honest_statistic_passes():
    check_statistic(Sums.of, blocks(), together, zero=Sums.zero())
    check_statistic(Moments.of, blocks(1e6), together, view=Moments.variance, tolerance=1e-8)


BAD = {
    "means of means": (Mean, {}, "merging in another order"),
    "the left sum alone": (Left, {}, "merging from the other side"),
    "no identity": (NoIdentity, {"zero": NoIdentity.zero()}, "merging into the zero"),
    "changes the other": (Spender, {}, "in another order|from the other side|before and after"),
    "minus of a part": (HalfBack, {}, "minus after merge"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_statistic_is_caught(name):
    cls, options, message = BAD[name]
    with pytest.raises(LawBroken, match=message):
        check_statistic(cls.of, blocks(), together, **options)


def test_raw_sums_are_caught_on_rows_far_from_zero():
    check_statistic(Sums.of, blocks(), together, view=Sums.variance)
    with pytest.raises(LawBroken):
        check_statistic(Sums.of, blocks(1e6), together, view=Sums.variance, tolerance=1e-8)


def test_a_statistic_that_only_changes_itself_in_place_is_caught():
    class Sneaky(Sums):
        def minus(self, other):
            found = super().minus(other)
            other.squares[:] = 0.0
            return found

    with pytest.raises(LawBroken, match="before and after"):
        check_statistic(Sneaky.of, blocks(), together)
