"""The skeleton that the documentation starts from is a learner like any other."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from learnable.checks import example_table, laws_of

FILE = Path(__file__).parents[1] / "docs" / "skeleton_learner.py"


@pytest.fixture(scope="module")
def learner():
    spec = importlib.util.spec_from_file_location("skeleton_learner", FILE)
    module = importlib.util.module_from_spec(spec)
    import sys

    sys.modules["skeleton_learner"] = module
    spec.loader.exec_module(module)
    yield module.NearestMean()
    del sys.modules["skeleton_learner"]


def test_the_skeleton_obeys_every_law(learner):
    laws = laws_of(learner)
    assert len(laws) >= 10
    for law in laws.values():
        law(learner, example_table(learner))
