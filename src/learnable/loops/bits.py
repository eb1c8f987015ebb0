"""Building blocks of branch-free code, each one or a few machine instructions.

They exist because a loop vectorises only when its body holds no branch, no call and no rounding
that must be kept from the compiler: a fused multiply-add that is fused on every machine, a choice
that evaluates both sides, a float seen as the integer with the same bits, a polynomial.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import config, types
from numba.core import cgutils
from numba.extending import intrinsic

DOUBLE = ir.DoubleType()
LONG = ir.IntType(64)


def instruction(plain: Callable[..., Any]) -> Callable[[Callable[..., Any]], Any]:
    """Make an intrinsic, or the plain function where nothing is compiled (NUMBA_DISABLE_JIT)."""
    return lambda compiled: plain if config.DISABLE_JIT else intrinsic(compiled)


def _horner(x: float, coefficients: tuple[float, ...]) -> float:
    value = 0.0
    for c in reversed(coefficients):
        value = value * x + c
    return value


def _float_of(bits: int) -> float:
    return struct.unpack("<d", struct.pack("<Q", int(bits) & 0xFFFFFFFFFFFFFFFF))[0]


@instruction(lambda x: struct.unpack("<q", struct.pack("<d", x))[0])
def bits_of(typing: Any, x: Any) -> Any:  # noqa: ARG001
    """Return the int64 that has the bits of a float64."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:  # noqa: ARG001
        return builder.bitcast(args[0], LONG)

    return types.int64(types.float64), build


@instruction(_float_of)
def float_of(typing: Any, bits: Any) -> Any:  # noqa: ARG001
    """Return the float64 that has the bits of an int64."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:  # noqa: ARG001
        return builder.bitcast(args[0], DOUBLE)

    return types.float64(types.int64), build


@instruction(lambda a, b, c: a * b + c)
def fma(typing: Any, a: Any, b: Any, c: Any) -> Any:  # noqa: ARG001
    """Return a b + c, rounded once."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:  # noqa: ARG001
        return builder.fma(*args)

    return types.float64(types.float64, types.float64, types.float64), build


@instruction(math.copysign)
def copysign(typing: Any, size: Any, sign: Any) -> Any:  # noqa: ARG001
    """Return the size of one float64 with the sign of another."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:  # noqa: ARG001
        kind = ir.FunctionType(DOUBLE, [DOUBLE, DOUBLE])
        return builder.call(builder.module.declare_intrinsic("llvm.copysign", [DOUBLE], kind), args)

    return types.float64(types.float64, types.float64), build


@instruction(lambda condition, yes, no: yes if condition else no)
def select(typing: Any, condition: Any, yes: Any, no: Any) -> Any:  # noqa: ARG001
    """Return one of two values of one type; both are evaluated."""
    kind = types.float64 if isinstance(yes, types.Float) else types.int64

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:  # noqa: ARG001
        return builder.select(*args)

    return kind(types.boolean, kind, kind), build


def _evaluate(builder: Any, v: Any, c: list[Any]) -> Any:
    """Horner's rule for the first two steps, which decide the rounding; the rest in pairs."""
    power, terms = v, list(c[2:])
    while len(terms) > 1:
        pairs = [builder.fma(b, power, a) for a, b in zip(terms[::2], terms[1::2], strict=False)]
        terms = pairs + terms[len(pairs) * 2 :]
        power = builder.fmul(power, power)
    return builder.fma(builder.fma(terms[0], v, c[1]), v, c[0])


@instruction(_horner)
def polynomial(typing: Any, x: Any, coefficients: Any) -> Any:  # noqa: ARG001
    """Return c[0] + c[1] x + ... by Horner's rule in fused steps."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:  # noqa: ARG001
        v, c = args[0], cgutils.unpack_tuple(builder, args[1])
        return _evaluate(builder, v, c)

    return types.float64(types.float64, coefficients), build


@instruction(lambda first, x, c, d: _horner(x, c if first else d))
def either_polynomial(typing: Any, first: Any, x: Any, c: Any, d: Any) -> Any:  # noqa: ARG001
    """Return the polynomial with coefficients c where ``first`` holds, else the one with d."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:  # noqa: ARG001
        where, v = args[:2]
        pairs = zip(*(cgutils.unpack_tuple(builder, arg) for arg in args[2:]), strict=True)
        chosen = [builder.select(where, one, other) for one, other in pairs]
        return _evaluate(builder, v, chosen)

    return types.float64(types.boolean, types.float64, c, d), build
