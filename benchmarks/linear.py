"""Linear models against scikit-learn (and statsmodels) at equal objective.

``NIST`` lines show the digits that are right in the worst coefficient and standard error of each
reference set; they need the data of ``LEARNABLE_TEST_DATA``. ``gram`` and ``reads`` are what the
cheaper route of least squares is measured by: one product of the columns by BLAS on one thread, and
two reads of the rows. Objectives are written beside the times: a peer that stops early shows.
"""

from __future__ import annotations

import csv
import os
import warnings
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse
from sklearn import linear_model as peers

from benchmarks.measure import side_by_side
from learnable.core import thread_count
from learnable.core.blas import one_blas_thread
from learnable.linear_model import LinearRegression, LogisticRegression, RidgeCV


def digits(found: Any, certified: Any, beside: Any = 1.0) -> float:
    """Return the right digits of the worst figure; where 0 is right, as a share of ``beside``."""
    scale = np.where(np.asarray(certified) != 0.0, certified, beside)
    with np.errstate(divide="ignore"):
        each = -np.log10(np.abs((np.asarray(found) - certified) / scale))
    return float(min(each.min(), 16.0))


def reference_sets(folder: Path) -> list[tuple[str, Any, Any, bool, list[float], list[float]]]:
    """Return name, columns, answers, constant, coefficients and standard errors of each set."""
    with (folder / "certified.csv").open(encoding="utf-8") as file:
        told = list(csv.DictReader(file))
    sets = []
    for name in dict.fromkeys(row["data"] for row in told):
        mine = [row for row in told if row["data"] == name]
        with (folder / f"{name}.csv").open(encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        x, y = (np.array([float(row[key]) for row in rows]) for key in "xy")
        powers = [1 if row["term"] == "x" else int(row["term"][2:]) for row in mine]
        X = np.column_stack([x**power for power in powers if power])
        figures = [[float(row[key]) for row in mine] for key in ("coefficient", "standard_error")]
        sets.append((name, X, y, 0 in powers, *figures))
    return sets


def nist() -> list[dict[str, Any]]:
    """Return the right digits of ours, scikit-learn's and statsmodels' coefficients and errors."""
    import statsmodels.api as sm

    if "LEARNABLE_TEST_DATA" not in os.environ:
        return []
    lines = []
    for name, X, y, constant, coef, error in reference_sets(
        Path(os.environ["LEARNABLE_TEST_DATA"]) / "nist-linear"
    ):
        table = LinearRegression(fit_intercept=constant).fit(X, y).inference()
        theirs = peers.LinearRegression(fit_intercept=constant).fit(X, y)
        whole = [theirs.intercept_, *theirs.coef_] if constant else theirs.coef_
        third = sm.OLS(y, sm.add_constant(X) if constant else X).fit()
        lines.append({
            "name": f"NIST {name}",
            "ours": digits(table.estimate, coef),
            "ours_errors": digits(table.std_error, error, coef),
            "scikit-learn": digits(whole, coef),
            "statsmodels": digits(third.params, coef),
            "statsmodels_errors": digits(third.bse, error, coef),
        })  # fmt: skip
    return lines


def line(name: str, times: dict[str, float], objectives: dict[str, float]) -> dict[str, Any]:
    """Return one line: times, the ratio of the best peer to ours, objectives."""
    best = min(seconds for who, seconds in times.items() if who.startswith("peer"))
    told = {"name": name, "ours_s": times["ours"], "peer_best_s": best}
    told |= {"ratio": best / times["ours"]}
    told |= {f"{who} s": seconds for who, seconds in times.items()}
    told |= {f"{who} objective": value for who, value in objectives.items()}
    return {**told, "threads": thread_count(), "load": os.getloadavg()[0]}


def least_squares(n: int, d: int, repeats: int) -> list[dict[str, Any]]:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    y = X @ rng.normal(size=d) + rng.normal(size=n)

    def ours(solver: str) -> Any:
        return LinearRegression(solver=solver).fit(X, y).inference()

    def gram() -> Any:
        with one_blas_thread():
            return X.T @ X

    times = side_by_side(
        {
            "ours": partial(ours, "tsqr"),
            "ours, gram": partial(ours, "gram"),
            "peer": lambda: peers.LinearRegression().fit(X, y),
            "gram": gram,
            "read": X.sum,
        },
        repeats,
    )
    return [line(f"least squares with standard errors {n} x {d}", times, {})]


def ridge(n: int, d: int, count: int, repeats: int) -> list[dict[str, Any]]:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    y = X @ rng.normal(size=d) * 0.1 + 3 * rng.normal(size=n)
    alphas = np.geomspace(1e-2, 1e4, count)
    ours, theirs = RidgeCV(alphas), peers.RidgeCV(alphas)
    contenders = {"ours": partial(ours.fit, X, y), "peer": partial(theirs.fit, X, y)}
    times = side_by_side(contenders, repeats)
    objectives = {"ours": -ours.best_score_, "peer": -float(theirs.best_score_)}
    return [line(f"RidgeCV {n} x {d}, {count} penalties", times, objectives)]


def loss(model: Any, X: Any, y: Any) -> float:
    """Return the penalised loss at C = 1, from its definition."""
    scores = X @ model.coef_.T + model.intercept_
    both = np.hstack([np.zeros_like(scores), scores]) if scores.shape[1] == 1 else scores
    both = both - both.max(axis=1, keepdims=True)
    log = both - np.log(np.exp(both).sum(axis=1, keepdims=True))
    return float(-log[np.arange(len(y)), y].sum() + 0.5 * (model.coef_**2).sum())


def logistic(
    name: str, X: Any, y: Any, solvers: tuple[str, ...], repeats: int
) -> list[dict[str, Any]]:
    models: dict[str, Any] = {"ours": LogisticRegression()}
    models |= {f"peer {s}": peers.LogisticRegression(solver=s, max_iter=1000) for s in solvers}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        contenders = {who: partial(model.fit, X, y) for who, model in models.items()}
        times = side_by_side(contenders, repeats)
    return [line(name, times, {who: loss(model, X, y) for who, model in models.items()})]


def classes(n: int, d: int, k: int) -> tuple[Any, Any]:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    return X, (X @ rng.normal(size=(d, k)) * 0.3 + rng.gumbel(size=(n, k))).argmax(axis=1)


def texts(n: int, d: int) -> tuple[Any, Any]:
    rng = np.random.default_rng(0)
    X = abs(sparse.random(n, d, 0.003, format="csr", random_state=0))
    X = sparse.csr_matrix(X.multiply(1.0 / np.sqrt(X.multiply(X).sum(axis=1) + 1e-300)))
    return X, (X @ rng.normal(size=d) * 3 + rng.logistic(size=n) > 0).astype(int)


def run(smoke: bool) -> list[dict[str, Any]]:
    """Run the cases; ``smoke`` makes them small."""
    part, repeats = (50, 1) if smoke else (1, 2)
    dense = ("lbfgs", "newton-cholesky", "newton-cg")
    lines = [*least_squares(500_000 // part, 100, repeats), *ridge(20_000 // part, 400, 50, 1)]
    lines += logistic("logistic 300,000 x 50", *classes(300_000 // part, 50, 2), dense, repeats)
    softmax = classes(40_000 // part, 400, 10)
    lines += logistic("softmax 40,000 x 400, 10 classes", *softmax, ("lbfgs", "newton-cg"), 1)
    text = texts(20_000 // part, 30_000)
    lines += logistic("sparse text 20,000 x 30,000", *text, ("lbfgs", "liblinear"), repeats)
    return [*nist(), *lines]
