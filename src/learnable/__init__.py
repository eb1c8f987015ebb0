"""Classical machine learning that shows its work and says how sure it is.

Names are looked up when they are first used, so that ``import learnable`` costs next to nothing.

Examples
--------
>>> import learnable
>>> learnable.get_config().deterministic
True
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from learnable.core import (
        Certificate,
        DataError,
        Explanation,
        LearnableError,
        ModelFileError,
        ParameterError,
        Trace,
        config,
        get_config,
        observing,
        progress,
        show_versions,
        tracing,
    )
    from learnable.estimator import certify, explain, load, register, save
    from learnable.report import study

__version__ = "0.1.0.dev0"

_HOMES = {
    "learnable.core": (
        "Certificate", "DataError", "Explanation", "LearnableError", "ModelFileError",
        "ParameterError", "Trace", "config", "get_config", "observing", "progress",
        "show_versions", "tracing",
    ),
    "learnable.estimator": ("certify", "explain", "load", "register", "save"),
    "learnable.report": ("study",),
}  # fmt: skip
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}
_ROOMS = (
    "calibration", "checks", "cluster", "compose", "core", "data", "datasets", "decomposition",
    "dummy", "estimator", "evaluation", "feature_extraction", "impute", "inspection",
    "linear_model", "metrics", "model_selection", "naive_bayes", "preprocessing", "report",
    "resampling", "rules", "serve", "stats", "studies", "theory", "tree",
)  # fmt: skip

__all__ = [
    "Certificate",
    "DataError",
    "Explanation",
    "LearnableError",
    "ModelFileError",
    "ParameterError",
    "Trace",
    "__version__",
    "certify",
    "config",
    "explain",
    "get_config",
    "load",
    "observing",
    "progress",
    "register",
    "save",
    "show_versions",
    "study",
    "tracing",
]


def __getattr__(name: str) -> Any:
    if name in _HOME_OF:
        found = getattr(import_module(_HOME_OF[name]), name)
    elif name in _ROOMS:
        found = import_module(f"{__name__}.{name}")
    else:
        msg = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(msg)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*__all__, *_ROOMS})
