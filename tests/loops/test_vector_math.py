"""exp, log, tanh and their kin against mpmath: errors, special values, kinds of array, speed."""

from __future__ import annotations

import math
import re

import mpmath
import numpy as np
import pytest
from numba import njit

from learnable.loops import vector_math
from learnable.loops.rows import log_softmax_rows, logsumexp_rows, softmax_rows

INF, NAN = math.inf, math.nan
LEAST, TINY = 5e-324, 2.2250738585072014e-308


def spread(rng, n, low, high):
    """Numbers of either sign whose magnitudes are even on the logarithmic scale."""
    return rng.choice([-1.0, 1.0], n) * 10.0 ** rng.uniform(low, high, n)


def logistic(x):
    return 1 / (1 + mpmath.exp(-x))


# The function with 40 digits, the error it may have, and where it is tried, by thirds.
FUNCTIONS = {
    "exp": (
        mpmath.exp,
        1.1,
        [
            lambda rng, n: rng.uniform(-745.0, 709.7, n),
            lambda rng, n: rng.uniform(-1.0, 1.0, n),
            lambda rng, n: spread(rng, n, -20.0, 2.8),
        ],
    ),
    "expm1": (
        mpmath.expm1,
        2.0,
        [
            lambda rng, n: rng.uniform(-45.0, 709.7, n),
            lambda rng, n: rng.uniform(-1.0, 1.0, n),
            lambda rng, n: spread(rng, n, -322.0, 1.5),
        ],
    ),
    "log": (
        mpmath.log,
        0.9,
        [
            lambda rng, n: 10.0 ** rng.uniform(-323.0, 308.0, n),
            lambda rng, n: rng.uniform(0.4, 2.1, n),
            lambda rng, n: 1.0 + spread(rng, n, -16.0, -0.4),
        ],
    ),
    "log1p": (
        mpmath.log1p,
        1.0,
        [
            lambda rng, n: 10.0 ** rng.uniform(-322.0, 308.0, n),
            lambda rng, n: -1.0 + 10.0 ** rng.uniform(-16.0, 0.5, n),
            lambda rng, n: spread(rng, n, -322.0, -0.01),
        ],
    ),
    "tanh": (
        mpmath.tanh,
        2.6,
        [
            lambda rng, n: rng.uniform(-22.0, 22.0, n),
            lambda rng, n: rng.uniform(-1.0, 1.0, n),
            lambda rng, n: spread(rng, n, -322.0, 300.0),
        ],
    ),
    "sigmoid": (
        logistic,
        2.5,
        [
            lambda rng, n: rng.uniform(-745.0, 40.0, n),
            lambda rng, n: rng.uniform(-10.0, 10.0, n),
            lambda rng, n: spread(rng, n, -300.0, 2.8),
        ],
    ),
    "erf": (
        mpmath.erf,
        2.0,
        [
            lambda rng, n: rng.uniform(-6.1, 6.1, n),
            lambda rng, n: rng.uniform(-2.0, 2.0, n),
            lambda rng, n: spread(rng, n, -322.0, 1.0),
        ],
    ),
}
EACH = pytest.mark.parametrize("name", FUNCTIONS)
ROWWISE = pytest.mark.parametrize("name", ["logsumexp", "softmax", "log_softmax"])


