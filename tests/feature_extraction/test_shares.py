"""The bound of the share of unknown terms holds as often as it says."""

from __future__ import annotations

import numpy as np
import pytest

from learnable.core import DataError
from learnable.feature_extraction.numbering import Numbered
from learnable.feature_extraction.shares import document_shares, unknown_share


def test_shares_go_over_blocks():
    blocks = [(np.array([0, 1]), np.array([1, 2])), (np.array([1, 0, 0, 0]), np.array([0, 4]))]
    shares = document_shares(Numbered(blocks, ["to", "be"]), np.array([False, True]))
    assert shares.tolist() == [0.0, 1.0, 0.0, 0.25]


def test_the_bound_holds():
    """Documents of one term, unknown with probability .3: 400 draws of 50."""
    rng = np.random.default_rng(0)
    held = 0
    for _ in range(400):
        ids = (rng.random(50) < 0.3).astype(np.int64)
        found = Numbered([(ids, np.arange(1, 51))], ["to", "be"])
        held += unknown_share(found, np.array([False, True]), 0.9).high >= 0.3
    assert held / 400 >= 0.9


def test_no_documents_bound_nothing():
    with pytest.raises(DataError, match="no documents"):
        unknown_share(Numbered([], []), np.empty(0, bool), 0.95)
