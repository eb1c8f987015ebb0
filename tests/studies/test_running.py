"""Ledger, folds, tuning and choice: kept as they end, the same when resumed, chosen by the rule."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np
import pytest

from learnable.core import DataError, ParameterError, Threads, config, serial
from learnable.data import Table
from learnable.datasets import load_iris
from learnable.estimator.joining import Joining
from learnable.estimator.registry import LEARNERS, register
from learnable.metrics import get_scorer
from learnable.naive_bayes import GaussianNB
from learnable.studies import Options, Outcome, Plan, Wishes
from learnable.studies.asking import ask
from learnable.studies.choosing import choose
from learnable.studies.contenders import MOST_TRIED, Contender, contenders, grid
from learnable.studies.ledger import Entry, Ledger
from learnable.studies.planning import make_plan
from learnable.studies.running import Silent, run
from learnable.studies.tuning import tuned

PROBLEM = ask(Table.of(load_iris(as_frame=True).frame), Wishes("species"))
SCORE = get_scorer("accuracy")


def free(*_):
    """Cost and complexity of what costs nothing."""
    return 0.0


def small_plan(**changes):
    return replace(make_plan(PROBLEM, Options(), "iris"), **{"folds": 3, "repeats": 3} | changes)


def taking_part():
    return contenders(PROBLEM)[0]


def outcome_of(plan, ledger, who=None, **options):
    return run(plan, PROBLEM, who or taking_part(), SCORE, ledger, Silent(), **options)


def test_the_ledger_keeps_what_is_written_and_knows_its_plan(tmp_path):
    path = tmp_path / "study.sqlite"
    entry = Entry("A", 3, float("nan"), 1.0, 0.5, {"alpha": 1.0}, 9.0, "it failed")
    Ledger(path, "p").keep(entry)
    (found,) = Ledger(path, "p").entries().values()
    assert found._replace(score=0.0) == entry._replace(score=0.0)
    assert np.isnan(found.score)
    assert Ledger(path, "q").entries() == {}


def test_a_file_that_is_no_ledger_is_refused(tmp_path):
    path = tmp_path / "study.sqlite"
    path.write_text("these are only words " * 100)
    with pytest.raises(DataError, match="no ledger of a study"):
        Ledger(path, "p")


def test_a_resumed_run_ends_as_one_that_was_not_cut_off(tmp_path):
    plan = small_plan()
    whole = outcome_of(plan, Ledger(":memory:", plan.hash))
    half = Ledger(tmp_path / "half.sqlite", plan.hash)
    other = Ledger(tmp_path / "other.sqlite", plan.hash)
    outcome_of(plan, other)
    for entry in list(other.entries().values())[::2]:
        half.keep(entry)
    again = outcome_of(plan, half)
    assert whole.failed == again.failed == {}
    assert whole.complete
    assert again.complete
    for name, scores in whole.scores.items():
        assert scores.tobytes() == again.scores[name].tobytes()


def test_any_threads_give_the_same_scores():
    plan = small_plan()
    found = []
    for runner in (serial, Threads(2), Threads(3)):
        with config(runner=runner):
            found.append(outcome_of(plan, Ledger(":memory:", plan.hash)))
    for other in found[1:]:
        for name, scores in found[0].scores.items():
            assert scores.tobytes() == other.scores[name].tobytes()


def test_when_the_time_is_up_whole_repeats_are_kept():
    plan = small_plan()
    found = outcome_of(plan, Ledger(":memory:", plan.hash), until=time.monotonic() - 1.0)
    assert (found.complete, found.repeats, found.scores) == (False, 0, {})


class Failing:
    """A learner that never comes through."""

    parameters = {}

    def fit(self, X, y):  # noqa: ARG002 (the contract's signature)
        raise ZeroDivisionError("nothing to divide")


def test_a_learner_that_fails_is_named_and_the_others_go_on(monkeypatch):
    joining = Joining("the failing one", ("classification",), "anything",
                      cost=free, bits=free)  # fmt: skip
    who = [*taking_part(), Contender("Failing", joining, ({},), PROBLEM.table.schema)]
    monkeypatch.setattr(Contender, "make", _made(Contender.make))
    plan = small_plan()
    found = outcome_of(plan, Ledger(":memory:", plan.hash), who)
    assert found.failed == {"Failing": "ZeroDivisionError: nothing to divide"}
    assert len(found.entries["Failing"]) == 3  # one repeat, then no more
    assert "Failing" not in found.standing()
    line = choose(plan, found, who).line("Failing")
    assert "its fit failed: ZeroDivisionError" in line.remark


def _made(make):
    def made(self, parameters, seed):
        return Failing() if self.name == "Failing" else make(self, parameters, seed)

    return made


def test_who_has_no_hope_is_dropped_after_whole_repeats():
    plan = small_plan(repeats=4)
    who = [contender for contender in taking_part() if not contender.joining.baseline][:2]
    scores = {who[0].name: 0.95, who[1].name: 0.5}
    ledger = Ledger(":memory:", plan.hash)
    rng = np.random.default_rng(0)
    for contender in who:
        for fold in range(12):
            near = scores[contender.name] + 0.002 * rng.normal()
            ledger.keep(Entry(contender.name, fold, near, 0.1, 0.1, {}, 1.0, ""))
    found = outcome_of(plan, ledger, who)
    assert found.dropped.keys() == {who[1].name}
    assert found.dropped[who[1].name][0] == 2
    assert len(found.scores[who[1].name]) == 6
    assert len(found.scores[who[0].name]) == 12
    assert "dropped after repeat 2" in choose(plan, found, who).line(who[1].name).remark


def test_tuning_takes_what_does_best_inside_and_the_first_of_equals():
    (nb,) = [c for c in taking_part() if c.name == "CategoricalNB"]
    tried = ({"alpha": 1e9}, {"alpha": 1.0})
    found = tuned(replace(nb, tried=tried), PROBLEM, SCORE, seed=0)
    assert found.parameters == {"alpha": 1.0}
    assert found.scores[1] > found.scores[0]
    alike = replace(nb, tried=({"alpha": 1.0}, {"alpha": 1.0 + 1e-12}))
    assert tuned(alike, PROBLEM, SCORE, seed=0).parameters == {"alpha": 1.0}


def test_who_is_wanted_takes_part_with_the_baselines():
    found, _ = contenders(PROBLEM, ("gaussian naive bayes",))
    assert [c.name for c in found] == ["DummyClassifier", "GaussianNB"]
    with pytest.raises(ParameterError, match="no learner 'Oracle'"):
        contenders(PROBLEM, ("Oracle",))


def test_a_large_grid_is_drawn_from_with_its_first_point():
    nine = tuple(range(9))
    space = {"a": nine, "b": nine}
    joining = Joining("wide", ("regression",), "numbers", cost=free, bits=free, space=space)
    tried = grid(joining, seed=0)
    assert len(tried) == MOST_TRIED
    assert tried[0] == {"a": 0, "b": 0}
    assert tried == grid(joining, seed=0)


def test_a_joining_says_what_it_must():
    with pytest.raises(ParameterError, match="tasks are of"):
        Joining("x", ("dancing",), "numbers", cost=free, bits=free)
    with pytest.raises(ParameterError, match="has no values"):
        Joining("x", ("regression",), "numbers", cost=free, bits=free,
                space={"a": ()})  # fmt: skip


# ------------------------------------------------------------------------------------- the choice


def three(baseline, simple, best, *, noise=0.004):
    """An outcome of a baseline, a simple learner and a complex one."""
    rng = np.random.default_rng(1)
    joinings = {
        name: Joining(name, ("classification",), "anything", cost=free,
                      bits=free, baseline=name == "base")
        for name in ("base", "simple", "complex")
    }  # fmt: skip
    who = [Contender(name, j, ({},), PROBLEM.table.schema) for name, j in joinings.items()]
    outcome = Outcome(ratio=1 / 9, repeats=10, complete=True)
    for name, mean, bits in (
        ("base", baseline, 1.0),
        ("simple", simple, 50.0),
        ("complex", best, 900.0),
    ):
        scores = mean + noise * rng.normal(size=100)
        outcome.scores[name] = scores
        outcome.entries[name] = [
            Entry(name, i, s, 0.1, 0.1, {}, bits, "") for i, s in enumerate(scores)
        ]
    return outcome, who


PLAN = Plan("", Wishes("y"), "classification", "accuracy", 100, 0.25, "", 10, 10, ("a",))


def test_the_simplest_that_is_not_credibly_worse_is_taken():
    choice = choose(PLAN, *three(0.5, 0.898, 0.9))
    assert (choice.name, choice.best, choice.proven) == ("simple", "complex", True)
    assert "takes 50 bits" in choice.why


def test_the_best_is_taken_where_the_simple_one_is_worse():
    choice = choose(PLAN, *three(0.5, 0.8, 0.9))
    assert (choice.name, choice.proven) == ("complex", True)
    assert "no other learner comes within the margin" in choice.why


def test_a_baseline_gates_and_does_not_compete():
    choice = choose(PLAN, *three(0.9, 0.895, 0.896, noise=0.03))
    assert choice.name == "simple"
    assert not choice.proven
    assert "does not beat base beyond doubt" in choice.why


def test_nobody_came_through():
    outcome, who = three(0.5, 0.8, 0.9)
    outcome.failed = dict.fromkeys(outcome.scores, "no")
    assert choose(PLAN, outcome, who) is None


def test_a_learner_of_ones_own_joins_by_being_registered(monkeypatch):
    monkeypatch.setattr("learnable.estimator.registry.LEARNERS", dict(LEARNERS))

    class Mine(GaussianNB):
        """The same, under another name."""

    joining = Joining("my own", ("classification",), "numbers", cost=free, bits=free)
    register(Mine, joining)
    found, _ = contenders(PROBLEM, ("my own",))
    assert [contender.name for contender in found] == ["DummyClassifier", "Mine"]
    assert GaussianNB.joins is not joining
