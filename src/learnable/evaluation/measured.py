"""What was measured of approximate tests: how often they find a difference that is not there.

The simulations are the tests marked ``full`` in ``tests/evaluation/test_levels.py``, which fail
when a figure here is no longer what they measure.
"""

from __future__ import annotations

LEVELS = {
    "paired t test": {
        "over 10 folds of 100 rows": 0.042,
        "over ten repeats of 10 folds": 0.546,
        "over ten repeats of 5 folds": 0.561,
        "over ten repeats of 2 folds": 0.622,
    },
    "corrected resampled t test": {
        "over 10 folds of 100 rows": 0.015,
        "over ten repeats of 10 folds": 0.039,
        "over ten repeats of 5 folds": 0.039,
        "over ten repeats of 2 folds": 0.039,
    },
    "5 x 2 cv t test": {"on 100 rows": 0.035},
    "5 x 2 cv F test": {"on 100 rows": 0.034},
    "McNemar test (mid-p)": {
        "with 20% disagreements on 30 rows": 0.033,
        "with 10% on 100 rows": 0.044,
        "with 40% on 100 rows": 0.052,
        "with 10% on 1000 rows": 0.050,
    },
    "McNemar test (corrected)": {
        "with 20% disagreements on 30 rows": 0.014,
        "with 10% on 100 rows": 0.022,
        "with 40% on 100 rows": 0.034,
        "with 10% on 1000 rows": 0.039,
    },
    "McNemar test (uncorrected)": {
        "with 20% disagreements on 30 rows": 0.051,
        "with 10% on 100 rows": 0.046,
        "with 40% on 100 rows": 0.052,
        "with 10% on 1000 rows": 0.051,
    },
    "Friedman test (Iman-Davenport)": {
        "3 learners on 5 data sets": 0.039,
        "5 on 6": 0.058,
        "4 on 14": 0.051,
        "10 on 30": 0.049,
    },
    "Friedman test (chi-squared)": {
        "3 learners on 5 data sets": 0.039,
        "5 on 6": 0.041,
        "4 on 14": 0.043,
        "10 on 30": 0.046,
    },
    "Nemenyi test": {
        "3 learners on 5 data sets": 0.039,
        "5 on 6": 0.053,
        "4 on 14": 0.046,
        "10 on 30": 0.046,
    },
}


def measured(method: str) -> tuple[str, ...]:
    """Return a note on what was measured of a method, if anything was.

    Examples
    --------
    >>> from learnable.evaluation.measured import measured
    >>> measured("5 x 2 cv F test")
    ('Measured at level .05 without any difference: it found one in 3.4% (on 100 rows).',)
    >>> measured("McNemar test (exact)")
    ()
    """
    levels = LEVELS.get(method)
    if levels is None:
        return ()
    told = ", ".join(f"{100.0 * level:.1f}% ({where})" for where, level in levels.items())
    return (f"Measured at level .05 without any difference: it found one in {told}.",)
