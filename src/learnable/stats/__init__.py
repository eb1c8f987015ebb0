"""The mergeable statistics: what a block of rows says about a model.

Each has ``zero``, ``of`` and ``merge``, and ``minus`` where an inverse exists; none is ever
changed in place and none holds a hyper-parameter.
"""

from learnable.stats.counts import Counts
from learnable.stats.extent import Extent
from learnable.stats.fingerprint import Fingerprint
from learnable.stats.histogram import Histogram
from learnable.stats.moments import Moments
from learnable.stats.shifts import Shifts

__all__ = ["Counts", "Extent", "Fingerprint", "Histogram", "Moments", "Shifts"]
