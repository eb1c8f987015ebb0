"""Losses of linear scores and their derivatives, row by row.

Cost: one exponential and one logarithm a score.

References
----------
.. [1] P. Blanchard, D. J. Higham, N. J. Higham: Accurately computing the log-sum-exp and softmax
   functions. IMA Journal of Numerical Analysis 41, 2021.
"""

from __future__ import annotations

from learnable.core.compiler import loop
from learnable.loops.elementary import exp_, log1p_, log_


@loop(
    ahead=[
        ("float64[::1]", "const float64[::1]", "const float64[::1]", "float64[::1]",
         "float64[::1]")
    ],
)  # fmt: skip
def binary(scores, target, weight, residual, curvature):
    """Sum of ``w (log(1 + e^s) - t s)``; its first derivatives and second ones by the score."""
    loss = 0.0
    weighted = weight.shape[0] > 0
    for i in range(scores.shape[0]):
        s = scores[i]
        w = weight[i] if weighted else 1.0
        small = exp_(-abs(s))
        share = 1.0 / (1.0 + small)
        p = share if s >= 0.0 else small * share
        loss += w * (max(s, 0.0) - target[i] * s + log1p_(small))
        residual[i] = w * (p - target[i])
        curvature[i] = w * small * share * share
    return loss


@loop(ahead=[("float64[:, ::1]", "const int32[::1]", "const float64[::1]", "float64[:, ::1]")])
def softmax(scores, codes, weight, residual):
    """Sum of ``w (logsumexp(s) - s_c)``; scores become probabilities, residuals w (p - y)."""
    loss = 0.0
    weighted = weight.shape[0] > 0
    k = scores.shape[1]
    for i in range(scores.shape[0]):
        w = weight[i] if weighted else 1.0
        top = scores[i, 0]
        for c in range(1, k):
            top = max(top, scores[i, c])
        own = scores[i, codes[i]] - top
        total = 0.0
        for c in range(k):
            scores[i, c] = exp_(scores[i, c] - top)
            total += scores[i, c]
        for c in range(k):
            scores[i, c] /= total
            residual[i, c] = w * scores[i, c]
        residual[i, codes[i]] -= w
        loss += w * (log_(total) - own)
    return loss


@loop(
    ahead=[
        ("const float64[::1]", "const float64[::1]", "const float64[::1]", "float64[::1]",
         "float64[::1]")
    ],
)  # fmt: skip
def poisson(scores, target, weight, residual, curvature):
    """Sum of ``w (e^s - t s)``; its first derivatives and second ones by the score."""
    loss = 0.0
    weighted = weight.shape[0] > 0
    for i in range(scores.shape[0]):
        w = weight[i] if weighted else 1.0
        mean = exp_(scores[i])
        if w != 0.0:
            loss += w * (mean - target[i] * scores[i])
        residual[i] = w * (mean - target[i])
        curvature[i] = w * mean
    return loss
