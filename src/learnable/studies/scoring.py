"""What a study judges by: a scorer of the library, or what answers cost."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from learnable.metrics import get_scorer
from learnable.studies.plan import Plan
from learnable.studies.planning import read_costs
from learnable.studies.tuning import Score


class CostScorer:
    """Minus the mean cost of the answers that cost least in expectation.

    Parameters
    ----------
    costs : array (K, K)
        What an answer (column) costs where the truth is another (row).
    classes : tuple of str
        The classes, in the order of the matrix.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.dummy import DummyClassifier
    >>> from learnable.studies.scoring import CostScorer
    >>> model = DummyClassifier().fit([[0]] * 4, ["no", "no", "no", "yes"])
    >>> score = CostScorer(np.array([[0.0, 1.0], [10.0, 0.0]]), ("no", "yes"))
    >>> score.answers(model, [[0]]).tolist(), score(model, [[0], [0]], np.array(["no", "yes"]))
    (['yes'], -0.5)
    """

    def __init__(self, costs: NDArray[np.float64], classes: tuple[str, ...]) -> None:
        self.costs, self.classes = np.asarray(costs, dtype=np.float64), classes

    def answers(self, model: Any, X: Any) -> NDArray[Any]:
        """Return the answer of least expected cost to each row."""
        chances = np.asarray(model.predict_proba(X), dtype=np.float64)
        places = [self.classes.index(str(label)) for label in model.classes_]
        return np.array(self.classes)[(chances @ self.costs[places]).argmin(axis=1)]

    def __call__(self, model: Any, X: Any, y: Any) -> float:
        """Score a fitted model; larger is better."""
        place = {label: number for number, label in enumerate(self.classes)}
        truth = [place[str(label)] for label in y]
        given = [place[str(label)] for label in self.answers(model, X)]
        return -float(self.costs[truth, given].mean())


def score_of(plan: Plan, classes: tuple[str, ...]) -> Score:
    """Return what a plan judges by.

    Examples
    --------
    >>> from learnable.studies.asking import Wishes
    >>> from learnable.studies.plan import Plan
    >>> from learnable.studies.scoring import score_of
    >>> plan = Plan("a.csv", Wishes("y"), "regression", "r2", 9, 0.25, "", 3, 1, ("X",))
    >>> callable(score_of(plan, ()))
    True
    """
    if plan.costs:
        return CostScorer(read_costs(plan.costs, classes), classes)
    scorer: Score = get_scorer(plan.metric)
    return scorer
