"""Every law is broken by somebody, and whoever breaks one is caught for that one alone."""

from __future__ import annotations

import pickle
import re
from typing import NamedTuple

import numpy as np
import pytest

from learnable.checks import (
    LawBroken,
    check_learner,
    check_statistic,
    close,
    example_table,
    laws_of,
    same_bits,
)
from learnable.checks.learners import LAWS
from learnable.core import DataError, Explanation, tracing
from learnable.core.explanation import Part
from learnable.core.trace import emit
from learnable.naive_bayes import GaussianNB
from learnable.stats import Moments
from tests.checks.broken_learners import BROKEN


def test_every_law_is_broken_by_somebody():
    assert BROKEN.keys() == LAWS.keys()


@pytest.mark.parametrize("name", BROKEN)
def test_whoever_breaks_a_law_is_caught(name):
    learner = BROKEN[name]()
    with pytest.raises(LawBroken):
        LAWS[name](learner, example_table(learner))
    with pytest.raises(LawBroken):
        check_learner(learner)


@pytest.mark.slow
@pytest.mark.parametrize("name", BROKEN)
def test_whoever_breaks_a_law_obeys_the_others(name):
    learner = BROKEN[name]()
    for other, law in laws_of(learner).items():
        if other != name:
            law(learner, example_table(learner))


class Spoils(GaussianNB):
    """Centres the caller's rows in place."""

    def fit(self, X, y, sample_weight=None):
        super().fit(X, y, sample_weight)
        if isinstance(X, np.ndarray) and X.flags.writeable:
            X -= 1e-3
        return self


class WatchedAlone(GaussianNB):
    """Records nothing."""

    def _tell(self): ...


class Misnames(GaussianNB):
    """Says that a wrong cell lies a row further down."""

    def fit(self, X, y, sample_weight=None):
        try:
            return super().fit(X, y, sample_weight)
        except DataError as error:
            error.row = None if error.row is None else error.row + 1
            raise


@pytest.mark.parametrize(
    ("cls", "law", "message"),
    [
        (Spoils, "the_form_of_the_data_does_not_matter", "the data after learning"),
        (WatchedAlone, "a_trace_changes_nothing", "the trace is empty"),
        (Misnames, "a_cell_that_is_no_number_is_named", "row 5, column 2 gives .*row 6"),
    ],
)
def test_other_ways_of_breaking_a_law_are_seen_too(cls, law, message):
    with pytest.raises(LawBroken, match=message):
        LAWS[law](cls(), example_table(cls()))


def test_exemptions_are_for_laws_that_exist():
    class Sure(GaussianNB):
        exempt = {"gravity": "it is light"}

    with pytest.raises(LawBroken, match="gravity"):
        laws_of(Sure())

    class Heavy(GaussianNB):
        exempt = {"units_do_not_matter": "it weighs in pounds"}

    assert "units_do_not_matter" not in laws_of(Heavy())


# Statistics -------------------------------------------------------------------------------------


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


# Comparisons ------------------------------------------------------------------------------------

PAIRS = [
    (np.zeros(2), np.zeros(3)),
    (np.zeros(2), np.zeros(2, np.float32)),
    (np.zeros(2), [0.0, 0.0]),
    (1.0, 1),
    (True, 1),
    (float("nan"), 0.0),
    (np.array([np.nan]), np.array([0.0])),
    ({"a": 1}, {"b": 1}),
    ({"a": {"b": np.ones(1)}}, {"a": {"b": np.ones(1) + 1e-15}}),
    ((1, 2), (1, 2, 3)),
    (np.array(["a"]), np.array(["b"])),
    (GaussianNB(), GaussianNB(var_smoothing=1.0)),
    (None, 0),
]


@pytest.mark.parametrize(("one", "other"), PAIRS, ids=range(len(PAIRS)))
def test_values_that_differ_are_told_apart(one, other):
    for pair in ((one, other), (other, one)):
        with pytest.raises(LawBroken, match=r"^what: "):
            same_bits(*pair, "what")


def test_equal_values_are_equal():
    for value in (np.array([np.nan, 1.0]), float("nan"), {"a": [1, "b", None]}, GaussianNB()):
        same_bits(value, pickle.loads(pickle.dumps(value)), "a copy")  # noqa: S301


