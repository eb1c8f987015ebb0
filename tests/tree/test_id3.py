"""ID3: the documents' tree, their gains, their thresholds."""

from __future__ import annotations

import numpy as np
import pytest

import learnable
from learnable.datasets import load_play_tennis
from learnable.tree import ID3Classifier, export_text

TREE = """|--- outlook = Overcast
|   |--- class: Yes
|--- outlook = Rain
|   |--- wind = Strong
|   |   |--- class: No
|   |--- wind = Weak
|   |   |--- class: Yes
|--- outlook = Sunny
|   |--- humidity = High
|   |   |--- class: No
|   |--- humidity = Normal
|   |   |--- class: Yes
"""


def test_play_tennis():
    X, y = load_play_tennis(return_X_y=True, as_frame=True)
    with learnable.tracing() as trace:
        model = ID3Classifier().fit(X, y)
    assert export_text(model) == TREE
    gains = trace.only("split").events[0].values["candidates"]
    wanted = {"outlook": 0.2467, "temperature": 0.0292, "humidity": 0.1518, "wind": 0.0481}
    assert gains == pytest.approx(wanted, abs=6e-5)


def test_thresholds_lie_between_neighbours_of_different_class():
    """Mitchell, section 3.7.2: of the candidates 54 and 85 the first gains more."""
    degrees = np.array([[40.0], [48.0], [60.0], [72.0], [80.0], [90.0]])
    model = ID3Classifier().fit(degrees, ["No", "No", "Yes", "Yes", "Yes", "No"])
    assert model.nodes_.threshold[model.nodes_.column >= 0].tolist() == [54.0, 85.0]


def test_columns_that_gain_nothing_are_not_asked():
    X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    assert ID3Classifier().fit(X, [0, 1, 1, 0]).get_n_leaves() == 1


def test_a_stated_threshold():
    degrees = np.array([[40.0], [48.0], [60.0], [72.0], [80.0], [90.0]])
    model = ID3Classifier(thresholds={"x0": [72.3]}, max_depth=1).fit(degrees, [0, 0, 0, 0, 1, 1])
    assert model.nodes_.threshold[0] == 72.3
