"""Coefficients of least squares: certified digits, identities, hard data."""

from __future__ import annotations

import csv
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from learnable.core import DataError, ParameterError, config, serial
from learnable.data import Table
from learnable.linear_model import LinearRegression

WAMPLER = tuple(f"wampler{k}" for k in range(1, 6))
SETS = ("filip", "noint1", "noint2", "norris", "pontius", *WAMPLER)


def nist(folder, name):
    """Return columns, answers, whether there is a constant, and the certified figures."""
    with (folder / "certified.csv").open(encoding="utf-8") as file:
        told = [row for row in csv.DictReader(file) if row["data"] == name]
    with (folder / f"{name}.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    x, y = (np.array([float(row[key]) for row in rows]) for key in "xy")
    powers = [1 if row["term"] == "x" else int(row["term"][2:]) for row in told]
    X = np.column_stack([x**power for power in powers if power])
    figures = [[float(row[key]) for row in told] for key in ("coefficient", "standard_error")]
    return X, y, 0 in powers, *figures


def reference_sets(needs_data):
    return needs_data("longley").folder.parent / "nist-linear"


def right_digits(found, certified, beside):
    scale = np.where(np.array(certified) != 0.0, certified, beside)
    with np.errstate(divide="ignore"):
        return float(np.min(-np.log10(np.abs((np.array(found) - certified) / scale))))


@pytest.mark.parametrize("solver", ["tsqr", "auto"])
@pytest.mark.parametrize("name", SETS)
def test_nist_reference_sets(name, solver, needs_data):
    X, y, constant, coef, error = nist(reference_sets(needs_data), name)
    table = LinearRegression(fit_intercept=constant, solver=solver).fit(X, y).inference()
    least = 7.0 if name == "filip" else 9.0
    assert right_digits(table.estimate, coef, 1.0) > least
    assert right_digits(table.std_error, error, coef) > least


def test_the_digits_told_are_no_more_than_the_digits_that_are_right(needs_data):
    for name in SETS:
        X, y, constant, coef, _ = nist(reference_sets(needs_data), name)
        model = LinearRegression(fit_intercept=constant).fit(X, y)
        estimate = model.inference().estimate
        for told, own, true in zip(model.digits(), estimate, coef, strict=True):
            assert told <= right_digits([own], [true], true) + 0.5


def test_longley(needs_data):
    """NIST's certified figures, and the residual standard deviation."""
    data = needs_data("longley")
    model = LinearRegression().fit(data.X, data.y)
    assert right_digits([model.intercept_], [-3482258.63459582], 1.0) > 13
    certified = [
        15.0618722713733, -0.358191792925910e-01, -2.02022980381683, -1.03322686717359,
        -0.511041056535807e-01, 1829.15146461355,
    ]  # fmt: skip
    errors = [
        890420.383607373, 84.9149257747669, 0.334910077722432e-01, 0.488399681651699,
        0.214274163161675, 0.226073200069370, 455.478499142212,
    ]  # fmt: skip
    assert right_digits(model.coef_, certified, 1.0) > 13
    assert right_digits(model.inference().std_error, errors, 1.0) > 13
    assert abs(np.sqrt(model.noise_variance_) / 304.854073561965 - 1) < 1e-13


def test_diabetes():
    """The coefficients that scikit-learn's documentation and the paper of LARS print."""
    from sklearn.datasets import load_diabetes

    X, y = load_diabetes(return_X_y=True)
    model = LinearRegression().fit(X, y)
    expected = [-10.010, -239.816, 519.846, 324.385, -792.176, 476.739, 101.043, 177.063,
                751.274, 67.627]  # fmt: skip
    np.testing.assert_allclose(model.coef_, expected, atol=2e-3)
    assert abs(model.r2_ - 0.517748) < 1e-6


def large(n=6000, d=30, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) @ rng.normal(size=(d, d)) + rng.normal(size=d)
    return X, X @ rng.normal(size=d) + rng.normal(size=n)


def test_both_routes_agree():
    X, y = large()
    fits = {s: LinearRegression(solver=s).fit(X, y) for s in ("tsqr", "gram")}
    assert {s: model.solver_ for s, model in fits.items()} == {"tsqr": "tsqr", "gram": "gram"}
    one, other = fits["tsqr"].inference(), fits["gram"].inference()
    np.testing.assert_allclose(one.estimate, other.estimate, rtol=1e-10)
    np.testing.assert_allclose(one.std_error, other.std_error, rtol=1e-9)


def test_products_are_refused_where_they_lose_digits():
    X, y = large()
    X[:, 1] = X[:, 0] + 1e-6 * X[:, 1]
    assert LinearRegression(solver="gram").fit(X, y).solver_ == "tsqr"


def test_large_badly_conditioned_rows_are_refined(monkeypatch):
    """Past the size that is solved as a whole, the gradient alone is doubled: the same digits."""
    X, y = large(400, 6)
    X[:, 1] = X[:, 0] + 1e-6 * X[:, 1]
    whole = LinearRegression().fit(X, y)
    monkeypatch.setattr("learnable.linear_model.least_squares.WHOLE", 0.0)
    turned = LinearRegression().fit(X, y)
    np.testing.assert_allclose(turned.coef_, whole.coef_, rtol=1e-14)
    np.testing.assert_allclose(turned.residual_length_, whole.residual_length_, rtol=1e-14)
    monkeypatch.setattr("learnable.linear_model.least_squares.STEEP", 1e300)
    rough = LinearRegression().fit(X, y)
    assert np.abs(rough.coef_ / whole.coef_ - 1).max() > 1e-13  # so there was something to gain


def test_against_scikit_learn():
    from sklearn.linear_model import LinearRegression as Peer

    X, y = large(500, 8)
    for constant in (True, False):
        ours = LinearRegression(fit_intercept=constant).fit(X, y)
        theirs = Peer(fit_intercept=constant).fit(X, y)
        np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-9)
        np.testing.assert_allclose(ours.intercept_, theirs.intercept_, rtol=1e-9, atol=1e-12)
    ours, theirs = (cls(positive=True).fit(X, y) for cls in (LinearRegression, Peer))
    np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-7, atol=1e-9)
    assert (ours.coef_ >= 0).all()


