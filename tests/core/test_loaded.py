"""Libraries that are not loaded, or only half, by another thread."""

from __future__ import annotations

import sys
from types import ModuleType

import numpy as np
import pytest
from sklearn.pipeline import make_pipeline

import learnable
from learnable.core.loaded import is_sparse, loaded
from learnable.naive_bayes import GaussianNB


def test_what_is_not_loaded_is_nothing(monkeypatch):
    monkeypatch.delitem(sys.modules, "scipy.sparse")
    assert loaded("scipy.sparse", "issparse") is None
    assert not is_sparse(np.zeros(2))
    assert "scipy.sparse" not in sys.modules


@pytest.mark.parametrize("name", ["scipy.sparse", "pandas", "sklearn.pipeline"])
def test_a_library_that_another_thread_is_loading_is_no_obstacle(name, monkeypatch):
    monkeypatch.setitem(sys.modules, name, ModuleType(name))
    X = np.array([[0.0, 1.0], [1.0, 3.0], [4.0, 2.0], [5.0, 5.0]], dtype=object)
    model = GaussianNB().fit(X, np.array(["a", "a", "b", "b"], dtype=object))
    assert model.predict(X).tolist() == ["a", "a", "b", "b"]
    assert len(learnable.explain(model, X)) == 4


def test_a_pipeline_is_known_once_it_is_loaded():
    X = np.array([[0.0], [1.0], [4.0], [5.0]])
    model = make_pipeline(GaussianNB()).fit(X, ["a", "a", "b", "b"])
    assert learnable.explain(model, X)[0].prediction == "a"
