"""exp, expm1, log, log1p, tanh, sigmoid and erf of one number, for use inside other loops.

Each function is free of branches, tables and calls, so that a loop over it vectorises, and holds
on the whole line: NaN, infinities, subnormals, overflow to infinity, underflow to zero. The
arguments are reduced to a small interval by exact arithmetic, as in [1]_ and [2]_, and a
polynomial does the rest; the polynomials interpolate at Chebyshev's nodes (for erfc: minimise the
weighted maximum), computed with 60 digits. The tests hold the largest errors in
units in the last place over 1e5 points each: exp 1.1, expm1 2, log 0.9, log1p 1, tanh 2.6,
sigmoid 2.5, erf 2.

The functions take and return float64; a float32 array goes through float64 and is rounded once.
They are compiled with exact arithmetic also where the calling loop may reorder sums.

References
----------
.. [1] P. T. P. Tang: Table-driven implementation of the exponential function in IEEE
   floating-point arithmetic. ACM TOMS 15 (1989).
.. [2] J.-M. Muller: Elementary Functions. Birkhaeuser, 3rd edition (2016).
"""

from __future__ import annotations

import math

from learnable.core.compiler import loop
from learnable.loops.bits import (
    bits_of,
    copysign,
    either_polynomial,
    float_of,
    fma,
    polynomial,
    select,
)

LOG2_E = 1.4426950408889634
LN2, LN2_REST = 0.6931471803691238, 1.9082149292705877e-10
"""ln 2 in two pieces to 85 bits; the first has 32, so that its small multiples are exact."""

ROUND = 6755399441055744.0
ROUND_BITS = 0x4338000000000000
"""1.5 * 2^52: a number added to it is rounded to an integer, which its last bits then hold."""

SQRT_HALF_BITS = 0x3FE6A09E667F3BCD
SMALLEST_NORMAL = 2.2250738585072014e-308
ERF_SPLIT, ERF_ONE = 1.2, 5.95
"""Where erf changes its polynomial, and from where on it is 1."""

OVERFLOW, UNDERFLOW = 710.0, -746.0
"""Beyond these e^x is infinite or 0."""

EXPM1_LEAST, EXPM1_SAME, TANH_ONE = -40.0, 1e-290, 20.0
"""Where e^x - 1 is -1, where it is x itself, and where tanh is 1."""

# (exp(r) - 1 - r) / r^2 on |r| <= ln(2) / 2
EXP = (
    0.5,
    0.1666666666666667,
    0.04166666666666667,
    0.008333333333326136,
    0.0013888888888883748,
    0.00019841269874820627,
    2.4801587325547743e-05,
    2.7557255400206422e-06,
    2.75572736431103e-07,
    2.5105217004720745e-08,
    2.0914686968086876e-09,
)

# (2 artanh(s) - 2 s) / s^3 as a function of s^2 <= ((sqrt(2) - 1) / (sqrt(2) + 1))^2
LOG = (
    0.666666666666667,
    0.39999999999899444,
    0.2857142862600327,
    0.22222211130259878,
    0.18182889455674947,
    0.15331710618210773,
    0.14616585424888623,
)

# erf(x) / x - 1 as a function of x^2, x <= 1.2
ERF_NEAR = (
    0.1283791670955126,
    -0.3761263890318374,
    0.11283791670954763,
    -0.02686617064506662,
    0.00522397762484068,
    -0.0008548326989877069,
    0.00012055331765936018,
    -1.4925620411595559e-05,
    1.6461598881372106e-06,
    -1.6359566950686266e-07,
    1.475316888620586e-08,
    -1.1967313291447325e-09,
    8.126446222408266e-11,
    -3.4626566025252654e-12,
    0.0,
)

# log(erfc(x)) as a function of x - 1.2, x <= 5.95, weighted by erfc
ERF_FAR = (
    -2.4114403551669295,
    -2.9808920244902857,
    -0.8657882014457747,
    -0.03428619373920937,
    0.008202992615042197,
    -0.0016814319448842186,
    0.000249476379954119,
    -5.195232543888978e-06,
    -1.3385190585328716e-05,
    6.022597007570201e-06,
    -1.697724382998248e-06,
    3.455217609773753e-07,
    -4.971041297705006e-08,
    4.536495804400556e-09,
    -1.9662069267681487e-10,
)


