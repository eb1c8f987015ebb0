"""How many bits a tree takes, in a code that is fixed before any row is seen.

Every node takes a bit that says whether it asks. A question takes ``log2 d`` bits for the column,
64 for the threshold (any float64) or ``log2 (B + 1)`` for each value of a nominal column (one of
its B branches, or none), and ``log2 B`` for where missing cells go. A leaf takes ``log2 K``.
"""

from __future__ import annotations

from math import log2
from typing import Any

import numpy as np

from learnable.tree.reading import sizes_of
from learnable.tree.structure import Nodes

_FLOAT = 64


def description_length(nodes: Nodes, schema: Any, d: int, k: int) -> float:
    """Return the bits that a classification tree takes.

    Examples
    --------
    >>> from learnable.tree import DecisionTreeClassifier
    >>> from learnable.tree.length import description_length
    >>> tree = DecisionTreeClassifier().fit([[0.0], [1.0]], ["no", "yes"])
    >>> description_length(tree.nodes_, None, 1, 2)
    70.0
    """
    sizes, branches = sizes_of(schema, d), np.diff(nodes.first)
    bits = 0.0
    for node in range(nodes.count):
        column = int(nodes.column[node])
        bits += 1.0
        if column < 0:
            bits += log2(k)
            continue
        bits += log2(d) + log2(branches[node])
        if not nodes.nominal[node]:
            bits += _FLOAT
        else:
            bits += float(sizes[column]) * log2(branches[node] + 1)
    return bits
