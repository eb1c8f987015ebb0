"""Trees: questions about one column at a time, for classes and for numbers."""

from learnable.tree.c45 import C45Classifier
from learnable.tree.classifier import DecisionTreeClassifier
from learnable.tree.criteria import DKM, AbsoluteError, Entropy, Gini, Poisson, SquaredError
from learnable.tree.export import export_graphviz, export_text, plot_tree
from learnable.tree.id3 import ID3Classifier
from learnable.tree.reduced_error import reduced_error_pruned
from learnable.tree.regressor import DecisionTreeRegressor
from learnable.tree.structure import Nodes
from learnable.tree.view import TreeView

__all__ = [
    "DKM",
    "AbsoluteError",
    "C45Classifier",
    "DecisionTreeClassifier",
    "DecisionTreeRegressor",
    "Entropy",
    "Gini",
    "ID3Classifier",
    "Nodes",
    "Poisson",
    "SquaredError",
    "TreeView",
    "export_graphviz",
    "export_text",
    "plot_tree",
    "reduced_error_pruned",
]
