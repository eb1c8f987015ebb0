"""Answers that keep their promises: prediction sets and intervals by split conformal prediction."""

from learnable.calibration.conformal import (
    Conformal,
    Intervals,
    Sets,
    predict_interval,
    predict_set,
)

__all__ = ["Conformal", "Intervals", "Sets", "predict_interval", "predict_set"]
