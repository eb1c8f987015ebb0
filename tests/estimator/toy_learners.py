"""Small learners that use every declaration of fitted state, for the tests of model files."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from learnable.core.errors import DataError, ParameterError
from learnable.core.record import record
from learnable.estimator import Learner, register
from learnable.estimator.contract import TransformerContract
from learnable.estimator.state import (
    Count,
    Either,
    Flag,
    Flags,
    Floats,
    Integer,
    Integers,
    Labels,
    ListOf,
    Names,
    Number,
    Statistic,
    Text,
    Value,
)
from learnable.estimator.state import Learner as Member


@register
@record
class Bell:
    """exp(-(x / width)^2)."""

    width: float = 1.0


class Sums(NamedTuple):
    weight: np.ndarray
    mean: np.ndarray
    unit: float


def as_wide(learner, X):
    X = np.asarray(X, float)
    if X.shape[1:] != (learner.n_features_in_,):
        msg = f"{learner.n_features_in_} columns are wanted"
        raise DataError(msg)
    return X


@register
class Everything(Learner):
    """Uses each declaration at least once, and each in ``predict``."""

    fitted_state = {
        "n_features_in_": Count("d", low=1),
        "feature_names_in_": Names("d", optional=True),
        "classes_": Labels("K"),
        "theta_": Floats("K", "d"),
        "var_": Floats("K", "d", low=0.0, infinite=True),
        "gaps_": Floats("d", nan=True, low=-1.0, high=1.0, dtype="float32"),
        "nearest_": Integers("n", low=0, below="K", dtype="int32"),
        "constant_": Flags("d"),
        "best_": Integer(low=0, below="K"),
        "bound_": Number(low=0.0, infinite=True),
        "converged_": Flag(),
        "solver_": Text("plain", "fast"),
        "tables_": ListOf(Floats("K", "_m", low=0.0), length="d"),
        "sums_": Statistic(
            Sums, {"weight": Floats("K"), "mean": Floats("K", "d"), "unit": Number(low=0.0)}
        ),
        "targets_": Either(Floats("K"), ListOf(Floats("?"), length=2)),
        "notes_": Value(),
        "late_": Floats(optional=True),
    }

    def __init__(self, alpha=1.0, kernel=None, grid=(1, 2), inner=None):
        self.alpha, self.kernel, self.grid, self.inner = alpha, kernel, grid, inner

    def _check_params(self):
        if type(self.alpha) not in {int, float} or not self.alpha > 0:
            msg = f"alpha must be positive, not {self.alpha!r}"
            raise ParameterError(msg)

    def _check_state(self):
        if len(self.nearest_) > 100:
            msg = "nearest_ is too long"
            raise ParameterError(msg)

    def fit(self, X, y=None):
        X, d = np.asarray(X, float), np.shape(X)[1]
        self.classes_, place = np.unique(y, return_inverse=True)
        K = len(self.classes_)
        self.n_features_in_, self.best_ = d, K - 1
        self.feature_names_in_ = np.array([f"spalte {j} ü" for j in range(d)], dtype=object)
        self.theta_ = np.array([X[place == k].mean(axis=0) for k in range(K)])
        self.var_ = np.full((K, d), 2.0)
        self.var_[0, 0] = np.inf
        self.gaps_ = np.array([np.nan] + [0.5] * (d - 1), dtype=np.float32)
        self.nearest_ = place.astype(np.int32)
        self.constant_ = np.arange(d) % 2 == 0
        self.bound_, self.converged_, self.solver_ = np.inf, True, "fast"
        self.tables_ = [np.ones((K, j + 1)) for j in range(d)]
        self.sums_ = Sums(np.ones(K), self.theta_ * 2, 0.5)
        self.targets_ = [np.arange(3.0), np.arange(2.0)]
        self.notes_ = {"chosen": [1, None, "é"], "path": np.arange(4)}
        return self

    def predict(self, X):
        """Reach into everything that was stored, by index where there is one."""
        X = as_wide(self, X)
        with np.errstate(all="ignore"):
            scores = -(((X[:, None, :] - self.theta_) / (1 + self.var_)) ** 2).sum(axis=2)
            scores += self.sums_.mean.sum(axis=1) * self.sums_.unit + self.sums_.weight
            for j, table in enumerate(self.tables_):
                scores += table.sum(axis=1) * self.theta_[:, j]
        counts = np.bincount(self.nearest_, minlength=len(self.classes_))
        assert len(counts) == len(self.classes_)
        return self.classes_[np.where(self.converged_, scores.argmax(axis=1), self.best_)]


@register
class Halve(TransformerContract, Learner):
    """A transformer."""

    fitted_state = {
        "n_features_in_": Count("d", low=1),
        "scale_": Floats("d"),
    }

    def __init__(self, by=2.0):
        self.by = by

    @property
    def _n_features_out(self):
        return self.n_features_in_

    def fit(self, X, _y=None):
        self.n_features_in_ = np.shape(X)[1]
        self.scale_ = np.full(self.n_features_in_, 1.0 / self.by)
        return self

    def transform(self, X):
        return as_wide(self, X) * self.scale_


@register
class Crowd(Learner):
    """A learner of learners."""

    fitted_state = {
        "classes_": Labels("K"),
        "members_": ListOf(Member(), length="members"),
    }

    def __init__(self, member=None, size=2):
        self.member, self.size = member, size

    def _check_state(self):
        for member in self.members_:
            if type(member) is not Everything or "classes_" not in vars(member):
                msg = "a member is no fitted Everything"
                raise ParameterError(msg)
            if not np.array_equal(member.classes_, self.classes_):
                msg = "a member has classes of its own"
                raise ParameterError(msg)

    def fit(self, X, y=None):
        self.members_ = [Everything(alpha=k + 1).fit(X, y) for k in range(self.size)]
        self.classes_ = self.members_[0].classes_
        return self

    def predict(self, X):
        return np.stack([member.predict(X) for member in self.members_])
