from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_digits, load_wine
from sklearn.naive_bayes import GaussianNB as Peer

import learnable
from learnable.core import DataError, ParameterError, SchemaError
from learnable.datasets import load_iris
from learnable.naive_bayes import GaussianNB


def drawn(n=300, d=4, k=3, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, k, n)
    return rng.normal(size=(n, d)) + y[:, None], y


@pytest.mark.parametrize("load", [load_iris, load_wine, load_breast_cancer])
def test_without_smoothing_it_is_scikit_learns(load):
    X, y = load(return_X_y=True)
    ours, theirs = GaussianNB(var_smoothing=0.0).fit(X, y), Peer(var_smoothing=0.0).fit(X, y)
    np.testing.assert_allclose(ours.theta_, theirs.theta_, rtol=1e-12)
    np.testing.assert_allclose(ours.var_, theirs.var_, rtol=1e-10)
    expected = theirs.predict_joint_log_proba(X)
    np.testing.assert_allclose(ours.predict_joint_log_proba(X), expected, rtol=1e-9)
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-10)
    assert ours.score(X, y) == theirs.score(X, y)


def test_weights_and_priors_are_scikit_learns():
    X, y = drawn()
    weight = np.random.default_rng(1).uniform(0.5, 2.0, len(y))
    for priors in (None, [0.2, 0.3, 0.5]):
        ours = GaussianNB(priors=priors, var_smoothing=0.0).fit(X, y, weight)
        theirs = Peer(priors=priors, var_smoothing=0.0).fit(X, y, weight)
        np.testing.assert_allclose(ours.class_prior_, theirs.class_prior_, rtol=1e-12)
        np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-11)


def test_answers_do_not_move_when_a_column_is_rescaled():
    X, y = drawn(400, 3)
    scaled = X * np.array([1.0, 1e-4, 1e7])
    ours = GaussianNB().fit(X, y).predict(X)
    np.testing.assert_array_equal(GaussianNB().fit(scaled, y).predict(scaled), ours)


@pytest.mark.parametrize("exponent", [-660, -60, 60, 490])
def test_extreme_scales_change_nothing(exponent):
    X, y = drawn()
    scaled = np.ldexp(X, exponent)
    plain, far = GaussianNB().fit(X, y), GaussianNB().fit(scaled, y)
    np.testing.assert_array_equal(far.predict(scaled), plain.predict(X))
    np.testing.assert_allclose(far.predict_proba(scaled), plain.predict_proba(X), atol=1e-10)


def test_a_shift_by_a_million_changes_nothing():
    X, y = drawn()
    np.testing.assert_allclose(
        GaussianNB().fit(X + 1e6, y).predict_proba(X + 1e6),
        GaussianNB().fit(X, y).predict_proba(X),
        atol=1e-7,
    )


def test_a_column_constant_in_every_class_is_named_and_takes_no_part():
    X, y = drawn()
    frame = pd.DataFrame(X, columns=["a", "b", "c", "d"]).assign(dull=y * 2.0, flat=1.0)
    with pytest.warns(UserWarning, match="constant in every class, so taking no part: dull, flat"):
        model = GaussianNB().fit(frame, y)
    assert model.constant_columns_.tolist() == [4, 5]
    np.testing.assert_allclose(
        model.predict_proba(frame), GaussianNB().fit(X, y).predict_proba(X), atol=1e-13
    )


def test_a_column_constant_in_one_class_stays():
    X, y = drawn()
    X[y == 1, 2] = 5.0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = GaussianNB().fit(X, y)
    assert np.isfinite(model.predict_proba(X)).all()
    assert (model.predict(X[y == 1]) == 1).all()


