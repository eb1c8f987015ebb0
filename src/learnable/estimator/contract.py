"""The side of a learner that scikit-learn looks at, without importing scikit-learn.

Tags, metadata routing, ``set_output``, HTML views and callbacks load it when they are asked for:
importing it costs more than a plain fit.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, wraps
from typing import Any

from learnable.core.iterate import Turn, observing

_ROUTED = (
    "fit", "partial_fit", "predict", "predict_proba", "predict_log_proba", "decision_function",
    "score", "transform", "inverse_transform",
)  # fmt: skip

_UNCHANGED = "$UNCHANGED$"  # sklearn.utils.metadata_routing.UNCHANGED


@cache
def routed_parameters(cls: type, method: str) -> tuple[str, ...]:
    """Return the parameters of a method that scikit-learn may route (all but the data)."""
    function = getattr(cls, method, None)
    if function is None:
        return ()
    found = list(inspect.signature(function).parameters.values())[1:]
    plain = [p.name for p in found if p.kind in {p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY}]
    return tuple(name for name in plain if name not in {"X", "y", "Y", "Xt"})


class _Request:
    """``set_<method>_request``: there where the method has something to route, absent elsewhere."""

    def __init__(self, method: str) -> None:
        self.method = method

    def __get__(self, learner: Any, owner: type) -> Callable[..., Any]:
        names = routed_parameters(owner, self.method)
        if not names:
            msg = f"{owner.__name__} has no set_{self.method}_request"
            raise AttributeError(msg)

        def set_request(**request: Any) -> Any:
            """State which of the metadata that a pipeline is given this method asks for."""
            from sklearn import get_config

            if not get_config()["enable_metadata_routing"]:
                msg = (
                    "Requests are heard while metadata routing is enabled: "
                    "sklearn.set_config(enable_metadata_routing=True)."
                )
                raise RuntimeError(msg)
            if unknown := sorted(set(request) - set(names)):
                known = ", ".join(names)
                msg = f"Unexpected args: {unknown} in {self.method}; it accepts {known}"
                raise TypeError(msg)
            requests = learner.get_metadata_routing()
            for name, alias in request.items():
                if alias == _UNCHANGED:
                    continue
                getattr(requests, self.method).add_request(param=name, alias=alias)
            learner._metadata_request = requests  # noqa: SLF001
            return learner

        set_request.__name__ = f"set_{self.method}_request"
        kinds = inspect.Parameter.KEYWORD_ONLY
        set_request.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
            [inspect.Parameter(name, kinds, default=_UNCHANGED) for name in names]
        )
        return set_request


class Contract:
    """What scikit-learn's tools ask of an estimator."""

    kind: str | None = None  # "classifier", "regressor", "transformer", "clusterer"
    takes_sparse = False
    takes_strings = False
    positive_only = False
    positive_answers = False
    allows_nan = False
    multi_output = False
    keeps_float32 = False
    needs_fit = True

    for _method in _ROUTED:
        locals()[f"set_{_method}_request"] = _Request(_method)
    del _method

    def __sklearn_tags__(self) -> Any:
        """Return scikit-learn's tags."""
        from sklearn.utils import (
            ClassifierTags,
            InputTags,
            RegressorTags,
            Tags,
            TargetTags,
            TransformerTags,
        )

        answers = self.kind in {"classifier", "regressor"}
        floats = ["float64", "float32"] if self.keeps_float32 else ["float64"]
        return Tags(
            estimator_type=None if self.kind == "transformer" else self.kind,
            target_tags=TargetTags(
                required=answers,
                multi_output=self.multi_output,
                positive_only=self.positive_answers,
            ),
            transformer_tags=TransformerTags(preserves_dtype=floats)
            if hasattr(self, "transform")
            else None,
            classifier_tags=ClassifierTags() if self.kind == "classifier" else None,
            regressor_tags=RegressorTags() if self.kind == "regressor" else None,
            requires_fit=self.needs_fit,
            input_tags=InputTags(
                sparse=self.takes_sparse,
                string=self.takes_strings,
                categorical=self.takes_strings,
                positive_only=self.positive_only,
                allow_nan=self.allows_nan,
            ),
        )

    def get_metadata_routing(self) -> Any:
        """Return scikit-learn's requests for metadata such as ``sample_weight``."""
        if (kept := getattr(self, "_metadata_request", None)) is not None:
            from copy import deepcopy

            return deepcopy(kept)
        from sklearn.utils.metadata_routing import MetadataRequest

        requests = MetadataRequest(owner=self)
        for method in _ROUTED:
            for name in routed_parameters(type(self), method):
                getattr(requests, method).add_request(param=name, alias=None)
        return requests

    def set_callbacks(self, *callbacks: Any) -> Any:
        """Attach scikit-learn's callbacks (1.9 and later), such as its progress bar."""
        from sklearn.callback import CallbackSupportMixin

        return CallbackSupportMixin.set_callbacks(self, *callbacks)

    def _repr_html_(self) -> str:
        from sklearn.utils import estimator_html_repr

        return str(estimator_html_repr(self))

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return {"text/plain": repr(self), "text/html": self._repr_html_()}


