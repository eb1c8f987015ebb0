"""Declarations of what a fitted learner holds, from which model files are written and checked.

A learner class says once, in ``fitted_state``, what each fitted attribute is::

    fitted_state = {
        "n_features_in_": Count("d", low=1),
        "feature_names_in_": Names("d", optional=True),
        "classes_": Labels("K"),
        "class_count_": Floats("K", low=0.0),
        "theta_": Floats("K", "d"),
    }

Dimensions are named: the first attribute that bears a name sets its size, all others must agree.
A side may also be a number, ``"?"`` for any size, or ``"_n"`` (a name beginning with an underscore)
for a size that is common only within one item of a :class:`ListOf`. A bound may be a number or
the name of a dimension that stands earlier. An ``optional`` attribute may be missing or None.

Both directions check: what is saved can be loaded, and what is loaded was declared, has the
shapes, lies in the ranges.

How to declare a learner
------------------------
* Name each public fitted attribute in ``fitted_state``, in an order in which bounds and sizes come
  before what they bound; saving refuses an attribute that nothing declares.
* Store causes, not consequences: what follows from other attributes goes into ``derived`` and is
  computed by ``_derive``, which loading calls. It then cannot contradict them. What it computes
  counts as memory of loading: at most the size of the file, and 40 MB.
* Bound every index: ``Integers("n", low=0, below="k")``. A number that only a check of your own
  can judge (a tree without cycles, rows that sum to one, a child's classes) is judged in
  ``_check_state``, after ``super()._check_state()``; raise any ``ValueError`` there. Overflow,
  division by zero and NaN that arise in it refuse the file.
* A statistic is declared once, in :mod:`learnable.estimator.statistic_state`; a learner inside a
  learner by :class:`Learner`, and ``_check_state`` says of which class, fitted to how many
  columns and to which classes it must be.
* Then add the learner to the table in ``tests/estimator/test_mutations.py``, which holds it
  against thousands of changed files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

import numpy as np

from learnable.estimator.array_state import ArrayDeclaration, Flags, Floats, Integers, Labels, Names
from learnable.estimator.dimensions import Declaration, Dimensions, Side
from learnable.estimator.ledger import Reader, Refused, Writer, keys, shown, told
from learnable.estimator.scalar_state import Count, Flag, Integer, Number, Text, Value

__all__ = [
    "Count",
    "Declaration",
    "Either",
    "Flag",
    "Flags",
    "Floats",
    "Integer",
    "Integers",
    "Joined",
    "Labels",
    "Learner",
    "ListOf",
    "Names",
    "Number",
    "Statistic",
    "Text",
    "Value",
    "put_state",
    "take_state",
]

_MISSING: Final = object()
_VIEW: Final = 112
"""Bytes that a view of an array takes."""


class ListOf(Declaration):
    """A list of values that are all declared alike.

    Parameters
    ----------
    item : Declaration
        What each one is.
    length : str or int
        Their number.
    optional : bool
        Whether the attribute may be missing or None.

    Examples
    --------
    >>> from learnable.estimator.state import Floats, ListOf
    >>> fitted_state = {"category_count_": ListOf(Floats("K", "?", low=0.0), length="d")}
    """

    def __init__(self, item: Declaration, *, length: Side = "?", optional: bool = False) -> None:
        self.item, self.length, self.optional = item, length, optional

    def _put(self, value: Any, writer: Writer, dimensions: Dimensions) -> list[Any]:
        return self._each(value, self.item.put, writer, dimensions)

    def _take(self, node: Any, reader: Reader, dimensions: Dimensions) -> list[Any]:
        return self._each(node, self.item.take, reader, dimensions)

    def _each(self, items: Any, way: Any, file: Any, dimensions: Dimensions) -> list[Any]:
        if type(items) is not list:
            msg = f"a list is wanted, not {shown(items)}"
            raise Refused(msg)
        dimensions.agree(self.length, len(items))
        made = []
        for number, item in enumerate(items):
            with told(f"[{number}]"):
                made.append(way(item, file, dimensions))
            dimensions.forget_local()
        return made


class Joined(ListOf):
    """A list of very many short arrays, kept end to end: those of a dtype in one array.

    Parameters
    ----------
    item : ArrayDeclaration
        What each one is; it has one axis.
    length : str or int
        Their number.
    optional : bool
        Whether the attribute may be missing or None.

    Examples
    --------
    >>> from learnable.estimator.state import Joined, Labels
    >>> fitted_state = {"categories_": Joined(Labels("?"), length="d")}
    """

    def __init__(
        self, item: ArrayDeclaration, *, length: Side = "?", optional: bool = False
    ) -> None:
        super().__init__(item, length=length, optional=optional)
        self.whole = item

    def _put(self, value: Any, writer: Writer, dimensions: Dimensions) -> Any:
        self._each(value, self._checked, writer, dimensions)
        kinds = [array.dtype.str for array in value]
        order = sorted(set(kinds))
        which = np.array([order.index(kind) for kind in kinds], np.int32)
        writer.spend(_VIEW * len(value))
        runs = [np.concatenate([a for a, k in zip(value, kinds, strict=True) if k == kind])
                for kind in order]  # fmt: skip
        return {
            "arrays": [self.whole.store(run, writer) for run in runs],
            "which": writer.put(which),
            "sizes": writer.put(np.array([len(array) for array in value], np.int32)),
        }

    def _take(self, node: Any, reader: Reader, dimensions: Dimensions) -> Any:
        parts = keys(node, "arrays", "which", "sizes")
        if type(parts["arrays"]) is not list:
            msg = f"a list is wanted, not {shown(parts['arrays'])}"
            raise Refused(msg)
        runs = [self.whole.fetch(each, reader) for each in parts["arrays"]]
        which, sizes = reader.take(parts["which"]), reader.take(parts["sizes"])
        _check_pieces(runs, which, sizes)
        reader.spend(_VIEW * len(sizes))
        pieces = [_pieces(run, sizes[which == number]) for number, run in enumerate(runs)]
        made = [next(pieces[number]) for number in which.tolist()]
        return self._each(made, self._checked, reader, dimensions)

    def _checked(self, array: Any, _: Any, dimensions: Dimensions) -> Any:
        if not isinstance(array, np.ndarray) or array.ndim != 1:
            msg = "it is no array of one axis"
            raise Refused(msg)
        self.whole.check(array, dimensions)
        return array


def _check_pieces(runs: list[np.ndarray], which: np.ndarray, sizes: np.ndarray) -> None:
    """Refuse sizes that are not those of pieces which fill the runs."""
    number = len(runs)
    sound = (
        which.dtype == sizes.dtype == np.int32 and which.ndim == 1 and which.shape == sizes.shape
    )
    if sound and len(which):
        sound = which.min() >= 0 and which.max() < number and sizes.min() >= 0
    if not sound or any(
        run.ndim != 1 or int(sizes[which == place].sum(dtype=np.int64)) != len(run)
        for place, run in enumerate(runs)
    ):
        msg = "the sizes of its parts do not add up"
        raise Refused(msg)


def _pieces(run: np.ndarray, sizes: np.ndarray) -> Iterator[np.ndarray]:
    start = 0
    for size in sizes.tolist():
        yield run[start : start + size]
        start += size


class Statistic(Declaration):
    """A named tuple (or another class built from its fields by name).

    Parameters
    ----------
    cls : type
        The class.
    fields : mapping of str to Declaration
        What each field is.
    check : function, optional
        Called with the object; raises a ``ValueError`` when its fields contradict each other.
    optional : bool
        Whether the attribute may be missing or None.

    Examples
    --------
    >>> from typing import NamedTuple
    >>> import numpy as np
    >>> from learnable.estimator.state import Floats, Statistic
    >>> class Sums(NamedTuple):
    ...     weight: np.ndarray
    ...     total: np.ndarray
    >>> fields = {"weight": Floats("K", low=0.0), "total": Floats("K", "d")}
    >>> fitted_state = {"sums_": Statistic(Sums, fields)}
    """

    def __init__(
        self,
        cls: type,
        fields: Mapping[str, Declaration],
        *,
        check: Callable[[Any], None] | None = None,
        optional: bool = False,
    ) -> None:
        super().__init__(optional=optional)
        self.cls, self.fields, self.check = cls, dict(fields), check

    def _put(self, value: Any, writer: Writer, dimensions: Dimensions) -> dict[str, Any]:
        if type(value) is not self.cls:
            msg = f"a {self.cls.__name__} is wanted, not {type(value).__name__}"
            raise Refused(msg)
        node = _put_fields(self.fields, value, writer, dimensions)
        self._compare(value)
        return node

    def _take(self, node: Any, reader: Reader, dimensions: Dimensions) -> Any:
        made = self.cls(**_take_fields(self.fields, node, reader, dimensions))
        self._compare(made)
        return made

    def _compare(self, made: Any) -> None:
        try:
            if self.check is not None:
                self.check(made)
        except ValueError as error:
            raise Refused(str(error)) from error


class Either(Declaration):
    """A value that is declared in one of several ways; the first that fits is taken.

    Examples
    --------
    >>> from learnable.estimator.state import Either, Labels, ListOf
    >>> fitted_state = {"classes_": Either(Labels("K"), ListOf(Labels("?"), length="outputs"))}
    """

    def __init__(self, *ways: Declaration, optional: bool = False) -> None:
        self.ways, self.optional = ways, optional

    def _put(self, value: Any, writer: Writer, dimensions: Dimensions) -> dict[str, Any]:
        complaints = []
        for number, way in enumerate(self.ways):
            trial, sizes = writer.trial(), Dimensions(dimensions)
            try:
                node = way.put(value, trial, sizes)
            except Refused as error:
                complaints.append(str(error))
                continue
            writer.adopt(trial)
            dimensions.update(sizes)
            return {"way": number, "value": node}
        raise Refused("; ".join(complaints))

    def _take(self, node: Any, reader: Reader, dimensions: Dimensions) -> Any:
        way = keys(node, "way", "value")["way"]
        if type(way) is not int or not 0 <= way < len(self.ways):
            msg = f"there is no way {shown(way)}"
            raise Refused(msg)
        return self.ways[way].take(node["value"], reader, dimensions)


class Learner(Declaration):
    """A learner inside the learner; its dimensions are its own.

    Examples
    --------
    >>> from learnable.estimator.state import Learner, ListOf
    >>> fitted_state = {"estimators_": ListOf(Learner(), length="members")}
    """

    def _put(self, value: Any, writer: Writer, _: Dimensions) -> Any:
        return writer.put_learner(value)

    def _take(self, node: Any, reader: Reader, _: Dimensions) -> Any:
        return reader.take_learner(node)


def put_state(declarations: Mapping[str, Declaration], owner: Any, writer: Writer) -> Any:
    """Return the node of a learner's fitted attributes, None if it has none of them.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> from learnable.estimator.ledger import Writer
    >>> from learnable.estimator.state import Integer, put_state
    >>> put_state({"n_iter_": Integer(low=0)}, SimpleNamespace(n_iter_=3), Writer())
    {'n_iter_': 3}
    """
    if not any(hasattr(owner, name) for name in declarations):
        return None
    return _put_fields(declarations, owner, writer, Dimensions())


def take_state(
    declarations: Mapping[str, Declaration], node: Any, reader: Reader
) -> dict[str, Any]:
    """Return the fitted attributes of a node by name; none if the learner was not fitted.

    Examples
    --------
    >>> from learnable.estimator.ledger import Reader
    >>> from learnable.estimator.modelfile import pack, parse
    >>> from learnable.estimator.state import Integer, take_state
    >>> reader = Reader(parse(b"".join(pack(None, []))))
    >>> take_state({"n_iter_": Integer(low=0)}, {"n_iter_": 3}, reader)
    {'n_iter_': 3}
    """
    return {} if node is None else _take_fields(declarations, node, reader, Dimensions())


def _put_fields(
    fields: Mapping[str, Declaration], owner: Any, writer: Writer, dimensions: Dimensions
) -> dict[str, Any]:
    node: dict[str, Any] = {}
    for name, declaration in fields.items():
        value = getattr(owner, name, _MISSING)
        with told(name):
            if value is _MISSING and not declaration.optional:
                msg = "it is missing"
                raise Refused(msg)
            if value is None and declaration.optional:
                node[name] = None
            elif value is not _MISSING:
                node[name] = declaration.put(value, writer, dimensions)
    return node


def _take_fields(
    fields: Mapping[str, Declaration], node: Any, reader: Reader, dimensions: Dimensions
) -> dict[str, Any]:
    if type(node) is not dict:
        msg = f"an object is wanted, not {shown(node)}"
        raise Refused(msg)
    if unknown := node.keys() - fields.keys():
        msg = f"{shown(min(unknown))} is unknown"
        raise Refused(msg)
    values: dict[str, Any] = {}
    for name, declaration in fields.items():
        with told(name):
            if name not in node:
                if not declaration.optional:
                    msg = "it is missing"
                    raise Refused(msg)
            elif node[name] is None and declaration.optional:
                values[name] = None
            else:
                values[name] = declaration.take(node[name], reader, dimensions)
    return values
