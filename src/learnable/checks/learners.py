"""The laws of learners. Each is a function of a learner and a table; each can fail.

A class whose learners cannot obey a law says so: ``exempt = {"name of the law": "reason"}``.
"""

from __future__ import annotations

import copy
import inspect
import pickle
import tempfile
import warnings
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from threading import Thread
from typing import Any

import numpy as np

from learnable.checks.bits import LawBroken, close, same_bits
from learnable.checks.examples import Table, example_table
from learnable.core.config import config
from learnable.core.errors import DataError
from learnable.core.fold import Dask, Threads, serial
from learnable.core.trace import tracing
from learnable.data.rows import other_grid
from learnable.estimator import explain, load, save

CHUNKING = 1e-10
ANSWERS = ("predict", "predict_proba", "transform")
Law = Callable[[Any, Table], None]


def fresh(learner: Any) -> Any:
    """Return an unfitted learner with the same parameters; what is drawn, is drawn from seed 0."""
    params = copy.deepcopy(learner.get_params(deep=False))
    if params.get("random_state", 0) is None:
        params["random_state"] = 0
    return type(learner)(**params)


def fitted(learner: Any, table: Table, **options: Any) -> Any:
    """Return a learner with the same parameters, fitted to the table."""
    return fresh(learner).fit(*_given(table), **options)


def _given(table: Table) -> tuple[Any, ...]:
    return (table.X,) if table.y is None else (table.X, table.y)


def answers(learner: Any, X: Any) -> dict[str, Any]:
    """Return whatever a fitted learner answers."""
    return {name: getattr(learner, name)(X) for name in ANSWERS if hasattr(learner, name)}


def whole(learner: Any, X: Any) -> dict[str, Any]:
    """Return what a fitted learner holds and answers."""
    return {"state": vars(learner), "answers": answers(learner, X)}


def runners() -> dict[str, Any]:
    """Return the runners to compare with the serial one (Dask where it is installed)."""
    found: dict[str, Any] = {f"{size} threads": Threads(size) for size in (1, 2, 3)}
    if find_spec("dask"):
        found |= {"Dask with threads": Dask("threads"), "Dask in order": Dask("synchronous")}
    return found


def any_runner_gives_the_same_bits(learner: Any, table: Table) -> None:
    """Compare what the serial runner, one to three threads and Dask give, to the last bit."""
    with other_grid(32), config(runner=serial):
        expected = whole(fitted(learner, table), table.X)
    for name, runner in runners().items():
        with other_grid(32), config(runner=runner):
            same_bits(whole(fitted(learner, table), table.X), expected, name)


def any_chunking_gives_the_same_model(learner: Any, table: Table) -> None:
    """Blocks of another length change nothing but rounding."""
    expected = answers(fitted(learner, table), table.X)
    for rows in (16, 57):
        with other_grid(rows):
            close(answers(fitted(learner, table), table.X), expected, CHUNKING, f"blocks of {rows}")


def learning_twice_is_learning_once(learner: Any, table: Table) -> None:
    """Fit a second time: it starts anew, and the parameters stay as they were."""
    model = fitted(learner, table)
    params = copy.deepcopy(model.get_params())
    first = whole(copy.deepcopy(model), table.X)
    same_bits(whole(model.fit(*_given(table)), table.X), first, "the second fit")
    same_bits(model.get_params(), params, "the parameters")


def weight_two_is_the_row_twice(learner: Any, table: Table) -> None:
    """Whole weights are repetitions, and a row of weight 0 is not there."""
    weight = np.random.default_rng(1).integers(0, 4, len(table.X))
    repeated = Table(*[None if part is None else np.repeat(part, weight, axis=0) for part in table])
    weighted = fitted(learner, table, sample_weight=weight.astype(float))
    expected = answers(fitted(learner, repeated), table.X)
    close(answers(weighted, table.X), expected, CHUNKING, "weights and repetitions")


def learning_in_parts_is_learning_at_once(learner: Any, table: Table) -> None:
    """``partial_fit`` over parts gives what ``fit`` gives."""
    model = fresh(learner)
    for start in range(0, len(table.X), 37):
        part = [None if item is None else item[start : start + 37] for item in table]
        if table.y is None:
            model.partial_fit(part[0])
        elif getattr(learner, "kind", None) == "classifier":
            model.partial_fit(*part, classes=np.unique(table.y))
        else:
            model.partial_fit(*part)
    close(answers(model, table.X), answers(fitted(learner, table), table.X), CHUNKING, "parts")