def has_callbacks(learner: Any) -> bool:
    """Whether scikit-learn's callbacks listen to this learner."""
    return "_skl_callbacks" in vars(learner) or "_parent_callback_ctx" in vars(learner)


@contextmanager
def telling_callbacks(learner: Any, X: Any, y: Any) -> Iterator[None]:
    """Tell scikit-learn's callbacks of the fit and of every turn inside it."""
    from sklearn.callback import CallbackSupportMixin
    from sklearn.callback._callback_support import callback_management_context

    with callback_management_context(learner):
        # Restarts and inner learners take turns of their own: how many there will be is unknown.
        context = CallbackSupportMixin._init_callback_context(learner, max_subtasks=None)  # noqa: SLF001
        context.call_on_fit_task_begin(estimator=learner, X=X, y=y)

        def tell(turn: Turn) -> bool:
            task = context.subcontext(task_name=turn.step)
            task.call_on_fit_task_begin(estimator=learner, X=X, y=y)
            return bool(task.call_on_fit_task_end(estimator=learner, X=X, y=y, metadata=turn.info))

        with observing(tell):
            yield
        context.call_on_fit_task_end(estimator=learner, X=X, y=y)


class TransformerContract:
    """``set_output`` and ``fit_transform`` for learners with ``transform``."""

    def set_output(self, *, transform: str | None = None) -> Any:
        """Choose what ``transform`` returns: "default", "pandas" or "polars"."""
        if transform is not None:
            self._sklearn_output_config = {
                **getattr(self, "_sklearn_output_config", {}),
                "transform": transform,
            }
        return self

    def fit_transform(self, X: Any, y: Any = None, **fit_params: Any) -> Any:
        """Fit to the rows, then transform them."""
        return self.fit(X, y, **fit_params).transform(X)  # type: ignore[attr-defined]

    def _output_form(self) -> str:
        if (own := getattr(self, "_sklearn_output_config", {}).get("transform")) is not None:
            return str(own)
        if "sklearn" in sys.modules:
            from sklearn import get_config

            return str(get_config()["transform_output"])
        return "default"


def answers_in_chosen_form(method: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate ``transform``: hand the array back in the container that ``set_output`` names."""

    @wraps(method)
    def run(self: Any, X: Any, *args: Any, **options: Any) -> Any:
        answer = method(self, X, *args, **options)
        form = self._output_form()
        if form == "default":
            return answer
        from sklearn.utils._set_output import _wrap_data_with_container

        if "_sklearn_output_config" not in vars(self):
            self._sklearn_output_config = {}
        self._sklearn_auto_wrap_output_keys = {"transform"}
        return _wrap_data_with_container("transform", answer, X, self)

    return run
