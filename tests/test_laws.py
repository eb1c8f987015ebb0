"""Every learner obeys every law; and every law can be broken."""

from __future__ import annotations

import pytest

from learnable.checks import example_table, laws_of
from learnable.estimator import learners, table_learners

PAIRS = [(name, law) for name, cls in table_learners().items() for law in laws_of(cls())]


@pytest.mark.parametrize(("name", "law"), PAIRS)
def test_law(name, law):
    learner = learners()[name]()
    laws_of(learner)[law](learner, example_table(learner))


@pytest.mark.parametrize("name", learners())
def test_exemptions_have_reasons(name):
    assert all(len(reason) > 10 for reason in learners()[name].exempt.values())