def units_do_not_matter(learner: Any, table: Table) -> None:
    """Columns scaled by powers of two, or shifted by a million, give the same answers."""
    expected = answers(fitted(learner, table), table.X)
    scales = np.ldexp(1.0, np.arange(table.X.shape[1]) * 40 - 60)
    scaled = table._replace(X=table.X * scales)
    close(answers(fitted(learner, scaled), scaled.X), expected, CHUNKING, "powers of two")
    shifted = table._replace(X=table.X + 1e6)
    close(answers(fitted(learner, shifted), shifted.X), expected, 1e-7, "a shift by a million")


def the_form_of_the_data_does_not_matter(learner: Any, table: Table) -> None:
    """Read-only, Fortran-ordered, strided and listed data give the same bits; none is changed."""
    X = np.array(table.X)
    expected = answers(fitted(learner, table._replace(X=X)), X)
    same_bits(X, np.asarray(table.X), "the data after learning and answering")
    frozen = X.copy()
    frozen.flags.writeable = False
    wide = np.zeros((len(X), 2 * X.shape[1]))
    wide[:, ::2] = X
    forms = {
        "read-only": frozen,
        "Fortran order": np.asfortranarray(X),
        "strided": wide[:, ::2],
        "backwards": X[::-1].copy()[::-1],
        "lists": X.tolist(),
    }
    for name, form in forms.items():
        model = fitted(learner, table._replace(X=form))
        same_bits(answers(model, form), expected, name)
        same_bits(np.asarray(form), np.asarray(table.X), f"the data ({name})")


def a_saved_model_answers_the_same(learner: Any, table: Table) -> None:
    """Model files and pickles bring the same bits back, fitted or not."""
    model = fitted(learner, table)
    expected = answers(model, table.X)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "saved.model"
        save(model, path)
        same_bits(answers(load(path), table.X), expected, "the model file")
        first = path.read_bytes()
        save(load(path), path)
        same_bits(path.read_bytes(), first, "a model file saved again")
        save(fresh(learner), path)
        same_bits(load(path).get_params(), fresh(learner).get_params(), "an unfitted one")
    same_bits(answers(pickle.loads(pickle.dumps(model)), table.X), expected, "the pickle")  # noqa: S301


