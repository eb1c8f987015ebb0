"""The min-max scaler against scikit-learn's, and where it does better."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.preprocessing import MinMaxScaler as Peer

import learnable
from learnable.core import DataError, LearnableError, ParameterError
from learnable.datasets import load_iris
from learnable.estimator.persistence import from_bytes, to_bytes
from learnable.preprocessing import MinMaxScaler
from tests.preprocessing.forms import FORMS, RANDOM, TABLE, bits_for_every_runner, holed

IRIS = load_iris().data
SETTINGS = [{}, {"feature_range": (-2.0, 5)}, {"clip": True}, {"feature_range": (0.1, 0.7)}]
TABLES = {
    "iris": IRIS,
    "random": TABLE,
    "holed": holed(TABLE),
    "one row": TABLE[:1],
    "whole numbers": RANDOM.integers(0, 9, (40, 3)),
    "an empty column": np.column_stack([TABLE[:, 0], np.full(300, np.nan)]),
}
ATTRIBUTES = ["data_min_", "data_max_", "data_range_", "scale_", "min_", "n_samples_seen_"]


def close(ours, theirs, tolerance=1e-12):
    return np.allclose(ours, theirs, rtol=tolerance, atol=tolerance, equal_nan=True)


def agrees(ours, theirs, X, tolerance=1e-12):
    for name in ATTRIBUTES:
        assert close(getattr(ours, name), getattr(theirs, name), tolerance), name
    beyond = X * 1.5 - 0.3
    scaled = ours.transform(beyond)
    assert close(scaled, theirs.transform(beyond), tolerance)
    assert close(ours.inverse_transform(scaled), theirs.inverse_transform(scaled), tolerance)


@pytest.mark.filterwarnings("ignore:All-NaN:RuntimeWarning")
@pytest.mark.parametrize("options", SETTINGS, ids=str)
@pytest.mark.parametrize("X", TABLES.values(), ids=TABLES)
def test_the_peers_figures(X, options):
    agrees(MinMaxScaler(**options).fit(X), Peer(**options).fit(X), X)


@pytest.mark.parametrize("X", [TABLE, TABLES["holed"]], ids=["full", "holed"])
def test_learning_in_parts_is_learning_at_once(X):
    whole, parts = MinMaxScaler().fit(X), MinMaxScaler()
    for rows in np.array_split(np.arange(len(X)), [1, 7, 8, 150]):
        parts.partial_fit(X[rows])
    agrees(parts, whole, X, 0.0)
    assert parts.presence_.cells.tolist() == (~np.isnan(X)).sum(axis=0).tolist()


@pytest.mark.parametrize("X", FORMS.values(), ids=FORMS)
def test_every_form_of_the_table(X):
    plain = MinMaxScaler().fit(TABLE)
    scaler = MinMaxScaler().fit(X)
    assert np.array_equal(scaler.transform(X), plain.transform(TABLE))
    assert np.allclose(scaler.inverse_transform(scaler.transform(X)), TABLE, atol=1e-12)


def test_float32_stays_and_loses_nothing():
    X = (TABLE + 1000.0).astype(np.float32)
    answer = MinMaxScaler().fit_transform(X)
    assert answer.dtype == np.float32
    assert np.array_equal(answer, MinMaxScaler().fit_transform(X.astype(float)).astype("float32"))


@pytest.mark.parametrize("scale", [1e-320, 1e-200, 1e-20, 1.0, 1e150, 1e300])
def test_any_scale(scale):
    X = RANDOM.normal(size=(100, 1))
    tolerance = 1e-3 if scale < 1e-310 else 1e-12  # few digits are left of subnormal numbers
    found = MinMaxScaler().fit_transform(X * scale)
    assert close(found, MinMaxScaler().fit_transform(X), tolerance)


@pytest.mark.parametrize("ends", [(0, 1), (-1, 1), (0.1, 0.7)])
def test_the_ends_are_met_exactly_far_from_zero_too(ends):
    X = 1e9 + RANDOM.normal(size=(500, 4))
    found = MinMaxScaler(ends).fit_transform(X)
    assert (found.min(axis=0) == ends[0]).all()
    assert (found.max(axis=0) == ends[1]).all()


@pytest.mark.parametrize("value", [0.0, 0.1, -1e150, 1e-200, 1e9])
def test_constant_columns_go_to_the_lower_end(value):
    scaler = MinMaxScaler((2, 5)).fit(np.full((7, 1), value))
    assert scaler.data_range_[0] == 0.0
    assert scaler.transform([[value]])[0, 0] == 2.0
    assert scaler.scale_[0] == 3.0


def test_rounding_is_no_range():
    assert MinMaxScaler().fit([[0.1 + 0.2], [0.3]]).scale_[0] == 1.0


def test_one_outlier_presses_the_rest_together():
    X = np.array([[1.0], [2], [3], [4], [5], [1000]])
    found = MinMaxScaler().fit_transform(X).round(4).ravel()
    assert found.tolist() == [0.0, 0.001, 0.002, 0.003, 0.004, 1.0]


def test_copy_false_writes_over_what_it_is_given():
    X = TABLE.copy()
    answer = MinMaxScaler(copy=False).fit_transform(X)
    assert answer is X
    assert np.array_equal(answer, MinMaxScaler().fit_transform(TABLE))


def test_the_bits_are_the_same_whoever_ran_it():
    X = np.tile(TABLE, (1000, 1))
    X[::7, 2] = np.nan
    assert len(bits_for_every_runner(MinMaxScaler(), X)) == 1


@pytest.mark.parametrize(
    "X", [TABLE, TABLES["holed"], TABLES["an empty column"]], ids=["full", "holed", "empty"]
)
@pytest.mark.parametrize("options", SETTINGS, ids=str)
def test_files(options, X):
    scaler = MinMaxScaler(**options).fit(X)
    again = from_bytes(to_bytes(scaler))
    assert to_bytes(again) == to_bytes(scaler)
    agrees(again, scaler, X, 0.0)
    agrees(again.partial_fit(X), scaler.partial_fit(X), X, 0.0)


def test_contradicting_state_is_refused():
    scaler = MinMaxScaler().fit(TABLE)
    extent = scaler.statistic_
    scaler.statistic_ = extent._replace(low=extent.high + 1.0)
    with pytest.raises(LearnableError, match="above the largest"):
        to_bytes(scaler)


def test_explanations_say_what_lies_outside():
    scaler = MinMaxScaler().fit(IRIS)
    inside, outside, missing = learnable.explain(
        scaler, [IRIS[0], [5.0, 3.0, 0.41, 3.7], [5.0, np.nan, 1.5, 0.2]]
    )
    assert inside.summary == "Inside the training range in all 4 columns."
    assert inside.score == 0.0
    assert inside.prediction == pytest.approx(scaler.transform(IRIS[:1])[0])
    assert outside.summary == (
        "Outside the training range in 2 of 4 columns, furthest in x3: above 2.5 by 0.5 of the "
        "range."
    )
    assert outside.score == pytest.approx(0.1 + 0.5)
    assert sum(part.weight for part in outside.parts) == outside.score
    assert missing.parts[1].evidence == "missing"


def test_certificate_from_the_training_rows():
    X = RANDOM.normal(size=(2000, 3))
    certificate = learnable.certify(MinMaxScaler().fit(X), X, role="train")
    assert certificate.kind == "guaranteed"
    assert certificate.confidence == 0.95
    assert 0.0 < certificate.high < 0.012
    assert certificate.high == pytest.approx(sum(c.high for c in certificate.further))
    few = learnable.certify(MinMaxScaler().fit(X[:1]), X[:1], role="train")
    assert few.high == 1.0
    assert few.text == "Nothing can be promised: too few rows for so many columns."


def test_missing_cells_make_the_promise_weaker():
    X = RANDOM.normal(size=(500, 2))
    full = learnable.certify(MinMaxScaler().fit(X), X, role="train")
    X[:400, 1] = np.nan
    part = learnable.certify(MinMaxScaler().fit(X), X, role="train")
    assert part.further[0].high == full.further[0].high
    assert part.further[1].high > 4.0 * full.further[1].high
    assert part.n == 100


def test_certificate_on_new_rows():
    X = RANDOM.normal(size=(400, 2))
    certificate = learnable.certify(MinMaxScaler().fit(X[:20]), X[20:])
    low, high = X[:20].min(axis=0), X[:20].max(axis=0)
    out = ((X[20:] < low) | (X[20:] > high)).any(axis=1).mean()
    assert certificate.value == out > 0.0
    assert certificate.low < out < certificate.high


def test_trace_tells_the_extent():
    with learnable.tracing() as trace:
        MinMaxScaler().fit(IRIS)
    told = trace.events[0]._asdict()["values"]
    assert trace.steps() == ["extent"]
    assert told == {
        "n": 150, "low": IRIS.min(axis=0).tolist(), "high": IRIS.max(axis=0).tolist(),
    }  # fmt: skip


def test_errors_say_what_is_wrong():
    for ends in [(1, 1), (2, 1), (0, np.inf), (0,), "ab"]:
        with pytest.raises(ParameterError, match="must be smaller"):
            MinMaxScaler(ends).fit(TABLE)
    with pytest.raises(DataError, match="leaves the range of floats") as caught:
        MinMaxScaler().fit([[1.0, 1.7e308], [2.0, -1.7e308]])
    assert caught.value.column == "x1"
    with pytest.raises(DataError, match="infinity") as caught:
        MinMaxScaler().fit([[1.0, 2.0], [2.0, -np.inf]])
    assert (caught.value.column, caught.value.row) == (1, 1)
    with pytest.raises(DataError, match="infinity") as caught:
        MinMaxScaler().fit(TABLE[:, :2]).transform([[1.0, np.nan], [np.inf, 1.0]])
    assert (caught.value.column, caught.value.row) == (0, 1)