def test_partial_fit_is_fit_bit_for_bit_on_one_part_and_to_rounding_on_more():
    X, y = drawn()
    X[:, 1] = X[:, 1] * 1e-2 + 1e3
    whole = GaussianNB().fit(X, y)
    parts = GaussianNB()
    for start in range(0, len(y), 7):
        parts.partial_fit(X[start : start + 7], y[start : start + 7], classes=[0, 1, 2])
    np.testing.assert_allclose(parts.var_, whole.var_, rtol=1e-9)
    np.testing.assert_allclose(parts.predict_proba(X), whole.predict_proba(X), atol=1e-9)
    once = GaussianNB().partial_fit(X, y, classes=[0, 1, 2])
    np.testing.assert_array_equal(once.var_, whole.var_)


def test_a_class_that_has_no_rows_yet_is_never_answered():
    X, y = drawn()
    model = GaussianNB().partial_fit(X, y, classes=[0, 1, 2, 3])
    assert model.predict_proba(X)[:, 3].max() == 0.0


def test_partial_fit_wants_the_classes_once_and_the_same_later():
    X, y = drawn()
    with pytest.raises(ParameterError, match="classes must be passed"):
        GaussianNB().partial_fit(X, y)
    model = GaussianNB().partial_fit(X, y, classes=[0, 1, 2])
    with pytest.raises(ParameterError, match="not the same as on last call"):
        model.partial_fit(X, y, classes=[0, 1])
    with pytest.raises(DataError, match="do not exist in the initial classes"):
        model.partial_fit(X, y + 1)


@pytest.mark.parametrize(
    ("priors", "message"),
    [
        ([0.5, 0.5], "Number of priors"),
        ([0.5, 0.5, 0.5], "sum of the priors"),
        ([1.5, -0.5, 0.0], "non-negative"),
        ({0: 1.0}, "every class"),
        ("equal", "priors of GaussianNB must be"),
    ],
)
def test_wrong_priors_are_refused(priors, message):
    with pytest.raises(ParameterError, match=message):
        GaussianNB(priors=priors).fit(*drawn())


def test_priors_by_label_and_by_word():
    X, y = drawn()
    stated = GaussianNB(priors={2: 0.5, 0: 0.2, 1: 0.3}).fit(X, y)
    assert stated.class_prior_.tolist() == [0.2, 0.3, 0.5]
    assert GaussianNB(priors="uniform").fit(X, y).class_prior_.tolist() == [1 / 3] * 3
    counted = GaussianNB(priors="empirical").fit(X, y).class_prior_
    np.testing.assert_array_equal(counted, GaussianNB().fit(X, y).class_prior_)


FRAMES = {
    "pandas": lambda X: pd.DataFrame(X, columns=list("abcd")),
    "polars": lambda X: pl.DataFrame(X, schema=list("abcd")),
    "pyarrow": lambda X: pa.table(dict(zip("abcd", X.T, strict=True))),
}


@pytest.mark.parametrize("kind", FRAMES)
def test_frames_are_read_column_by_column_and_keep_their_names(kind):
    X, y = drawn()
    frame = FRAMES[kind](X)
    model = GaussianNB().fit(frame, y)
    assert model.feature_names_in_.tolist() == list("abcd")
    np.testing.assert_array_equal(
        model.predict_proba(frame), GaussianNB().fit(X, y).predict_proba(X)
    )
    labels = [part.label for part in learnable.explain(model, frame[:1])[0].parts]
    assert labels == ["prior", "a", "b", "c", "d"]


def test_columns_in_another_order_are_refused():
    X, y = drawn()
    frame = FRAMES["pandas"](X)
    model = GaussianNB().fit(frame, y)
    with pytest.raises(SchemaError, match="same order"):
        model.predict(frame[["b", "a", "c", "d"]])
    plain = GaussianNB().fit(X, y)
    with pytest.raises(SchemaError, match="X has 3 features, but GaussianNB is expecting 4"):
        plain.predict(X[:, :3])


def test_a_wrong_cell_of_a_frame_is_named():
    X, y = drawn()
    frame = FRAMES["polars"](X)
    X[17, 2] = np.nan
    with pytest.raises(DataError, match=r"NaN.*column 'c', row 17") as caught:
        GaussianNB().fit(FRAMES["polars"](X), y)
    assert caught.value.column == "c"
    assert caught.value.remedy
    with pytest.raises(DataError, match="column 'c', row 17"):
        GaussianNB().fit(frame, y).predict(FRAMES["polars"](X))


