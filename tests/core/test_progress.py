from __future__ import annotations

import io
import operator
import sys
from types import SimpleNamespace

import numpy as np
import pytest

import learnable
from learnable.cluster import KMeans
from learnable.core import fold

X = np.random.default_rng(0).normal(size=(50, 2))


def shown(act, **options):
    stream = io.StringIO()
    with learnable.progress(stream, **options):
        act()
    return stream.getvalue()


@pytest.fixture
def clock(monkeypatch):
    """A clock that stands still until it is set."""
    clock = SimpleNamespace(now=100.0)
    module = sys.modules["learnable.core.progress"]
    monkeypatch.setattr(module, "monotonic", lambda: clock.now)
    return clock


def test_nothing_is_shown_in_the_first_two_seconds(clock, capsys):
    def waited(seconds):
        def fit():
            clock.now += seconds
            KMeans(3, random_state=0).fit(X)

        return shown(fit)

    assert waited(1.99) == ""
    assert "KMeans: part 1 of 1" in waited(2.0)
    assert capsys.readouterr() == ("", "")


def test_turns_and_parts_are_told_on_one_line_that_is_cleared():
    text = shown(lambda: KMeans(3, random_state=0).fit(X), after=0.0, every=0.0)
    assert "KMeans: lloyd 1 of at most 300; inertia" in text
    assert "\n" not in text
    assert text.endswith(" \r")


def test_a_fold_counts_its_parts():
    text = shown(lambda: fold(len, operator.add, ["a", "b"]), after=0.0, every=0.0)
    assert "fold: part 2 of 2" in text
    stream = (part for part in ["a", "b", "c"])
    assert "fold: part 3\r" in shown(lambda: fold(len, operator.add, stream), after=0.0, every=0.0)


def test_a_line_is_not_rewritten_too_often():
    text = shown(lambda: KMeans(3, random_state=0).fit(X), after=0.0, every=60.0)
    assert text.count("of at most") + text.count("part") == 1


def test_what_is_learned_does_not_change():
    alone = KMeans(3, random_state=0).fit(X)
    with learnable.progress(io.StringIO(), after=0.0, every=0.0):
        watched = KMeans(3, random_state=0).fit(X)
    np.testing.assert_array_equal(watched.cluster_centers_, alone.cluster_centers_)
