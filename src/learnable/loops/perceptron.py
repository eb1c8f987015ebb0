"""One pass of the perceptron rule over rows, in a stated order.

Cost: 2 n d K operations, and 2 d for every mistake.

References
----------
.. [1] F. Rosenblatt: The perceptron: a probabilistic model for information storage and organization
   in the brain. Psychological Review 65, 1958.
.. [2] Y. Freund, R. E. Schapire: Large margin classification using the perceptron algorithm.
   Machine Learning 37, 1999.
"""

from __future__ import annotations

from learnable.core.compiler import loop


@loop(fastmath=False, inline=True)
def _score(lines, c, X, i):
    """Score of a row by one line."""
    score = lines[c, 0]
    for j in range(X.shape[1]):
        score += lines[c, 1 + j] * X[i, j]
    return score


@loop(fastmath=False, inline=True)
def _rival(lines, own, X, i):
    """Line with the best score beside the right one, and that score."""
    other, best = -1, 0.0
    for c in range(lines.shape[0]):
        score = _score(lines, c, X, i)
        if c != own and (other < 0 or score > best):
            best, other = score, c
    return other, best


@loop(fastmath=False, inline=True)
def _correct(lines, late, c, X, i, step, seen, constant):
    """Add a row to a line, and to what the average needs."""
    if constant:
        lines[c, 0] += step
        late[c, 0] += step * seen
    for j in range(X.shape[1]):
        lines[c, 1 + j] += step * X[i, j]
        late[c, 1 + j] += step * seen * X[i, j]


@loop(
    fastmath=False,
    ahead=[
        ("const float64[:, ::1]", "const int32[::1]", "const int64[::1]", "float64[:, ::1]",
         "float64[:, ::1]", "float64", "bool", "int64")
    ],
)  # fmt: skip
def perceptron_pass(X, codes, order, lines, late, eta, constant, seen):
    """Correct ``lines`` (K or 1, 1 + d) at every mistake; return the number of mistakes.

    ``late`` gathers each correction times the number of rows seen before, from which the average
    of the lines over all rows follows. A tie is a mistake.
    """
    mistakes = 0
    for place in range(order.shape[0]):
        i = order[place]
        if lines.shape[0] == 1:
            sign = 1.0 if codes[i] == 1 else -1.0
            if sign * _score(lines, 0, X, i) <= 0.0:
                mistakes += 1
                _correct(lines, late, 0, X, i, eta * sign, seen, constant)
        else:
            other, best = _rival(lines, codes[i], X, i)
            if _score(lines, codes[i], X, i) <= best:
                mistakes += 1
                _correct(lines, late, codes[i], X, i, eta, seen, constant)
                _correct(lines, late, other, X, i, -eta, seen, constant)
        seen += 1
    return mistakes
