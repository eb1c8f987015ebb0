"""The laws every learner and every statistic obeys, to be used on your own ones too."""

from learnable.checks.bits import LawBroken, close, same_bits
from learnable.checks.examples import example_table
from learnable.checks.learners import check_learner, laws_of
from learnable.checks.statistics import check_statistic

__all__ = [
    "LawBroken",
    "check_learner",
    "check_statistic",
    "close",
    "example_table",
    "laws_of",
    "same_bits",
]
