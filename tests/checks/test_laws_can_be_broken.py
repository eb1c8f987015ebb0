"""Every law is broken by somebody, and whoever breaks one is caught for that one alone."""

from __future__ import annotations

import numpy as np
import pytest

from learnable.checks import LawBroken, check_learner, example_table, laws_of
from learnable.checks.learners import LAWS
from learnable.core import DataError, Explanation, tracing
from learnable.core.explanation import Part
from learnable.core.trace import emit
from learnable.naive_bayes import GaussianNB
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
