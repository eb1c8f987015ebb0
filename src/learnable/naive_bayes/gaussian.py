"""Gaussian naive Bayes: every column a Gaussian of its own within every class.

    P(c | x)  is proportional to  P(c) prod_j N(x_j; mean_cj, var_cj)

Means and variances (by N) come from :class:`~learnable.stats.Moments`, so learning is one pass,
and ``partial_fit`` is a merge. ``var_smoothing`` times a column's own variance over all rows is
added to its variances.

This differs from scikit-learn's class, which adds a multiple of the largest variance of *any*
column: there the answers depend on the units of the other columns. Here rescaling a column changes
nothing. A column that is constant in every class has no variance to estimate (its likelihood is
unbounded); it takes no part, and a warning names it.

Cost: 2 n d to learn, n K d to answer, 2 K d numbers.

References
----------
.. [1] T. M. Mitchell: Machine Learning. McGraw-Hill 1997, chapter 6.
.. [2] D. J. Hand, K. Yu: Idiot's Bayes: not so stupid after all? International Statistical
   Review 69, 2001.
"""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np

from learnable.core.errors import DataError
from learnable.core.fold import runner
from learnable.core.trace import emit, listening
from learnable.core.warning import warn
from learnable.data import Block, Rows
from learnable.data.summaries import fold_moments_and_fingerprint
from learnable.estimator.joining import Joining, half_log
from learnable.estimator.learner import fitting
from learnable.estimator.params import Number
from learnable.estimator.state import Count, Labels, Names
from learnable.estimator.statistic_state import FINGERPRINT, MOMENTS
from learnable.loops.gaussians import joint_log_densities
from learnable.naive_bayes.base import NaiveBayes
from learnable.naive_bayes.priors import PRIORS, class_priors
from learnable.stats import Fingerprint, Moments
from learnable.stats.arrays import Floats, frozen


def smoothed_spread(moments: Moments, smoothing: float) -> tuple[Floats, Floats]:
    """Return the standard deviation of each class and column, and of each column over all rows.

    Computed in the units of the columns, so that no square leaves the range of floats.
    """
    whole = moments.pooled()
    unit = np.where(whole.unit != 0.0, whole.unit, 1.0)
    weight = np.where(moments.weight > 0.0, moments.weight, 1.0)[:, None]
    own = whole.scatter[0] / whole.weight[0]
    within = moments.scatter / weight * (moments.unit / unit) ** 2
    return np.sqrt(within + smoothing * own) * whole.unit, np.sqrt(own) * whole.unit


