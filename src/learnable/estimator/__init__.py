"""The learner base: the contract, parameters, the four questions, model files."""

from learnable.estimator.classifier import Classifier
from learnable.estimator.hooks import certify, explain
from learnable.estimator.learner import Learner, answering, fitting
from learnable.estimator.persistence import load, save
from learnable.estimator.registry import learners, register, table_learners
from learnable.estimator.regressor import Regressor

__all__ = [
    "Classifier",
    "Learner",
    "Regressor",
    "answering",
    "certify",
    "explain",
    "fitting",
    "learners",
    "load",
    "register",
    "save",
    "table_learners",
]
