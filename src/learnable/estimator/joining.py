"""How a learner joins a study: what it can learn, from what, at what cost, and how complex it is.

A learner says it once, in its class attribute ``joins`` (or when it is registered), and every study
takes it in; nothing in the study names a learner.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from learnable.core.errors import ParameterError

TASKS = ("classification", "regression")
TAKES = ("anything", "codes", "numbers", "sparse numbers")


@dataclass(frozen=True)
class Joining:
    """What a study has to know about a learner.

    Parameters
    ----------
    title : str
        What it is called in sentences.
    tasks : tuple of {"classification", "regression"}
        What it can learn.
    takes : {"numbers", "sparse numbers", "codes", "anything"}
        Which columns it takes; the study prepares a table accordingly, inside the folds.
    cost : callable
        Seconds of a fit from rows, columns and classes (0 for a regression), roughly.
    bits : callable
        Complexity of a fitted learner in bits, from the learner and the rows it learned from.
    space : mapping, optional
        Parameters to tune, each with its values; the first of each is the one taken untuned.
    scaled : bool
        Whether numbers are brought to a common scale before.
    baseline : bool
        Whether it only says what is reached without looking at the columns.
    readable : bool
        Whether a person can follow the whole model.

    Examples
    --------
    >>> from learnable.estimator.joining import Joining, half_log
    >>> joining = Joining(
    ...     "the mean", ("regression",), "anything",
    ...     cost=lambda n, d, k: 1e-8 * n, bits=lambda model, n: half_log(1, n), baseline=True,
    ... )
    >>> joining.bits(None, 1024)
    5.0
    """

    title: str
    tasks: tuple[str, ...]
    takes: str
    cost: Callable[[int, int, int], float]
    bits: Callable[[Any, int], float]
    space: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    scaled: bool = False
    baseline: bool = False
    readable: bool = False

    def __post_init__(self) -> None:
        if not self.tasks or not set(self.tasks) <= set(TASKS) or self.takes not in TAKES:
            msg = (
                f"{self.title}: tasks are of {', '.join(TASKS)}, and takes is one of "
                f"{', '.join(TAKES)}"
            )
            raise ParameterError(msg)
        if not all(self.space.values()):
            msg = f"{self.title}: a parameter to tune has no values"
            raise ParameterError(msg)


def half_log(parameters: float, n: int) -> float:
    """Return the description length of fitted numbers: ``1/2 df log2 n`` bits.

    Parameters
    ----------
    parameters : float
        How many were fitted.
    n : int
        Rows that they were fitted to.

    References
    ----------
    J. Rissanen: Modeling by shortest data description. Automatica 14, 1978.

    Examples
    --------
    >>> from learnable.estimator.joining import half_log
    >>> half_log(4, 256)
    16.0
    """
    return 0.5 * parameters * math.log2(max(n, 2))
