"""What was measured of approximate intervals: how often those of nominal 95% hold the truth.

The shares are exact, by counting every outcome; the others are simulated, by the tests in
``tests/metrics/test_measured.py``, which fail when a figure here is no longer what they measure:
calls that are right four times in five (F1, Matthews, kappa, balanced accuracy), normal scores one
standard deviation apart of which three in ten are positive (the areas), normal residuals (the mean
squared error and R^2).
"""

from __future__ import annotations

COVERAGE: dict[str, dict[str, dict[int, float]]] = {
    "normal": {"shares": {10: 0.400, 20: 0.639, 40: 0.914, 100: 0.932, 1000: 0.927}},
    "wilson": {"shares": {10: 0.914, 20: 0.925, 40: 0.943, 100: 0.936, 1000: 0.964}},
    "mid-p": {"shares": {10: 0.988, 20: 0.984, 40: 0.970, 100: 0.956, 1000: 0.945}},
    "jeffreys": {"shares": {10: 0.988, 20: 0.984, 40: 0.970, 100: 0.956, 1000: 0.945}},
    "agresti-coull": {"shares": {10: 0.988, 20: 0.984, 40: 0.958, 100: 0.972, 1000: 0.964}},
    "delta": {
        "f1_score": {20: 0.902, 50: 0.932, 200: 0.942, 1000: 0.944},
        "matthews_corrcoef": {20: 0.868, 50: 0.921, 200: 0.938, 1000: 0.942},
        "cohen_kappa_score": {20: 0.904, 50: 0.929, 200: 0.941, 1000: 0.942},
        "balanced_accuracy_score": {20: 0.871, 50: 0.919, 200: 0.939, 1000: 0.943},
        "average_precision_score": {20: 0.923, 50: 0.924, 200: 0.946, 1000: 0.943},
    },
    "delong": {"roc_auc_score": {20: 0.961, 50: 0.953, 200: 0.949, 1000: 0.950}},
    "bca": {
        "roc_auc_score": {20: 0.944, 50: 0.958, 200: 0.946, 1000: 0.945},
        "average_precision_score": {20: 0.929, 50: 0.925, 200: 0.943, 1000: 0.937},
        "mean_squared_error": {20: 0.898, 50: 0.908, 200: 0.935, 1000: 0.933},
        "r2_score": {20: 0.923, 50: 0.936, 200: 0.935, 1000: 0.933},
    },
}
"""By method, measure and number of rows; ``"shares"`` are true shares of 0.01 to 0.1."""

_NEAREST = {
    "delta": {"fbeta_score": "f1_score"},
    "bca": {
        "root_mean_squared_error": "mean_squared_error", "pearson": "r2_score",
        "explained_variance_score": "r2_score",
    },
}  # fmt: skip


def measured(name: str, method: str) -> str:
    """Return the sentence on what was measured of a method, nothing for guaranteed ones.

    Where the measure itself was not tried, the sentence names the one that was.

    Examples
    --------
    >>> from learnable.metrics.measured import measured
    >>> measured("roc_auc_score", "delong")
    'Measured at 95%: such intervals held 96.1% (n = 20), 95.3% (50), 94.9% (200), 95.0% (1000).'
    >>> measured("accuracy_score", "clopper-pearson")
    ''
    """
    tables = COVERAGE.get(method)
    if tables is None:
        return ""
    known = name if name in tables else _NEAREST.get(method, {}).get(name, next(iter(tables)))
    of = {"shares": " shares of 1 to 10%"}.get(known, "" if known == name else f" {known}")
    told = [f"{100.0 * held:.1f}% ({n})" for n, held in tables[known].items()]
    told[0] = told[0].replace("(", "(n = ")
    return f"Measured at 95%: such intervals{f' of{of}' if of else ''} held {', '.join(told)}."
