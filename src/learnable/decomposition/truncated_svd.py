"""The few strongest directions of a matrix, without centring: latent semantic analysis.

    X ~ U S V^T,    U^T U = V^T V = I,    S the k largest singular values

Subspace iteration from a random start (Halko, Martinsson, Tropp), on the side of the columns: each
turn is one pass, Q <- orth(X^T (X Q)), and at the end the singular values of the triangle of X Q.
Squares of singular values steer the search alone; none is taken to report them. Rows are never
centred, so sparse ones stay sparse.

Cost: (n_iter + 2) passes of 4 nnz l, l = k + n_oversamples, and d l^2 a turn.

References
----------
.. [1] N. Halko, P. G. Martinsson, J. A. Tropp: Finding structure with randomness: probabilistic
   algorithms for constructing approximate matrix decompositions. SIAM Review 53, 2011, 217-288.
.. [2] S. Deerwester, S. T. Dumais, G. W. Furnas, T. K. Landauer, R. Harshman: Indexing by latent
   semantic analysis. Journal of the American Society for Information Science 41, 1990, 391-407.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from learnable.core.certificate import Certificate
from learnable.core.errors import DataError, not_fitted
from learnable.core.explanation import Explanation, Part
from learnable.core.iterate import iterate
from learnable.core.trace import emit
from learnable.data import Block, Rows
from learnable.decomposition.products import (
    blocks_of,
    column_sums,
    gram_product,
    norm_left,
    product,
    squares_about,
    triangle,
)
from learnable.estimator.contract import TransformerContract, answers_in_chosen_form
from learnable.estimator.learner import Learner, answering, fitting
from learnable.estimator.params import Choice, Integer, Number, Seed, generator
from learnable.estimator.state import Count, Names
from learnable.estimator.state import Floats as FloatsState
from learnable.stats.arrays import Floats


class TruncatedSVD(TransformerContract, Learner):
    """Reduce columns to the strongest directions of the rows, which may be sparse.

    Parameters
    ----------
    n_components : int, default=2
        How many directions.
    algorithm : {"randomized", "arpack"}, default="randomized"
        Subspace iteration from a random start, or Lanczos' method to the tolerance ``tol``.
    n_iter : int, default=5
        Turns of the randomized algorithm beyond the first.
    n_oversamples : int, default=10
        Directions carried along beyond those asked for.
    power_iteration_normalizer : {"auto", "QR", "LU", "none"}, default="auto"
        What keeps the directions apart between turns; "auto" is "QR".
    random_state : int, RandomState or Generator, optional
        Where the start comes from.
    tol : float, default=0.0
        Tolerance of "arpack"; 0 is the precision of the machine.

    Attributes
    ----------
    components_ : array (k, d)
        The directions; the entry of largest size of each is positive.
    explained_variance_ : array (k,)
        Variance of the rows along each direction.
    explained_variance_ratio_ : array (k,)
        Its share of the variance of all columns.
    singular_values_ : array (k,)
        The singular values, descending.
    n_features_in_, feature_names_in_
        Number and names of the columns.

    Notes
    -----
    ``X ~ U S V^T`` with the rows of V^T as components; ``transform`` gives ``X V = U S``.

    References
    ----------
    N. Halko, P. G. Martinsson, J. A. Tropp: Finding structure with randomness. SIAM Review 53,
    2011.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.decomposition import TruncatedSVD
    >>> model = TruncatedSVD(2, random_state=0).fit(np.diag([3.0, 2.0, 1.0]))
    >>> model.singular_values_.round(6).tolist()
    [3.0, 2.0]
    """

    kind = "transformer"
    takes_sparse = True
    exempt = {"units_do_not_matter": "directions are strong or weak in the units of the columns"}
    parameters: ClassVar[dict[str, Any]] = {
        "n_components": Integer(low=1),
        "algorithm": Choice("randomized", "arpack"),
        "n_iter": Integer(low=0),
        "n_oversamples": Integer(low=1),
        "power_iteration_normalizer": Choice("auto", "QR", "LU", "none"),
        "random_state": Seed(),
        "tol": Number(low=0.0),
    }
    fitted_state: ClassVar[dict[str, Any]] = {
        "n_features_in_": Count("d", low=1),
        "feature_names_in_": Names("d", optional=True),
        "components_": FloatsState("k", "d"),
        "explained_variance_": FloatsState("k", low=0.0),
        "explained_variance_ratio_": FloatsState("k", low=0.0),
        "singular_values_": FloatsState("k", low=0.0),
    }

    def __init__(
        self,
        n_components: int = 2,
        *,
        algorithm: str = "randomized",
        n_iter: int = 5,
        n_oversamples: int = 10,
        power_iteration_normalizer: str = "auto",
        random_state: Any = None,
        tol: float = 0.0,
    ) -> None:
        self.n_components = n_components
        self.algorithm = algorithm
        self.n_iter = n_iter
        self.n_oversamples = n_oversamples
        self.power_iteration_normalizer = power_iteration_normalizer
        self.random_state = random_state
        self.tol = tol

    @property
    def _n_features_out(self) -> int:
        return len(self.components_)

    def get_feature_names_out(self, input_features: Any = None) -> Any:  # noqa: ARG002 (the contract's signature)
        """Return a name for each direction.

        Parameters
        ----------
        input_features : None
            Ignored.
        """
        if "components_" not in vars(self):
            raise not_fitted(self)
        return np.array([f"truncatedsvd{i}" for i in range(len(self.components_))], dtype=object)

    def fit(self, X: Any, y: Any = None) -> TruncatedSVD:
        """Find the directions.

        Parameters
        ----------
        X : array, data frame or sparse matrix (n, d)
            Finite numbers.
        y : None
            Ignored.
        """
        self._fit(X, y)
        return self

    @answers_in_chosen_form
    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """Find the directions and return the rows along them.

        Parameters
        ----------
        X : array, data frame or sparse matrix (n, d)
            Finite numbers.
        y : None
            Ignored.
        """
        return self._fit(X, y)

    @fitting
    def _fit(self, X: Any, y: Any) -> Floats:  # noqa: ARG002 (the contract's signature)
        rows = self._read(X, reset=True)
        self._check_width(rows)
        blocks = blocks_of(rows)
        mean = column_sums(blocks) / rows.n
        total = squares_about(blocks, mean) / rows.n
        find = self._iterated if self.algorithm == "randomized" else self._by_lanczos
        self.singular_values_, self.components_ = find(rows, blocks)
        scores = product(blocks, self.components_.T)
        self.explained_variance_ = scores.var(axis=0)
        self.explained_variance_ratio_ = self.explained_variance_ / (total or 1.0)
        emit(
            "directions",
            largest=float(self.singular_values_[0]),
            smallest=float(self.singular_values_[-1]),
            explained=float(self.explained_variance_ratio_.sum()),
        )
        return scores

    def _check_width(self, rows: Rows) -> None:
        most = rows.d if self.algorithm == "randomized" else min(rows.n, rows.d) - 1
        if self.n_components > most:
            raise DataError(
                f"n_components({self.n_components}) must be <= n_features({rows.d})"
                + (f" and below both sides of {rows.n} rows." if most < rows.d else "."),
                remedy="Ask for fewer components.",
            )

    def _iterated(self, rows: Rows, blocks: list[Block]) -> tuple[Floats, Floats]:
        """Return singular values and directions by subspace iteration."""
        width = min(self.n_components + self.n_oversamples, rows.d)
        start = generator(self.random_state).normal(size=(rows.d, width))
        normal = {"LU": _lower, "none": _unscaled}.get(
            self.power_iteration_normalizer, _orthonormal
        )

        def step(state: tuple[Floats, float]) -> tuple[tuple[Floats, float], dict[str, Any]]:
            Q, before = state
            Z = gram_product(blocks, Q)
            size = float(np.linalg.norm(Z))
            return (normal(Z), size), {"change": abs(size - before) / (size or 1.0)}

        run = iterate(
            step, (_orthonormal(start), 0.0), tol=-1.0, max_iter=self.n_iter + 1, name="power"
        )
        V = _orthonormal(run.state[0])
        _, values, turned = np.linalg.svd(triangle(blocks, V), full_matrices=True)
        k = self.n_components
        singular = np.zeros(k)
        singular[: min(k, len(values))] = values[:k]
        return singular, _signed((V @ turned.T[:, :k]).T)

    def _by_lanczos(self, rows: Rows, _: list[Block]) -> tuple[Floats, Floats]:
        """Return singular values and directions by ARPACK."""
        from scipy.sparse.linalg import svds

        start = generator(self.random_state).uniform(-1.0, 1.0, min(rows.n, rows.d))
        cells = rows.cells.astype(np.float64) if rows.sparse else rows.array().astype(np.float64)
        if not (cells.data.any() if rows.sparse else cells.any()):
            return np.zeros(self.n_components), np.eye(self.n_components, rows.d)
        _, values, components = svds(cells, k=self.n_components, tol=self.tol, v0=start)
        order = np.argsort(values)[::-1]
        return values[order], _signed(components[order])

    @answers_in_chosen_form
    @answering
    def transform(self, X: Any) -> Any:
        """Return the rows along the directions.

        Parameters
        ----------
        X : array, data frame or sparse matrix (n, d)
            Finite numbers.
        """
        blocks = blocks_of(self._read(X))
        column_sums(blocks)
        return product(blocks, self.components_.T)

    @answering
    def inverse_transform(self, X: Any) -> Floats:
        """Return the rows of the original columns that lie at these places.

        Parameters
        ----------
        X : array (n, k)
            What ``transform`` gave.
        """
        self._check_fitted()
        scores = np.asarray(X, dtype=np.float64)
        if scores.ndim != 2 or scores.shape[1] != len(self.components_):
            raise DataError(
                f"X has the shape {scores.shape}, but there are {len(self.components_)} "
                "directions.",
                remedy="Pass what transform returned.",
            )
        return scores @ self.components_

    @answering
    def _explain(self, X: Any) -> list[Explanation]:
        rows = self._read(X)
        names = self._column_names()
        return [self._reasons(names, rows.row(i).astype(float)) for i in range(rows.n)]

    def _reasons(self, names: list[str], row: Floats) -> Explanation:
        """Say which columns put a row where it is along its strongest direction."""
        scores = self.components_ @ row
        strongest = int(np.abs(scores).argmax())
        shares = row * self.components_[strongest]
        parts = tuple(
            Part(names[j], float(row[j]), f"times {self.components_[strongest, j]:.4g}", shares[j])
            for j in np.flatnonzero(row).tolist()
        )
        told = f"Farthest along direction {strongest} of {len(scores)}: {scores[strongest]:.4g}."
        unit = f"place along direction {strongest}"
        score = float(shares.sum())
        return Explanation(tuple(scores.tolist()), "contributions", parts, score, unit, told)

    @answering
    def _certify(self, X: Any, y: Any, role: str, confidence: float) -> Certificate:  # noqa: ARG002 (the contract's signature)
        """Bound what the directions leave of these rows."""
        rows = self._read(X)
        blocks = blocks_of(rows)
        column_sums(blocks)
        low, high = norm_left(blocks, self.components_.T, confidence)
        return Certificate(
            kind="guaranteed",
            quantity="spectral norm of what the directions leave of these rows",
            value=None,
            low=low,
            high=high,
            confidence=confidence,
            method="norm estimate by Gaussian probes of Halko, Martinsson and Tropp",
            n=rows.n,
            assumptions=("the probes are independent of the rows", "rounding is left out"),
            text=(
                f"No direction of length 1 is missed by more than {high:.4g} in these {rows.n} "
                f"rows, at confidence {confidence:g}; the weakest direction kept has "
                f"{self.singular_values_[-1]:.4g}."
            ),
        )


def _orthonormal(Z: Floats) -> Floats:
    return np.asarray(np.linalg.qr(Z)[0])


def _lower(Z: Floats) -> Floats:
    from scipy.linalg import lu

    return np.asarray(lu(Z, permute_l=True)[0])


def _unscaled(Z: Floats) -> Floats:
    """Leave the directions as they are, but for one factor that keeps them in range."""
    return Z / (np.abs(Z).max() or 1.0)


def _signed(components: Floats) -> Floats:
    """Turn each direction so that its entry of largest size is positive."""
    largest = np.abs(components).argmax(axis=1)
    signs = np.sign(components[np.arange(len(components)), largest])
    return components * np.where(signs == 0.0, 1.0, signs)[:, None]
