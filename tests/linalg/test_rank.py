from __future__ import annotations

import numpy as np
import pytest

from learnable.linalg import ranked


def factor(A):
    return np.linalg.qr(A, mode="r")


def test_the_inverse_of_full_rank():
    rng = np.random.default_rng(0)
    scale = np.array([1.0, 1e5, 1e-5, 1.0])
    A, b = rng.normal(size=(20, 4)), rng.normal(size=(20, 2))
    Q, R = np.linalg.qr(A * scale)
    found = ranked(R)
    assert found.rank == 4
    assert found.determined.all()
    expected = np.linalg.lstsq(A, b, rcond=None)[0] / scale[:, None]
    np.testing.assert_allclose(found.solve(Q.T @ b), expected, rtol=1e-9)


@pytest.mark.parametrize("unit", [1.0, np.array([1.0, 2.0, 4.0, 0.5])])
def test_the_solution_of_least_norm(unit):
    """Columns 2 = 0 + 1 and 3 = 0: the least solution in the units of the columns."""
    rng = np.random.default_rng(1)
    A = rng.normal(size=(20, 4))
    A[:, 2], A[:, 3] = A[:, 0] + A[:, 1], 0.0
    Q, R = np.linalg.qr(A)
    b = rng.normal(size=(20, 1))
    found = ranked(R, unit=unit)
    assert found.rank == 2
    assert found.determined.tolist() == [False, False, False, False]
    assert found.dependencies()[-1] == (3, [])
    real = np.broadcast_to(unit, 4)
    expected = np.linalg.pinv(A * real) @ b
    np.testing.assert_allclose(found.solve(Q.T @ b) / real[:, None], expected, atol=1e-12)


def test_units_do_not_decide_the_rank():
    rng = np.random.default_rng(2)
    A = rng.normal(size=(30, 3))
    assert [ranked(factor(A * [1, s, 1])).rank for s in (1e-30, 1.0, 1e30)] == [3, 3, 3]


def test_a_tolerance_may_be_stated():
    rng = np.random.default_rng(3)
    A = rng.normal(size=(30, 2))
    A[:, 1] = A[:, 0] + 1e-4 * A[:, 1]
    assert ranked(factor(A)).rank == 2
    assert ranked(factor(A), tol=1e-2).rank == 1
    assert 1e3 < ranked(factor(A)).condition < 1e6
