"""Minimal cost-complexity pruning: the weakest link, again and again.

Cost: n log n times the depth, for n nodes.

References
----------
.. [1] L. Breiman et al.: Classification and Regression Trees. Wadsworth 1984, section 3.3.
"""

from __future__ import annotations

import heapq

import numpy as np

from learnable.core.compiler import loop


@loop(
    fastmath=False,
    ahead=[("const int64[::1]", "const float64[::1]", "float64[::1]", "float64[::1]",
            "int64[::1]")],
)  # fmt: skip
def weakest_links(parent, risk, strengths, risks, order):
    """Cut nodes to leaves, the weakest first; return how many were cut.

    ``strengths[k]`` is the least penalty a leaf at which node ``order[k]`` is cut, ``risks[k]``
    the risk of the whole tree after that.
    """
    n = parent.shape[0]
    leaves, below, inner = _sums_below(parent, risk)
    version = np.zeros(n, np.int64)
    gone = np.zeros(n, np.bool_)
    heap = [(0.0, np.int64(-1), np.int64(0))]
    heap.pop()
    for node in range(n):
        if inner[node]:
            heapq.heappush(heap, (_strength(risk, below, leaves, node), node, version[node]))
    count = 0
    while heap:
        strength, node, seen = heapq.heappop(heap)
        if gone[node] or seen != version[node] or not inner[node]:
            continue
        more, fewer = risk[node] - below[node], leaves[node] - 1
        inner[node] = False
        leaves[node], below[node] = 1, risk[node]
        above = parent[node]
        while above >= 0:
            leaves[above] -= fewer
            below[above] += more
            version[above] += 1
            heapq.heappush(heap, (_strength(risk, below, leaves, above), above, version[above]))
            above = parent[above]
        strengths[count], risks[count], order[count] = strength, below[0], node
        count += 1
        for child in range(node + 1, n):
            if parent[child] < node:
                break
            gone[child] = True
    return count


@loop(fastmath=False)
def _strength(risk, below, leaves, node):
    return (risk[node] - below[node]) / (leaves[node] - 1)


@loop(fastmath=False)
def _sums_below(parent, risk):
    """Count the leaves below every node, and sum their risk."""
    n = parent.shape[0]
    leaves, below, inner = np.zeros(n, np.int64), np.zeros(n), np.zeros(n, np.bool_)
    for node in range(1, n):
        inner[parent[node]] = True
    for node in range(n - 1, -1, -1):
        if not inner[node]:
            leaves[node], below[node] = 1, risk[node]
        if node:
            leaves[parent[node]] += leaves[node]
            below[parent[node]] += below[node]
    return leaves, below, inner
