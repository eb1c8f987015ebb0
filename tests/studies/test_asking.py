"""What is asked of a table, what is left out and said, and what is refused with a remedy."""

from __future__ import annotations

import numpy as np
import pytest

from learnable.core import DataError
from learnable.core.errors import SchemaError
from learnable.data import Table
from learnable.studies import Wishes
from learnable.studies.asking import ask, told

RNG = np.random.default_rng(0)
N = 60


def table(**columns):
    base = {"size": RNG.normal(size=N), "wind": ["Weak", "Strong", "None"] * (N // 3)}
    return Table.of({**base, "play": ["yes", "no"] * (N // 2), **columns})


def texts(problem):
    return " ".join(finding.text for finding in problem.findings)


def test_rows_without_a_target_are_left_out_and_said():
    problem = ask(table(play=["yes", None, *["no", "yes"] * (N // 2 - 1)]), Wishes("play"))
    assert problem.n == N - 1
    assert problem.rows[:2].tolist() == [0, 2]
    assert "1 rows have no 'play' and are left out" in texts(problem)


def test_classes_with_too_few_rows_are_left_out_and_said():
    problem = ask(table(play=["odd"] * 3 + ["yes", "no", "no"] * (N // 3 - 1)), Wishes("play"))
    assert problem.classes == ("no", "yes")
    assert problem.n == N - 3
    assert "their classes ('odd') have fewer than 4 rows" in texts(problem)


def test_columns_that_cannot_help_are_left_out_and_said():
    names = [f"row-{i:04d}" for i in range(N)]
    problem = ask(
        table(name=names, same=["x"] * N, number=np.arange(N, dtype=float), nothing=[None] * N),
        Wishes("play", drop=("wind",)),
    )
    assert problem.table.columns == ["size"]
    whys = {"name": "names", "same": "is constant", "number": "names", "nothing": "is empty"}
    for name, why in whys.items():
        assert f"{name!r} is left out: it {why}" in texts(problem)


def test_a_numeric_target_is_an_amount_or_a_few_classes():
    amount = ask(table(cost=RNG.normal(size=N)), Wishes("cost"))
    assert (amount.task, amount.classes, amount.y.dtype) == ("regression", (), float)
    grades = table(grade=np.array([1.0, 2.0, 3.0] * (N // 3)))
    assert ask(grades, Wishes("grade")).classes == ("1", "2", "3")
    assert "taken as classes" in texts(ask(grades, Wishes("grade")))
    assert ask(grades, Wishes("grade", task="regression")).task == "regression"


def test_what_casts_doubt_is_said():
    play = RNG.choice(["yes", "no"], N)
    leak = np.where(play == "yes", "a", "b").tolist()
    patients = [f"p{i // 5}" for i in range(N)]
    problem = ask(table(leak=leak, patient_id=patients, play=play.tolist()), Wishes("play"))
    assert "'leak' gives 'play' away" in texts(problem)
    assert "'patient_id' may tell rows apart that belong together" in texts(problem)
    assert "--drop leak" in told(problem.findings)
    assert "--group patient_id" in told(problem.findings)
    assert "belong together" not in texts(
        ask(table(patient_id=[f"p{i // 5}" for i in range(N)]), Wishes("play", group="patient_id"))
    )


@pytest.mark.parametrize(
    ("columns", "wishes", "words"),
    [
        ({"play": ["yes"] * N}, Wishes("play"), "single class"),
        ({"play": ["yes"] + [None] * (N - 1)}, Wishes("play"), "Only 0 rows"),
        ({"cost": [2.5] * N}, Wishes("cost", task="regression"), "single value"),
        ({"cost": [np.inf, *RNG.normal(size=N - 1)]}, Wishes("cost"), "infinite number"),
        ({}, Wishes("play", task="regression"), "holds names"),
        ({}, Wishes("play", positive="perhaps"), "no class 'perhaps'"),
        ({}, Wishes("play", drop=("size", "wind")), "No column is left"),
        ({"w": [-1.0] * N}, Wishes("play", weights="w"), "weight is negative"),
        ({}, Wishes("play", weights="wind"), "Weights are numbers"),
        ({}, Wishes("play", order="wind"), "order of the rows is not known"),
        ({"g": [None] + ["a"] * (N - 1)}, Wishes("play", group="g"), "belongs to no group"),
    ],
)
def test_what_cannot_be_learned_is_refused_with_a_remedy(columns, wishes, words):
    with pytest.raises(DataError, match=words) as caught:
        ask(table(**columns), wishes)
    assert caught.value.remedy


def test_a_column_that_is_not_there_is_answered_with_the_nearest():
    with pytest.raises(SchemaError, match="Did you mean 'play'"):
        ask(table(), Wishes("paly"))


def test_taking_rows_takes_all_that_belongs_to_them():
    groups = [f"g{i // 4}" for i in range(N)]
    problem = ask(
        table(g=groups, t=np.arange(N)[::-1].astype(float), w=np.ones(N)),
        Wishes("play", group="g", order="t", weights="w"),
    )
    part = problem.take(np.array([3, 7]))
    assert part.n == len(part.table) == len(part.weights) == 2
    assert part.groups.tolist() == ["g0", "g1"]
    assert part.order.tolist() == [N - 4.0, N - 8.0]
