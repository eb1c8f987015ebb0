"""Criteria: what a row adds to the sums of a node, and what a group of rows costs.

A criterion is a record; a split gains what a node costs more than its branches. The cost of a group
is its weight times its impurity, written so that it follows from sums alone:

==================  =====================================  ==================================
criterion           impurity of shares p or answers y      cost of counts n_c or sums s
==================  =====================================  ==================================
`Gini`              sum_c p_c (1 - p_c)                    w - sum_c n_c^2 / w
`Entropy`           -sum_c p_c log2 p_c                    w log2 w - sum_c n_c log2 n_c
`DKM`               sum_c sqrt(p_c (1 - p_c))              sum_c sqrt(n_c (w - n_c))
`SquaredError`      mean of (y - mean)^2                   -s^2 / w, s of centred answers
`AbsoluteError`     mean of abs(y - median)                the sum itself
`Poisson`           mean of y log(y / mean)                -s log(s / w)
==================  =====================================  ==================================

For two classes `DKM` is 2 sqrt(p q). Sums of answers are taken about the mean of the node, so that
answers far from zero lose no digits.

References
----------
.. [1] L. Breiman et al.: Classification and Regression Trees. Wadsworth 1984.
.. [2] T. Dietterich, M. Kearns, Y. Mansour: Applying the weak learning framework to understand and
   improve C4.5. ICML 1996.
"""

from __future__ import annotations

from collections.abc import Callable
from math import log, sqrt
from typing import Any

import numpy as np

from learnable.core.record import record, rule
from learnable.loops.tree_medians import describe_median, means, walk_medians
from learnable.loops.tree_search import (
    add_row,
    describe,
    group_cost,
    keep_running,
    move,
    one_class,
    order_key,
    orderings,
    running_cost,
    times_log,
    walk,
    walk_sums,
)


@record
class Gini:
    """The chance that two rows of a group are of different classes.

    ``outputs`` is the number of answers a row has; the impurity is their mean.

    Examples
    --------
    >>> from learnable.tree import Gini
    >>> Gini()
    Gini(outputs=1)
    """

    outputs: int = 1


@record
class Entropy:
    """Bits that the class of a row of a group takes.

    Examples
    --------
    >>> from learnable.tree import DecisionTreeClassifier, Entropy
    >>> tree = DecisionTreeClassifier(criterion=Entropy()).fit([[0], [1]], ["no", "yes"])
    >>> tree.tree_.impurity.tolist()
    [1.0, 0.0, 0.0]
    """

    outputs: int = 1


@record
class DKM:
    """Dietterich, Kearns and Mansour: 2 sqrt(p q) for two classes.

    Examples
    --------
    >>> from learnable.tree import DKM, DecisionTreeClassifier
    >>> tree = DecisionTreeClassifier(criterion=DKM()).fit([[0], [1]], ["no", "yes"])
    >>> tree.tree_.impurity.tolist()
    [1.0, 0.0, 0.0]
    """

    outputs: int = 1


@record
class SquaredError:
    """The mean squared distance to the mean.

    Examples
    --------
    >>> from learnable.tree import DecisionTreeRegressor, SquaredError
    >>> tree = DecisionTreeRegressor(criterion=SquaredError()).fit([[0], [1]], [1.0, 3.0])
    >>> tree.tree_.impurity.tolist()
    [1.0, 0.0, 0.0]
    """

    outputs: int = 1


@record
class AbsoluteError:
    """The mean distance to the median.

    Examples
    --------
    >>> from learnable.tree import AbsoluteError, DecisionTreeRegressor
    >>> tree = DecisionTreeRegressor(criterion=AbsoluteError(), max_depth=1)
    >>> tree.fit([[0], [1], [2], [3]], [1.0, 1.0, 5.0, 7.0]).predict([[0], [3]]).tolist()
    [1.0, 6.0]
    """

    outputs: int = 1


@record
class Poisson:
    """Half the Poisson deviance, for counts and other answers that are not negative.

    Examples
    --------
    >>> from learnable.tree import DecisionTreeRegressor, Poisson
    >>> tree = DecisionTreeRegressor(criterion=Poisson()).fit([[0], [1]], [1.0, 3.0])
    >>> tree.predict([[1]]).tolist()
    [3.0]
    """

    outputs: int = 1


