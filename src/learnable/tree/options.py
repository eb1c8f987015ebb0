"""What the parameters of trees may be, and what they come to for a table."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from learnable.core.errors import ParameterError
from learnable.core.trace import emit, listening
from learnable.estimator.params import (
    ArrayLike,
    Choice,
    Either,
    Integer,
    Number,
    Seed,
    generator,
)
from learnable.stats.arrays import Floats
from learnable.tree.drawing import Drawing
from learnable.tree.growing import Growth, Stopping


class AnyValue:
    """Whatever the learner itself judges."""

    def accepts(self, value: Any) -> bool:  # noqa: ARG002
        """Accept it."""
        return True

    def __str__(self) -> str:
        return "anything"


class CriterionRule:
    """A word, or a criterion record."""

    def __init__(self, words: Any) -> None:
        self.words = words

    def accepts(self, value: Any) -> bool:
        """Whether it is a known word or a record with the rules of a criterion."""
        known = isinstance(value, str) and value in self.words
        return known or type(value) in set(self.words.values())

    def __str__(self) -> str:
        return f"one of {', '.join(map(repr, self.words))}, or a criterion record"


class ClassWeights:
    """A dictionary from labels to weights."""

    def accepts(self, value: Any) -> bool:
        """Whether the value is a dictionary of weights that are not negative."""
        return isinstance(value, dict) and all(Number(low=0.0).accepts(w) for w in value.values())

    def __str__(self) -> str:
        return "a dictionary from labels to weights that are not negative"


SHARE = Either(Integer(low=1), Number(low=0.0, high=1.0, open=True))
COMMON = {
    "splitter": Choice("best"),
    "max_depth": Integer(low=1, none=True),
    "min_samples_split": Either(Integer(low=2), Number(low=0.0, high=1.0, open=True)),
    "min_samples_leaf": SHARE,
    "min_weight_fraction_leaf": Number(low=0.0, high=0.5),
    "max_features": Either(Choice(None, "sqrt", "log2"), SHARE),
    "random_state": Seed(),
    "max_leaf_nodes": Integer(low=2, none=True),
    "min_impurity_decrease": Number(low=0.0),
    "ccp_alpha": Number(low=0.0),
    "categorical_features": Either(Choice("from_dtype", None), ArrayLike()),
    "nominal": Choice("multiway", "subset"),
    "max_bins": Integer(low=2, none=True),
    "missing": Choice("learned", "own", "majority"),
    "thresholds": AnyValue(),
}
POLICY = {"learned": "learned", "own": "own", "majority": "known"}


def count_of(stated: Any, n: int, least: int = 1) -> int:
    """Return a number of rows: a whole number is taken as it is, another as a share of ``n``."""
    if isinstance(stated, (int, np.integer)):
        return int(stated)
    return max(math.ceil(stated * n), least)


def column_count(stated: Any, d: int) -> int:
    """Return how many columns a node looks at."""
    if stated is None:
        return d
    if stated == "sqrt":
        return max(1, int(math.sqrt(d)))
    if stated == "log2":
        return max(1, int(math.log2(d)))
    if isinstance(stated, (int, np.integer)):
        return min(int(stated), d)
    return max(1, int(stated * d))


def stopping_of(model: Any, n: int, weight: Floats) -> Stopping:
    """Return when nodes become leaves, by the parameters of a model."""
    total = float(weight.sum()) if len(weight) else float(n)
    least = count_of(model.min_samples_leaf, n)
    return Stopping(
        max_depth=1 << 30 if model.max_depth is None else int(model.max_depth),
        min_samples_split=max(count_of(model.min_samples_split, n, 2), 2 * least),
        min_samples_leaf=least,
        min_weight_leaf=float(model.min_weight_fraction_leaf) * total,
        max_leaf_nodes=0 if model.max_leaf_nodes is None else int(model.max_leaf_nodes),
        min_impurity_decrease=float(model.min_impurity_decrease),
    )


def drawing_of(model: Any, d: int) -> Drawing | None:
    """Return what is drawn: nothing, where every node looks at all columns."""
    most = column_count(model.max_features, d)
    return None if most >= d else Drawing(most, generator(model.random_state))


def thresholds_of(stated: Any, names: list[str]) -> dict[int, Floats]:
    """Return the stated thresholds by the numbers of the columns."""
    if stated is None:
        return {}
    if not isinstance(stated, dict):
        msg = f"thresholds must be a dictionary from columns to lists of numbers, not {stated!r}"
        raise ParameterError(msg)
    found = {}
    for key, values in stated.items():
        j = names.index(key) if key in names else key
        array = np.unique(np.asarray(values, dtype=np.float64))
        if not isinstance(j, (int, np.integer)) or not 0 <= j < len(names) or not array.size:
            msg = f"thresholds: {key!r} is no column, or has no threshold"
            raise ParameterError(msg)
        if not np.isfinite(array).all():
            msg = f"thresholds of {key!r} must be finite numbers"
            raise ParameterError(msg)
        found[int(j)] = array
    return found


def teller(names: list[str]) -> Any:
    """Return what tells the trace of every decision, None if nobody listens."""
    if not listening():
        return None

    def tell(nodes, ranked, found, near, column, good, growth: Growth) -> None:  # noqa: ANN001
        grown = growth.grown
        for k, node in enumerate(nodes.tolist()):
            scores = ranked[k] / grown.weight[node]
            order = np.sort(scores)[::-1]
            known = order[np.isfinite(order)]
            emit(
                "split" if good[k] else "leaf",
                node,
                rows=int(grown.end[node] - grown.start[node]),
                impurity=float(grown.impurity[node]),
                column=names[column[k]] if good[k] else None,
                margin=float(known[0] - known[1]) if len(known) > 1 else None,
                tie=bool(near[k].sum() > 1) if good[k] else False,
                candidates={
                    name: float(score)
                    for name, score in zip(names, scores.tolist(), strict=True)
                    if np.isfinite(score)
                },
                tried=int(np.maximum(found.tried[k], 0).sum()),
            )

    return tell
