"""How model files keep trees."""

from __future__ import annotations

from learnable.estimator.state import Floats, Integers, Statistic
from learnable.estimator.statistic_state import HEAVIEST
from learnable.tree.structure import Nodes


def nodes_state(width: str, *, shares: bool) -> Statistic:
    """Declare the nodes of a tree whose values have a width.

    Examples
    --------
    >>> from learnable.tree.state import nodes_state
    >>> fitted_state = {"nodes_": nodes_state("K", shares=True)}
    """
    value = Floats("?", width, low=0.0, high=1.0) if shares else Floats("?", width)
    return Statistic(
        Nodes,
        {
            "column": Integers("?", low=-1, below="d", dtype="int32"),
            "threshold": Floats("?", infinite=True, dtype="float64"),
            "nominal": Integers("?", low=0, high=1, dtype="uint8"),
            "missing": Integers("?", low=-1, dtype="int32"),
            "first": Integers("?", low=0, dtype="int32"),
            "children": Integers("?", low=1, dtype="int32"),
            "table": Integers("?", low=0, dtype="int32"),
            "codes": Integers("?", low=0, dtype="int32"),
            "branches": Integers("?", low=0, dtype="int32"),
            "impurity": Floats("?", low=0.0, dtype="float64"),
            "rows": Integers("?", low=0, dtype="int64"),
            "weight": Floats("?", low=0.0, high=HEAVIEST, dtype="float64"),
            "value": value,
        },
    )