_NOTHING = 1e-12
CLASSIFICATION: dict[str, Callable[..., Any]] = {
    "gini": Gini,
    "entropy": Entropy,
    "log_loss": Entropy,
    "gain_ratio": Entropy,
    "dkm": DKM,
}
REGRESSION: dict[str, Callable[..., Any]] = {
    "squared_error": SquaredError,
    "absolute_error": AbsoluteError,
    "poisson": Poisson,
}


def _add_codes(criterion, stat, at, y, row, weight, centre, logs):  # noqa: ARG001
    for o in range(y.shape[1]):
        stat[at + y[row, o]] += weight


def _add_answers(criterion, stat, at, y, row, weight, centre, logs):  # noqa: ARG001
    for o in range(y.shape[1]):
        stat[at + o] += weight * (y[row, o] - centre[o])


def _move_answers(criterion, left, right, y, row, weight, centre, logs):  # noqa: ARG001
    for o in range(y.shape[1]):
        step = weight * (y[row, o] - centre[o])
        left[o] += step
        right[o] -= step


@rule(move, Gini)
def _move_gini(criterion, left, right, y, row, weight, centre, logs):  # noqa: ARG001
    last = left.shape[0] - 1
    for o in range(y.shape[1]):
        c = y[row, o]
        before, after = left[c], right[c]
        left[c], right[c] = before + weight, after - weight
        left[last] += weight * (2.0 * before + weight)
        right[last] -= weight * (2.0 * after - weight)


@rule(move, Entropy)
def _move_entropy(criterion, left, right, y, row, weight, centre, logs):  # noqa: ARG001
    last = left.shape[0] - 1
    for o in range(y.shape[1]):
        c = y[row, o]
        before, after = left[c], right[c]
        more, less = before + weight, after - weight
        left[c], right[c] = more, less
        left[last] += times_log(more, logs) - times_log(before, logs)
        right[last] += times_log(less, logs) - times_log(after, logs)


@rule(move, DKM)
def _move_dkm(criterion, left, right, y, row, weight, centre, logs):  # noqa: ARG001
    for o in range(y.shape[1]):
        left[y[row, o]] += weight
        right[y[row, o]] -= weight


def _only_class(criterion, stat, at, size, weight):
    if criterion.outputs == 1:
        for c in range(size - 1):
            if stat[at + c] == weight:
                return c
    return -1


def _no_class(criterion, stat, at, size, weight):  # noqa: ARG001
    return -1


def _orders_of_classes(criterion, size):  # noqa: ARG001
    return 1 if size == 3 else size - 1


def _orders_of_means(criterion, size):  # noqa: ARG001
    return size


def _mean(criterion, stat, at, size, weight, number):  # noqa: ARG001
    return stat[at + number] / weight


def _describe_counts(criterion, rows, weight, start, end, y, stat, centre, value, logs):
    stat[:] = 0.0
    total = 0.0
    for i in range(start, end):
        w = weight[i] if weight.shape[0] else 1.0
        add_row(criterion, stat, 0, y, rows[i], w, centre, logs)
        total += w
    for c in range(value.shape[0]):
        value[c] = stat[c] / total
    keep_running(criterion, stat, logs)
    cost = group_cost(criterion, stat, 0, stat.shape[0], total, logs)
    return total, cost, max(cost, 0.0) / (total * criterion.outputs)


def _describe_means(criterion, rows, weight, start, end, y, stat, centre, value, logs):
    total = means(rows, weight, start, end, y, value)
    centre[:] = value
    stat[:] = 0.0
    scatter = 0.0
    for i in range(start, end):
        w = weight[i] if weight.shape[0] else 1.0
        add_row(criterion, stat, 0, y, rows[i], w, centre, logs)
        for o in range(y.shape[1]):
            scatter += w * (y[rows[i], o] - centre[o]) ** 2
    cost = group_cost(criterion, stat, 0, stat.shape[0], total, logs)
    return total, cost, scatter / (total * criterion.outputs)


