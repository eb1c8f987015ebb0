"""Named dimensions and ranges: what the declarations of fitted state have in common."""

from __future__ import annotations

from typing import Any, NamedTuple

from learnable.estimator.ledger import Reader, Refused, Writer

Side = str | int
Bound = str | int | float | None


class Dimensions(dict[str, int]):
    """The sizes of named dimensions, set by the first attribute that bears the name."""

    def agree(self, side: Side, size: int) -> None:
        """Set or check one dimension."""
        if side == "?":
            return
        wanted = self.setdefault(side, size) if isinstance(side, str) else side
        if wanted != size:
            msg = f"its size {size} is not the {wanted} of {side!r}"
            raise Refused(msg)

    def shape(self, sides: tuple[Side, ...], shape: tuple[int, ...]) -> None:
        """Set or check the dimensions of an array."""
        if len(shape) != len(sides):
            msg = f"it has {len(shape)} axes, not {len(sides)}"
            raise Refused(msg)
        for side, size in zip(sides, shape, strict=True):
            self.agree(side, size)

    def bound(self, bound: Bound) -> float | int | None:
        """Return the number that a bound stands for."""
        if not isinstance(bound, str):
            return bound
        if bound not in self:
            msg = f"nothing says what {bound!r} is"
            raise Refused(msg)
        return self[bound]

    def forget_local(self) -> None:
        """Forget the sizes that hold within one item only."""
        for name in [name for name in self if name.startswith("_")]:
            del self[name]


class Range(NamedTuple):
    """What values may be: at least ``low``, at most ``high``, and less than ``below``."""

    low: Bound = None
    high: Bound = None
    below: Bound = None

    def check(self, least: Any, most: Any, dimensions: Dimensions) -> None:
        """Refuse values whose least or greatest lies outside."""
        low, high, below = map(dimensions.bound, self)
        if low is not None and least < low:
            msg = f"it holds {least}, less than {low}"
        elif high is not None and most > high:
            msg = f"it holds {most}, more than {high}"
        elif below is not None and most >= below:
            msg = f"it holds {most}, not less than {below}"
        else:
            return
        raise Refused(msg)


class Declaration:
    """What a fitted attribute is; a subclass says how its values are stored and checked.

    Parameters
    ----------
    optional : bool
        Whether the attribute may be missing or None.
    """

    def __init__(self, *, optional: bool = False) -> None:
        self.optional = optional

    def put(self, value: Any, writer: Writer, dimensions: Dimensions) -> Any:
        """Check a value and return its node."""
        if value is None and self.optional:
            return None
        return self._put(value, writer, dimensions)

    def take(self, node: Any, reader: Reader, dimensions: Dimensions) -> Any:
        """Return the value of a node, checked."""
        if node is None and self.optional:
            return None
        return self._take(node, reader, dimensions)

    def _put(self, value: Any, writer: Writer, dimensions: Dimensions) -> Any:
        raise NotImplementedError

    def _take(self, node: Any, reader: Reader, dimensions: Dimensions) -> Any:
        raise NotImplementedError
