"""Linear models: sums of columns times coefficients, and how sure they are."""

from learnable.linear_model.bayesian_ridge import BayesianRidge
from learnable.linear_model.conjugate import BayesianLinearRegression, Posterior
from learnable.linear_model.logistic import LogisticRegression
from learnable.linear_model.perceptron import Perceptron
from learnable.linear_model.poisson import PoissonRegressor
from learnable.linear_model.regression import LinearRegression
from learnable.linear_model.ridge import Ridge, RidgePath
from learnable.linear_model.ridge_cv import RidgeCV

__all__ = [
    "BayesianLinearRegression",
    "BayesianRidge",
    "LinearRegression",
    "LogisticRegression",
    "Perceptron",
    "PoissonRegressor",
    "Posterior",
    "Ridge",
    "RidgeCV",
    "RidgePath",
]
