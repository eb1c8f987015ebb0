"""Trees as text, as Graphviz, as pictures."""

from __future__ import annotations

import io

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib import pyplot as plt
from sklearn import tree as peers

from learnable.core import ParameterError
from learnable.datasets import load_iris, load_play_tennis
from learnable.tree import (
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    export_graphviz,
    export_text,
    plot_tree,
)

mpl.use("Agg")
X, y = load_iris(return_X_y=True)
SINGLE = X.astype(np.float32)


@pytest.mark.parametrize("options", [{}, {"show_weights": True}, {"max_depth": 1, "decimals": 3}])
def test_text_as_scikit_learn_writes_it(options):
    ours = export_text(DecisionTreeClassifier(max_depth=3).fit(SINGLE, y), **options)
    peer = peers.DecisionTreeClassifier(max_depth=3, random_state=4).fit(SINGLE, y)
    assert ours.count("\n") == peers.export_text(peer, **options).count("\n")
    root = peers.export_text(peers.DecisionTreeRegressor(max_depth=2).fit(SINGLE, X[:, 0]))
    assert export_text(DecisionTreeRegressor(max_depth=2).fit(SINGLE, X[:, 0])) == root


def test_nominal_columns_in_words():
    days, play = load_play_tennis(return_X_y=True, as_frame=True)
    model = DecisionTreeClassifier(nominal="multiway", criterion="entropy").fit(days, play)
    text = export_text(model)
    assert "|--- outlook = Overcast\n|   |--- class: Yes" in text
    dot = export_graphviz(model)
    assert 'label="outlook = Overcast"' in dot
    assert len(plot_tree(model, ax=plt.figure().add_subplot())) == model.nodes_.count
    with pytest.raises(ParameterError, match="nominal"):
        _ = model.tree_


def test_graphviz_goes_to_files(tmp_path):
    model = DecisionTreeClassifier(max_depth=1).fit(X, y)
    stream = io.StringIO()
    export_graphviz(model, stream)
    export_graphviz(model, tmp_path / "tree.dot")
    assert stream.getvalue() == (tmp_path / "tree.dot").read_text() == export_graphviz(model)


def test_wrong_numbers_of_names():
    model = DecisionTreeClassifier(max_depth=1).fit(X, y)
    with pytest.raises(ParameterError, match="feature_names"):
        export_text(model, feature_names=["one"])
    with pytest.raises(ParameterError, match="class_names"):
        export_text(model, class_names=["one"])
