"""The standard scaler against scikit-learn's, and where it does better."""

from __future__ import annotations

import mpmath
import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler as Peer

import learnable
from learnable.core import DataError, SchemaError
from learnable.datasets import load_iris
from learnable.estimator.persistence import from_bytes, to_bytes
from learnable.naive_bayes import GaussianNB
from learnable.preprocessing import StandardScaler
from tests.preprocessing.forms import FORMS, RANDOM, TABLE, bits_for_every_runner, holed

IRIS = load_iris().data
SETTINGS = [{"with_mean": mean, "with_std": std} for mean in (True, False) for std in (True, False)]
TABLES = {
    "iris": IRIS,
    "random": TABLE,
    "holed": holed(TABLE),
    "one row": TABLE[:1],
    "whole numbers": RANDOM.integers(0, 9, (40, 3)),
    "an empty column": np.column_stack([TABLE[:, 0], np.full(300, np.nan)]),
}
ATTRIBUTES = ["mean_", "var_", "scale_", "n_samples_seen_"]


def close(ours, theirs, tolerance=1e-12):
    if theirs is None or ours is None:
        return ours is theirs
    return np.allclose(ours, theirs, rtol=tolerance, atol=tolerance, equal_nan=True)


def agrees(ours, theirs, X, tolerance=1e-12):
    for name in ATTRIBUTES:
        assert close(getattr(ours, name), getattr(theirs, name), tolerance), name
    scaled = ours.transform(X)
    assert close(scaled, theirs.transform(X), tolerance)
    assert close(ours.inverse_transform(scaled), theirs.inverse_transform(scaled), tolerance)


@pytest.mark.parametrize("options", SETTINGS, ids=str)
@pytest.mark.parametrize("X", TABLES.values(), ids=TABLES)
def test_the_peers_figures(X, options):
    with np.errstate(invalid="ignore"):
        peer = Peer(**options).fit(X)
    agrees(StandardScaler(**options).fit(X), peer, X)


@pytest.mark.parametrize("X", [TABLE, TABLES["holed"]], ids=["full", "holed"])
def test_weights(X):
    weight = RANDOM.uniform(0, 3, len(X))
    ours = StandardScaler().fit(X, sample_weight=weight)
    agrees(ours, Peer().fit(X, sample_weight=weight), X)
    times = RANDOM.integers(0, 3, len(X))
    twice = StandardScaler().fit(X, sample_weight=times)
    agrees(twice, StandardScaler().fit(np.repeat(X, times, axis=0)), X)


@pytest.mark.parametrize("X", [TABLE, TABLES["holed"]], ids=["full", "holed"])
def test_learning_in_parts_is_learning_at_once(X):
    whole, parts = StandardScaler().fit(X), StandardScaler()
    for rows in np.array_split(np.arange(len(X)), [1, 7, 8, 150]):
        parts.partial_fit(X[rows])
    agrees(parts, whole, X)
    parts.fit(X)
    agrees(parts, whole, X, 0.0)


@pytest.mark.parametrize("X", FORMS.values(), ids=FORMS)
def test_every_form_of_the_table(X):
    plain = StandardScaler().fit(TABLE)
    scaler = StandardScaler().fit(X)
    assert np.array_equal(scaler.transform(X), plain.transform(TABLE))
    assert np.allclose(scaler.inverse_transform(scaler.transform(X)), TABLE, atol=1e-12)


def test_float32_stays_and_loses_nothing():
    X = (TABLE + 1000.0).astype(np.float32)
    ours = StandardScaler().fit(X)
    answer = ours.transform(X)
    assert answer.dtype == ours.inverse_transform(answer).dtype == np.float32
    exact = StandardScaler().fit_transform(X.astype(float))
    assert np.array_equal(answer, exact.astype(np.float32))


@pytest.mark.parametrize("kind", [sp.csr_array, sp.csr_matrix, sp.csc_array, sp.coo_matrix])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64])
def test_sparse_rows_stay_sparse(kind, weighted, dtype):
    dense = np.round(RANDOM.normal(size=(80, 6)) * 3) * (RANDOM.random((80, 6)) < 0.3)
    dense[:, 4] = 2.0
    X = kind(dense.astype(dtype))
    weight = RANDOM.uniform(0, 2, 80) if weighted else None
    ours = StandardScaler(with_mean=False).fit(X, sample_weight=weight)
    theirs = Peer(with_mean=False).fit(dense, sample_weight=weight)
    for name in ATTRIBUTES:
        assert close(getattr(ours, name), getattr(theirs, name))
    answer = ours.transform(X)
    assert sp.issparse(answer)
    assert answer.dtype == (np.float32 if dtype is np.float32 else np.float64)
    tolerance = 1e-6 if dtype is np.float32 else 1e-12
    assert close(answer.toarray(), theirs.transform(dense), tolerance)
    assert close(ours.inverse_transform(answer).toarray(), dense, tolerance)
    assert np.array_equal(X.toarray(), dense.astype(dtype))


