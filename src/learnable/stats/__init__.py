"""The mergeable statistics: what a block of rows says about a model.

Each has ``zero``, ``of`` and ``merge``, and ``minus`` where an inverse exists; none is ever
changed in place and none holds a hyper-parameter.
"""

from learnable.stats.confusion import Confusion
from learnable.stats.counts import Counts
from learnable.stats.extent import Extent
from learnable.stats.fingerprint import Fingerprint
from learnable.stats.histogram import Histogram
from learnable.stats.moments import Moments
from learnable.stats.ranking import Ranking
from learnable.stats.residuals import Residuals
from learnable.stats.shifts import Shifts
from learnable.stats.triangle import Triangle

__all__ = [
    "Confusion",
    "Counts",
    "Extent",
    "Fingerprint",
    "Histogram",
    "Moments",
    "Ranking",
    "Residuals",
    "Shifts",
    "Triangle",
]
