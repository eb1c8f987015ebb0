"""Intervals of measures and calibration, against scikit-learn: the same draws, folds and models.

scikit-learn has no bootstrap of a measure; its side resamples and asks its measure, a tenth of the
draws, and is counted ten times.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn import metrics as peers
from sklearn.calibration import CalibratedClassifierCV as Theirs
from sklearn.calibration import calibration_curve as their_curve
from sklearn.isotonic import IsotonicRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import GaussianNB as TheirBayes

from benchmarks.measure import seconds, side_by_side
from learnable.calibration import CalibratedClassifierCV, calibration_curve
from learnable.metrics import ConfusionMatrix, interval

SHARE = 10


def _row(name: str, n: int, ours: float, theirs: float) -> dict[str, Any]:
    return {"name": name, "n": n, "ours_s": ours, "peer": "scikit-learn", "peer_s": theirs,
            "ratio": theirs / ours}  # fmt: skip


def _timed(
    name: str, n: int, ours: Callable[[], Any], theirs: Callable[[], Any], repeats: int
) -> dict[str, Any]:
    times = side_by_side({"ours": ours, "peer": theirs}, repeats)
    return _row(name, n, times["ours"], times["peer"])


def _everything(y: Any, p: Any) -> Any:
    made = ConfusionMatrix.of(y, p)
    return made.accuracy, made.balanced_accuracy, made.matthews, made.kappa, made.rates()


def _their_everything(y: Any, p: Any) -> Any:
    return (
        peers.confusion_matrix(y, p), peers.accuracy_score(y, p),
        peers.balanced_accuracy_score(y, p), peers.matthews_corrcoef(y, p),
        peers.cohen_kappa_score(y, p), peers.precision_recall_fscore_support(y, p),
    )  # fmt: skip


def _bootstrap(measure: str, n: int, draws: int) -> dict[str, Any]:
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, n)
    score = rng.normal(size=n) + y
    theirs = getattr(peers, measure)

    def resampled() -> None:
        for _ in range(draws // SHARE):
            rows = rng.integers(0, n, n)
            theirs(y[rows], score[rows])

    interval(measure, y, score, method="bca", n_resamples=20)
    ours = seconds(lambda: interval(measure, y, score, method="bca", n_resamples=draws))
    return _row(f"BCa {measure} {draws}", n, ours, SHARE * seconds(resampled))


def run(smoke: bool) -> list[dict[str, Any]]:
    n, repeats, draws = (5_000, 1, 20) if smoke else (1_000_000, 5, 2_000)
    rng = np.random.default_rng(0)
    y, kinds = rng.integers(0, 2, n), rng.integers(0, 10, n)
    score = 1.0 / (1.0 + np.exp(-rng.normal(size=n) - y))
    guess = np.where(rng.random(n) < 0.7, kinds, rng.integers(0, 10, n))
    found = [
        _timed(
            "confusion and all from it, K=10", n, lambda: _everything(kinds, guess),
            lambda: _their_everything(kinds, guess), repeats,
        ),
        _timed(
            "AUC with interval (peer: without)", n, lambda: interval("roc_auc_score", y, score),
            lambda: peers.roc_auc_score(y, score), repeats,
        ),
        _timed(
            "AP with interval (peer: without)", n,
            lambda: interval("average_precision_score", y, score),
            lambda: peers.average_precision_score(y, score), repeats,
        ),
        _timed(
            "calibration curve", n, lambda: calibration_curve(y, score, n_bins=20),
            lambda: their_curve(y, score, n_bins=20), repeats,
        ),
        _bootstrap("roc_auc_score", n // 10, draws),
        _bootstrap("average_precision_score", n // 10, draws),
    ]  # fmt: skip
    X = rng.normal(size=(n // 10, 10)) + y[: n // 10, None] * 0.3
    folds = list(StratifiedKFold(5).split(X, y[: n // 10]))
    for method in ("sigmoid", "isotonic", "temperature"):
        options = {"method": method, "cv": folds}
        found.append(
            _timed(
                f"CalibratedClassifierCV {method}, scikit-learn's bayes inside", len(X),
                lambda o=options: CalibratedClassifierCV(TheirBayes(), **o).fit(X, y[: len(X)]),
                lambda o=options: Theirs(TheirBayes(), **o).fit(X, y[: len(X)]), repeats,
            )
        )  # fmt: skip
    from learnable.calibration.maps import Isotonic

    positive, ones = y == 1, np.ones(n)
    found.append(
        _timed(
            "isotonic map alone", n, lambda: Isotonic.of(score, positive, ones),
            lambda: IsotonicRegression(out_of_bounds="clip").fit(score, y), repeats,
        )
    )  # fmt: skip
    return found