@loop(inline=True, fastmath=False)
def exp_(x: float) -> float:
    """Return e^x."""
    x = select(x > OVERFLOW, OVERFLOW, x)
    x = select(x < UNDERFLOW, UNDERFLOW, x)
    shifted = fma(x, LOG2_E, ROUND)
    n = shifted - ROUND
    r = fma(n, -LN2_REST, fma(n, -LN2, x))
    p = 1.0 + fma(r * r, polynomial(r, EXP), r)
    k = bits_of(shifted) - ROUND_BITS
    half = k >> 1
    return p * power_of_two(half) * power_of_two(k - half)


@loop(inline=True, fastmath=False)
def power_of_two(k: int) -> float:
    """Return 2^k for a normal result."""
    return float_of((k + 1023) << 52)


@loop(inline=True, fastmath=False)
def expm1_(x: float) -> float:
    """Return e^x - 1, to full precision also near 0."""
    y = select(x > OVERFLOW, OVERFLOW, x)
    y = select(y < EXPM1_LEAST, EXPM1_LEAST, y)
    shifted = fma(y, LOG2_E, ROUND)
    n = shifted - ROUND
    r = fma(n, -LN2_REST, fma(n, -LN2, y))
    p = fma(r * r, polynomial(r, EXP), r)
    half = power_of_two(bits_of(shifted) - ROUND_BITS - 1)
    return select(abs(x) < EXPM1_SAME, x, 2.0 * fma(half, p, half - 0.5))


@loop(inline=True, fastmath=False)
def log_(x: float) -> float:
    """Return the natural logarithm: -inf at 0, NaN below."""
    tiny = x < SMALLEST_NORMAL
    bits = bits_of(select(tiny, x * 18014398509481984.0, x))
    k = (bits - SQRT_HALF_BITS) >> 52
    n = float_of(k + ROUND_BITS) - ROUND - select(tiny, 54.0, 0.0)
    f = float_of(bits - (k << 52)) - 1.0
    s = f / (2.0 + f)
    z = s * s
    whole = n * LN2
    high = whole + f
    low = fma(n, LN2_REST, (whole - high) + f)
    value = high + (low - s * (f - z * polynomial(z, LOG)))
    value = select(x > 0.0, value, select(x == 0.0, -math.inf, math.nan))
    return select(x == math.inf, math.inf, value)


@loop(inline=True, fastmath=False)
def log1p_(x: float) -> float:
    """Return log(1 + x), to full precision also near 0."""
    u = 1.0 + x
    back = u - 1.0
    lost = (1.0 - (u - back)) + (x - back)
    bits = bits_of(u)
    k = (bits - SQRT_HALF_BITS) >> 52
    n = float_of(k + ROUND_BITS) - ROUND
    lost = lost * power_of_two(select(k < 1000, -k, -1000))
    f = float_of(bits - (k << 52)) - 1.0
    s = f / (2.0 + f)
    z = s * s
    whole = n * LN2
    high = whole + f
    low = fma(n, LN2_REST, (whole - high) + f)
    rest = lost * (1.0 - 2.0 * s * (1.0 - s))
    value = high + (low - s * (f - z * polynomial(z, LOG)) + rest)
    value = select(x > -1.0, value, select(x == -1.0, -math.inf, math.nan))
    return select((x == math.inf) | (x == 0.0), x, value)


@loop(inline=True, fastmath=False)
def tanh_(x: float) -> float:
    """Return the hyperbolic tangent."""
    size = abs(x)
    e = expm1_(2.0 * select(size > TANH_ONE, TANH_ONE, size))
    return copysign(e / (e + 2.0), x)


@loop(inline=True, fastmath=False)
def sigmoid_(x: float) -> float:
    """Return 1 / (1 + e^-x), to full precision also where it is nearly 0."""
    e = exp_(-abs(x))
    return select(x < 0.0, e, 1.0) / (1.0 + e)


@loop(inline=True, fastmath=False)
def erf_(x: float) -> float:
    """Return the error function, 2 / sqrt(pi) times the integral of e^(-t^2) from 0 to x."""
    size = abs(x)
    far = size > ERF_SPLIT
    v = select(far, select(size > ERF_ONE, ERF_ONE, size) - ERF_SPLIT, size * size)
    p = either_polynomial(far, v, ERF_FAR, ERF_NEAR)
    shifted = fma(p, LOG2_E, ROUND)
    n = shifted - ROUND
    r = fma(n, -LN2_REST, fma(n, -LN2, p))
    e = 1.0 + fma(r * r, polynomial(r, EXP), r)
    beyond = 1.0 - e * power_of_two(bits_of(shifted) - ROUND_BITS)
    return copysign(select(far, beyond, fma(size, p, size)), x)