def test_rows_one_at_a_time_are_all_rows_at_once_and_can_be_taken_back():
    X, y = large(60, 4)
    model = LinearRegression()
    for i in range(60):
        with warnings.catch_warnings():  # the first rows do not determine the coefficients
            warnings.simplefilter("ignore", UserWarning)
            model.partial_fit(X[i : i + 1], y[i : i + 1])
    whole = LinearRegression().fit(X, y)
    np.testing.assert_allclose(model.coef_, whole.coef_, rtol=1e-10)
    np.testing.assert_allclose(model.inference().std_error, whole.inference().std_error, rtol=1e-10)
    model.forget(X[:30], y[:30])
    part = LinearRegression().fit(X[30:], y[30:])
    np.testing.assert_allclose(model.coef_, part.coef_, rtol=1e-8)
    np.testing.assert_allclose(model.inference().std_error, part.inference().std_error, rtol=1e-8)
    with pytest.raises(DataError, match="No row would be left"):
        model.forget(X, y)


@pytest.mark.parametrize(
    ("x_scale", "y_scale"),
    [(1e-200, 1.0), (1e150, 1.0), (1.0, 1e150), (1e-200, 1e-200), (1e150, 1e150)],
)
def test_units_of_any_size(x_scale, y_scale):
    X, y = large(80, 3)
    plain = LinearRegression().fit(X, y).inference()
    table = LinearRegression().fit(X * x_scale, y * y_scale).inference()
    np.testing.assert_allclose(table.estimate[1:] * (x_scale / y_scale), plain.estimate[1:], 1e-9)
    np.testing.assert_allclose(table.std_error[1:] * (x_scale / y_scale), plain.std_error[1:], 1e-9)
    np.testing.assert_allclose(table.t, plain.t, rtol=1e-9)


def test_whole_numbers_of_any_type():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 200, size=(40, 3))
    y = rng.integers(0, 200, 40)
    expected = LinearRegression().fit(X.astype(float), y.astype(float)).coef_
    for dtype in (np.uint8, np.int16, np.uint64, np.int64):
        assert np.array_equal(
            LinearRegression().fit(X.astype(dtype), y.astype(np.uint8)).coef_, expected
        )


def test_more_columns_than_rows_and_one_column_twice():
    X, y = large(10, 30)
    with pytest.warns(UserWarning, match="rank 9 of 30"):
        model = LinearRegression().fit(X, y)
    np.testing.assert_allclose(model.predict(X), y, rtol=1e-9)
    least = np.linalg.lstsq(X - X.mean(axis=0), y - y.mean(), rcond=None)[0]
    np.testing.assert_allclose(model.coef_, least, rtol=1e-8)
    with pytest.warns(UserWarning, match="x1 is a combination of x0|x0 is a combination of x1"):
        twice = LinearRegression().fit(X[:, [0, 0]], 4 * X[:, 0])
    np.testing.assert_allclose(twice.coef_, [2, 2], rtol=1e-12)


def test_bad_input_is_named():
    X, y = large(20, 3)
    with pytest.raises(DataError, match="Every weight is zero"):
        LinearRegression().fit(X, y, sample_weight=np.zeros(20))
    with pytest.raises(DataError, match="range of floats"):
        LinearRegression().fit(np.sign(X) * 1.7e308, y)
    with pytest.raises(DataError, match="leaves the range"):
        LinearRegression().fit(X * 1e-200, y * 1e150)
    with pytest.raises(ParameterError, match="reference names the value"):
        LinearRegression(reference={"a": "z"}).fit(Table.of({"a": ["u", "v", "u"]}), [1.0, 2, 3])


