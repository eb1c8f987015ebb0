"""Transformers side by side, each for columns of its own.

    z = [ T_1(x_A), T_2(x_B), ... ]

Cost: that of the transformers, and one copy of what they return.

References
----------
.. [1] L. Buitinck et al.: API design for machine learning software: experiences from the
   scikit-learn project. ECML PKDD workshop 2013.
.. [2] M. Kuhn, K. Johnson: Feature Engineering and Selection. CRC Press 2019.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np

from learnable.compose.choosing import as_rows, chosen, names_of, part_of
from learnable.compose.steps import (
    IDLE,
    Fitted,
    Rest,
    Steps,
    Weights,
    by_names,
    called,
    fit_transformed,
    plain,
)
from learnable.core.certificate import Certificate
from learnable.core.errors import DataError, ParameterError, SchemaError
from learnable.core.explanation import Explanation, Part
from learnable.core.trace import emit, listening
from learnable.data import is_sparse, read_rows
from learnable.data.table import Table
from learnable.estimator.contract import TransformerContract, answers_in_chosen_form
from learnable.estimator.learner import Learner, answering, fitting
from learnable.estimator.params import Flag, Integer, Number
from learnable.estimator.state import Count, Either, Integers, ListOf, Names, Statistic, Text
from learnable.estimator.state import Flag as Truth
from learnable.estimator.state import Learner as Inner


class ColumnTransformer(TransformerContract, Learner):
    """Apply transformers to columns of their own, and put what they return side by side.

    Parameters
    ----------
    transformers : list of (name, transformer, columns)
        The transformer may be "drop" or "passthrough"; columns are names, numbers, a slice, a
        mask, or a function of the rows. A single name or number hands on one dimension.
    remainder : {"drop", "passthrough"} or transformer, default="drop"
        What becomes of the columns that are not named.
    sparse_threshold : float, default=0.3
        The answer is compressed if a part is, and the share of stored cells lies below this.
    n_jobs : int or None
        Kept for scikit-learn's sake; the learners of this library use all cores themselves.
    transformer_weights : dict, optional
        Factors of the transformers, by name.
    verbose : bool, default=False
        Kept for scikit-learn's sake; progress is shown by what listens to the trace.
    verbose_feature_names_out : bool, default=True
        Put the name of the transformer before the names of its columns.

    Attributes
    ----------
    transformers_ : list of (name, fitted transformer, columns)
        With the remainder, if there is one.
    named_transformers_ : dict
        The fitted transformers by name.
    output_indices_ : dict
        Which columns of the answer come from which.
    fitted_ : list of Fitted
        The same, with the numbers of the columns.
    widths_ : array
        How many columns each of them makes.
    sparse_output_ : bool
        Whether the answer is compressed.
    n_features_in_, feature_names_in_
        Number and names of the columns.

    Notes
    -----
    Explanations of a learner behind it speak of the original columns.

    References
    ----------
    L. Buitinck et al.: API design for machine learning software. ECML PKDD workshop 2013.

    Examples
    --------
    >>> from learnable.compose import ColumnTransformer
    >>> from learnable.preprocessing import MinMaxScaler, OneHotEncoder
    >>> both = ColumnTransformer([("scale", MinMaxScaler(), [0]), ("code", OneHotEncoder(), [1])])
    >>> both.fit_transform([[1.0, "a"], [3.0, "b"]]).tolist()
    [[0.0, 1.0, 0.0], [1.0, 0.0, 1.0]]
    """

    kind = "transformer"
    takes_sparse = True
    takes_strings = True
    allows_nan = True
    exempt: ClassVar[dict[str, str]] = {
        "a_cell_that_is_no_number_is_named": "every transformer judges the cells of its columns",
    }
    parameters: ClassVar[dict[str, Any]] = {
        "transformers": Steps(),
        "transformer_weights": Weights(),
        "remainder": Rest(),
        "sparse_threshold": Number(low=0.0, high=1.0),
        "n_jobs": Integer(none=True),
        "verbose": Flag(),
        "verbose_feature_names_out": Flag(),
    }
    fitted_state: ClassVar[dict[str, Any]] = {
        "n_features_in_": Count("d", low=1),
        "feature_names_in_": Names("d", optional=True),
        "fitted_": ListOf(
            Statistic(
                Fitted,
                {
                    "name": Text(),
                    "learner": Either(Inner(), Text(*IDLE)),
                    "columns": Integers("?", low=0, below="d", dtype="int64"),
                    "single": Truth(),
                },
            )
        ),
        "sparse_output_": Truth(),
        "widths_": Integers("?", low=0, dtype="int64"),
    }
    derived = ("named_transformers_", "output_indices_", "transformers_")

    def __init__(
        self,
        transformers: Any = (),
        *,
        remainder: Any = "drop",
        sparse_threshold: float = 0.3,
        n_jobs: int | None = None,
        transformer_weights: Any = None,
        verbose: bool = False,
        verbose_feature_names_out: bool = True,
    ) -> None:
        self.transformers = transformers
        self.remainder = remainder
        self.sparse_threshold = sparse_threshold
        self.n_jobs = n_jobs
        self.transformer_weights = transformer_weights
        self.verbose = verbose
        self.verbose_feature_names_out = verbose_feature_names_out

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters by name; ``deep`` adds the transformers and theirs."""
        found = super().get_params(deep=deep)
        if deep:
            for name, step, _ in self._steps():
                found[name] = step
                if hasattr(step, "get_params") and not isinstance(step, type):
                    found |= {f"{name}__{key}": v for key, v in step.get_params().items()}
        return found

    def set_params(self, **params: Any) -> Any:
        """Change parameters; ``name`` is a transformer, ``name__parameter`` what is in it."""
        if "transformers" in params:
            self.transformers = params.pop("transformers")
        steps = {name: step for name, step, _ in self._steps()}
        for key in [key for key in params if key in steps]:
            steps[key] = params.pop(key)
        if steps:
            made = [(name, steps[name], columns) for name, _, columns in self.transformers]
            if any(new[1] is not old[1] for new, old in zip(made, self.transformers, strict=True)):
                self.transformers = made
        for key in [key for key in params if key.partition("__")[0] in steps]:
            name, _, rest = key.partition("__")
            steps[name].set_params(**{rest: params.pop(key)})
        return super().set_params(**params)

    def _steps(self) -> Any:
        return self.transformers if Steps().accepts(self.transformers) else ()

    @fitting
    def fit(self, X: Any, y: Any = None) -> ColumnTransformer:
        """Fit every transformer to its columns.

        Parameters
        ----------
        X : array (n, d), data frame, Table or sparse matrix
            Rows.
        y : array (n,), optional
            Answers, for transformers that take them.
        """
        self._fit_parts(as_rows(X), y)
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """Fit every transformer to its columns, and transform the rows.

        Parameters
        ----------
        X, y
            As in :meth:`fit`.
        """
        X = X.features() if isinstance(X, Table) else as_rows(X)
        parts = self._learn_parts(_Given(X), y)
        return self._answered(X, parts)

    @fitting
    def _learn_parts(self, X: Any, y: Any = None) -> list[Any]:
        return self._fit_parts(X.rows, y)

    @answers_in_chosen_form
    @answering
    def _answered(self, X: Any, parts: list[Any]) -> Any:  # noqa: ARG002 (its form is asked for)
        return self._joined(parts)

    def _fit_parts(self, X: Any, y: Any) -> list[Any]:
        """Fit the transformers; return what they make of the rows."""
        from sklearn.base import clone

        names, d = self._learn_columns(X)
        taken: set[int] = set()
        self.fitted_, parts = [], []
        labels = [name for name, _, _ in self.transformers]
        if len(set(labels)) != len(labels) or any("__" in str(name) for name in labels):
            msg = f"Names provided are not unique, or hold '__': {labels}"
            raise ParameterError(msg)
        steps = list(self.transformers)
        for name, step, columns in [*steps, ("remainder", self.remainder, None)]:
            if columns is None:
                places = [j for j in range(d) if j not in taken]
                single = False
            else:
                wanted = columns(X) if callable(columns) else columns
                places = chosen(wanted, names, d, X)
                single = isinstance(wanted, (str, int, np.integer))
            taken.update(places)
            if not places and columns is None:
                continue
            own = step if isinstance(step, str) else clone(step)
            fitted = Fitted(str(name), own, np.array(places, dtype=np.int64), single)
            part = self._part(fitted, X)
            if not isinstance(step, str) and places:
                part = fit_transformed(own, part, y)
            self.fitted_.append(fitted)
            parts.append(self._numbers(fitted, part))
            if listening():
                told = [str(names[j]) if names else f"x{j}" for j in places]
                emit("columns", name=str(name), learner=called(step), columns=told)
        self.widths_ = np.array([part.shape[1] for part in parts], dtype=np.int64)
        self.sparse_output_ = self._is_sparse(parts)
        self._derive()
        return parts

    def _learn_columns(self, X: Any) -> tuple[list[Any] | None, int]:
        names = names_of(X)
        self._refuse_shape(X)
        d = int(X.shape[1])
        self.n_features_in_ = d
        vars(self).pop("feature_names_in_", None)
        if names is not None and all(isinstance(name, str) for name in names):
            self.feature_names_in_ = np.array(names, dtype=object)
        return names, d

    def _refuse_shape(self, X: Any) -> None:
        """Refuse what is no table of rows and columns, and complex numbers."""
        kind = getattr(getattr(X, "dtype", None), "kind", "")
        if len(X.shape) != 2 or not all(X.shape) or kind == "c":
            given = X if kind == "c" else np.empty(X.shape)
            read_rows(given, sparse=True, learner=type(self).__name__)

    def _part(self, fitted: Fitted, X: Any) -> Any:
        return part_of(X, fitted.columns.tolist(), single=fitted.single)

    def _numbers(self, fitted: Fitted, part: Any) -> Any:
        """Return what a transformer made as a two-dimensional array or compressed matrix."""
        if fitted.learner == "drop" or not len(fitted.columns):
            return np.empty((part.shape[0], 0))
        if fitted.learner == "passthrough" or not (is_sparse(part) or isinstance(part, np.ndarray)):
            part = plain(part)
        if part.ndim != 2:
            part = part.reshape(len(part), -1)
        weight = (self.transformer_weights or {}).get(fitted.name)
        return part if weight is None else part * weight

    def _is_sparse(self, parts: list[Any]) -> bool:
        if not any(is_sparse(part) and part.shape[1] for part in parts):
            return False
        stored = sum(p.nnz if is_sparse(p) else p.size for p in parts)
        cells = sum(part.shape[0] * part.shape[1] for part in parts)
        return bool(stored < self.sparse_threshold * cells)

    def _derive(self) -> None:
        ends = np.concatenate([[0], np.cumsum(self.widths_)]).tolist()
        self.output_indices_ = {
            fitted.name: slice(ends[i], ends[i + 1]) if ends[i] < ends[i + 1] else slice(0, 0)
            for i, fitted in enumerate(self.fitted_)
        }
        self.output_indices_.setdefault("remainder", slice(0, 0))
        named = vars(self).get("feature_names_in_")
        self.transformers_ = [
            (f.name, f.learner, (f.columns if named is None else named[f.columns]).tolist())
            for f in self.fitted_
        ]
        self.named_transformers_ = {f.name: f.learner for f in self.fitted_}

    def _check_state(self) -> None:
        if len(self.widths_) != len(self.fitted_):
            msg = "there is not one width for each transformer"
            raise DataError(msg)
        for fitted, width in zip(self.fitted_, self.widths_.tolist(), strict=True):
            inner, d = fitted.learner, len(fitted.columns)
            wanted = getattr(inner, "n_features_in_", d)
            made = getattr(inner, "_n_features_out", width)
            if isinstance(inner, str):
                made = 0 if inner == "drop" else d
            elif not hasattr(inner, "transform"):
                msg = f"{fitted.name} has no transform"
                raise DataError(msg)
            if wanted != d or (made != width and d):
                msg = f"{fitted.name} takes or makes another number of columns"
                raise DataError(msg)
        if len({fitted.name for fitted in self.fitted_}) != len(self.fitted_):
            msg = "two transformers have the same name"
            raise DataError(msg)
        super()._check_state()

    @property
    def _n_features_out(self) -> int:
        return int(self.widths_.sum())

    @answers_in_chosen_form
    @answering
    def transform(self, X: Any) -> Any:
        """Return what the transformers make of the rows, side by side.

        Parameters
        ----------
        X : array (n, d), data frame, Table or sparse matrix
            Rows.
        """
        return self._joined(list(self._parts(X)))

    def _parts(self, X: Any) -> Iterator[Any]:
        self._check_fitted()
        for fitted, part in self._given(as_rows(X)):
            made = part
            if not isinstance(fitted.learner, str) and len(fitted.columns):
                made = fitted.learner.transform(part)
            yield self._numbers(fitted, made)

    def _given(self, X: Any) -> Iterator[tuple[Fitted, Any]]:
        """Yield every transformer with its columns, which frames may hold in any order."""
        names, learned = names_of(X), vars(self).get("feature_names_in_")
        if names is None:
            self._refuse_shape(X)
            self._compare_columns(None, int(X.shape[1]))
            for fitted in self.fitted_:
                yield fitted, self._part(fitted, X)
            return
        if learned is None:
            self._compare_columns(None, len(names))
        for fitted in self.fitted_:
            wanted = [learned[j] if learned is not None else names[j] for j in fitted.columns]
            missing = [name for name in wanted if name not in names]
            if missing and fitted.learner != "drop":
                raise SchemaError(
                    f"columns are missing: {missing}.", column=missing[0],
                    remedy="Pass all columns that the transformers learned from.",
                )  # fmt: skip
            places = [names.index(name) for name in wanted if name in names]
            yield fitted, part_of(X, places, single=fitted.single and bool(places))

    def _joined(self, parts: list[Any]) -> Any:
        if self.sparse_output_ and any(part.shape[1] for part in parts):
            from scipy.sparse import csr_matrix, hstack

            return hstack([csr_matrix(p) for p in parts if p.shape[1]]).tocsr()
        dense = [part.toarray() if is_sparse(part) else part for part in parts]
        full = [part for part in dense if part.shape[1]]
        if not full:
            return np.empty((len(dense[0]) if dense else 0, 0))
        return np.hstack(full)

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """Return the names of the columns of the answer.

        Parameters
        ----------
        input_features : array of str, optional
            Names for columns that had none; otherwise they must be those of ``fit``.
        """
        self._check_fitted()
        given = np.asarray(
            self._column_names() if input_features is None else input_features, dtype=object
        )
        found: list[tuple[str, str]] = []
        for fitted in self.fitted_:
            mine = given[fitted.columns]
            if fitted.learner == "drop" or not len(mine):
                continue
            told = mine
            if fitted.learner != "passthrough":
                told = fitted.learner.get_feature_names_out(mine)
            found += [(fitted.name, str(name)) for name in told]
        if self.verbose_feature_names_out:
            return np.array([f"{name}__{column}" for name, column in found], dtype=object)
        columns = [column for _, column in found]
        if doubled := sorted({column for column in columns if columns.count(column) > 1}):
            msg = (
                f"Output feature names: {doubled[:5]} are not unique. Please set "
                "verbose_feature_names_out=True to add prefixes to feature names"
            )
            raise ParameterError(msg)
        return np.array(columns, dtype=object)

    def sources_out(self) -> list[int | None]:
        """Return the number of the column behind each column of the answer, None for mixtures."""
        self._check_fitted()
        found: list[int | None] = []
        for fitted, width in zip(self.fitted_, self.widths_.tolist(), strict=True):
            columns, inner = fitted.columns.tolist(), fitted.learner
            told = getattr(inner, "sources_out", None)
            if told is not None:
                found += [None if place is None else columns[place] for place in told()]
            elif inner == "passthrough" or getattr(inner, "_n_features_out", None) == len(columns):
                found += columns if width == len(columns) else [None] * width
            else:
                found += by_names(inner, columns, width)
        return found

    @answering
    def _explain(self, X: Any) -> list[Explanation]:
        made = [(f, p) for f, p in zip(self.fitted_, self._parts(X), strict=True) if p.shape[1]]
        answers = [p.toarray() if is_sparse(p) else p for _, p in made]
        n = len(answers[0]) if answers else X.shape[0]
        names = np.array(self._column_names(), dtype=object)
        explained = []
        for i in range(n):
            parts = tuple(
                Part(
                    fitted.name,
                    ", ".join(names[fitted.columns]),
                    f"{called(fitted.learner)} made {answer.shape[1]} columns",
                    float(answer.shape[1]),
                )
                for (fitted, _), answer in zip(made, answers, strict=True)
            )
            row = tuple(value for answer in answers for value in answer[i].tolist())
            score = float(sum(part.weight for part in parts))
            told = f"{len(row)} columns from {len(parts)} transformers."
            unit = "columns of the answer"
            explained.append(Explanation(row, "contributions", parts, score, unit, told))
        return explained

    @answering
    def _certify(self, X: Any, y: Any, role: str, confidence: float) -> Certificate:
        """Certify the first transformer that can be certified."""
        for fitted, part in self._given(as_rows(X)):
            hook = getattr(fitted.learner, "_certify", None)
            if hook is not None:
                found: Certificate = hook(part, y, role, confidence)
                return found
        msg = "none of the transformers can be certified"
        raise ParameterError(msg)


class _Given:
    """Rows that no decorator looks into."""

    def __init__(self, rows: Any) -> None:
        self.rows = rows