CLOSE = [
    (np.array([1.0, 1e-30]), np.array([1.0, 2e-30]), True),
    (np.array([1.0, 0.0]), np.array([1.0, 1e-9]), False),
    (np.array([np.inf, 1.0]), np.array([np.inf, 1.0]), True),
    (np.array([np.inf, 1.0]), np.array([-np.inf, 1.0]), False),
    (np.array([np.nan]), np.array([0.0]), False),
    (np.array([1.0]), np.array([np.inf]), False),
    (np.array([1.0]), np.array([np.nan]), False),
    (np.array([0.0]), np.array([1e-300]), False),
    (1.0, 1.0 + 1e-14, True),
    (0.0, 1e-14, False),
    (1.0, float("nan"), False),
    (np.array([1]), np.array([2]), False),
    (np.array(["a"]), np.array(["a"]), True),
]


@pytest.mark.parametrize(("one", "other", "good"), CLOSE, ids=range(len(CLOSE)))
def test_closeness_is_a_share_of_the_largest(one, other, good):
    if good:
        close(one, other, 1e-12, "what")
        return
    with pytest.raises(LawBroken, match=re.escape("what: the value differs by more than 1e-12")):
        close(one, other, 1e-12, "what")


# A learner from elsewhere -----------------------------------------------------------------------


class Nearest:
    """The class whose mean is nearest, written without any base class of the library."""

    kind = "classifier"
    exempt = {
        "a_saved_model_answers_the_same": "it does not state what a file would have to hold",
        "units_do_not_matter": "distances are in the units of the columns",
    }

    def __init__(self, power=2.0):
        self.power = power

    def get_params(self, deep=True):  # noqa: ARG002 (scikit-learn's signature)
        return {"power": self.power}

    def fit(self, X, y, sample_weight=None):
        X, y = self._checked(X), np.asarray(y)
        weight = np.ones(len(X)) if sample_weight is None else np.asarray(sample_weight)
        self.classes_ = np.unique(y)
        self.means_ = np.stack(
            [np.average(X[y == c], axis=0, weights=weight[y == c]) for c in self.classes_]
        )
        for c, mean in zip(self.classes_, self.means_, strict=True):
            emit("mean", label=str(c), mean=mean.tolist())
        return self

    def predict(self, X):
        return self.classes_[self._distances(self._checked(X)).sum(axis=2).argmin(axis=1)]

    def _distances(self, X):
        return np.abs(X[:, None] - self.means_) ** self.power

    def _explain(self, X):
        found = []
        for row in self._distances(self._checked(X)):
            best, other = np.argsort(row.sum(axis=1), kind="stable")[:2]
            parts = [
                Part(f"x{j}", "", "nearer", weight)
                for j, weight in enumerate((row[other] - row[best]).tolist())
            ]
            found.append(
                Explanation(
                    self.classes_[best].item(), "contributions", tuple(parts),
                    sum(part.weight for part in parts), "distance", "nearest",
                )
            )  # fmt: skip
        return found

    def _checked(self, X):
        X = np.asarray(X, dtype=float)
        if X.ndim != 2 or 0 in X.shape:
            msg = "a table has rows and columns"
            raise DataError(msg)
        if not np.isfinite(X).all():
            row, column = np.argwhere(~np.isfinite(X))[0].tolist()
            raise DataError("no number", row=row, column=column, remedy="Drop the row.")
        return X


class Traced(Nearest):
    """Says who works, as the trace wants."""

    def fit(self, X, y, sample_weight=None):
        from learnable.core.trace import learner_at_work

        with learner_at_work(type(self).__name__):
            return super().fit(X, y, sample_weight)


def test_a_learner_written_from_scratch_can_be_checked():
    check_learner(Traced())
    rng = np.random.default_rng(0)
    check_learner(Traced(power=1.5), rng.normal(size=(50, 3)), np.tile([0, 1], 25))


def test_a_learner_written_from_scratch_is_caught_too():
    with pytest.raises(LawBroken, match="does not name the learner"):
        check_learner(Nearest())
    with tracing() as trace:
        Nearest().fit(np.eye(2), [0, 1])
    assert len(trace) == 2
