"""k-means: centres so that the squared distances of the rows to the nearest one are small.

    minimise  sum_i w_i min_c |x_i - c|^2

Lloyd's method assigns each row to its nearest centre and moves each centre to the mean of its
rows, in turn; neither step can raise the sum, so it ends in a local minimum (finding the global
one is NP-hard). A turn is one fold over the rows.

Cost: 2 n k d a turn at most, much less once the centres settle (bounds spare most distances);
n labels and two bounds a row to keep, and no copy of the rows.

References
----------
.. [1] S. P. Lloyd: Least squares quantization in PCM. IEEE Transactions on Information Theory 28,
   1982.
.. [2] D. Arthur, S. Vassilvitskii: k-means++: the advantages of careful seeding. SODA 2007.
"""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import numpy as np

from learnable.cluster.answers import assign, distances, labels_of
from learnable.cluster.frame import Labels
from learnable.cluster.lloyd import beginning, take_turn
from learnable.cluster.problem import Problem, enough_rows, laid_out
from learnable.cluster.reasons import distance_on_new_rows, explanations, optimality
from learnable.cluster.seeding import Starts, first_centres, runs_wanted
from learnable.core.certificate import Certificate
from learnable.core.explanation import Explanation
from learnable.core.iterate import iterate
from learnable.core.trace import emit, listening
from learnable.core.warning import warn
from learnable.data import Rows
from learnable.data.summaries import fold_moments_and_fingerprint
from learnable.estimator.contract import TransformerContract, answers_in_chosen_form
from learnable.estimator.learner import Learner, answering, fitting
from learnable.estimator.params import (
    Choice,
    Either,
    Flag,
    Integer,
    Number,
    Seed,
    generator,
)
from learnable.estimator.state import Count, Floats, Integers, Names
from learnable.estimator.state import Integer as StoredInteger
from learnable.estimator.state import Number as StoredNumber
from learnable.estimator.statistic_state import FINGERPRINT
from learnable.stats.arrays import Floats as FloatArray


class _Clustering(NamedTuple):
    """How one start ended."""

    centres: FloatArray
    labels: Labels
    inertia: float
    turns: int