def test_an_offset_is_known_beforehand():
    X, y = large(50, 3)
    known = X[:, 2] * 3
    np.testing.assert_allclose(
        LinearRegression().fit(X, y, offset=known).coef_, LinearRegression().fit(X, y - known).coef_
    )


def houses(n=80):
    rng = np.random.default_rng(0)
    town = rng.choice(["Ayr", "Bath", "Cork"], n)
    size = rng.normal(100, 20, n)
    price = (
        size * 2 + np.select([town == "Bath", town == "Cork"], [30.0, -10.0]) + rng.normal(size=n)
    )
    return Table.of({"town": town.tolist(), "size": size}), price


def test_nominal_columns_of_a_table_go_in_directly():
    table, price = houses()
    model = LinearRegression().fit(table, price)
    assert model.inference().names == ["(Intercept)", "town_Bath", "town_Cork", "size"]
    np.testing.assert_allclose(model.coef_, [30, -10, 2], atol=1.5)
    design = np.column_stack([table["town"] == 1, table["town"] == 2, table["size"]])
    np.testing.assert_allclose(model.coef_, LinearRegression().fit(design, price).coef_, rtol=1e-10)
    other = LinearRegression(reference={"town": "Cork"}).fit(table, price)
    np.testing.assert_allclose(other.coef_, [10, 40, 2], atol=1.5)
    np.testing.assert_allclose(other.predict(table), model.predict(table), rtol=1e-10)
    assert other.f_test(["town"]).df == 2.0
    np.testing.assert_allclose(
        other.f_test(["town"]).statistic, model.f_test(["town"]).statistic, rtol=1e-8
    )
    without = LinearRegression().fit(table.only(["size"]), price)
    np.testing.assert_allclose(
        model.compare(without).statistic, model.f_test(["town"]).statistic, rtol=1e-8
    )


def test_a_model_of_a_table_is_saved_and_explained_in_its_columns(tmp_path):
    import learnable

    table, price = houses()
    model = LinearRegression().fit(table, price)
    learnable.save(model, tmp_path / "m")
    loaded = learnable.load(tmp_path / "m")
    assert np.array_equal(loaded.predict(table), model.predict(table))
    why = learnable.explain(model, table[:1])[0]
    assert [part.label for part in why.parts] == ["(start)", "town", "size"]
    assert why.parts[1].value == table.labels("town")[0]
    assert abs(why.score - why.prediction) < 1e-9
    frame = table.to_frame()
    np.testing.assert_allclose(model.predict(frame), model.predict(table))


def test_a_missing_name_is_refused_and_an_unseen_one_told():
    table, price = houses()
    holed = Table.of({"town": [None, *table.labels("town")[1:].tolist()], "size": table["size"]})
    with pytest.raises(DataError, match=r"A cell is missing\. \(column 'town', row 0\)"):
        LinearRegression().fit(holed, price)
    model = LinearRegression().fit(table, price)
    new = {"town": ["Ayr", "Derby"], "size": [100.0, 100.0]}
    with pytest.warns(UserWarning, match="Derby|reference value"):
        answers = model.predict(Table.of(new))
    assert answers[0] == answers[1]


def test_rows_from_disk_give_the_same_bits(tmp_path):
    X, y = large()
    np.save(tmp_path / "X.npy", X)
    mapped = np.load(tmp_path / "X.npy", mmap_mode="r")
    expected = LinearRegression(solver="tsqr").fit(X, y)
    with config(runner=serial):
        found = LinearRegression(solver="tsqr").fit(mapped, y)
    assert np.array_equal(found.coef_, expected.coef_)
    assert np.array_equal(found.statistic_.factor, expected.statistic_.factor)


@given(st.integers(1, 6), st.integers(1, 20), st.integers(0, 1000))
def test_residuals_are_orthogonal_to_the_columns(d, n, seed):
    rng = np.random.default_rng(seed)
    X, y = rng.integers(-5, 6, size=(n, d)).astype(float), rng.normal(size=n)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        model = LinearRegression().fit(X, y)
    left = y - model.predict(X)
    assert abs(left.sum()) < 1e-9
    np.testing.assert_allclose(X.T @ left, 0.0, atol=1e-8)
    np.testing.assert_allclose(model.residual_length_[0], np.linalg.norm(left), atol=1e-7)


def test_rows_that_were_learned_from_are_known_again():
    """No certificate for new rows is given on rows that are not new."""
    import learnable

    X, y = large(60, 4)
    table, price = houses()
    for model, rows, answers in (
        (LinearRegression().fit(X, y), X, y),
        (LinearRegression().partial_fit(X[:30], y[:30]).partial_fit(X[30:], y[30:]), X, y),
        (LinearRegression().fit(table, price), table, price),
    ):
        with pytest.raises(DataError, match=r"60 of 60|80 of 80"):
            learnable.certify(model, rows, answers)
