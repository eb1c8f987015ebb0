"""Print where other programs answer otherwise than the library's comparisons, by running them.

Needs what it compares with: ``pip install mlxtend statsmodels baycomp autorank``.
"""

from __future__ import annotations

import contextlib
import io
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from scipy import stats
from sklearn.tree import DecisionTreeClassifier

from learnable.datasets import load_iris
from learnable.evaluation import bayesian_signed_rank, decompose, friedman, mcnemar, wilcoxon
from learnable.metrics import jeffreys

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "evaluation"))
from demsar import NAMES, PRINTED

COLUMNS = list(PRINTED.T)
TABLE = dict(zip(NAMES, PRINTED.T.tolist(), strict=True))


def friedmans() -> tuple[Any, Any]:
    """Friedman's statistic of Demsar's table."""
    found = friedman(TABLE)
    ours = {one.method: round(one.statistic, 3) for one in (found, *found.further)}
    return stats.friedmanchisquare(*COLUMNS).statistic, ours


def wilcoxons() -> tuple[Any, Any]:
    """Wilcoxon's p with zeros split."""
    theirs = stats.wilcoxon(*COLUMNS[:2], zero_method="zsplit").pvalue
    return theirs, wilcoxon(*COLUMNS[:2]).p


def mcnemars() -> tuple[Any, Any]:
    """McNemar's corrected test of 20 against 20."""
    from mlxtend.evaluate import mcnemar as first
    from statsmodels.stats.contingency_tables import mcnemar as second

    table = np.array([[50, 20], [20, 60]])
    theirs = first(table), second(table, exact=False).pvalue
    found = mcnemar(20, 20, method="corrected")
    return theirs, (found.statistic, found.p)


def jeffreys_intervals() -> tuple[Any, Any]:
    """Jeffreys' interval of 0 of 20."""
    from statsmodels.stats.proportion import proportion_confint

    return proportion_confint(0, 20, method="jeffreys"), jeffreys(0, 20)


def decompositions() -> tuple[Any, Any]:
    """Bias and variance of the 0-1 loss, of the same models."""
    from mlxtend.evaluate import bias_variance_decomp

    X, y = load_iris(return_X_y=True)
    y = np.unique(y, return_inverse=True)[1]
    tree = DecisionTreeClassifier(max_depth=1, random_state=0)
    parts = X[::2], y[::2], X[1::2], y[1::2]
    theirs = bias_variance_decomp(tree, *parts, loss="0-1_loss", num_rounds=50, random_seed=1)
    rng = np.random.RandomState(1)
    answers = []
    for _ in range(50):
        rows = rng.choice(np.arange(75), 75, replace=True)
        answers.append(tree.fit(parts[0][rows], parts[1][rows]).predict(parts[2]))
    found = decompose(answers, parts[3], loss="domingos")
    return theirs, (found.loss.value, found.bias.value, found.variance.value)


def signed_ranks() -> tuple[Any, Any]:
    """Probability by the Bayesian signed-rank test, three times over."""
    import baycomp

    ends = COLUMNS[0], COLUMNS[3]
    theirs = [baycomp.two_on_multiple(*ends, rope=0.01)[2] for _ in range(3)]
    return theirs, [bayesian_signed_rank(*ends, rope=0.01).probabilities[2] for _ in range(3)]


def choices() -> tuple[Any, Any]:
    """Which test is chosen for Demsar's table."""
    import autorank
    import pandas as pd

    found = autorank.autorank(pd.DataFrame(TABLE), alpha=0.05, verbose=False)
    return (found.omnibus, found.posthoc, found.pvalue), "Friedman, Wilcoxon"


QUESTIONS: tuple[Callable[[], tuple[Any, Any]], ...] = (
    friedmans, wilcoxons, mcnemars, jeffreys_intervals, decompositions, signed_ranks, choices,
)  # fmt: skip


def main() -> None:
    """Print what they and we answer."""
    warnings.simplefilter("ignore")
    for question in QUESTIONS:
        with contextlib.redirect_stdout(io.StringIO()):
            theirs, ours = question()
        print(f"{question.__name__}\n  they: {theirs}\n  here: {ours}")


if __name__ == "__main__":
    main()
