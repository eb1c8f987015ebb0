"""Numbering the nodes of a tree from the root down, each subtree in one run."""

from __future__ import annotations

import numpy as np

from learnable.core.compiler import loop


@loop(ahead=[("const int64[::1]", "const int64[::1]", "int64[::1]")])
def preorder(begin, count, order):
    """Write the nodes in their new order; the branches of ``k`` are ``begin[k] + 0, 1, ...``."""
    waiting = np.empty(order.shape[0], np.int64)
    waiting[0], top = 0, 1
    for at in range(order.shape[0]):
        top -= 1
        node = waiting[top]
        order[at] = node
        for b in range(count[node] - 1, -1, -1):
            waiting[top] = begin[node] + b
            top += 1
