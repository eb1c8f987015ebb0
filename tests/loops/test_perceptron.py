"""The compiled pass against plain Python, for more than two classes."""

from __future__ import annotations

import numpy as np

from learnable.loops.perceptron import perceptron_pass


def test_many_classes():
    rng = np.random.default_rng(0)
    X, codes = rng.normal(size=(50, 3)), rng.integers(0, 4, 50).astype(np.int32)
    order = rng.permutation(50)
    lines, late = np.zeros((4, 4)), np.zeros((4, 4))
    found = perceptron_pass(X, codes, order, lines, late, 0.5, True, 0)
    plain, history, mistakes = np.zeros((4, 4)), [], 0
    for i in order:
        z = np.append(1.0, X[i])
        scores = plain @ z
        own = scores[codes[i]]
        scores[codes[i]] = -np.inf
        if own <= scores.max():
            mistakes += 1
            plain[codes[i]] += 0.5 * z
            plain[scores.argmax()] -= 0.5 * z
        history.append(plain.copy())
    assert found == mistakes
    np.testing.assert_allclose(lines, plain, rtol=1e-12)
    np.testing.assert_allclose(lines - late / 50, np.mean(history, axis=0), rtol=1e-9, atol=1e-12)
