"""Vector mathematics: exp, log, tanh and their kin over arrays, at the speed of the processor.

The functions here take any array; loops take single numbers through the functions with an
underscore, ``exp_``, ``log_`` and so on (:mod:`learnable.loops.elementary` says how they work and
how exact they are), which vectorise with the loop that calls them. float32 stays float32,
everything else becomes float64. The same number gives the same bits wherever it stands in an
array, and no function warns.

References
----------
.. [1] J.-M. Muller: Elementary Functions. Birkhaeuser, 3rd edition (2016).
.. [2] P. Blanchard, D. J. Higham, N. J. Higham: Accurately computing the log-sum-exp and softmax
   functions. IMA Journal of Numerical Analysis 41 (2021).
"""

from __future__ import annotations

from typing import Any

import numpy.typing as npt
from numba import float64

from learnable.core.compiler import loop
from learnable.loops.arguments import Array, numbers, result, room
from learnable.loops.elementary import (
    erf_,
    exp_,
    expm1_,
    log1p_,
    log_,
    sigmoid_,
    tanh_,
)
from learnable.loops.rows import log_softmax, logsumexp, softmax

__all__ = [
    "erf",
    "erf_",
    "exp",
    "exp_",
    "expm1",
    "expm1_",
    "log",
    "log1p",
    "log1p_",
    "log_",
    "log_softmax",
    "logsumexp",
    "sigmoid",
    "sigmoid_",
    "softmax",
    "tanh",
    "tanh_",
]

EACH = [("const real[::1]", "real[::1]")]


@loop(fastmath=False, ahead=EACH)
def _exp_each(x: Any, out: Any) -> None:
    for i in range(x.size):
        out[i] = exp_(float64(x[i]))


@loop(fastmath=False, ahead=EACH)
def _expm1_each(x: Any, out: Any) -> None:
    for i in range(x.size):
        out[i] = expm1_(float64(x[i]))


@loop(fastmath=False, ahead=EACH)
def _log_each(x: Any, out: Any) -> None:
    for i in range(x.size):
        out[i] = log_(float64(x[i]))


@loop(fastmath=False, ahead=EACH)
def _log1p_each(x: Any, out: Any) -> None:
    for i in range(x.size):
        out[i] = log1p_(float64(x[i]))


@loop(fastmath=False, ahead=EACH)
def _tanh_each(x: Any, out: Any) -> None:
    for i in range(x.size):
        out[i] = tanh_(float64(x[i]))


@loop(fastmath=False, ahead=EACH)
def _sigmoid_each(x: Any, out: Any) -> None:
    for i in range(x.size):
        out[i] = sigmoid_(float64(x[i]))


@loop(fastmath=False, ahead=EACH)
def _erf_each(x: Any, out: Any) -> None:
    for i in range(x.size):
        out[i] = erf_(float64(x[i]))


def exp(x: npt.ArrayLike, out: Array | None = None) -> Any:
    """Return e^x of each entry.

    Off by less than 1.1 units in the last place. It overflows to infinity and underflows to
    zero, through the subnormal numbers.

    Parameters
    ----------
    x : array_like
        Numbers, in any shape.
    out : ndarray, optional
        Where to write; of the shape and type of the result.

    Returns
    -------
    ndarray or scalar
        float32 for float32, else float64.

    Examples
    --------
    >>> from learnable.loops.vector_math import exp
    >>> exp([0.0, 1.0])
    array([1.        , 2.71828183])
    """
    return _each(_exp_each, x, out)


def expm1(x: npt.ArrayLike, out: Array | None = None) -> Any:
    """Return e^x - 1, to full precision also near 0 of each entry.

    Off by less than 2 units in the last place.

    Parameters
    ----------
    x : array_like
        Numbers, in any shape.
    out : ndarray, optional
        Where to write; of the shape and type of the result.

    Returns
    -------
    ndarray or scalar
        float32 for float32, else float64.

    Examples
    --------
    >>> from learnable.loops.vector_math import expm1
    >>> expm1([1e-20, 1.0])
    array([1.00000000e-20, 1.71828183e+00])
    """
    return _each(_expm1_each, x, out)


def log(x: npt.ArrayLike, out: Array | None = None) -> Any:
    """Return the natural logarithm of each entry.

    Off by less than 0.9 units in the last place. It gives -inf at zero and NaN below, without a
    warning.

    Parameters
    ----------
    x : array_like
        Numbers, in any shape.
    out : ndarray, optional
        Where to write; of the shape and type of the result.

    Returns
    -------
    ndarray or scalar
        float32 for float32, else float64.

    Examples
    --------
    >>> from learnable.loops.vector_math import log
    >>> log([1.0, 0.0, -1.0])
    array([  0., -inf,  nan])
    """
    return _each(_log_each, x, out)


def log1p(x: npt.ArrayLike, out: Array | None = None) -> Any:
    """Return log(1 + x), to full precision also near 0 of each entry.

    Off by less than 1 unit in the last place.

    Parameters
    ----------
    x : array_like
        Numbers, in any shape.
    out : ndarray, optional
        Where to write; of the shape and type of the result.

    Returns
    -------
    ndarray or scalar
        float32 for float32, else float64.

    Examples
    --------
    >>> from learnable.loops.vector_math import log1p
    >>> log1p([1e-20, 1.0])
    array([1.00000000e-20, 6.93147181e-01])
    """
    return _each(_log1p_each, x, out)


def tanh(x: npt.ArrayLike, out: Array | None = None) -> Any:
    """Return the hyperbolic tangent of each entry.

    Off by less than 2.6 units in the last place.

    Parameters
    ----------
    x : array_like
        Numbers, in any shape.
    out : ndarray, optional
        Where to write; of the shape and type of the result.

    Returns
    -------
    ndarray or scalar
        float32 for float32, else float64.

    Examples
    --------
    >>> from learnable.loops.vector_math import tanh
    >>> tanh([0.0, 1.0])
    array([0.        , 0.76159416])
    """
    return _each(_tanh_each, x, out)


def sigmoid(x: npt.ArrayLike, out: Array | None = None) -> Any:
    """Return the logistic function 1 / (1 + e^-x) of each entry.

    Off by less than 2.5 units in the last place.

    Parameters
    ----------
    x : array_like
        Numbers, in any shape.
    out : ndarray, optional
        Where to write; of the shape and type of the result.

    Returns
    -------
    ndarray or scalar
        float32 for float32, else float64.

    Examples
    --------
    >>> from learnable.loops.vector_math import sigmoid
    >>> sigmoid([0.0, -700.0])
    array([5.00000000e-001, 9.85967654e-305])
    """
    return _each(_sigmoid_each, x, out)


def erf(x: npt.ArrayLike, out: Array | None = None) -> Any:
    """Return the error function of each entry.

    It is 2 / sqrt(pi) times the integral of e^(-t^2) from 0 to x. Off by less than 2
    units in the last place.

    Parameters
    ----------
    x : array_like
        Numbers, in any shape.
    out : ndarray, optional
        Where to write; of the shape and type of the result.

    Returns
    -------
    ndarray or scalar
        float32 for float32, else float64.

    Examples
    --------
    >>> from learnable.loops.vector_math import erf
    >>> erf([0.0, 1.0])
    array([0.        , 0.84270079])
    """
    return _each(_erf_each, x, out)


def _each(loop_over: Any, x: npt.ArrayLike, out: Array | None) -> Any:
    x = numbers(x)
    made = room(x.shape, x, out)
    loop_over(x.reshape(-1), made.reshape(-1))
    return result(made, out)
