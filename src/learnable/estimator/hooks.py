"""``explain`` and ``certify``: they ask the learner, and carry its answer through pipelines."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from learnable.core.certificate import Certificate, check_confidence
from learnable.core.errors import DataError, ParameterError, not_fitted
from learnable.core.explanation import Explanation, Part
from learnable.core.loaded import loaded
from learnable.data import Table, is_frame, is_sparse
from learnable.data.reading import as_frame, native_names

ROLES = ("test", "train")


class Chain(NamedTuple):
    """A pipeline taken apart: the steps before the last learner, and the learner."""

    steps: tuple[Any, ...]
    last: Any


def taken_apart(model: Any) -> Chain:
    """Return the transformers of a pipeline and its last learner (a learner is a chain of one)."""
    pipeline = loaded("sklearn.pipeline", "Pipeline")
    if pipeline is None or not isinstance(model, pipeline):
        return Chain((), model)
    steps = [step for _, step in model.steps if step is not None and step != "passthrough"]
    if not steps:
        msg = "an empty pipeline has nothing to explain or certify"
        raise ParameterError(msg)
    inner = taken_apart(steps[-1])
    return Chain((*steps[:-1], *inner.steps), inner.last)


def _hook(chain: Chain, name: str, question: str) -> Callable[..., Any]:
    hook = getattr(chain.last, name, None)
    if hook is None:
        msg = (
            f"{type(chain.last).__name__} cannot {question}; it is not a learner of this library "
            "(or of a class with the same hooks)"
        )
        raise ParameterError(msg)
    for step in (*chain.steps, chain.last):
        fitted = getattr(step, "__sklearn_is_fitted__", None)
        if fitted is not None and not fitted():
            raise not_fitted(step)
    return hook  # type: ignore[no-any-return]


def _carried(chain: Chain, X: Any) -> Any:
    for step in chain.steps:
        X = step.transform(X)
    return X


def explain(model: Any, X: Any) -> list[Explanation]:
    """Give the reasons for the answers of a fitted model, one explanation a row.

    Parameters
    ----------
    model : learner or scikit-learn pipeline that ends in one
        The fitted model.
    X : array, data frame or sparse matrix
        Rows to explain.

    Returns
    -------
    list of Explanation
        In the names of the original columns, through any preprocessing.

    Examples
    --------
    >>> import learnable
    >>> from learnable.naive_bayes import GaussianNB
    >>> model = GaussianNB().fit([[0.0], [2.0], [8.0], [10.0]], ["low", "low", "high", "high"])
    >>> why = learnable.explain(model, [[1.5]])[0]
    >>> why.prediction, abs(round(sum(part.weight for part in why.parts) - why.score, 12))
    ('low', 0.0)
    """
    chain = taken_apart(model)
    answers = _hook(chain, "_explain", "explain")(_carried(chain, X))
    return _in_original_columns(chain, X, answers) if chain.steps else answers


def _in_original_columns(chain: Chain, X: Any, answers: list[Explanation]) -> list[Explanation]:
    """Rename the parts from the last learner's columns to those that came in, with their values."""
    names = _names_before(chain, X)
    outputs, sources, summed = _traced(chain.steps, names)
    inner = _learner_names(chain.last, len(outputs))
    labels = [
        names[source] if source is not None and sources.count(source) == 1 else name
        for name, source in zip(outputs, sources, strict=True)
    ]
    original = dict(zip(inner, zip(labels, sources, strict=True), strict=True))
    cells = X.tocsr() if is_sparse(X) else X.features_as(names) if isinstance(X, Table) else X

    def renamed(i: int, answer: Explanation) -> Explanation:
        told = [part.label for part in answer.parts]
        found: dict[Any, list[Part]] = {}
        for number, part in enumerate(answer.parts):
            if part.value == "" and told.count(part.label) > 1:
                found[number, None] = [part]  # not of a column, but of the same name as one
                continue
            label, source = original.get(part.label, (part.label, None))
            value = part.value if source is None else _cell(cells, i, source)
            shared = source in summed and answer.kind == "contributions"
            key = (None, source) if shared else (number, None)
            found.setdefault(key, []).append(part._replace(label=label, value=value))
        parts = (_summed(same, names, source) for (_, source), same in found.items())
        return replace(answer, parts=tuple(parts))

    return [renamed(i, answer) for i, answer in enumerate(answers)]