def test_sparse_rows_with_missing_cells_and_in_parts():
    dense = RANDOM.normal(size=(60, 4)) * (RANDOM.random((60, 4)) < 0.4)
    dense[RANDOM.random((60, 4)) < 0.1] = np.nan
    X = sp.csr_array(dense)
    ours = StandardScaler(with_mean=False).partial_fit(X[:25]).partial_fit(X[25:])
    agrees(ours, Peer(with_mean=False).fit(dense), dense)


def test_sparse_rows_cannot_be_centred():
    X = sp.eye_array(3, format="csr")
    for method in (StandardScaler().fit, StandardScaler().fit(TABLE[:, :3]).transform):
        with pytest.raises(DataError, match=r"Cannot center sparse matrices.*with_mean=False"):
            method(X)


@pytest.mark.parametrize("scale", [1e-320, 1e-300, 1e-200, 1e-20, 1.0, 1e20, 1e150, 1e300])
def test_any_scale(scale):
    X = RANDOM.normal(size=(100, 1))
    tolerance = 1e-3 if scale < 1e-310 else 1e-12  # few digits are left of subnormal numbers
    scaler = StandardScaler().fit(X * scale)
    assert close(scaler.transform(X * scale), StandardScaler().fit_transform(X), tolerance)
    assert scaler.scale_[0] == pytest.approx(X.std() * scale, rel=tolerance, abs=0.0)


def test_a_column_far_from_zero_against_exact_arithmetic():
    column = 1e9 + RANDOM.normal(size=200)
    exact = [mpmath.mpf(x) for x in column]
    with mpmath.workdps(60):
        mean = mpmath.fsum(exact) / 200
        sd = mpmath.sqrt(mpmath.fsum((x - mean) ** 2 for x in exact) / 200)
        expected = [float((x - mean) / sd) for x in exact]
    # The mean itself is a float of size 1e9: it is off by 1.2e-7 / 2 at most.
    assert np.abs(StandardScaler().fit_transform(column[:, None])[:, 0] - expected).max() < 1.3e-7


@pytest.mark.parametrize("value", [0.0, 0.1, -1e150, 1e-200, 1e9])
@pytest.mark.parametrize("n", [1, 3, 100_000])
def test_constant_columns_are_divided_by_one(value, n):
    scaler = StandardScaler().fit(np.full((n, 1), value))
    assert scaler.scale_[0] == 1.0
    assert scaler.var_[0] == 0.0
    assert scaler.transform([[value]])[0, 0] == 0.0


def test_rounding_is_no_spread_but_seconds_since_1970_have_one():
    noise = np.array([[0.1 + 0.2], [0.3]])
    assert StandardScaler().fit(noise).scale_[0] == 1.0
    seconds = 1.7e9 + RANDOM.uniform(0, 0.5, (1_000_000, 1))
    assert StandardScaler().fit(seconds).scale_[0] == pytest.approx(
        0.5 / np.sqrt(12), rel=1e-2, abs=0.0
    )


def test_copy_false_writes_over_what_it_is_given():
    X = TABLE.copy()
    scaler = StandardScaler(copy=False).fit(X)
    assert np.array_equal(X, TABLE)
    answer = scaler.transform(X)
    assert answer is X
    assert np.array_equal(answer, StandardScaler().fit_transform(TABLE))
    assert scaler.transform(X, copy=True) is not X
    assert np.array_equal(StandardScaler(copy=False).fit_transform(FORMS["read-only"]), answer)


def test_frames_out():
    frame = FORMS["pandas"]
    scaler = StandardScaler().set_output(transform="pandas").fit(frame)
    answer = scaler.transform(frame)
    assert isinstance(answer, pd.DataFrame)
    assert list(answer.columns) == list(frame.columns) == list(scaler.get_feature_names_out())
    with pytest.raises(SchemaError, match="unseen at fit time"):
        scaler.transform(frame.rename(columns={"a": "z"}))


def test_the_bits_are_the_same_whoever_ran_it():
    X = np.tile(TABLE, (1000, 1))
    assert len(bits_for_every_runner(StandardScaler(), X)) == 1
    X[::7, 2] = np.nan
    assert len(bits_for_every_runner(StandardScaler(), X)) == 1


@pytest.mark.parametrize(
    "X", [TABLE, TABLES["holed"], TABLES["an empty column"]], ids=["full", "holed", "empty"]
)
@pytest.mark.parametrize("options", SETTINGS, ids=str)
def test_files(options, X):
    scaler = StandardScaler(**options).fit(X)
    again = from_bytes(to_bytes(scaler))
    assert to_bytes(again) == to_bytes(scaler)
    agrees(again, scaler, X, 0.0)
    agrees(again.partial_fit(X), scaler.partial_fit(X), X, 0.0)


