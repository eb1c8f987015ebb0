"""The robust scaler against scikit-learn's, and what one outlier did."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.preprocessing import RobustScaler as Peer

import learnable
from learnable.core import DataError, ParameterError
from learnable.estimator.persistence import from_bytes, to_bytes
from learnable.preprocessing import RobustScaler
from tests.preprocessing.forms import RANDOM, TABLE, holed

SETTINGS = [{}, {"with_centering": False}, {"with_scaling": False}, {"unit_variance": True},
            {"quantile_range": (10.0, 80)}]  # fmt: skip
TABLES = {
    "random": TABLE,
    "holed": holed(TABLE),
    "one row": TABLE[:1],
    "two rows": TABLE[:2],
    "whole numbers": RANDOM.integers(0, 9, (40, 3)),
    "constant": np.ones((5, 2)),
    "an empty column": np.column_stack([TABLE[:, 0], np.full(300, np.nan)]),
}
OUTLIER = np.array([[1.0], [2.0], [3.0], [4.0], [5.0], [1000.0]])


def close(ours, theirs):
    if theirs is None:
        return ours is None
    return np.allclose(ours, theirs, 1e-12, 1e-12, equal_nan=True)


@pytest.mark.filterwarnings("ignore:All-NaN:RuntimeWarning")
@pytest.mark.parametrize("options", SETTINGS, ids=str)
@pytest.mark.parametrize("X", TABLES.values(), ids=TABLES)
def test_the_peers_figures(X, options):
    ours, theirs = RobustScaler(**options).fit(X), Peer(**options).fit(X)
    assert close(ours.center_, theirs.center_)
    assert close(ours.scale_, theirs.scale_)
    scaled = ours.transform(X)
    assert close(scaled, theirs.transform(X))
    assert close(ours.inverse_transform(scaled), theirs.inverse_transform(scaled))


def test_compressed_rows_stay_compressed():
    X = sp.random_array((60, 4), density=0.6, random_state=0, format="csr")
    options = {"with_centering": False}
    ours, theirs = RobustScaler(**options).fit(X), Peer(**options).fit(X)
    assert close(ours.scale_, theirs.scale_)
    assert close(ours.transform(X).toarray(), theirs.transform(X).toarray())
    with pytest.raises(DataError, match="with_centering=False"):
        RobustScaler().fit(X)


@pytest.mark.parametrize("X", [RANDOM.normal(size=(50, 3)), OUTLIER, -OUTLIER, np.ones((4, 1)),
                               np.array([[1.0], [9.0], [9.0]])])  # fmt: skip
def test_what_would_be_without_the_furthest_cell(X):
    spread = RobustScaler().fit(X).spread_
    for j, column in enumerate(X.T):
        place = int(np.argmax(np.abs(column - np.median(column))))
        rest = np.delete(column, place)
        assert np.isclose(spread.sd[j], column.std())
        assert np.isclose(spread.sd_without[j], rest.std())
        assert np.isclose(spread.range_without[j], np.subtract(*np.percentile(rest, [75, 25])))


def test_the_report_shows_what_one_outlier_did():
    told = RobustScaler().fit(OUTLIER).report()
    assert told.startswith("x0: 1000 lies 398.6 ranges from the median 3.5.")
    assert "from 371.6 to 1.414" in told
    assert "from 2.5 to 2" in told


@pytest.mark.parametrize("bad", [(75, 25), (-1, 50), (0, 101), 5])
def test_ranges_that_make_no_sense(bad):
    with pytest.raises(ParameterError):
        RobustScaler(quantile_range=bad).fit(TABLE)


def test_model_files_keep_it():
    model = RobustScaler().fit(holed(TABLE))
    again = from_bytes(to_bytes(model))
    assert np.array_equal(again.transform(TABLE), model.transform(TABLE))
    assert again.report() == model.report()


def test_explanation_and_certificate():
    model = RobustScaler().fit(OUTLIER)
    assert learnable.explain(model, [[1000.0]])[0].score == pytest.approx(398.6)
    certificate = learnable.certify(model, [[3.0], [4.0], [999.0], [5.0]])
    assert certificate.value == 0.25
