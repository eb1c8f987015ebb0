"""Answers that keep their promises: calibrated probabilities, prediction sets and intervals."""

from learnable.calibration.classifier import CalibratedClassifierCV
from learnable.calibration.conformal import (
    Conformal,
    Intervals,
    Sets,
    predict_interval,
    predict_set,
)
from learnable.calibration.reliability import Reliability, calibration_curve, reliability

__all__ = [
    "CalibratedClassifierCV",
    "Conformal",
    "Intervals",
    "Reliability",
    "Sets",
    "calibration_curve",
    "predict_interval",
    "predict_set",
    "reliability",
]
