"""Cross-validation by a plan; scikit-learn's splitters under their own names.

The splitters (``KFold``, ``StratifiedKFold``, ``TimeSeriesSplit``, ...) are scikit-learn's and are
looked up there when they are first asked for.
"""

from typing import Any

from learnable.model_selection.bootstrap import BootstrapError, bootstrap_error
from learnable.model_selection.curves import (
    LearningCurve,
    PowerLaw,
    ValidationCurve,
    learning_curve,
    validation_curve,
)
from learnable.model_selection.splitting import train_test_split
from learnable.model_selection.validation import (
    cross_val_predict,
    cross_val_score,
    cross_validate,
)
from learnable.resampling import FoldPlan

_SPLITTERS = frozenset(
    {
        "BaseCrossValidator", "BaseShuffleSplit", "GroupKFold", "GroupShuffleSplit", "KFold",
        "LeaveOneGroupOut", "LeaveOneOut", "LeavePGroupsOut", "LeavePOut", "ParameterGrid",
        "ParameterSampler", "PredefinedSplit", "RepeatedKFold", "RepeatedStratifiedKFold",
        "ShuffleSplit", "StratifiedGroupKFold", "StratifiedKFold", "StratifiedShuffleSplit",
        "TimeSeriesSplit", "check_cv",
    }
)  # fmt: skip

__all__ = [
    "BootstrapError",
    "FoldPlan",
    "LearningCurve",
    "PowerLaw",
    "ValidationCurve",
    "bootstrap_error",
    "cross_val_predict",
    "cross_val_score",
    "cross_validate",
    "learning_curve",
    "train_test_split",
    "validation_curve",
]


def __getattr__(name: str) -> Any:
    if name not in _SPLITTERS:
        msg = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(msg)
    from sklearn import model_selection

    return getattr(model_selection, name)