def points(name, n):
    rng = np.random.default_rng(7)
    return np.concatenate([draw(rng, n // 3 + 1) for draw in FUNCTIONS[name][2]])


def units_off(got, exact, kind=np.float64):
    """Errors in units in the last place; ``exact`` holds numbers of mpmath."""
    near = np.array([float(t) for t in exact])
    rest = np.array([float(t - mpmath.mpf(h)) for t, h in zip(exact, near.tolist(), strict=True)])
    unit = np.spacing(np.abs(near).astype(kind)).astype(np.float64)
    return np.abs((got.astype(np.float64) - near) - rest) / unit


@pytest.fixture(autouse=True)
def _forty_digits():
    with mpmath.workdps(40):
        yield


@EACH
@pytest.mark.parametrize("n", [3000, pytest.param(100_000, marks=pytest.mark.slow)])
def test_errors_are_below_what_the_docstring_says(name, n):
    exact, bound, _ = FUNCTIONS[name]
    function, x = getattr(vector_math, name), points(name, n)
    units = re.search(r"less than ([\d.]+)\s+units?", function.__doc__)
    assert float(units.group(1)) == bound
    assert units_off(function(x), [exact(mpmath.mpf(v)) for v in x.tolist()]).max() < bound


@EACH
@pytest.mark.parametrize("n", [3000, pytest.param(100_000, marks=pytest.mark.slow)])
def test_float32_is_rounded_once(name, n):
    exact, _, draws = FUNCTIONS[name]
    rng = np.random.default_rng(8)
    x = np.concatenate([draw(rng, n // 3 + 1) for draw in draws])
    x = x[(np.abs(x) < 80.0) & (np.abs(x) > 1e-44)].astype(np.float32)
    x = x[(x > -1) | (name != "log1p")]
    got = getattr(vector_math, name)(x)
    assert got.dtype == np.float32
    assert units_off(got, [exact(mpmath.mpf(v)) for v in x.tolist()], np.float32).max() < 0.501


SPECIAL = {
    "exp": [
        (NAN, NAN), (INF, INF), (-INF, 0.0), (0.0, 1.0), (-0.0, 1.0),
        (709.782712893384, 1.797693134862273e308), (709.7827128933841, INF),
        (1e308, INF), (-1e308, 0.0), (-745.13, LEAST), (-746.0, 0.0),
        (LEAST, 1.0), (-LEAST, 1.0),
    ],
    "expm1": [
        (NAN, NAN), (INF, INF), (-INF, -1.0), (0.0, 0.0), (-0.0, -0.0), (709.7827128933841, INF),
        (1e308, INF), (-1e308, -1.0),
        (LEAST, LEAST), (-LEAST, -LEAST), (TINY, TINY), (1e-300, 1e-300), (1e-280, 1e-280),
    ],
    "log": [
        (NAN, NAN), (INF, INF), (-INF, NAN), (0.0, -INF), (-0.0, -INF), (1.0, 0.0), (-1.0, NAN),
        (-LEAST, NAN), (LEAST, -744.4400719213812), (TINY, -708.3964185322641),
    ],
    "log1p": [
        (NAN, NAN), (INF, INF), (-INF, NAN), (0.0, 0.0), (-0.0, -0.0), (-1.0, -INF), (-1.5, NAN),
        (LEAST, LEAST), (-LEAST, -LEAST), (1.7976931348623157e308, 709.782712893384),
    ],
    "tanh": [
        (NAN, NAN), (INF, 1.0), (-INF, -1.0), (0.0, 0.0), (-0.0, -0.0), (LEAST, LEAST),
        (-LEAST, -LEAST), (30.0, 1.0), (-1e308, -1.0),
    ],
    "sigmoid": [
        (NAN, NAN), (INF, 1.0), (-INF, 0.0), (0.0, 0.5), (-0.0, 0.5), (40.0, 1.0), (1e308, 1.0),
        (-1e308, 0.0), (-745.13, LEAST),
    ],
    "erf": [
        (NAN, NAN), (INF, 1.0), (-INF, -1.0), (0.0, 0.0), (-0.0, -0.0), (6.0, 1.0), (-1e308, -1.0),
        (LEAST, LEAST), (-LEAST, -LEAST),
    ],
}  # fmt: skip


HUGE32, LEAST32 = 3e38, 1e-45
SPECIAL32 = {
    "exp": [(NAN, NAN), (INF, INF), (-INF, 0.0), (89.0, INF), (-104.0, 0.0), (HUGE32, INF)],
    "expm1": [(NAN, NAN), (INF, INF), (-INF, -1.0), (-0.0, -0.0), (LEAST32, LEAST32)],
    "log": [(NAN, NAN), (INF, INF), (0.0, -INF), (-1.0, NAN), (LEAST32, -103.27893)],
    "log1p": [(NAN, NAN), (INF, INF), (-0.0, -0.0), (-1.0, -INF), (LEAST32, LEAST32)],
    "tanh": [(NAN, NAN), (INF, 1.0), (-INF, -1.0), (-0.0, -0.0), (LEAST32, LEAST32)],
    "sigmoid": [(NAN, NAN), (INF, 1.0), (-INF, 0.0), (HUGE32, 1.0), (-HUGE32, 0.0)],
    "erf": [(NAN, NAN), (INF, 1.0), (-INF, -1.0), (-0.0, -0.0), (LEAST32, LEAST32)],
}


@EACH
@pytest.mark.parametrize(("kind", "table"), [(np.float64, SPECIAL), (np.float32, SPECIAL32)])
def test_special_values_keep_their_sign_and_never_warn(name, kind, table):
    x, expected = np.array(table[name], kind).T
    got = getattr(vector_math, name)(x)
    np.testing.assert_array_equal(np.isnan(got), np.isnan(expected))
    got, expected = got[~np.isnan(expected)], expected[~np.isnan(expected)]
    np.testing.assert_array_equal(np.signbit(got), np.signbit(expected))
    finite = np.isfinite(expected)
    np.testing.assert_array_equal(got[~finite], expected[~finite])
    np.testing.assert_array_max_ulp(got[finite], expected[finite], 1)


@EACH
def test_a_number_gives_the_same_bits_wherever_it_stands(name):
    x = points(name, 300)
    function = getattr(vector_math, name)
    alone = np.array([function(v) for v in x])
    assert function(x).tobytes() == alone.tobytes()
    assert function(x[7:]).tobytes() == alone[7:].tobytes()


@EACH
def test_monotone_where_two_polynomials_or_two_octaves_meet(name):
    function = getattr(vector_math, name)
    unit = 3 * FUNCTIONS[name][1]
    for middle in (1.2, math.log(2) / 2, math.sqrt(0.5), math.sqrt(2.0), 20.0, 1e-290):
        x = middle + np.spacing(middle) * np.arange(-2000, 2000)
        y = function(x)
        assert (np.diff(y) >= -unit * np.spacing(np.abs(y[1:]))).all()


@EACH
def test_kinds_of_array(name):
    function = getattr(vector_math, name)
    x = np.abs(points(name, 600)[:600].reshape(20, 30)) % 1.5 + 0.1
    expected = function(np.ascontiguousarray(x))
    x.flags.writeable = False
    for other in (x, np.asfortranarray(x), x.astype(">f8"), x.tolist()):
        assert function(other).tobytes() == expected.tobytes()
    assert function(x[::2, ::-3]).tobytes() == np.ascontiguousarray(expected[::2, ::-3]).tobytes()
    assert function(np.broadcast_to(x[0], (4, 30))).tobytes() == 4 * expected[0].tobytes()


@EACH
def test_shapes_and_types_of_the_result(name):
    function = getattr(vector_math, name)
    for shape in [(0,), (0, 3), (2, 0, 3), (1,), (2, 3, 4)]:
        assert function(np.ones(shape)).shape == shape
    assert isinstance(function(0.5), np.float64)
    assert isinstance(function(np.float32(0.5)), np.float32)
    for kind in (np.int8, np.int64, np.uint16, np.bool_, np.float16):
        got = function(np.ones(2, kind))
        assert got.dtype == np.float64
        assert got[0] == function(1.0)
    for refused in (complex, object, "S3"):
        with pytest.raises(TypeError, match="Cannot cast"):
            function(np.ones(2, refused))


@EACH
def test_out_is_written_whatever_its_layout(name):
    function = getattr(vector_math, name)
    x = np.linspace(0.1, 0.9, 24).reshape(4, 6)
    expected = function(x)
    fortran, strided, wide = np.empty((4, 6), order="F"), np.empty((8, 12)), np.empty((3, 4, 6))
    narrow = np.empty((4, 6), np.float32)
    for out in (np.empty((4, 6)), fortran, strided[::2, ::2], wide):
        assert function(x, out=out) is out
        np.testing.assert_array_equal(out, np.broadcast_to(expected, out.shape))
    function(x, out=narrow)
    np.testing.assert_array_equal(narrow, expected.astype(np.float32))
    same = x.copy()
    assert function(same, out=same) is same
    np.testing.assert_array_equal(same, expected)


@EACH
def test_out_may_overlap_the_argument(name):
    function = getattr(vector_math, name)
    for source, target in ((slice(0, 99), slice(1, 100)), (slice(1, 100), slice(0, 99))):
        memory = np.linspace(0.1, 0.9, 100)
        expected = function(memory[source].copy())
        function(memory[source], out=memory[target])
        np.testing.assert_array_equal(memory[target], expected)


@EACH
def test_out_that_cannot_hold_the_result_is_refused(name):
    function = getattr(vector_math, name)
    locked = np.zeros(3)
    locked.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        function(np.ones(3), out=locked)
    with pytest.raises(ValueError, match="broadcast"):
        function(np.ones(3), out=np.empty(2))
    with pytest.raises(TypeError, match="Cannot cast"):
        function(np.ones(3), out=np.empty(3, np.int64))


def plain_rows(name, x):
    """Compute with 40 digits."""
    made = []
    for row in x.reshape(-1, x.shape[-1]).tolist():
        powers = [mpmath.exp(mpmath.mpf(v)) for v in row]
        total = mpmath.log(mpmath.fsum(powers))
        if name == "logsumexp":
            made.append(total)
        elif name == "softmax":
            made += [p / mpmath.exp(total) for p in powers]
        else:
            made += [mpmath.mpf(v) - total for v in row]
    return made


@ROWWISE
@pytest.mark.parametrize("d", [1, 2, 3, 8, 100, 2047, 2048, 2049, 5000])
def test_rows_of_any_length(name, d):
    rng = np.random.default_rng(d)
    x = rng.normal(size=(max(3, 5000 // d), d)) * 10.0 ** rng.uniform(-2, 2)
    got = getattr(vector_math, name)(x).ravel()
    exact = np.array([float(v) for v in plain_rows(name, x)])
    # The difference from the largest is rounded, which shifts the exponential by as much.
    size = np.abs(x).max() if name != "softmax" else np.ptp(x) * np.abs(exact)
    allowed = 4e-15 * np.abs(exact) + 3e-16 * size
    assert (np.abs(got - exact) <= allowed + LEAST).all()
    single = getattr(vector_math, name)(x.astype(np.float32)).ravel()
    assert single.dtype == np.float32
    again = np.array([float(v) for v in plain_rows(name, x.astype(np.float32).astype(float))])
    assert (np.abs(single - again) <= 2e-7 * np.abs(again) + allowed + 1e-44).all()


@ROWWISE
def test_rows_do_not_depend_on_their_neighbours(name):
    x = np.random.default_rng(3).normal(size=(500, 7))
    function = getattr(vector_math, name)
    whole = function(x)
    assert np.array([function(row) for row in x]).tobytes() == whole.tobytes()
    assert function(x[123:400]).tobytes() == whole[123:400].tobytes()


@pytest.mark.parametrize("more", [0, 1, 7])
def test_rows_with_infinities_and_nan(more):
    x = np.array([[-INF, -INF], [INF, 0.0], [NAN, 0.0], [0.0, NAN], [0.0, -INF], [1e308, 1e308]])
    wide = np.hstack([x, np.full((6, more), -INF)])  # short and long rows go different ways
    np.testing.assert_array_equal(vector_math.logsumexp(wide), [-INF, INF, NAN, NAN, 0.0, 1e308])
    np.testing.assert_array_equal(
        vector_math.softmax(wide)[:, :2],
        [[NAN, NAN], [NAN, 0.0], [NAN, NAN], [NAN, NAN], [1.0, 0.0], [0.5, 0.5]],
    )
    logs = vector_math.log_softmax(wide)
    np.testing.assert_array_equal(logs[4, :2], [0.0, -INF])
    np.testing.assert_array_equal(logs[5, :2], 2 * [-math.log(2.0)])


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_nan_of_either_sign_reaches_the_result(sign):
    x = np.zeros((3, 5))
    x[1, 3] = math.copysign(NAN, sign)
    np.testing.assert_array_equal(np.isnan(vector_math.logsumexp(x)), [False, True, False])
    assert np.isnan(vector_math.softmax(x)[1]).all()


@ROWWISE
def test_empty_rows_out_and_overlap(name):
    function = getattr(vector_math, name)
    x = np.random.default_rng(5).normal(size=(4, 3, 6))
    expected = function(x)
    out = np.empty_like(expected)
    assert function(x, out=out) is out
    np.testing.assert_array_equal(out, expected)
    assert function(np.empty((0, 3))).size == 0
    np.testing.assert_array_equal(function(np.asfortranarray(x)), expected)
    memory = x.copy()
    rows = memory.reshape(-1, 6)
    function(rows[:-1], out=rows[1:] if name != "logsumexp" else rows.reshape(-1)[1:12])
    made = rows[1:] if name != "logsumexp" else rows.reshape(-1)[1:12]
    np.testing.assert_array_equal(made, function(x.reshape(-1, 6)[:-1]))
    if name == "logsumexp":
        np.testing.assert_array_equal(function(np.empty((3, 0))), 3 * [-INF])
    else:
        assert function(np.empty((3, 0))).shape == (3, 0)


def machine_code(dispatcher, *arguments):
    """Compile afresh (what comes from the disk no longer tells how it was made)."""
    flags = dispatcher.targetoptions["fastmath"]
    fresh = njit(nogil=True, error_model="numpy", fastmath=flags)(dispatcher.py_func)
    fresh(*arguments)
    return next(iter(fresh.inspect_llvm().values()))


VECTORS = re.compile(r"(?:fma|fmuladd)[\w.]*\.v\d+f64")


@EACH
@pytest.mark.parametrize("kind", [np.float64, np.float32])
def test_the_loop_works_on_several_numbers_at_a_time(name, kind):
    loop = getattr(vector_math, f"_{name}_each")
    code = machine_code(loop, np.ones(3, kind), np.ones(3, kind))
    assert VECTORS.search(code)


@pytest.mark.parametrize("loop", [logsumexp_rows, softmax_rows, log_softmax_rows])
def test_rows_work_on_several_numbers_at_a_time(loop):
    x = np.ones((3, 3))
    out = np.ones(3) if loop is logsumexp_rows else np.ones((3, 3))
    assert VECTORS.search(machine_code(loop, x, out))
