"""Plans: a value, a file that can be read and changed, and what a budget does to them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from learnable.core import DataError, ParameterError
from learnable.data import Table
from learnable.datasets import load_iris, load_play_tennis
from learnable.studies import Options, Plan, Wishes, planned
from learnable.studies.asking import ask
from learnable.studies.planning import fingerprint, make_plan, read_costs

IRIS = Table.of(load_iris(as_frame=True).frame)


def plan_of(table=IRIS, target="species", wishes=None, **options):
    return make_plan(ask(table, wishes or Wishes(target)), Options(**options), "iris")


def test_a_plan_comes_back_from_its_file():
    plan = plan_of(wishes=Wishes("species", drop=("petal width (cm)",)), seed=3)
    assert Plan.of_toml(plan.to_toml()) == plan
    assert Plan.of_toml(plan.to_toml()).hash == plan.hash


def test_the_hash_is_over_what_decides_the_outcome():
    plan = plan_of()
    assert replace(plan, reasons=(), source="elsewhere", budget=1.0).hash == plan.hash
    for change in ({"seed": 1}, {"folds": 5}, {"metric": "log"}, {"fingerprint": "x"}):
        assert replace(plan, **change).hash != plan.hash


def test_a_plan_that_is_none_is_refused():
    text = plan_of().to_toml()
    with pytest.raises(ParameterError, match="another version"):
        Plan.of_toml(text.replace("version = 1", "version = 99"))
    with pytest.raises(ParameterError, match="holds what no plan holds"):
        Plan.of_toml("bogus = 1\n" + text)
    with pytest.raises(ParameterError, match="not TOML"):
        Plan.of_toml("= what")


def test_six_lines_tell_the_plan():
    lines = plan_of().lines()
    assert [line.split()[0] for line in lines] == [
        "Question", "Judged", "Set", "Folds", "Learners", "Budget"
    ]  # fmt: skip


def test_a_smaller_budget_gives_fewer_folds_and_then_fewer_learners():
    whole, tight = plan_of(budget=0.0), plan_of(budget=1.0)
    assert (whole.folds, whole.repeats) == (10, 10)
    assert tight.folds * tight.repeats < 100
    least = plan_of(budget=0.01)
    assert len(least.learners) < len(whole.learners)
    assert "too slow for the budget" in dict(least.reasons)["folds"]


def test_uneven_classes_count_alike():
    y = ["rare"] * 8 + ["often"] * 142
    table = Table.of({"x": np.random.default_rng(0).normal(size=150), "y": y})
    plan = plan_of(table, "y")
    assert plan.metric == "balanced_accuracy"
    assert plan.folds == 5
    assert "the rarest class has 5 rows" in dict(plan.reasons)["folds"]


def test_groups_stay_whole_and_time_runs_forward():
    n = 120
    rng = np.random.default_rng(0)
    table = Table.of({"x": rng.normal(size=n), "g": [f"g{i % 12}" for i in range(n)],
                      "t": np.arange(n, dtype=float), "y": ["a", "b"] * (n // 2)})  # fmt: skip
    problem = ask(table, Wishes("y", group="g"))
    plan = make_plan(problem, Options(), "a table")
    learn, aside = plan.test_rows(problem)
    assert not set(problem.groups[learn]) & set(problem.groups[aside])
    learned = problem.take(learn)
    for train, test in plan.fold_plan(learned):
        assert not set(learned.groups[train]) & set(learned.groups[test])
    problem = ask(table, Wishes("y", order="t", drop=("g",)))
    plan = make_plan(problem, Options(), "a table")
    learn, aside = plan.test_rows(problem)
    assert problem.order[learn].max() < problem.order[aside].min()
    learned = problem.take(learn)
    for train, test in plan.fold_plan(learned):
        assert learned.order[train].max() < learned.order[test].min()


def test_too_few_groups_are_refused():
    table = Table.of({"x": np.random.default_rng(0).normal(size=30), "g": ["a", "b", "c"] * 10,
                      "y": ["u", "v"] * 15})  # fmt: skip
    with pytest.raises(DataError, match="3 groups only"):
        plan_of(table, "y", Wishes("y", group="g"))


def test_a_fingerprint_sees_every_cell():
    days = Table.of(load_play_tennis(as_frame=True).frame)
    first = fingerprint(ask(days, Wishes("play")))
    cells = {name: days.labels(name).tolist() for name in days.columns}
    cells["wind"][0] = "Strong" if cells["wind"][0] == "Weak" else "Weak"
    assert fingerprint(ask(Table.of(cells), Wishes("play"))) != first


def test_a_plan_alone_learns_nothing():
    plan, problem = planned(IRIS, Wishes("species"), Options())
    assert plan.rows == problem.n == 150


def test_costs_are_read_by_name(tmp_path):
    path = tmp_path / "costs.csv"
    path.write_text("true,no,yes\nyes,10,0\nno,0,1\n")
    assert read_costs(str(path), ("no", "yes")).tolist() == [[0.0, 1.0], [10.0, 0.0]]
    with pytest.raises(ParameterError, match="a line and a column for each of no, perhaps"):
        read_costs(str(path), ("no", "perhaps"))