def _column_parts(k: int, d: int) -> list[slice]:
    """Cut the columns so that what is computed for a part stays small."""
    width = max((1 << 18) // k, 1)
    return [slice(start, start + width) for start in range(0, d, width)]


def _bits(model: GaussianNB, n: int) -> float:
    return half_log(2 * model.theta_.size + len(model.classes_) - 1, n)


class GaussianNB(NaiveBayes):
    """Gaussian naive Bayes.

    Parameters
    ----------
    priors : array (K,), dict, "empirical" or "uniform", optional
        Prior probabilities of the classes; counted by default.
    var_smoothing : float, default=1e-9
        Share of each column's own variance that is added to its variances.

    Attributes
    ----------
    classes_ : array (K,)
        The labels.
    class_count_, class_prior_ : array (K,)
        Weight of the training rows of each class, and its prior.
    theta_, var_ : array (K, d)
        Mean and smoothed variance of each column in each class.
    epsilon_ : array (d,)
        What was added to the variances.
    constant_columns_ : array of int
        Columns that are constant in every class and take no part.
    statistic_ : Moments
        What was learned from; two models' statistics merge.
    fingerprint_ : Fingerprint
        Which rows were learned from.
    n_features_in_, feature_names_in_
        Number and names of the columns.

    Notes
    -----
    ``P(c | x)`` is proportional to ``P(c) prod_j N(x_j; theta_cj, var_cj)``. One pass over the
    rows; the same bits for any number of threads.

    References
    ----------
    T. M. Mitchell: Machine Learning. McGraw-Hill 1997, chapter 6.

    Examples
    --------
    >>> from learnable.naive_bayes import GaussianNB
    >>> model = GaussianNB().fit([[0.0], [1.0], [5.0], [6.0]], ["low", "low", "high", "high"])
    >>> model.predict([[0.7], [5.2]]).tolist()
    ['low', 'high']
    >>> model.theta_.tolist()
    [[5.5], [0.5]]
    """

    joins = Joining(
        "Gaussian naive Bayes",
        ("classification",),
        "numbers",
        cost=lambda n, d, k: 3e-3 + 2e-9 * n * d * k,
        bits=_bits,
        space={"var_smoothing": (1e-9, 1e-3, 0.1)},
        readable=True,
    )
    parameters = {"priors": PRIORS, "var_smoothing": Number(low=0.0)}
    fitted_state = {
        "classes_": Labels("K"),
        "statistic_": MOMENTS,
        "fingerprint_": FINGERPRINT,
        "n_features_in_": Count("d", low=1),
        "feature_names_in_": Names("d", optional=True),
    }
    derived = (
        "class_count_", "class_prior_", "constant_columns_", "epsilon_", "theta_",
    )  # fmt: skip

    def __init__(self, *, priors: Any = None, var_smoothing: float = 1e-9) -> None:
        self.priors = priors
        self.var_smoothing = var_smoothing

    @fitting
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> GaussianNB:
        """Learn from rows and their classes.

        Parameters
        ----------
        X : array (n, d) or data frame
            Finite numbers.
        y : array (n,)
            Class of each row.
        sample_weight : array (n,), optional
            A weight of 2 is the row twice.
        """
        rows = self._read(X, reset=True)
        codes = self._read_answers(y, rows)
        self._learn(*self._seen(rows, codes, sample_weight))
        return self

    @fitting
    def partial_fit(
        self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None
    ) -> GaussianNB:
        """Learn from more rows; the result is that of ``fit`` on all of them.

        Parameters
        ----------
        X, y, sample_weight
            As in :meth:`fit`.
        classes : array (K,), optional
            All labels there will be; needed in the first call.
        """
        first = not self.__sklearn_is_fitted__()
        rows = self._read(X, reset=first)
        codes = self._first_or_known(y, rows, classes, first=first)
        moments, fingerprint = self._seen(rows, codes, sample_weight)
        if not first:
            moments, fingerprint = (
                self.statistic_.merge(moments),
                self.fingerprint_.merge(fingerprint),
            )
        self._learn(moments, fingerprint)
        return self

    def _seen(self, rows: Rows, codes: Any, sample_weight: Any) -> tuple[Moments, Fingerprint]:
        weight = self._read_weights(sample_weight, rows.n)
        found: tuple[Moments, Fingerprint] = fold_moments_and_fingerprint(
            rows, codes, len(self.classes_), weight
        )
        return found

    def _learn(self, moments: Moments, fingerprint: Fingerprint) -> None:
        """Turn the statistic into the model: the whole of naive Bayes."""
        self.statistic_, self.fingerprint_ = moments, fingerprint
        self._derive()
        if len(self.constant_columns_):
            self._name_constant_columns()
        if listening():
            self._tell()

    def _derive(self) -> None:
        """Compute what answers need from the statistic, some columns at a time."""
        moments = self.statistic_
        self.class_prior_ = class_priors(self.priors, self.classes_, moments.weight)
        self.class_count_, self.theta_ = moments.weight, moments.mean
        self._spread, self._inverse = np.empty_like(moments.mean), np.zeros_like(moments.mean)
        self.epsilon_, constant = np.empty_like(moments.unit), np.empty(len(moments.unit), bool)
        logs = np.zeros(len(moments.weight))
        for part in _column_parts(*moments.mean.shape):
            some = Moments(moments.weight, *(each[..., part] for each in moments[1:]))
            spread, own = smoothed_spread(some, self.var_smoothing)
            idle = constant[part] = (some.scatter == 0.0).all(axis=0)
            with np.errstate(all="ignore"):
                self._spread[:, part], self.epsilon_[part] = spread, self.var_smoothing * own**2
                self._inverse[:, part] = np.where(idle, 0.0, 1.0 / spread)
                terms = np.where(idle, 0.0, np.log(spread) + 0.5 * math.log(2.0 * math.pi))
            logs += terms.sum(axis=1)
        self.constant_columns_ = np.flatnonzero(constant)
        with np.errstate(divide="ignore"):
            seen = np.where(moments.weight > 0.0, 0.0, -np.inf)
            self._log_prior = np.log(self.class_prior_)
            self._constant = self._log_prior - logs + seen

    @property
    def var_(self) -> Floats:
        """Smoothed variance of each column in each class."""
        with np.errstate(over="ignore", under="ignore"):
            return np.asarray(self._spread**2)

    def _name_constant_columns(self) -> None:
        every = self._column_names()
        names = [every[j] for j in self.constant_columns_]
        shown = ", ".join(names[:10]) + (f" and {len(names) - 10} more" if len(names) > 10 else "")
        warn(
            f"GaussianNB: constant in every class, so taking no part: {shown}. Drop them, or use "
            "CategoricalNB for columns of few values.",
        )

    def _tell(self) -> None:
        for c, label in enumerate(self.classes_):
            emit(
                "moments", c, label=str(label), weight=float(self.class_count_[c]),
                prior=float(self.class_prior_[c]), mean=self.theta_[c].tolist(),
                sd=self._spread[c].tolist(),
            )  # fmt: skip

    def _joint(self, rows: Rows) -> Floats:
        task = partial(
            _block_joint, frozen(self.theta_), frozen(self._inverse), frozen(self._constant)
        )
        return np.concatenate(list(runner()(task, rows.blocks())))

    def _parts(self, rows: Rows, i: int) -> list[tuple[str, Any, Floats]]:
        row = rows.row(i).astype(np.float64)
        z = (row - self.theta_) * self._inverse
        with np.errstate(divide="ignore"):
            logs = np.where(self._inverse > 0.0, -0.5 * z * z - np.log(self._spread), 0.0)
        columns = zip(self._column_names(), row.tolist(), logs.T, strict=True)
        return [("prior", "", self._log_prior), *columns]


def _block_joint(mean: Floats, inverse: Floats, constant: Floats, block: Block) -> Floats:
    """Answer for one block (a module-level function, so that a cluster can run it)."""
    X = block.finite_array()
    joint: Floats = joint_log_densities(X, mean, inverse, constant)
    lost = ~np.isfinite(joint).any(axis=1)
    if lost.any():
        i = int(np.flatnonzero(lost)[0])
        j = int(np.abs((X[i] - mean) * inverse).max(axis=0).argmax())
        raise DataError(
            "A cell lies so far from every class that its density cannot be computed.",
            column=block.names[j] if block.names is not None else j,
            row=block.start + i,
            value=float(X[i, j]),
            remedy="Correct or clip it.",
        )
    return joint
