"""The diagram: nothing crosses, bars are the groups, and the picture shows what the test said."""

from __future__ import annotations

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest

from learnable.core import ParameterError
from learnable.evaluation import (
    bonferroni_dunn,
    compare,
    critical_difference_diagram,
    nemenyi,
    paired_t,
)
from learnable.evaluation.diagram import layout
from tests.evaluation.demsar import NAMES, RANKED


@pytest.fixture(autouse=True)
def figures():
    mpl.use("agg")
    yield
    plt.close("all")


def test_bars_span_the_groups():
    found = nemenyi(RANKED, names=NAMES, confidence=0.9)
    at = dict(zip(found.names, found.values, strict=True))
    wanted = [(at[group[0]], at[group[-1]]) for group in found.groups()]
    assert [bar[:2] for bar in layout(found).bars] == wanted
    assert len({bar[2] for bar in layout(found).bars}) == len(wanted)


@pytest.mark.parametrize("k", [2, 3, 8, 15])
def test_names_do_not_meet_and_lines_do_not_cross(k):
    made = layout(nemenyi(np.random.default_rng(k).random((20, k))))
    lowest_bar = min((bar[2] for bar in made.bars), default=0.0)
    for side, sign in (("left", 1.0), ("right", -1.0)):
        labels = sorted((one for one in made.labels if one.side == side), key=lambda x: -x.height)
        heights = [label.height for label in labels]
        assert (np.diff(heights) <= -0.5 + 1e-12).all()
        assert all(height < lowest_bar for height in heights)
        # Whoever stands higher is nearer to the edge, so no line passes through another.
        assert (np.diff([sign * label.at for label in labels]) >= 0.0).all()


def test_the_picture_says_what_the_test_said():
    found = nemenyi(RANKED, names=NAMES, confidence=0.9)
    ax = critical_difference_diagram(found)
    texts = [text.get_text().strip() for text in ax.texts]
    assert ax.get_title() == "Nemenyi test, 90%"
    assert "CD = 1.12" in texts
    assert "C4.5+m+cf (1.96)" in texts
    bars = [line for line in ax.lines if line.get_linewidth() == 4.0]
    assert len(bars) == len(found.groups())


def test_a_control_is_drawn_with_its_difference():
    ax = critical_difference_diagram(bonferroni_dunn(RANKED, "C4.5", names=NAMES), title="mine")
    assert ax.get_title() == "mine"
    (bar,) = [line for line in ax.lines if line.get_linewidth() == 4.0]
    assert np.diff(bar.get_xdata())[0] == pytest.approx(2 * 1.168, abs=2e-3)


def test_scores_are_drawn_too_and_on_given_axes():
    truth = [0, 1] * 40
    ax = plt.subplots()[1]
    found = compare({"$a$": truth, "b": [0] * 80, "c": [1] * 80}, truth=truth)
    assert critical_difference_diagram(found, ax) is ax
    low, high = ax.get_xlim()
    assert low > high  # best on the left: high accuracies
    ax.figure.canvas.draw()


def test_all_alike_can_be_drawn():
    critical_difference_diagram(nemenyi(np.full((5, 3), 0.5))).figure.canvas.draw()


def test_only_comparisons_are_drawn():
    with pytest.raises(ParameterError, match="not of Comparison"):
        critical_difference_diagram(paired_t([1, 2, 3], [2, 4, 1]))
