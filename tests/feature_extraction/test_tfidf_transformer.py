"""Weights against scikit-learn's and by hand."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from sklearn.feature_extraction.text import TfidfTransformer as Peer

import learnable
from learnable.core import DataError
from learnable.feature_extraction.text import TfidfTransformer

COUNTS = np.random.default_rng(0).poisson(0.7, size=(40, 9))
COUNTS[:, 4] = 1


@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"norm": "l1"},
        {"norm": None, "use_idf": False},
        {"smooth_idf": False},
        {"sublinear_tf": True},
    ],
    ids=str,
)
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix, sparse.csc_array])
@pytest.mark.parametrize("kind", [np.int64, np.float64, np.float32])
def test_weights_are_those_of_scikit_learn(parameters, form, kind):
    X = form(COUNTS.astype(kind))
    ours, peer = TfidfTransformer(**parameters).fit(X), Peer(**parameters).fit(X)
    if parameters.get("use_idf", True):
        assert ours.idf_.tolist() == peer.idf_.tolist()
    found, expected = ours.transform(X), peer.transform(X)
    assert found.dtype == expected.dtype
    assert abs(found - expected).max() < 10 * np.finfo(found.dtype).eps
    assert np.abs(X - form(COUNTS.astype(kind))).sum() == 0.0


def test_a_column_that_fit_never_saw():
    zero = np.array([[1, 0], [2, 0]])
    assert TfidfTransformer().fit(zero).idf_.tolist() == [1.0, np.log(3.0) + 1.0]
    strict = TfidfTransformer(smooth_idf=False).fit(zero)
    assert strict.idf_.tolist() == [1.0, np.inf]
    assert strict.transform(zero).toarray().tolist() == [[1.0, 0.0], [1.0, 0.0]]
    with pytest.raises(DataError, match="infinite") as caught:
        strict.transform([[1, 0], [1, 1]])
    assert (caught.value.row, caught.value.column) == (1, 1)


def test_the_logarithm_of_a_negative_count_is_refused():
    with pytest.raises(DataError, match="sublinear_tf"):
        TfidfTransformer(sublinear_tf=True).fit_transform([[1.0, -1.0]])


def test_stored_zeros_are_no_documents():
    X = sparse.csr_matrix((np.array([1.0, 0.0]), ([0, 1], [0, 0])), shape=(2, 1))
    dense = TfidfTransformer().fit(X.toarray())
    assert TfidfTransformer().fit(X).idf_.tolist() == dense.idf_.tolist()


def test_cells_that_are_no_numbers_are_named_in_sparse_rows_too():
    X = sparse.csr_matrix(np.array([[1.0, 0.0], [0.0, np.nan]]))
    with pytest.raises(DataError) as caught:
        TfidfTransformer().fit(X)
    assert (caught.value.row, caught.value.column) == (1, 1)


def test_explanations_give_the_idf():
    model = TfidfTransformer().fit(COUNTS)
    why = learnable.explain(model, COUNTS[:1])[0]
    assert "idf" in why.parts[0].evidence
    assert why.score == pytest.approx(model.transform(COUNTS[:1]).sum())
