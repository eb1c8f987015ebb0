"""All that prepares columns against scikit-learn: long and wide tables, frames, dense and sparse.

``equal`` says whether both made the same of the rows (to rounding).
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy import sparse
from sklearn import compose as peer_composers
from sklearn import impute as peer_imputers
from sklearn import preprocessing as peers

from benchmarks.measure import row, side_by_side
from learnable import compose, impute, preprocessing

LONG, WIDE, SMALL = (1_000_000, 5), (100_000, 50), (500, 4)
VALUES = 50


class Case(NamedTuple):
    """Two transformers that do the same, and the rows."""

    name: str
    ours: Any
    peer: Any
    X: Any


def _both(name: str, **options: Any) -> tuple[Any, Any]:
    return getattr(preprocessing, name)(**options), getattr(peers, name)(**options)


def _numeric(shape: tuple[int, int]) -> Iterator[Case]:
    random = np.random.default_rng(0)
    X = random.normal(size=shape)
    holed = np.where(random.random(shape) < 0.1, np.nan, X)
    for name in ("StandardScaler", "MinMaxScaler", "RobustScaler", "Normalizer"):
        yield Case(name, *_both(name), X)
    for name in ("StandardScaler", "MinMaxScaler", "RobustScaler"):
        yield Case(f"{name}, gaps", *_both(name), holed)
    for strategy in ("mean", "median", "most_frequent", "constant"):
        pair = [room.SimpleImputer(strategy=strategy) for room in (impute, peer_imputers)]
        yield Case(f"SimpleImputer, {strategy}", *pair, holed)
    for strategy in ("uniform", "quantile"):
        for encode in ("ordinal", "onehot", "onehot-dense"):
            yield Case(f"Discretizer, {strategy}, {encode}", *_cutters(strategy, encode), X)
    degree = 3 if shape[1] < 10 else 2
    yield Case("PolynomialFeatures", *_both("PolynomialFeatures", degree=degree), X[: len(X) // 4])
    for knots in ("uniform", "quantile"):
        yield Case(f"SplineTransformer, {knots}", *_both("SplineTransformer", knots=knots), X)


def _cutters(strategy: str, encode: str) -> tuple[Any, Any]:
    options = {"strategy": strategy, "encode": encode}
    peer = peers.KBinsDiscretizer(10, **options, subsample=None, quantile_method="linear")
    return preprocessing.Discretizer(10, **options), peer


def _sparse(shape: tuple[int, int]) -> Iterator[Case]:
    random = np.random.default_rng(0)
    X = sparse.random_array(shape, density=0.1, format="csr", rng=random)
    X.data[random.random(len(X.data)) < 0.1] = np.nan
    for strategy in ("mean", "median", "most_frequent"):
        pair = [room.SimpleImputer(strategy=strategy) for room in (impute, peer_imputers)]
        yield Case(f"SimpleImputer, {strategy}, sparse", *pair, X)


def _nominal(shape: tuple[int, int]) -> Iterator[Case]:
    random = np.random.default_rng(0)
    places = random.integers(0, VALUES, shape)
    words = np.array([f"value {i}" for i in range(VALUES)])
    frame = pd.DataFrame({f"x{j}": words[places[:, j]] for j in range(shape[1])})
    frame = frame.astype(object)
    forms = {"numbers": places, "text objects": words[places].astype(object), "frame": frame}
    for form, X in forms.items():
        yield Case(f"OneHotEncoder, {form}", *_both("OneHotEncoder"), X)
        yield Case(f"OrdinalEncoder, {form}", *_both("OrdinalEncoder"), X)
    dense = _both("OneHotEncoder", sparse_output=False)
    yield Case("OneHotEncoder, numbers, dense", *dense, places[: len(places) // 4])
    pair = [room.SimpleImputer(strategy="most_frequent") for room in (impute, peer_imputers)]
    yield Case("SimpleImputer, most_frequent, text", *pair, forms["text objects"])
    frame = frame.assign(number=random.normal(size=len(frame)))
    made = [
        composer.ColumnTransformer(
            [("names", room.OneHotEncoder(), list(frame.columns[:-1])),
             ("numbers", room.StandardScaler(), ["number"])]
        )
        for composer, room in ((compose, preprocessing), (peer_composers, peers))
    ]  # fmt: skip
    yield Case("ColumnTransformer, frame", *made, frame)


def _agree(one: Any, other: Any) -> bool:
    if sparse.issparse(one) and sparse.issparse(other):
        rest = one - other
        return rest.nnz == 0 or bool(np.nanmax(np.abs(rest.data)) < 1e-9)
    one, other = np.asarray(one), np.asarray(other)
    if one.dtype.kind == "O":
        return bool((one == other).all())
    return bool(np.allclose(one, other, 1e-9, 1e-9, equal_nan=True))


def run(smoke: bool) -> list[dict[str, Any]]:
    found = []
    for shape in [SMALL] if smoke else [LONG, WIDE]:
        for cases in (_numeric, _sparse, _nominal):
            for case in cases(shape):
                found += _lines(case, 1 if smoke else 3)
    return found


def _lines(case: Case, repeats: int) -> list[dict[str, Any]]:
    X, both = case.X, {"ours": case.ours, "peer": case.peer}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        lines = []
        for step in ("fit", "transform"):
            work = {who: _step(one, step, X) for who, one in both.items()}
            lines.append(row(f"{case.name} {step}", X, side_by_side(work, repeats)))
        lines[-1]["equal"] = _agree(case.ours.transform(X), case.peer.transform(X))
    return lines


def _step(learner: Any, step: str, X: Any) -> Any:
    return lambda: getattr(learner, step)(X)