def _summed(parts: list[Part], names: list[str], source: int | None) -> Part:
    """Return the contributions of the numbers that one column became as one."""
    if source is None or len(parts) == 1:
        return parts[0] if source is None else parts[0]._replace(label=names[source])
    heaviest = max(parts, key=lambda part: abs(part.weight))
    told = f"{heaviest.label}: {heaviest.evidence}" if heaviest.evidence else heaviest.label
    weight = sum(part.weight for part in parts)
    return Part(names[source], heaviest.value, told, weight)


def _traced(
    steps: tuple[Any, ...], names: list[str]
) -> tuple[list[str], list[int | None], set[int | None]]:
    """Follow the columns through the steps.

    Returns the names of the last columns, the number of the original column behind each (None if
    there is no single one), and the originals that became several numbers, whose contributions
    belong together: those of steps that say so (``sources_out``).
    """
    sources: list[int | None] = list(range(len(names)))
    summed: set[int | None] = set()
    for step in steps:
        outputs = _names_after((step,), names)
        told = getattr(step, "sources_out", None)
        if told is None:
            behind = [_source(name, names) for name in outputs]
            places = [None if name is None else names.index(name) for name in behind]
        else:
            places = list(told())
        sources = [None if place is None else sources[place] for place in places]
        if told is not None:
            summed |= {source for source in sources if source is not None}
        names = outputs
    return names, sources, summed


def _source(name: str, names: list[str]) -> str | None:
    """Return the original column behind a name, which unions of transformers prefix."""
    while name not in names:
        _, prefixed, name = name.partition("__")
        if not prefixed:
            return None
    return name


def _names_before(chain: Chain, X: Any) -> list[str]:
    if getattr(chain.steps[0], "takes_documents", False):
        return []  # a document has no columns; its words are the names that come out
    named = getattr(chain.steps[0], "feature_names_in_", None)
    if named is None and is_frame(X):
        named = native_names(X)
    width = X.shape[1] if hasattr(X, "shape") else len(X[0])
    return [str(name) for name in named] if named is not None else [f"x{j}" for j in range(width)]


def _names_after(steps: tuple[Any, ...], names: list[str]) -> list[str]:
    for step in steps:
        told = getattr(step, "get_feature_names_out", None)
        if told is None:
            msg = (
                f"{type(step).__name__} does not tell the names of its columns "
                "(get_feature_names_out), so that its answers cannot be explained in the original "
                "ones; a FunctionTransformer tells them with feature_names_out='one-to-one'"
            )
            raise ParameterError(msg)
        names = [str(name) for name in told(names)]
    return names


def _learner_names(learner: Any, width: int) -> list[str]:
    named = getattr(learner, "feature_names_in_", None)
    return [str(name) for name in named] if named is not None else [f"x{j}" for j in range(width)]


def _cell(X: Any, i: int, j: int) -> Any:
    if isinstance(X, Table):
        return X.cell(i, j)
    table = as_frame(X) if is_frame(X) else X
    value = table[i, j] if hasattr(table, "shape") else table[i][j]
    return value.item() if isinstance(value, np.generic) else value


def certify(
    model: Any, X: Any, y: Any = None, *, role: str = "test", confidence: float = 0.95
) -> Certificate:
    """Say what can be promised about a fitted model, on the evidence of these rows.

    Parameters
    ----------
    model : learner or scikit-learn pipeline that ends in one
        The fitted model.
    X : array, data frame or sparse matrix
        Rows of evidence.
    y : array, optional
        Their true answers, where the model has answers.
    role : {"test", "train"}, default="test"
        What the rows were to the model: rows it never saw, or the rows it learned from.
    confidence : float, default=0.95
        How often, at least, statements made this way are true.

    Returns
    -------
    Certificate
        The headline, fixed by the kind of model before the data are seen; more statements in
        ``further``.

    Examples
    --------
    >>> import learnable
    >>> from learnable.datasets import load_iris
    >>> from learnable.naive_bayes import GaussianNB
    >>> X, y = load_iris(return_X_y=True)
    >>> model = GaussianNB().fit(X[::2], y[::2])
    >>> certificate = learnable.certify(model, X[1::2], y[1::2])
    >>> certificate.kind, round(certificate.low, 3)
    ('guaranteed', 0.888)
    """
    if role not in ROLES:
        msg = f"role must be one of {', '.join(ROLES)}, not {role!r}"
        raise ParameterError(msg)
    chain = taken_apart(model)
    hook = _hook(chain, "_certify", "certify")
    if y is None and getattr(chain.last, "kind", None) in {"classifier", "regressor"}:
        y = X.target() if isinstance(X, Table) else None
        if y is None:
            raise DataError("Certifying answers needs the true ones.", remedy="Pass y.")
    return hook(_carried(chain, X), y, role, check_confidence(confidence))  # type: ignore[no-any-return]
