"""Occam's bound: a model that takes few bits to write down cannot have fitted by chance.

If a model is written in ``bits`` bits of a prefix code that was fixed before the rows were drawn,
then with probability ``confidence`` its error ``p`` on new rows obeys, for ``k`` errors on ``n``
training rows,

    n KL(k/n || p) <= bits ln 2 + ln(1 / (1 - confidence)),

for all models at once (Chernoff's bound, Kraft's inequality and the union bound).

References
----------
.. [1] A. Blumer et al.: Occam's razor. Information Processing Letters 24, 1987.
.. [2] J. Langford: Tutorial on practical prediction theory for classification. JMLR 6, 2005.
"""

from __future__ import annotations

import math

from learnable.core.certificate import Certificate
from learnable.theory.statements import INDEPENDENT, at_most, percent

CODE = "the code that the model is written in was fixed before the rows were drawn"
_TURNS = 200


def occam_bound(errors: int, n: int, bits: float, confidence: float) -> float:
    """Return the bound on the error.

    Parameters
    ----------
    errors, n : int
        Wrong answers on the training rows, and how many rows there are.
    bits : float
        Length of the model.
    confidence : float
        How often, at least, the bound holds.

    Examples
    --------
    >>> from learnable.theory.occam import occam_bound
    >>> round(occam_bound(0, 100, 0, 0.95), 4)
    0.0295
    """
    room = (bits * math.log(2.0) - math.log1p(-confidence)) / n
    share = errors / n
    low, high = share, 1.0
    for _ in range(_TURNS):
        middle = 0.5 * (low + high)
        if _divergence(share, middle) <= room:
            low = middle
        else:
            high = middle
    return high


def _divergence(p: float, q: float) -> float:
    if q >= 1.0:
        return 0.0 if p >= 1.0 else math.inf
    first = p * math.log(p / q) if p > 0.0 else 0.0
    return first + ((1.0 - p) * math.log((1.0 - p) / (1.0 - q)) if p < 1.0 else 0.0)


def error_by_length(errors: int, n: int, bits: float, confidence: float) -> Certificate:
    """Certify a classifier by its training rows and its length.

    Examples
    --------
    >>> from learnable.theory.occam import error_by_length
    >>> print(error_by_length(2, 1000, 40.0, 0.95).text)
    With 95% confidence, at most 3.8% of new rows are answered wrongly (2 of 1000 training rows; \
the model takes 40 bits).
    """
    high = occam_bound(errors, n, bits, confidence)
    return Certificate(
        kind="guaranteed",
        quantity="error on new rows",
        value=errors / n,
        low=0.0,
        high=high,
        confidence=confidence,
        method="Occam bound by description length",
        n=n,
        assumptions=(INDEPENDENT, CODE),
        text=(
            f"With {percent(confidence)} confidence, at most {at_most(high)} of new rows are "
            f"answered wrongly ({errors} of {n} training rows; the model takes {bits:.0f} bits)."
        ),
    )
