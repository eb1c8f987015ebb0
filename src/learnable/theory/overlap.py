"""Were these rows in training? Overlap that the table's own duplicates cannot explain is refused.

Random splits of real tables share rows, since tables hold duplicates. If a share ``q`` of the
training rows have an equal among themselves, a new row of the same table has one among them with
a probability of about ``q`` too. The role of test rows is refused only where the overlap found
would have a probability below one in ten thousand at the upper bound of ``q``.
"""

from __future__ import annotations

from typing import Any

from learnable.core.errors import DataError
from learnable.data import Rows
from learnable.metrics.intervals import upper_bound
from learnable.stats.fingerprint import Fingerprint

_RARE = 1e-4


def overlap_note(fingerprint: Fingerprint | None, rows: Rows) -> tuple[str, ...]:
    """Return what to say about rows shared with training; refuse what duplicates cannot explain.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.data import Rows
    >>> from learnable.stats import Fingerprint
    >>> from learnable.theory.overlap import overlap_note
    >>> X = np.arange(40.0).reshape(20, 2)
    >>> overlap_note(Fingerprint.of(X), Rows(X + 0.5))
    ()
    >>> overlap_note(Fingerprint.of(X), Rows(X))
    Traceback (most recent call last):
        ...
    learnable.core.errors.DataError: 20 of 20 compared rows were among the training rows; ...
    """
    if fingerprint is None:
        return ()
    compared = known = 0
    for block in rows.blocks():
        seen, hits = fingerprint.overlap(block.array())
        compared, known = compared + seen, known + hits
    if known == 0:
        return ()
    sampled, repeated = fingerprint.repeated()
    share = upper_bound(repeated, sampled, 1.0 - _RARE)
    told = (
        f"{known} of {compared} compared rows were among the training rows; "
        f"{repeated} of {sampled} compared training rows have an equal among themselves"
    )
    if _tail(known, compared, share) < _RARE:
        raise DataError(
            f"{told}, which does not explain it.",
            remedy='Certify on rows the model never saw, or say role="train".',
        )
    return (f"Note: {told}, which explains it.",)


def _tail(known: int, compared: int, share: float) -> float:
    from scipy.special import bdtrc

    return 1.0 if share >= 1.0 else float(bdtrc(known - 1, compared, share))


def fingerprint_of(model: Any) -> Fingerprint | None:
    """Return the fingerprint that a fitted model keeps, if it keeps one."""
    return getattr(model, "fingerprint_", None)
