"""The clipper: where it clips, and what it counts."""

from __future__ import annotations

import numpy as np
import pytest

import learnable
from learnable.core import DataError, ParameterError
from learnable.preprocessing import Clipper
from tests.preprocessing.forms import RANDOM, holed

X = RANDOM.normal(size=(500, 3))


def test_the_ends_are_quantiles():
    clipper = Clipper(quantile_range=(5, 90)).fit(X)
    low, high = np.percentile(X, [5, 90], axis=0)
    assert np.allclose(clipper.lower_, low)
    assert np.allclose(clipper.upper_, high)
    assert np.array_equal(clipper.transform(X), np.clip(X, clipper.lower_, clipper.upper_))
    assert clipper.clipped_count_.tolist() == [[25] * 3, [50] * 3]


def test_stated_ends_and_missing_cells():
    gaps = holed(X)
    clipper = Clipper(lower=[-1.0, 0.0, -9.0], upper=1.0).fit(gaps)
    found = clipper.transform(gaps)
    assert np.array_equal(np.isnan(found), np.isnan(gaps))
    assert np.array_equal(found, np.clip(gaps, [-1, 0, -9], 1), equal_nan=True)
    assert clipper.clipped_count_[1].tolist() == (gaps > 1.0).sum(axis=0).tolist()


def test_a_column_without_a_known_cell_is_left_alone():
    clipper = Clipper().fit(np.full((3, 1), np.nan))
    assert clipper.transform([[5.0]])[0, 0] == 5.0


@pytest.mark.parametrize("options", [{"lower": [1.0]}, {"lower": "a"}, {"upper": [np.nan] * 3},
                                     {"quantile_range": (9, 1)}], ids=str)  # fmt: skip
def test_ends_that_make_no_sense(options):
    with pytest.raises(ParameterError):
        Clipper(**options).fit(X)


def test_crossing_ends_are_named():
    with pytest.raises(DataError, match="above the upper end") as caught:
        Clipper(lower=2.0, upper=1.0).fit(X)
    assert caught.value.column == "x0"


def test_the_explanation_says_what_moved_how_far():
    clipper = Clipper(lower=0.0, upper=1.0).fit([[0.5, 2.0], [-1.0, 0.5]])
    why = learnable.explain(clipper, [[3.0, 0.5]])[0]
    assert why.prediction == (1.0, 0.5)
    assert [part.weight for part in why.parts] == [2.0, 0.0]
    assert why.parts[0].evidence == "above 1, as 0 of 2 training rows"


def test_the_certificate_counts_clipped_rows():
    clipper = Clipper(lower=0.0, upper=1.0).fit([[0.5], [0.7]])
    assert learnable.certify(clipper, [[0.5], [2.0]]).value == 0.5
