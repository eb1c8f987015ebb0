"""The normaliser of rows against scikit-learn's, and where it does better."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.exceptions import NotFittedError
from sklearn.preprocessing import Normalizer as Peer

import learnable
from learnable.core import DataError, ParameterError
from learnable.datasets import load_iris
from learnable.estimator.persistence import from_bytes, to_bytes
from learnable.preprocessing import Normalizer
from tests.preprocessing.forms import FORMS, RANDOM, TABLE, bits_for_every_runner

IRIS = load_iris().data
NORMS = ["l1", "l2", "max"]
WITH_ZEROS = np.where(RANDOM.random((50, 3)) < 0.6, 0.0, RANDOM.normal(size=(50, 3)))


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize(
    "X", [IRIS, TABLE, WITH_ZEROS, TABLE[:1]], ids=["iris", "random", "zeros", "one"]
)
def test_the_peers_figures(X, norm):
    found = Normalizer(norm).fit(X).transform(X)
    assert np.allclose(found, Peer(norm=norm).fit_transform(X), rtol=1e-13, atol=0.0)


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("X", FORMS.values(), ids=FORMS)
def test_every_form_of_the_table(X, norm):
    assert np.array_equal(Normalizer(norm).transform(X), Normalizer(norm).transform(TABLE))


@pytest.mark.parametrize("norm", NORMS)
def test_float32_stays(norm):
    X = TABLE.astype(np.float32)
    found = Normalizer(norm).fit_transform(X)
    assert found.dtype == np.float32
    assert np.allclose(found, Normalizer(norm).transform(X.astype(float)), rtol=1e-6)


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("kind", [sp.csr_array, sp.csr_matrix, sp.csc_array, sp.coo_matrix])
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64])
def test_sparse_rows_stay_sparse(kind, norm, dtype):
    dense = np.round(WITH_ZEROS * 3).astype(dtype)
    found = Normalizer(norm).fit(kind(dense)).transform(kind(dense))
    assert sp.issparse(found)
    assert found.dtype == (np.float32 if dtype is np.float32 else np.float64)
    tolerance = 1e-6 if dtype is np.float32 else 1e-14
    assert np.allclose(found.toarray(), Normalizer(norm).transform(dense), rtol=tolerance)


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("scale", [1e-300, 1e-200, 1e-20, 1e150, 1e300])
def test_any_scale(scale, norm):
    found = Normalizer(norm).transform(IRIS * scale)
    assert np.allclose(found, Normalizer(norm).transform(IRIS), rtol=1e-13, atol=0.0)


def test_nothing_needs_to_be_learned_but_names_are():
    with pytest.raises(NotFittedError):
        Normalizer().get_feature_names_out()
    frame = FORMS["pandas"]
    scaler = Normalizer().set_output(transform="pandas").fit(frame)
    assert list(scaler.transform(frame).columns) == list(frame.columns)
    with pytest.raises(DataError, match="expecting 5 features"):
        scaler.fit(TABLE).transform(TABLE[:, :2])
    with pytest.raises(ParameterError, match="norm of Normalizer"):
        Normalizer("l3").transform(TABLE)


def test_copy_false_writes_over_what_it_is_given():
    X = TABLE.copy()
    answer = Normalizer(copy=False).fit_transform(X)
    assert answer is X
    assert np.array_equal(answer, Normalizer().transform(TABLE))
    assert Normalizer(copy=False).transform(X, copy=True) is not X


def test_the_bits_are_the_same_whoever_ran_it():
    assert len(bits_for_every_runner(Normalizer(), np.tile(TABLE, (1000, 1)))) == 1


@pytest.mark.parametrize("norm", NORMS)
def test_files(norm):
    for scaler in (Normalizer(norm), Normalizer(norm).fit(FORMS["pandas"])):
        again = from_bytes(to_bytes(scaler))
        assert to_bytes(again) == to_bytes(scaler)
        assert vars(again).keys() == vars(scaler).keys()
        data = FORMS["pandas"]
        assert np.array_equal(again.transform(data), scaler.transform(data))


@pytest.mark.parametrize("norm", NORMS)
def test_explanations_are_shares_of_the_norm(norm):
    for why, row in zip(learnable.explain(Normalizer(norm), IRIS), IRIS, strict=True):
        assert sum(part.weight for part in why.parts) == why.score == pytest.approx(1.0)
        assert why.prediction == pytest.approx(Normalizer(norm).transform([row])[0])
        largest = max(why.parts, key=lambda part: part.weight)
        assert largest.value == row.max()
    zeros = learnable.explain(Normalizer(norm), [[0.0, 0.0]])[0]
    assert (zeros.score, zeros.summary) == (0.0, "A row of zeros stays as it is.")


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_certificate_is_a_bound_on_rounding(norm, dtype):
    X = RANDOM.normal(size=(2000, 40)).astype(dtype)
    X[5] = 0.0
    certificate = learnable.certify(Normalizer(norm), X)
    assert certificate.kind == "guaranteed"
    assert certificate.value <= certificate.high < 1e-4
    assert norm == "max" or certificate.value > 0.0


@pytest.mark.parametrize("cell", [np.nan, np.inf])
def test_a_cell_that_is_not_finite_is_named(cell):
    X = TABLE.copy()
    X[211, 3] = cell
    for form in (X, sp.csr_array(X)):
        for method in (Normalizer().fit, Normalizer().transform):
            with pytest.raises(DataError, match="Input X contains") as caught:
                method(form)
            assert (caught.value.column, caught.value.row) == (3, 211)


def test_a_norm_that_leaves_the_range_of_floats_is_refused():
    X = np.full((2, 4), 1e308)
    for form in (X, sp.csr_array(X)):
        with pytest.raises(DataError, match="leaves the range of floats"):
            Normalizer("l1").transform(form)
