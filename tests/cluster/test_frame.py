from __future__ import annotations

import math

import numpy as np
import pytest

from learnable.cluster.frame import Frame, Targets, grid_rows, tile_width
from learnable.data import Rows
from learnable.stats import Moments


@pytest.mark.parametrize("size", [1e-308, 1e-200, 1.0, 3.7, 1e150, 1e300])
def test_points_go_in_and_out_without_loss(size):
    points = np.array([[1.0, -3.0], [5.0, 2.0], [0.0, 0.0]]) * size
    for frame in (Frame.around(points), Frame.of_moments(Moments.of(points))):
        assert math.frexp(frame.scale)[0] == 0.5
        inner = frame.inward(points)
        assert np.abs(inner).max() < 16.0
        np.testing.assert_allclose(frame.outward(inner), points, rtol=1e-15, atol=1e-15 * size)


def test_one_point_and_equal_points_have_a_frame():
    for points in (np.array([[7.0, 1e300]]), np.full((3, 2), -4.0)):
        frame = Frame.around(points)
        assert frame.scale == 1.0
        assert (frame.inward(points) == 0.0).all()


def test_blocks_and_tiles_suit_the_numbers_of_columns_and_clusters():
    for d, k in ((1, 1), (2, 10_000), (32, 64), (10_000, 2), (5000, 5000)):
        for kind in (np.float64, np.float32):
            height = grid_rows(Rows(np.zeros((1, d), kind)), k)
            assert height >= 16
            assert height == 1 << (height.bit_length() - 1)
            assert height * d * k <= max(1 << 31, 16 * d * k)
            width = tile_width(d, np.dtype(kind))
            assert width in {64, 128, 256, 512}
            assert width == 64 or width * d * np.dtype(kind).itemsize <= 1 << 18


def test_padding_never_wins():
    centres = np.full((5, 3), -1e3)
    made = Targets.of(Frame(np.zeros(3), 1.0), centres, np.dtype(float))
    X = np.zeros((9, 3))
    X.flags.writeable = False
    rows = np.arange(9, dtype=np.int32)
    rows.flags.writeable = False
    assert (made.nearest(X, rows) == 0).all()