def test_the_weights_decide_whether_a_file_may_promise():
    scaler = StandardScaler().fit(TABLE, sample_weight=np.full(300, 2.0))
    again = from_bytes(to_bytes(scaler))
    assert learnable.certify(again, TABLE, role="train").high == 1.0


def test_explanations_sum_to_the_squared_distance():
    scaler = StandardScaler().fit(TABLES["holed"])
    for why, scaled in zip(
        learnable.explain(scaler, TABLES["holed"]),
        scaler.transform(TABLES["holed"]),
        strict=True,
    ):
        assert why.kind == "contributions"
        assert why.score == pytest.approx(np.nansum(scaled**2), rel=1e-12, abs=0.0)
        assert sum(part.weight for part in why.parts) == why.score
        assert np.array_equal(why.prediction, scaled, equal_nan=True)
    flower = learnable.explain(StandardScaler().fit(IRIS), IRIS[131:132])[0]
    assert flower.summary == (
        "Furthest out in x0: +2.492 standard deviations of 0.8253 from the mean 5.843."
    )


def test_explanations_through_a_pipeline_speak_of_the_original_columns():
    X, y = load_iris(return_X_y=True, as_frame=True)
    model = make_pipeline(StandardScaler(), GaussianNB()).fit(X, y)
    why = learnable.explain(model, X.iloc[:1])[0]
    assert [part.label for part in why.parts] == ["prior", *X.columns]
    assert why.parts[1].value == 5.1


def test_certificate_from_the_training_rows():
    X = RANDOM.normal(size=(2000, 3))
    certificate = learnable.certify(StandardScaler().fit(X), X, role="train")
    assert certificate.kind == "in expectation"
    assert len(certificate.further) == 3
    assert certificate.high == pytest.approx(sum(c.high for c in certificate.further))
    assert 0.33 < certificate.high < 0.34
    few = learnable.certify(StandardScaler().fit(X[:2]), X[:2], role="train")
    assert few.high == 1.0
    assert few.text == "Nothing can be promised: too few rows for so many columns."


def test_certificate_on_new_rows():
    X = RANDOM.standard_t(3, size=(4000, 2))
    scaler = StandardScaler().fit(X[:2000])
    certificate = learnable.certify(scaler, X[2000:])
    far = (np.abs(scaler.transform(X[2000:])) > 3.0).any(axis=1).mean()
    assert certificate.kind == "guaranteed"
    assert certificate.value == far > 0.0
    assert certificate.low < far < certificate.high


def test_a_constant_column_makes_every_other_value_far():
    scaler = StandardScaler().fit(np.full((50, 1), 3.0))
    certificate = learnable.certify(scaler, [[3.0], [3.0000001], [np.nan], [4.0]])
    assert certificate.value == 0.5


def test_trace_tells_the_moments():
    with learnable.tracing() as trace:
        StandardScaler().fit(IRIS)
    event = trace.events[0]
    assert (event.learner, event.step) == ("StandardScaler", "moments")
    assert event._asdict()["values"]["mean"] == pytest.approx(IRIS.mean(axis=0))


@pytest.mark.parametrize("cell", [np.inf, -np.inf])
def test_an_infinite_cell_is_named(cell):
    X = FORMS["pandas"].copy()
    X.loc[211, "c"] = cell
    for method in (StandardScaler().fit, StandardScaler().fit(FORMS["pandas"]).transform):
        with pytest.raises(DataError, match="infinity") as caught:
            method(X)
        assert (caught.value.column, caught.value.row) == ("c", 211)


def test_an_infinite_stored_cell_is_named():
    X = sp.csr_array(np.where(RANDOM.random((9, 5)) < 0.5, 1.0, 0.0) + np.eye(9, 5))
    scaler = StandardScaler(with_mean=False).fit(X)
    X[3, 3] = np.inf
    for method in (scaler.transform, StandardScaler(with_mean=False).fit):
        with pytest.raises(DataError, match="infinity") as caught:
            method(X)
        assert (caught.value.column, caught.value.row) == (3, 3)


def test_sums_that_leave_the_range_of_floats_are_named():
    with pytest.raises(DataError, match="leave the range of floats") as caught:
        StandardScaler().fit([[1.0, 1.7e308], [2.0, -1.7e308]])
    assert caught.value.column == 1


def test_inverse_transform_counts_the_columns():
    with pytest.raises(DataError, match="X has 2 features, but StandardScaler scales 5"):
        StandardScaler().fit(TABLE).inverse_transform(TABLE[:, :2])