def _describe_rates(criterion, rows, weight, start, end, y, stat, centre, value, logs):
    total = means(rows, weight, start, end, y, value)
    centre[:] = 0.0
    deviance = 0.0
    for o in range(y.shape[1]):
        stat[o] = value[o] * total
        for i in range(start, end):
            w = weight[i] if weight.shape[0] else 1.0
            if y[rows[i], o] > 0.0:
                deviance += w * y[rows[i], o] * log(y[rows[i], o] / value[o])
    cost = group_cost(criterion, stat, 0, stat.shape[0], total, logs)
    return total, cost, max(deviance, 0.0) / (total * criterion.outputs)


@rule(keep_running, Gini)
def _running_gini(criterion, stat, logs):  # noqa: ARG001
    last = stat.shape[0] - 1
    stat[last] = 0.0
    for c in range(last):
        stat[last] += stat[c] * stat[c]


@rule(keep_running, Entropy)
def _running_entropy(criterion, stat, logs):  # noqa: ARG001
    last = stat.shape[0] - 1
    stat[last] = 0.0
    for c in range(last):
        stat[last] += times_log(stat[c], logs)


@rule(keep_running, DKM)
def _running_dkm(criterion, stat, logs):  # noqa: ARG001
    stat[stat.shape[0] - 1] = 0.0


@rule(running_cost, Gini)
def _gini(criterion, stat, weight, logs):  # noqa: ARG001
    return criterion.outputs * weight - stat[stat.shape[0] - 1] / weight


@rule(running_cost, Entropy)
def _entropy(criterion, stat, weight, logs):
    return criterion.outputs * times_log(weight, logs) - stat[stat.shape[0] - 1]


def _running_as_whole(criterion, stat, weight, logs):
    return group_cost(criterion, stat, 0, stat.shape[0], weight, logs)


@rule(group_cost, Gini)
def _group_gini(criterion, stat, at, size, weight, logs):  # noqa: ARG001
    squares = 0.0
    for c in range(at, at + size - 1):
        squares += stat[c] * stat[c]
    return criterion.outputs * weight - squares / weight if weight > 0.0 else 0.0


@rule(group_cost, Entropy)
def _group_entropy(criterion, stat, at, size, weight, logs):
    cost = criterion.outputs * times_log(weight, logs)
    for c in range(at, at + size - 1):
        cost -= times_log(stat[c], logs)
    return cost


@rule(group_cost, DKM)
def _dkm(criterion, stat, at, size, weight, logs):  # noqa: ARG001
    cost = 0.0
    for c in range(at, at + size - 1):
        cost += sqrt(max(stat[c] * (weight - stat[c]), 0.0))
    return cost


@rule(group_cost, SquaredError)
def _squared(criterion, stat, at, size, weight, logs):  # noqa: ARG001
    squares = 0.0
    for o in range(at, at + size):
        squares += stat[o] * stat[o]
    return -squares / weight if weight > 0.0 else 0.0


@rule(group_cost, Poisson)
def _poisson(criterion, stat, at, size, weight, logs):  # noqa: ARG001
    cost = 0.0
    for o in range(at, at + size):
        if stat[o] <= _NOTHING * weight:
            return np.inf if weight > 0.0 else 0.0
        cost -= stat[o] * log(stat[o] / weight)
    return cost


def _install() -> None:
    for cls in (Gini, Entropy, DKM):
        rule(add_row, cls)(_add_codes)
        rule(one_class, cls)(_only_class)
        rule(orderings, cls)(_orders_of_classes)
        rule(describe, cls)(_describe_counts)
        rule(walk, cls)(walk_sums)
        rule(order_key, cls)(_mean)
    rule(running_cost, DKM)(_running_as_whole)
    for cls in (SquaredError, Poisson):
        rule(move, cls)(_move_answers)
        rule(running_cost, cls)(_running_as_whole)
        rule(add_row, cls)(_add_answers)
        rule(one_class, cls)(_no_class)
        rule(orderings, cls)(_orders_of_means)
        rule(walk, cls)(walk_sums)
        rule(order_key, cls)(_mean)
    rule(describe, SquaredError)(_describe_means)
    rule(describe, Poisson)(_describe_rates)
    rule(describe, AbsoluteError)(describe_median)
    rule(walk, AbsoluteError)(walk_medians)


_install()