def fits_in_threads_do_not_disturb_each_other(learner: Any, table: Table) -> None:
    """Three fits and answers at once, in threads that share the pool, give the bits of one."""
    shared = fitted(learner, table)
    expected = whole(shared, table.X)
    found: list[Any] = []

    def work() -> None:
        found.append(whole(fitted(learner, table), table.X))
        found.append(whole(shared, table.X))

    threads = [Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if len(found) != 2 * len(threads):
        msg = "a fit in a thread did not end"
        raise LawBroken(msg)
    for one in found:
        same_bits(one, expected, "a fit beside others")


def a_trace_changes_nothing(learner: Any, table: Table) -> None:
    """Record: the same bits, and the same steps from any number of threads."""
    expected = whole(fitted(learner, table), table.X)
    seen = []
    for size in (1, 3):
        with other_grid(32), config(runner=Threads(size)), tracing() as trace:
            fitted(learner, table)
        seen.append([event._asdict() for event in trace])
    with tracing() as trace:
        same_bits(whole(fitted(learner, table), table.X), expected, "recording")
    if not trace.events:
        msg = "the trace is empty"
        raise LawBroken(msg)
    same_bits(seen[1], seen[0], "the steps from three threads")
    for view in (trace.to_text(), trace.to_html()):
        if type(learner).__name__ not in view:
            msg = "the trace does not name the learner"
            raise LawBroken(msg)


def contributions_sum_to_the_score(learner: Any, table: Table) -> None:
    """Every row has its explanation; it says what the model answers, and its parts add up."""
    model = fitted(learner, table)
    X = table.X[:20]
    reasons = explain(model, X)
    if len(reasons) != len(X):
        msg = f"{len(reasons)} explanations for {len(X)} rows"
        raise LawBroken(msg)
    predicted = np.asarray(model.predict(X)).tolist() if hasattr(model, "predict") else None
    for i, reason in enumerate(reasons):
        if predicted is not None and np.any(np.asarray(reason.prediction) != predicted[i]):
            msg = f"row {i} is answered {predicted[i]!r} and explained as {reason.prediction!r}"
            raise LawBroken(msg)
        total = sum(part.weight for part in reason.parts)
        size = sum(abs(part.weight) for part in reason.parts)
        if reason.kind == "contributions" and abs(total - reason.score) > 1e-9 * max(size, 1.0):
            msg = f"row {i}: the parts sum to {total}, the score is {reason.score}"
            raise LawBroken(msg)


def a_cell_that_is_no_number_is_named(learner: Any, table: Table) -> None:
    """NaN and infinity are refused with their row, column and value, or taken as missing."""
    model = fitted(learner, table)
    for wrong in (np.nan, np.inf, -np.inf):
        if np.isnan(wrong) and getattr(learner, "allows_nan", False):
            continue
        X = np.array(table.X, dtype=float)
        X[5, 2] = wrong
        for act in (partial(fitted, learner, table._replace(X=X)), partial(answers, model, X)):
            try:
                act()
            except DataError as error:
                if (error.row, error.column) == (5, 2) and error.remedy:
                    continue
                msg = f"{wrong} in row 5, column 2 gives {error!s}"
                raise LawBroken(msg) from error
            msg = f"{wrong} is taken as a number"
            raise LawBroken(msg)


def little_data_is_learned_or_refused(learner: Any, table: Table) -> None:
    """One row, one class, constant columns, no column: a model that answers, or a typed error."""
    X, y = np.asarray(table.X), table.y
    first = slice(0, 1)
    little = {
        "one row": Table(X[first], None if y is None else y[first]),
        "one class": Table(X, None if y is None else np.repeat(y[first], len(X))),
        "constant columns": Table(np.ones_like(X), y),
        "no row": Table(X[:0], None if y is None else y[:0]),
        "no column": Table(X[:, :0], y),
        "one dimension": Table(X[:, 0], y),
    }
    for name, data in little.items():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            try:
                found = answers(fitted(learner, data), data.X)
            except DataError:
                continue
        for method, answer in found.items():
            values = np.asarray(answer)
            if values.dtype.kind == "f" and not np.isfinite(values).all():
                msg = f"{name}: {method} answers {values[~np.isfinite(values)][0]}"
                raise LawBroken(msg)


LAWS: dict[str, Law] = {
    law.__name__: law
    for law in (
        any_runner_gives_the_same_bits,
        any_chunking_gives_the_same_model,
        learning_twice_is_learning_once,
        weight_two_is_the_row_twice,
        learning_in_parts_is_learning_at_once,
        units_do_not_matter,
        the_form_of_the_data_does_not_matter,
        a_saved_model_answers_the_same,
        fits_in_threads_do_not_disturb_each_other,
        a_trace_changes_nothing,
        contributions_sum_to_the_score,
        a_cell_that_is_no_number_is_named,
        little_data_is_learned_or_refused,
    )
}


def laws_of(learner: Any) -> dict[str, Law]:
    """Return the laws that a learner must obey: all, but for what it lacks or is exempt from.

    Examples
    --------
    >>> from learnable.checks import laws_of
    >>> from learnable.naive_bayes import GaussianNB
    >>> "any_runner_gives_the_same_bits" in laws_of(GaussianNB())
    True
    """
    exempt = set(getattr(learner, "exempt", {}))
    if unknown := exempt - LAWS.keys():
        msg = f"{type(learner).__name__} is exempt from laws that do not exist: {sorted(unknown)}"
        raise LawBroken(msg)
    if "sample_weight" not in inspect.signature(learner.fit).parameters:
        exempt.add("weight_two_is_the_row_twice")
    if not hasattr(learner, "partial_fit"):
        exempt.add("learning_in_parts_is_learning_at_once")
    return {name: law for name, law in LAWS.items() if name not in exempt}


def check_learner(learner: Any, X: Any = None, y: Any = None) -> None:
    """Raise :class:`LawBroken` at the first law that a learner breaks.

    Parameters
    ----------
    learner : learner
        An instance; it is not changed.
    X, y : arrays, optional
        A table to try it on; by default one is drawn that suits the learner.

    Notes
    -----
    The learner need not know any class of this library. It must have:

    - ``get_params`` (with ``deep``), and an ``__init__`` that takes what this returns;
    - ``fit(X)`` or ``fit(X, y)``, which returns the learner, and any of ``predict``,
      ``predict_proba``, ``transform``; what it learned lies in its attributes, and the
      arrays among them are compared bit by bit;
    - ``kind``, ``"classifier"`` or ``"regressor"``, if it learns from answers and no ``y`` is
      given here;
    - steps handed to the trace inside ``fit`` (:func:`learnable.core.trace.emit`, under
      :func:`learnable.core.trace.learner_at_work` with the name of the class);
    - ``_explain(X)``, one :class:`~learnable.Explanation` a row;
    - :class:`~learnable.DataError` with ``row``, ``column`` and ``remedy`` for a cell that is no
      number, and without them for a table that is too small;
    - ``fitted_state`` and :func:`~learnable.register`, so that a file can hold it.

    ``sample_weight`` and ``partial_fit`` are checked where they exist. A law that cannot hold is
    named with the reason: ``exempt = {"units_do_not_matter": "distances have units"}``.

    Examples
    --------
    >>> from learnable.checks import check_learner
    >>> from learnable.dummy import DummyRegressor
    >>> check_learner(DummyRegressor())
    """
    table = example_table(learner) if X is None else Table(X, y)
    for law in laws_of(learner).values():
        law(learner, table)
