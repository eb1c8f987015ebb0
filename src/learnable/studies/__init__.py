"""Studies: one command from a table to a verdict that a person can act on and defend."""

from learnable.studies.asking import Finding, Problem, Wishes
from learnable.studies.choosing import Choice
from learnable.studies.plan import Plan
from learnable.studies.planning import Options
from learnable.studies.running import Outcome, Watch
from learnable.studies.study import Study, follow, planned
from learnable.studies.verdict import Verdict

__all__ = [
    "Choice",
    "Finding",
    "Options",
    "Outcome",
    "Plan",
    "Problem",
    "Study",
    "Verdict",
    "Watch",
    "Wishes",
    "follow",
    "planned",
]
