"""Growing: one engine for all trees, node after node in batches.

A batch of nodes is described (their sums), searched (the best cut of every column), decided (the
best column) and divided; the branches wait until their turn. Only describing and searching are
compiled for the criterion. Nothing depends on the number of threads, nor on which nodes share a
batch.

Cost: the rows of all nodes times the columns, in batches of a bounded number of rows.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from learnable.core.pool import thread_count
from learnable.loops.tree_divide import (
    branch_by_cut,
    branch_by_entries,
    branch_by_members,
    count_branches,
    divide_entries,
    divide_rows,
)
from learnable.loops.tree_groups import search_coded
from learnable.loops.tree_order import ROW
from learnable.loops.tree_search import (
    KNOWN,
    LEARNED,
    MULTIWAY,
    ORDERED,
    OWN,
    Found,
    SearchRules,
    State,
    describe_nodes,
    search_sorted,
)
from learnable.stats.arrays import NO_WEIGHTS, Floats, frozen
from learnable.tree.columns import Columns, middle_of, run_tasks
from learnable.tree.drawing import Drawing
from learnable.tree.grown import Grown, Splits, Tables
from learnable.tree.structure import Nodes

_BATCH = 1 << 16
_EPSILON = np.finfo(np.float64).eps
_MISSING = {"learned": LEARNED, "known": KNOWN, "own": OWN}
Ints = NDArray[np.int64]


class Stopping(NamedTuple):
    """When a node becomes a leaf.

    Attributes
    ----------
    max_depth : int
        Questions on a path.
    min_samples_split, min_samples_leaf : int
        Rows of a node that is divided, and of every branch.
    min_weight_leaf : float
        Weight of every branch.
    max_leaf_nodes : int
        Leaves of the tree; 0 for any number.
    min_impurity_decrease : float
        Least gain, as a share of the weight of all rows.
    least_gain : float
        A split must gain more than this share of the node's weight; -1 takes any split.
    """

    max_depth: int = 1 << 30
    min_samples_split: int = 2
    min_samples_leaf: int = 1
    min_weight_leaf: float = 0.0
    max_leaf_nodes: int = 0
    min_impurity_decrease: float = 0.0
    least_gain: float = -1.0


@dataclass(frozen=True)
class Plan:
    """Everything that growing depends on beside the data.

    Attributes
    ----------
    criterion : record
        What a split is judged by.
    stopping : Stopping
        When a node becomes a leaf.
    missing : {"learned", "own", "known"}
        Whether missing cells go to the better side, have a branch of their own, or are left out of
        the score and go to the larger side.
    boundary : bool
        Whether only cuts between different classes are looked at.
    observed : bool
        Whether thresholds are values of the column.
    rank : function, optional
        From the gains of all columns and their split information to what is compared.
    drawing : Drawing, optional
        Which columns, and which cuts, are drawn.
    tell : function, optional
        Hears of every decision.
    """

    criterion: Any
    stopping: Stopping = field(default_factory=Stopping)
    missing: str = "learned"
    boundary: bool = False
    observed: bool = False
    rank: Callable[[Floats, Found, Floats], Floats] | None = None
    drawing: Drawing | None = None
    tell: Callable[..., None] | None = None


class Growth:
    """A tree that grows."""

    def __init__(self, columns: Columns, y: Any, weight: Floats, plan: Plan, width: int) -> None:
        self.columns, self.y, self.plan, self.width = columns, frozen(y), plan, width
        self.size = width + (y.dtype.kind != "f")
        self.form = plan.criterion.lowered()
        self.rows = columns.rows.copy()
        self.row_weight = frozen(weight)
        self.weight = weight[self.rows] if len(weight) else np.empty(0)
        self.logs = _log_table(len(self.rows)) if not len(weight) else NO_WEIGHTS
        self.branch = np.empty(columns.source.n, np.int32)
        self.presorted, self.coded = columns.lines(True), columns.lines(False)[::1]
        stop = plan.stopping
        self.rules = SearchRules(
            np.int64(stop.min_samples_leaf), np.float64(stop.min_weight_leaf),
            np.int64(_MISSING[plan.missing]), np.int64(plan.boundary), np.float64(0.0),
            np.float64(0.0),
        )  # fmt: skip
        self.grown = Grown(width)

    def run(self) -> Nodes:
        """Grow until every node is a leaf or divided."""
        root = self.grown.add(
            np.array([-1]), np.array([0]), np.array([len(self.rows)]), np.array([0])
        )
        if self.plan.stopping.max_leaf_nodes:
            self._best_first(root)
        else:
            self._in_batches(root)
        return self.grown.numbered()

    def _in_batches(self, root: Ints) -> None:
        waiting, grown = root, self.grown
        while len(waiting):
            sizes = (grown.end - grown.start)[waiting[::-1]]
            many = max(int(np.searchsorted(np.cumsum(sizes), _BATCH, side="right")), 1)
            batch, waiting = waiting[::-1][:many], waiting[: len(waiting) - many]
            children = self._divide(self._decide(batch))
            waiting = np.concatenate([waiting, children[::-1]])

    def _best_first(self, root: Ints) -> None:
        """Divide the node that gains most, until there are leaves enough."""
        waiting: list[tuple[float, int, Splits]] = []

        def consider(nodes: Ints) -> None:
            splits = self._decide(nodes)
            for k in range(len(splits.node)):
                one = Splits(*(array[k : k + 1] for array in splits))
                heapq.heappush(waiting, (-float(one.gain[0]), int(one.node[0]), one))

        consider(root)
        leaves = 1
        while waiting:
            _, _, split = heapq.heappop(waiting)
            if leaves + 1 > self.plan.stopping.max_leaf_nodes:
                break
            children = self._divide(split)
            leaves += len(children) - 1
            consider(children)

    def _decide(self, nodes: Ints) -> Splits:
        """Describe nodes, search those that may be divided, and choose."""
        grown, m = self.grown, self.y.shape[1]
        starts, ends = grown.start[nodes], grown.end[nodes]
        b = len(nodes)
        state = State(
            np.zeros((b, self.size)), np.zeros((b, m)), np.empty(b), np.empty(b), np.empty(b)
        )
        values, impurities = np.empty((b, self.width)), np.empty(b)
        describe_nodes(
            self.form, frozen(self.rows), frozen(self.weight), frozen(starts), frozen(ends), self.y,
            state, values, impurities, self.logs,
        )  # fmt: skip
        grown.describe(nodes, state.weights, impurities, values)
        stop = self.plan.stopping
        n = ends - starts
        inner = (
            (grown.depth[nodes] < stop.max_depth)
            & (n >= stop.min_samples_split)
            & (n >= 2 * stop.min_samples_leaf)
            & (state.weights >= 2.0 * stop.min_weight_leaf)
            & (impurities > _EPSILON)
        )
        state = State(*(frozen(np.ascontiguousarray(array[inner])) for array in state))
        return self._choose(nodes[inner], state)

    def _choose(self, nodes: Ints, state: State) -> Splits:
        found = self._search(nodes, state)
        gain = found.gain
        ranked = gain if self.plan.rank is None else self.plan.rank(gain, found, state.weights)
        best = ranked.max(axis=1, initial=-np.inf)
        with np.errstate(invalid="ignore"):
            near = ranked >= (best - state.slacks)[:, None]
        column = near.argmax(axis=1)
        at = np.arange(len(nodes))
        chosen = gain[at, column]
        stop = self.plan.stopping
        share = chosen / (self.grown.weight_of_all * self.form.outputs)
        good = np.isfinite(best) & (share + _EPSILON >= stop.min_impurity_decrease)
        good &= chosen > stop.least_gain * state.weights
        if self.plan.tell is not None:
            self.plan.tell(nodes, ranked, found, near, column, good, self)
        line = at[good]
        pick = tuple(array[line, column[line]] for array in found)
        by = dict(zip(Found._fields, pick, strict=True))
        return Splits(
            nodes[line], column[line], by["gain"], by["cut"], by["after"], by["side"], by["left"],
            by["known"], by["rows"],
        )  # fmt: skip

    def _search(self, nodes: Ints, state: State) -> Found:
        """Return the best cut of every node and column."""
        b, d = len(nodes), self.columns.d
        allowed = None
        if self.plan.drawing is not None:
            allowed = self.plan.drawing.columns(nodes, d)
        found = self._search_allowed(nodes, state, allowed)
        if allowed is not None and b:
            # Where none of the drawn columns can be cut, the others are asked too.
            none = ~np.isfinite(found.gain).any(axis=1)
            if none.any():
                others = np.zeros_like(allowed)
                others[none] = ~allowed[none]
                more = self._search_allowed(nodes, state, others)
                for mine, theirs in zip(found, more, strict=True):
                    mine[none] = theirs[none]
        return found

    def _search_allowed(self, nodes: Ints, state: State, allowed: Any) -> Found:
        b, d = len(nodes), self.columns.d
        found = _no_cuts(d, b)
        starts = frozen(np.ascontiguousarray(self.grown.start[nodes]))
        ends = frozen(np.ascontiguousarray(self.grown.end[nodes]))
        work = int((ends - starts).sum())
        tasks = [(True, part) for part in _parts(len(self.presorted), work)]
        tasks += [(False, part) for part in _parts(len(self.coded), work)]

        def search(task: tuple[bool, range]) -> None:
            presorted, part = task
            owner = self.presorted if presorted else self.coded
            at = np.tile(np.arange(b), len(part))
            lines = np.repeat(np.arange(part.start, part.stop), b)
            if allowed is not None:
                keep = allowed[at, owner[lines]]
                at, lines = at[keep], lines[keep]
            if not len(at):
                return
            some = self._pairs(presorted, at, lines, starts, ends, state)
            for whole, part_found in zip(found, some, strict=True):
                whole[owner[lines], at] = part_found

        for _ in run_tasks(search, tasks, work * d):
            pass
        return Found(*(array.T for array in found))

    def _pairs(
        self, presorted: bool, at: Ints, lines: Ints, starts: Ints, ends: Ints, state: State
    ) -> Found:
        found = Found(*(array[:, 0] for array in _no_cuts(len(at), 1)))
        columns = self.columns
        if presorted:
            search_sorted(
                self.form, frozen(columns.entries), columns.holes, frozen(at), frozen(lines),
                starts, ends, self.y, self.row_weight, state, self.logs, self.rules, found,
            )  # fmt: skip
        else:
            none = np.empty(0, np.int32)
            self._coded_pairs(at, lines, starts, ends, state, found, none, np.empty(0, np.int64))
        return found

    def _coded_pairs(
        self,
        at: Ints,
        lines: Ints,
        starts: Ints,
        ends: Ints,
        state: State,
        found: Found,
        members: Any,
        last: Ints,
    ) -> None:
        columns = self.columns
        search_coded(
            self.form, frozen(columns.codes), frozen(columns.modes), frozen(columns.sizes),
            frozen(at), frozen(lines), starts, ends, frozen(self.rows), frozen(self.weight),
            self.y, state, self.logs, self.rules, found, members, frozen(last),
        )  # fmt: skip

    def _divide(self, splits: Splits) -> Ints:
        """Divide the rows of nodes among new ones; return these."""
        if not len(splits.node):
            return np.empty(0, np.int64)
        grown, columns = self.grown, self.columns
        starts, ends = grown.start[splits.node], grown.end[splits.node]
        slot = columns.slot[splits.column]
        larger = (splits.left < splits.known - splits.left).astype(np.int64)
        own = self._own_branch(slot)
        side = np.where(own, 2, np.where(splits.side >= 0, splits.side, larger))
        threshold = self._thresholds(splits, starts, slot)
        presorted = slot >= 0
        if presorted.any():
            k = presorted
            branch_by_entries(
                frozen(columns.entries),
                *_places(slot[k], starts[k], ends[k], splits.cut[k], side[k], splits.rows[k]),
                self.branch,
            )
        tables = self._mark_coded(splits, starts, ends, slot, side, own)
        firsts, sizes = self._counted(splits, starts, ends, tables, own)
        children = grown.divide(splits, threshold, side, tables, firsts, sizes)
        self._move(starts, ends, firsts, sizes, grown.depth[children[firsts[:-1]]])
        return children

    def _thresholds(self, splits: Splits, starts: Ints, slot: Ints) -> Floats:
        columns = self.columns
        threshold = np.zeros(len(slot))
        k = np.flatnonzero(slot >= 0)
        if len(k):
            at = starts[k] + splits.cut[k]
            inside = splits.cut[k] < splits.rows[k]
            low = columns.cells(columns.entries[slot[k], at - 1] & ROW, splits.column[k])
            after = np.where(inside, at, at - 1)
            high = columns.cells(columns.entries[slot[k], after] & ROW, splits.column[k])
            between = low if self.plan.observed else middle_of(low, high)
            self._put_edges(between, slot[k], low)
            threshold[k] = np.where(inside, between, np.inf)
        for k in np.flatnonzero(slot < 0).tolist():
            values = columns.values[-1 - slot[k]]
            if values is not None:
                threshold[k] = _between(values, splits.cut[k], splits.after[k], self.plan.observed)
        return threshold

    def _put_edges(self, between: Floats, lines: Ints, low: Floats) -> None:
        """Replace the numbers between two values by the edges of bins, where there are bins."""
        for k, line in enumerate(lines.tolist()):
            edges = self.columns.edges[line]
            if edges is not None:
                place = min(int(np.searchsorted(edges, low[k])), len(edges) - 1)
                between[k] = edges[place]

    def _mark_coded(
        self, splits: Splits, starts: Ints, ends: Ints, slot: Ints, side: Ints, own: Any
    ) -> Tables:
        """Write the branches of rows of nodes cut at codes; return the codes of nominal ones."""
        columns = self.columns
        tables: Tables = {}
        line = -1 - slot
        coded = slot < 0
        ordered = (
            coded & (columns.modes[np.where(coded, line, 0)] == ORDERED)
            if len(columns.modes)
            else coded
        )
        nominal = coded & ~ordered
        if ordered.any():
            k = ordered
            branch_by_cut(
                frozen(columns.codes), frozen(columns.sizes), *_places(line[k], starts[k], ends[k]),
                frozen(self.rows), *_places(splits.cut[k], side[k]), self.branch,
            )  # fmt: skip
        if nominal.any():
            k = np.flatnonzero(nominal)
            members, last = self._members(splits.node[k], line[k], starts[k], ends[k])
            begin = 0
            for place, end in zip(k.tolist(), last.tolist(), strict=True):
                here = members[begin : end - 1]
                tables[place] = (np.flatnonzero(here >= 0), here[here >= 0])
                begin = end
            largest = np.array(
                [self._largest(place, tables, starts, ends, slot) for place in k.tolist()]
            )
            width = np.array([max(tables[place][1].max() + 1, 2) for place in k.tolist()])
            known = splits.side[k] >= 0
            side[k] = np.where(own[k], width, np.where(known, splits.side[k], largest))
            branch_by_members(
                frozen(columns.codes), frozen(columns.sizes), *_places(line[k], starts[k], ends[k]),
                frozen(self.rows), frozen(members), *_places(last, side[k]), self.branch,
            )  # fmt: skip
        return tables

    def _largest(self, place: int, tables: Tables, starts: Ints, ends: Ints, slot: Ints) -> int:
        """Return the branch of a nominal node that most of the known weight takes."""
        rows = self.rows[starts[place] : ends[place]]
        weight = self.weight[starts[place] : ends[place]] if len(self.weight) else None
        line = -1 - slot[place]
        counts = np.bincount(
            self.columns.codes[line, rows], weight, minlength=int(self.columns.sizes[line]) + 1
        )
        codes, branches = tables[place]
        return int(np.bincount(branches, counts[codes]).argmax())

    def _members(self, nodes: Ints, lines: Ints, starts: Ints, ends: Ints) -> tuple[Any, Ints]:
        """Search the chosen nominal columns once more, and keep which code goes where."""
        b, m = len(nodes), self.y.shape[1]
        state = State(
            np.zeros((b, self.size)), np.zeros((b, m)), np.empty(b), np.empty(b), np.empty(b)
        )
        starts, ends = frozen(starts), frozen(ends)
        describe_nodes(
            self.form, frozen(self.rows), frozen(self.weight), starts, ends, self.y, state,
            np.empty((b, self.width)), np.empty(b), self.logs,
        )  # fmt: skip
        state = State(*map(frozen, state))
        last = np.cumsum(self.columns.sizes[lines] + 1)
        members = np.empty(last[-1], np.int32)
        found = Found(*(array[:, 0] for array in _no_cuts(b, 1)))
        self._coded_pairs(np.arange(b), lines, starts, ends, state, found, members, last)
        return members, last

    def _own_branch(self, slot: Ints) -> Any:
        """Whether missing cells have a branch of their own: always beside one for each value."""
        if self.plan.missing != "learned" or not len(self.columns.modes):
            return np.full(len(slot), self.plan.missing == "own")
        return (slot < 0) & (self.columns.modes[np.where(slot < 0, -1 - slot, 0)] == MULTIWAY)

    def _counted(
        self, splits: Splits, starts: Ints, ends: Ints, tables: Tables, own: Any
    ) -> tuple[Ints, Ints]:
        """Count the rows of the branches of every node."""
        widths = np.full(len(starts), 2)
        for place, (_, branches) in tables.items():
            widths[place] = max(branches.max() + 1, 2)
        widths += own & (splits.rows < ends - starts)
        firsts = np.concatenate([[0], np.cumsum(widths)])
        sizes = np.zeros(firsts[-1], np.int64)
        count_branches(
            *_places(starts, ends), frozen(self.rows), frozen(self.branch), frozen(firsts), sizes
        )
        return firsts, sizes

    def _move(self, starts: Ints, ends: Ints, firsts: Ints, sizes: Ints, depth: Ints) -> None:
        """Divide rows and entries; entries of nodes that will be leaves are never looked at."""
        columns = self.columns
        where = (*_places(starts, ends, firsts, sizes), frozen(self.branch))
        divide_rows(self.rows, self.weight, *where)
        if depth.min() >= self.plan.stopping.max_depth:
            return
        work = int((ends - starts).sum())

        def move(part: range) -> None:
            divide_entries(columns.entries, part.start, part.stop, *where)

        parts = _parts(len(self.presorted), work)
        for _ in run_tasks(move, parts, work * len(self.presorted)):
            pass


def _between(values: Floats, cut: int, after: int, observed: bool) -> float:
    """Return a threshold between two codes that stand for values."""
    if after < 0:
        return np.inf
    middle = float(middle_of(values[cut], values[after]))
    if not observed:
        return middle
    return float(values[np.searchsorted(values, middle, side="right") - 1])


def _log_table(n: int) -> Floats:
    """Return k log2 k for k up to n."""
    k = np.arange(n + 1.0)
    k[0] = 1.0
    return frozen(k * np.log2(k))


def _no_cuts(pairs: int, b: int) -> Found:
    shape = (pairs, b)
    reals, whole = (lambda: np.zeros(shape)), (lambda: np.full(shape, -1))
    return Found(
        np.full(shape, -np.inf),
        whole(),
        whole(),
        whole(),
        reals(),
        reals(),
        whole(),
        whole(),
        reals(),
    )


def _parts(lines: int, work: int) -> list[range]:
    """Cut columns into parts, some for every thread, none so long that nobody could interrupt."""
    if not lines:
        return []
    wanted = 1 if work * lines < 1 << 17 else max(2 * thread_count(), work * lines >> 25)
    step = -(-lines // min(wanted, lines))
    return [range(at, min(at + step, lines)) for at in range(0, lines, step)]


def _places(*arrays: Ints) -> list[Ints]:
    return [frozen(np.ascontiguousarray(array, dtype=np.int64)) for array in arrays]