class KMeans(TransformerContract, Learner):
    """k-means clustering by exact Lloyd turns.

    Parameters
    ----------
    n_clusters : int, default=8
        Number of clusters.
    init : {"k-means++", "random"}, array (n_clusters, d) or function, default="k-means++"
        Where to begin: greedy k-means++, distinct rows at random, these centres, or
        ``init(X, n_clusters, random_state=...)``.
    n_init : int or "auto", default="auto"
        Starts, of which the best is kept; "auto" makes 10 for "random" and functions, else 1.
    max_iter : int, default=300
        Turns at most.
    tol : float, default=1e-4
        A start ends when the centres move by less: the sum of their squared moves against
        ``tol`` times the mean variance of the columns. It also ends when no label changes.
    verbose : int, default=0
        Accepted as in scikit-learn; nothing is printed. ``learnable.tracing()`` shows every turn.
    random_state : int, RandomState or Generator, optional
        Seed of the starts.
    copy_x : bool, default=True
        Accepted as in scikit-learn; ``X`` is never copied as a whole and never changed.
    algorithm : {"lloyd", "elkan"}, default="lloyd"
        Both are the same method: "lloyd" keeps bounds on distances where that pays, "elkan" from
        the first turn on.

    Attributes
    ----------
    cluster_centers_ : array (n_clusters, d)
        The centres.
    labels_ : array (n,) of int32
        Cluster of each training row: its nearest centre.
    inertia_ : float
        Weighted sum of the squared distances to the nearest centres.
    n_iter_ : int
        Turns of the best start.
    fingerprint_ : Fingerprint
        Which rows were learned from.
    n_features_in_, feature_names_in_
        Number and names of the columns.

    Notes
    -----
    Minimises ``sum_i w_i min_c |x_i - c|^2``. The same seed gives the same bits for any number of
    threads. An empty cluster takes the row farthest from its own centre.

    References
    ----------
    S. P. Lloyd: Least squares quantization in PCM. IEEE Transactions on Information Theory 28,
    1982.

    Examples
    --------
    >>> from learnable.cluster import KMeans
    >>> model = KMeans(2, random_state=0).fit([[1.0], [2.0], [8.0], [9.0]])
    >>> sorted(model.cluster_centers_.tolist()), model.inertia_
    ([[1.5], [8.5]], 1.0)
    """

    kind = "clusterer"
    exempt = {"units_do_not_matter": "a column in other units makes other distances"}
    takes_sparse = True
    keeps_float32 = True
    parameters = {
        "n_clusters": Integer(low=1),
        "init": Starts(),
        "n_init": Either(Choice("auto"), Integer(low=1)),
        "max_iter": Integer(low=1),
        "tol": Number(low=0.0),
        "verbose": Either(Integer(low=0), Flag()),
        "random_state": Seed(),
        "copy_x": Flag(),
        "algorithm": Choice("lloyd", "elkan"),
    }
    fitted_state = {
        "cluster_centers_": Floats("k", "d"),
        "labels_": Integers("n", low=0, below="k", dtype="int32"),
        "inertia_": StoredNumber(low=0.0),
        "n_iter_": StoredInteger(low=1),
        "fingerprint_": FINGERPRINT,
        "n_features_in_": Count("d", low=1),
        "feature_names_in_": Names("d", optional=True),
    }

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        init: Any = "k-means++",
        n_init: Any = "auto",
        max_iter: int = 300,
        tol: float = 1e-4,
        verbose: int = 0,
        random_state: Any = None,
        copy_x: bool = True,
        algorithm: str = "lloyd",
    ) -> None:
        self.n_clusters = n_clusters
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.verbose = verbose
        self.random_state = random_state
        self.copy_x = copy_x
        self.algorithm = algorithm

    @fitting
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> KMeans:  # noqa: ARG002
        """Find the clusters of the rows.

        Parameters
        ----------
        X : array (n, d), data frame or sparse matrix
            Finite numbers.
        y : ignored
            There for scikit-learn's pipelines.
        sample_weight : array (n,), optional
            A weight of 2 is the row twice.
        """
        rows = self._read(X, reset=True)
        weight = self._read_weights(sample_weight, rows.n)
        enough_rows(rows.n, weight, self.n_clusters)
        moments, self.fingerprint_ = fold_moments_and_fingerprint(rows, weight=weight)
        problem = laid_out(rows, weight, moments, self.n_clusters)
        rng = generator(self.random_state)
        runs = range(runs_wanted(self.init, self.n_init))
        ends = (self._one_start(problem, rows, weight, rng, run) for run in runs)
        best = min(ends, key=lambda end: end.inertia)
        self.cluster_centers_, self.labels_ = best.centres, best.labels
        self.inertia_, self.n_iter_ = best.inertia, best.turns
        self._warn_of_duplicates()
        return self

    def _one_start(
        self, problem: Problem, rows: Rows, weight: FloatArray, rng: Any, run: int
    ) -> _Clustering:
        """Begin somewhere, take turns until nothing changes, and measure where that ended."""
        centres = first_centres(problem, rows, weight, self.init, rng)
        if listening():
            emit("seed", run, centres=problem.frame.outward(centres).tolist())
        always = self.algorithm == "elkan"
        ended = iterate(
            partial(take_turn, problem, always=always),
            beginning(problem, centres, always=always),
            tol=self.tol * problem.variance / rows.d,
            max_iter=self.max_iter,
            name="lloyd",
        )
        found = problem.frame.outward(ended.state.centres).astype(rows.dtype)
        labels, inertia = assign(rows, found, weight)
        emit("finish", run, inertia=inertia, turns=ended.n_iter, converged=ended.converged)
        return _Clustering(found, labels, inertia, ended.n_iter)

    def _warn_of_duplicates(self) -> None:
        distinct = len(np.unique(self.labels_))
        if distinct < self.n_clusters:
            from sklearn.exceptions import ConvergenceWarning

            warn(
                f"Number of distinct clusters ({distinct}) found smaller than n_clusters "
                f"({self.n_clusters}). Possibly due to duplicate points in X.",
                ConvergenceWarning,
            )

    @answering
    def predict(self, X: Any) -> Labels:
        """Return the nearest centre of each row."""
        return labels_of(self._read(X), self.cluster_centers_)

    def fit_predict(self, X: Any, y: Any = None, sample_weight: Any = None) -> Labels:
        """Find the clusters and return the one of each row."""
        return self.fit(X, y, sample_weight=sample_weight).labels_

    @answers_in_chosen_form
    @answering
    def transform(self, X: Any) -> FloatArray:
        """Return the distance of each row from every centre."""
        return distances(self._read(X), self.cluster_centers_)

    def fit_transform(self, X: Any, y: Any = None, sample_weight: Any = None) -> Any:
        """Find the clusters and return the distance of each row from every centre."""
        return self.fit(X, y, sample_weight=sample_weight).transform(X)

    @answering
    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:  # noqa: ARG002
        """Return the sum of squared distances to the nearest centres, with a minus sign."""
        rows = self._read(X)
        weight = self._read_weights(sample_weight, rows.n)
        return -assign(rows, self.cluster_centers_, weight)[1]

    def get_feature_names_out(self, input_features: Any = None) -> Any:  # noqa: ARG002
        """Return the names of the columns of :meth:`transform`."""
        self._check_fitted()
        return np.array([f"kmeans{c}" for c in range(len(self.cluster_centers_))], dtype=object)

    @property
    def _n_features_out(self) -> int:
        return len(self.cluster_centers_)

    @answering
    def _explain(self, X: Any) -> list[Explanation]:
        return explanations(self._read(X), self.cluster_centers_, self._column_names())

    @answering
    def _certify(self, X: Any, y: Any, role: str, confidence: float) -> Certificate:  # noqa: ARG002
        rows = self._read(X)
        if role == "test":
            return distance_on_new_rows(self, rows, confidence)
        inertia = assign(rows, self.cluster_centers_)[1]
        return optimality(rows, len(self.cluster_centers_), inertia, confidence)
