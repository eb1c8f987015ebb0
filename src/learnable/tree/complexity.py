"""Cost-complexity pruning: the sequence of best subtrees of every size.

    R_alpha(T) = R(T) + alpha |leaves of T|

The least of it, for rising alpha, is taken by ever smaller subtrees of one tree, each in the one
before (Breiman et al. 1984, theorem 3.10).

Cost: n log n times the depth, for n nodes.

References
----------
.. [1] L. Breiman et al.: Classification and Regression Trees. Wadsworth 1984, chapter 3.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from learnable.loops.tree_prune import weakest_links
from learnable.stats.arrays import Floats, frozen
from learnable.tree.structure import Nodes


class Links(NamedTuple):
    """The nodes in the order in which they are cut, each with its strength and the risk then."""

    order: NDArray[np.int64]
    strength: Floats
    risk: Floats


def links_of(nodes: Nodes) -> Links:
    """Return the weakest links of a tree in order; its risk is the impurity of its leaves."""
    risk = nodes.weight * nodes.impurity / nodes.weight[0]
    n = nodes.count
    strength, risks, order = np.empty(n), np.empty(n), np.empty(n, np.int64)
    count = weakest_links(frozen(nodes.parent), frozen(risk), strength, risks, order)
    return Links(order[:count], strength[:count], risks[:count])


def pruned_at(nodes: Nodes, alpha: float) -> Nodes:
    """Return the smallest subtree of least ``R_alpha``."""
    if alpha <= 0.0:
        return nodes
    links = links_of(nodes)
    # A link may be weaker than one before it by rounding alone.
    strongest = np.maximum.accumulate(links.strength)
    return cut_at(nodes, links.order[strongest <= alpha])


def path_of(nodes: Nodes) -> dict[str, Any]:
    """Return every alpha at which the best subtree changes, and the risk of its leaves there."""
    links = links_of(nodes)
    strongest = np.maximum.accumulate(links.strength) if len(links.strength) else links.strength
    last = np.append(strongest[1:] != strongest[:-1], [True])[: len(strongest)]
    leaves = nodes.leaves
    whole = float((nodes.weight * nodes.impurity)[leaves].sum() / nodes.weight[0])
    return {
        "ccp_alphas": np.concatenate([[0.0], strongest[last]]),
        "impurities": np.concatenate([[whole], links.risk[last]]),
    }


def cut_at(nodes: Nodes, cut: Any) -> Nodes:
    """Return the tree with some nodes made leaves."""
    stop = np.zeros(nodes.count, np.bool_)
    stop[cut] = True
    gone = np.zeros(nodes.count, np.bool_)
    parent = nodes.parent
    for node in range(1, nodes.count):
        gone[node] = gone[parent[node]] or stop[parent[node]]
    return kept(nodes, ~gone, stop)


def kept(nodes: Nodes, keep: NDArray[np.bool_], stop: NDArray[np.bool_]) -> Nodes:
    """Return some of the nodes as a tree; those of ``stop`` are leaves."""
    new = np.cumsum(keep) - 1
    inner = keep & ~stop & (nodes.column >= 0)
    sizes = np.where(inner, np.diff(nodes.first), 0)[keep]
    codes = np.where(inner, np.diff(nodes.table), 0)[keep]
    child_of = np.repeat(np.arange(nodes.count), np.diff(nodes.first))
    code_of = np.repeat(np.arange(nodes.count), np.diff(nodes.table))
    return nodes._replace(
        column=np.where(inner, nodes.column, -1)[keep].astype(np.int32),
        threshold=np.where(inner, nodes.threshold, 0.0)[keep],
        nominal=np.where(inner, nodes.nominal, 0)[keep].astype(np.uint8),
        missing=np.where(inner, nodes.missing, -1)[keep].astype(np.int32),
        first=np.concatenate([[0], np.cumsum(sizes)]).astype(np.int32),
        children=new[nodes.children[inner[child_of]]].astype(np.int32),
        table=np.concatenate([[0], np.cumsum(codes)]).astype(np.int32),
        codes=nodes.codes[inner[code_of]],
        branches=nodes.branches[inner[code_of]],
        impurity=nodes.impurity[keep],
        rows=nodes.rows[keep],
        weight=nodes.weight[keep],
        value=nodes.value[keep],
    )
