"""Save learners to files that hold no code, and load files that were sent by anybody.

A file names a class, its parameters and its fitted attributes. The class is looked up in the
registry (:mod:`learnable.estimator.registry`): nothing that a file states is ever imported, called
or unpickled. The parameters pass the class's own check, the fitted attributes the declarations of
its ``fitted_state`` (:mod:`learnable.estimator.state`) and then its ``_check_state``, where every
index, shape and range is compared. scikit-learn's ``Pipeline`` of such learners is saved too. The
bytes are described in :mod:`learnable.estimator.modelfile`.

What is kept: parameters, fitted attributes and the choice of ``set_output``. What is not: requests
for metadata routing, callbacks, and a pipeline's ``memory`` (refused).
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from typing import Any, Final

import numpy as np

from learnable.core.errors import LearnableError, ModelFileError, ParameterError
from learnable.estimator.disk_file import read, write
from learnable.estimator.ledger import Content, Reader, Refused, Writer, keys, shown, told
from learnable.estimator.modelfile import pack, parse
from learnable.estimator.registry import LEARNERS, class_named
from learnable.estimator.sealed_zip import Piece
from learnable.estimator.state import put_state, take_state
from learnable.estimator.values import clean, put_value, take_value

PIPELINE: Final = "sklearn.pipeline.Pipeline"
_OUTPUTS: Final = ("default", "pandas", "polars")
_PIPELINE_PARAMETERS: Final = {"steps", "memory", "transform_input", "verbose"}
_HOOK_ERRORS: Final = (
    LearnableError, ValueError, TypeError, LookupError, ArithmeticError, AttributeError,
)  # fmt: skip


def save(model: Any, path: str | os.PathLike[str]) -> None:
    """Save a learner, fitted or not, to a sealed file that holds no code.

    The file is written beside its place and then moved there, so a crash leaves the old file or
    the new one. The same model gives the same bytes.

    Parameters
    ----------
    model : learner or scikit-learn pipeline of learners
        What to save.
    path : str or path-like
        The file; one that is there is replaced.

    Raises
    ------
    ParameterError
        When the model holds something that a file cannot hold: functions, random generators,
        learners of other libraries.

    See Also
    --------
    load : Reads the file.

    Examples
    --------
    >>> import os, tempfile
    >>> import learnable
    >>> from learnable.naive_bayes import GaussianNB
    >>> model = GaussianNB().fit([[0.0], [2.0], [8.0], [10.0]], ["low", "low", "high", "high"])
    >>> path = os.path.join(tempfile.mkdtemp(), "levels.model")
    >>> learnable.save(model, path)
    >>> learnable.load(path).predict([[1.5]])
    array(['low'], dtype='<U4')
    """
    write(path, _packed(model))


def load(path: str | os.PathLike[str]) -> Any:
    """Load what :func:`save` wrote; the file need not be trusted.

    Parameters
    ----------
    path : str or path-like
        The file.

    Returns
    -------
    learner or scikit-learn pipeline
        Its arrays are read-only views of the bytes read.

    Raises
    ------
    ModelFileError
        When the file is damaged, was changed, comes from a newer library, or holds an index,
        shape or value that cannot be right. Loading takes at most twice the size of the file and
        64 MB, whatever the file claims.

    See Also
    --------
    save : Writes the file, with a runnable example of both.

    Examples
    --------
    >>> import os, tempfile
    >>> import learnable
    >>> from learnable.preprocessing import StandardScaler
    >>> path = os.path.join(tempfile.mkdtemp(), "scaler.model")
    >>> learnable.save(StandardScaler(with_mean=False), path)
    >>> learnable.load(path)
    StandardScaler(with_mean=False)
    """
    return _unpacked(parse(read(path)))


def to_bytes(model: Any) -> bytes:
    """Return the bytes that :func:`save` writes.

    Examples
    --------
    >>> from learnable.estimator.persistence import from_bytes, to_bytes
    >>> from learnable.preprocessing import StandardScaler
    >>> from_bytes(to_bytes(StandardScaler()))
    StandardScaler()
    """
    return b"".join(_packed(model))


def from_bytes(data: bytes) -> Any:
    """Return the learner in the bytes that :func:`to_bytes` made, checked as :func:`load` does.

    Examples
    --------
    >>> from learnable.estimator.persistence import from_bytes, to_bytes
    >>> from learnable.preprocessing import StandardScaler
    >>> data = to_bytes(StandardScaler())
    >>> to_bytes(from_bytes(data)) == data
    True
    """
    return _unpacked(parse(data))


def _packed(model: Any) -> list[Piece]:
    writer = ModelWriter()
    try:
        node = writer.put_learner(model)
        writer.finish()
    except Refused as error:
        msg = f"The model cannot be saved: {error}."
        raise ParameterError(msg) from error
    return pack(node, writer.arrays)


def _unpacked(content: Content) -> Any:
    reader = ModelReader(content)
    try:
        model = reader.take_learner(content.document["model"])
        reader.finish()
    except Refused as error:
        remedy = "Save the model anew, with the version of learnable that loads it."
        msg = f"The model file holds what no model can: {error}. {remedy}"
        raise ModelFileError(msg) from error
    return model


class ModelWriter(Writer):
    """A writer that knows learners, records and pipelines."""

    def put_learner(self, learner: Any) -> dict[str, Any]:
        """Return the node of a learner or pipeline."""
        if _is_pipeline(learner):
            return self._put_pipeline(learner)
        name = _registered_name(learner)
        with self.deeper(), told(type(learner).__name__):
            _checked(learner, "_check_params")
            declarations = learner.fitted_state
            node = self._put_made(name, learner)
            known = {*node["params"], *declarations, *getattr(learner, "derived", ())}
            if stray := [key for key in vars(learner) if key[0] != "_" and key not in known]:
                msg = "no declaration says how to store it"
                raise Refused(msg, stray[0])
            node["state"] = put_state(declarations, learner, self)
            if node["state"] is not None:
                _checked(learner, "_check_state")
            if output := getattr(learner, "_sklearn_output_config", {}).get("transform"):
                node["output"] = output
        return node

    def put_record(self, record: Any) -> dict[str, Any]:
        """Return the node of a record such as a kernel or a loss."""
        with self.deeper(), told(type(record).__name__):
            return self._put_made(_registered_name(record), record)

    def _put_made(self, name: str, made: Any) -> dict[str, Any]:
        params = {}
        for key, value in sorted(made.get_params(deep=False).items()):
            with told(key):
                params[key] = put_value(value, self)
        return {"class": name, "params": params}

    def _put_pipeline(self, pipeline: Any) -> dict[str, Any]:
        params = pipeline.get_params(deep=False)
        for key, plain in {"memory": None, "transform_input": None, "verbose": False}.items():
            if params.pop(key, plain) != plain:
                msg = f"a pipeline with {key} cannot be saved: set {key}={plain}"
                raise Refused(msg)
        steps = []
        with self.deeper():
            for name, step in pipeline.steps:
                with told(str(name)):
                    steps.append([name, step if _is_idle(step) else self.put_learner(step)])
        _check_steps(pipeline.steps)
        return {"class": PIPELINE, "steps": steps}


class ModelReader(Reader):
    """A reader that knows learners, records and pipelines."""

    def take_learner(self, node: Any) -> Any:
        """Return the learner or pipeline of a node."""
        name = _stated_name(node)
        if name == PIPELINE:
            return self._take_pipeline(node)
        output = node.pop("output", None)
        parts = keys(node, "class", "params", "state")
        with self.deeper(), told(name):
            cls = class_named(name)
            declarations = getattr(cls, "fitted_state", None)
            if declarations is None:
                msg = "it is no learner"
                raise Refused(msg)
            learner = self._take_made(cls, parts["params"])
            _checked(learner, "_check_params")
            for key, value in take_state(declarations, parts["state"], self).items():
                setattr(learner, key, value)
            if parts["state"] is not None:
                _checked(learner, "_check_state")
            if output is not None:
                if output not in _OUTPUTS or not hasattr(learner, "set_output"):
                    msg = f"its output cannot be {shown(output)}"
                    raise Refused(msg)
                learner.set_output(transform=output)
        return learner

    def take_record(self, node: Any) -> Any:
        """Return the record of a node."""
        name = _stated_name(node)
        parts = keys(node, "class", "params")
        with self.deeper(), told(name):
            cls = class_named(name)
            if not hasattr(cls, "lowered"):
                msg = "it is no record"
                raise Refused(msg)
            record = self._take_made(cls, parts["params"])
            _checked(record, "lowered")
        return record

    def _take_made(self, cls: type, nodes: Any) -> Any:
        if type(nodes) is not dict or not nodes.keys() <= _parameters(cls):
            msg = f"its parameters are {', '.join(sorted(_parameters(cls)))}"
            raise Refused(msg)
        params = {}
        for key, node in nodes.items():
            with told(key):
                params[key] = take_value(node, self)
        try:
            return cls(**params)
        except _HOOK_ERRORS as error:
            raise Refused(shown(str(error))) from error

    def _take_pipeline(self, node: dict[str, Any]) -> Any:
        from sklearn.pipeline import Pipeline

        nodes = keys(node, "class", "steps")["steps"]
        steps = []
        with self.deeper():
            for pair in nodes if type(nodes) is list else ():
                if type(pair) is not list or len(pair) != 2:
                    msg = f"a step is a name and a learner, not {shown(pair)}"
                    raise Refused(msg)
                with told(shown(pair[0])):
                    step = pair[1] if _is_idle(pair[1]) else self.take_learner(pair[1])
                    steps.append((pair[0], step))
        _check_steps(steps)
        return Pipeline(steps)


def _check_steps(steps: list[tuple[Any, Any]]) -> None:
    """Refuse steps that scikit-learn would, and ones that do not fit on each other."""
    names = [name for name, _ in steps]
    plain = [type(name) is str and "__" not in name and clean(name) for name in names]
    if not steps or not all(plain) or len(set(names)) != len(names):
        msg = "a pipeline has steps of distinct names without '__'"
        raise Refused(msg)
    if not _PIPELINE_PARAMETERS.isdisjoint(names):
        msg = f"no step may be called like a parameter: {', '.join(sorted(_PIPELINE_PARAMETERS))}"
        raise Refused(msg)
    learners = [(name, step) for name, step in steps[:-1] if not _is_idle(step)]
    for name, step in learners:
        if not hasattr(step, "transform"):
            msg = "it has no transform, so it can only be the last step"
            raise Refused(msg, name)
    _check_widths([step for _, step in learners] + [steps[-1][1]])


def _check_widths(learners: list[Any]) -> None:
    """Refuse a chain in which a step hands on another number of columns than the next one took."""
    for before, after in pairwise(learners):
        width = getattr(before, "_n_features_out", None)
        wanted = getattr(after, "n_features_in_", None)
        if width is not None and wanted is not None and width != wanted:
            msg = f"a step hands {width} columns to one that was fitted to {wanted}"
            raise Refused(msg)


def _checked(made: Any, hook: str) -> None:
    """Call a check of the class; whatever it trips over, be it an overflow, is refused."""
    check: Callable[[], Any] | None = getattr(made, hook, None)
    if check is None:
        return
    try:
        with np.errstate(over="raise", divide="raise", invalid="raise"):
            check()
    except Refused:
        raise
    except _HOOK_ERRORS as error:
        raise Refused(str(error).rstrip(".")) from error


def _is_idle(step: Any) -> bool:
    return step is None or (isinstance(step, str) and step == "passthrough")


def _is_pipeline(model: Any) -> bool:
    cls = type(model)
    return cls.__name__ == "Pipeline" and cls.__module__ == "sklearn.pipeline"


def _registered_name(made: Any) -> str:
    cls = type(made)
    for name in LEARNERS:
        if name.rpartition(".")[2] == cls.__name__ and class_named(name) is cls:
            return name
    msg = (
        f"{cls.__module__}.{cls.__qualname__} is not one of the classes that can be: "
        f"{', '.join(sorted(LEARNERS))}, and scikit-learn's Pipeline of these"
    )
    raise Refused(msg)


def _stated_name(node: Any) -> str:
    name = node.get("class") if type(node) is dict else None
    if type(name) is not str or (name != PIPELINE and name not in LEARNERS):
        msg = f"no class {shown(name)} is known: it may come with a newer version of learnable"
        raise Refused(msg)
    return name


@cache
def _parameters(cls: type) -> frozenset[str]:
    return frozenset(inspect.signature(cls).parameters)