def test_labels_of_any_kind_come_back_as_they_were():
    X, y = drawn()
    for labels in (
        np.array(["no", "maybe", "yes"]),
        np.array([True, False, True]),
        [10**15, -3, 7],
    ):
        given_y = np.asarray(labels)[y]
        model = GaussianNB().fit(X, given_y)
        assert model.predict(X).dtype == given_y.dtype
        assert set(model.predict(X).tolist()) <= set(np.asarray(labels).tolist())


def test_numbers_that_are_no_classes_are_refused():
    X, _ = drawn()
    with pytest.raises(DataError, match="Unknown label type: continuous"):
        GaussianNB().fit(X, X[:, 0])
    with pytest.raises(DataError, match="contains NaN"):
        GaussianNB().fit(X, np.where(X[:, 0] > 0, 1.0, np.nan))
    with pytest.raises(DataError, match="inconsistent numbers of samples"):
        GaussianNB().fit(X, [0, 1])


def test_weights_are_checked():
    X, y = drawn()
    with pytest.raises(DataError, match="negative weight"):
        GaussianNB().fit(X, y, np.linspace(-1, 1, len(y)))
    with pytest.raises(DataError, match="Every weight is zero"):
        GaussianNB().fit(X, y, np.zeros(len(y)))
    with pytest.raises(DataError, match="not finite"):
        GaussianNB().fit(X, y, np.full(len(y), np.nan))


def test_float32_is_computed_from_without_loss():
    X, y = load_digits(return_X_y=True)
    X = X[:, X.var(axis=0) > 0]
    single = GaussianNB(var_smoothing=1e-3).fit(X.astype(np.float32), y)
    double = GaussianNB(var_smoothing=1e-3).fit(X, y)
    np.testing.assert_allclose(single.var_, double.var_, rtol=1e-12)
    np.testing.assert_array_equal(single.predict(X.astype(np.float32)), double.predict(X))


@given(st.integers(0, 10**6), st.integers(2, 6), st.integers(1, 3))
def test_probabilities_are_probabilities(seed, k, d):
    X, y = drawn(40, d, k, seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        model = GaussianNB().fit(X, y)
    proba = model.predict_proba(X)
    np.testing.assert_allclose(proba.sum(axis=1), 1.0, atol=1e-12)
    np.testing.assert_allclose(np.exp(model.predict_log_proba(X)), proba, rtol=1e-15, atol=1e-300)
    np.testing.assert_array_equal(model.classes_[proba.argmax(axis=1)], model.predict(X))


def test_the_trace_holds_what_was_learned():
    X, y = drawn()
    with learnable.tracing() as trace:
        model = GaussianNB().fit(X, y)
    frame = trace.only("moments").to_frame()
    np.testing.assert_array_equal(np.stack(frame["mean"]), model.theta_)
    np.testing.assert_array_equal(frame["prior"], model.class_prior_)


def test_certificates_are_refused_on_training_rows():
    X, y = drawn()
    model = GaussianNB().fit(X[::2], y[::2])
    certificate = learnable.certify(model, X[1::2], y[1::2])
    assert certificate.low < model.score(X[1::2], y[1::2]) < certificate.high
    assert certificate.notes == ()
    with pytest.raises(DataError, match="were among the training rows"):
        learnable.certify(model, X[::2], y[::2])
    with pytest.raises(ParameterError, match="no bound from its training rows"):
        learnable.certify(model, X[::2], y[::2], role="train")


def test_explanations_of_extreme_rows_still_add_up():
    X, y = drawn()
    model = GaussianNB().fit(X, y)
    why = learnable.explain(model, X[:1] + 1e8)[0]
    size = sum(abs(part.weight) for part in why.parts)
    assert abs(sum(part.weight for part in why.parts) - why.score) <= 1e-12 * size
