"""Compressed rows with gaps, against scikit-learn's imputer and against the dense rows."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from scipy import sparse
from sklearn.impute import SimpleImputer as Peer

import learnable
from learnable.core import DataError, ParameterError
from learnable.impute import SimpleImputer

RANDOM = np.random.default_rng(0)
DENSE = RANDOM.integers(-2, 3, (60, 6)).astype(float)
DENSE[RANDOM.random(DENSE.shape) < 0.5] = 0.0
DENSE[RANDOM.random(DENSE.shape) < 0.2] = np.nan
DENSE[:, 2] = np.nan
DENSE[:, 3] = np.where(np.isnan(DENSE[:, 3]), np.nan, 0.0)
STRATEGIES = ["mean", "median", "most_frequent", "constant"]
OPTIONS = [{}, {"add_indicator": True}, {"keep_empty_features": True}, {"fill_value": 7},
           {"missing_values": 2}, {"missing_values": -1, "add_indicator": True}]  # fmt: skip


def filled(model, X):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return model.fit_transform(X)
        except ValueError:
            return None


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("form", [sparse.csr_matrix, sparse.csc_array, sparse.coo_matrix])
def test_the_peers_answers(form, strategy, options):
    mark = options.get("missing_values", np.nan)
    cells = np.where(np.isnan(DENSE), mark, DENSE)
    if strategy == "constant":
        # scikit-learn takes a column of gaps and zeros for empty, as no other cell is stored.
        cells[0, 3] = 1.0
    X = form(cells)
    model, peer = SimpleImputer(strategy=strategy, **options), Peer(strategy=strategy, **options)
    ours, theirs = filled(model, X), filled(peer, X)
    assert sparse.issparse(ours)
    assert ours.format == theirs.format
    assert np.allclose(ours.toarray(), theirs.toarray(), 1e-12, 1e-12)
    assert np.allclose(model.statistics_, peer.statistics_, 1e-12, 1e-12, equal_nan=True)
    assert model.get_feature_names_out().tolist() == peer.get_feature_names_out().tolist()


@pytest.mark.parametrize("options", [{}, {"add_indicator": True}], ids=str)
@pytest.mark.parametrize("strategy", [*STRATEGIES, "mean_within_class"])
def test_the_answers_of_the_dense_rows(strategy, options):
    y = RANDOM.integers(0, 2, len(DENSE)) if "class" in strategy else None
    models = [SimpleImputer(strategy=strategy, **options) for _ in range(2)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = models[0].fit_transform(sparse.csc_array(DENSE), y)
        whole = models[1].fit_transform(DENSE, y)
    assert np.allclose(found.toarray(), whole, 1e-12, 1e-12)
    assert models[0].missing_count_.tolist() == models[1].missing_count_.tolist()
    assert models[0].incomplete_ == models[1].incomplete_


def test_zero_cannot_be_what_is_missing():
    for fitted in (SimpleImputer(missing_values=0), SimpleImputer(missing_values=0).fit([[1.0]])):
        with pytest.raises(DataError, match="Provide a dense array"):
            (fitted.transform if hasattr(fitted, "statistics_") else fitted.fit)(
                sparse.csr_array([[1.0]])
            )


def test_text_cannot_be_what_is_missing():
    with pytest.raises(ParameterError, match="both numerical"):
        SimpleImputer(missing_values="a").fit(sparse.csr_array([[1.0]]))


def test_an_infinite_cell_is_named():
    with pytest.raises(DataError, match="infinity") as caught:
        SimpleImputer().fit(sparse.csr_array([[0.0, 1.0], [np.inf, 0.0]]))
    assert (caught.value.row, caught.value.column) == (1, 0)


def test_whole_numbers_stay_whole_where_the_fill_is():
    X = sparse.csr_array(np.array([[5, 0], [-1, 3], [5, 0]]))
    model = SimpleImputer(missing_values=-1, strategy="most_frequent")
    found, expected = model.fit_transform(X), Peer(missing_values=-1, strategy="most_frequent")
    assert found.toarray().tolist() == expected.fit_transform(X).toarray().tolist()
    assert found.dtype.kind == "i"


def test_explanations_and_certificates():
    X = sparse.csr_array([[1.0, np.nan], [3.0, 2.0]])
    model = SimpleImputer().fit(X)
    assert learnable.explain(model, X)[0].summary == "1 of 2 cells filled: x1."
    assert learnable.certify(model, X, role="test").value == 0.5
