"""The command ``learnable compare``: verdicts, plain errors, exit codes."""

from __future__ import annotations

import numpy as np
import pytest

from learnable.cli import main
from learnable.evaluation import compare

RNG = np.random.default_rng(0)
TRUTH = RNG.choice(["ill", "well"], 150)


def answers(right):
    other = np.where(TRUTH == "ill", "well", "ill")
    return np.where(RNG.random(150) < right, TRUTH, other)


def written(path, columns):
    lines = [
        ",".join(columns),
        *(",".join(map(str, row)) for row in zip(*columns.values(), strict=True)),
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(path)


def said(capsys, *arguments):
    code = main(["compare", *arguments])
    out, err = capsys.readouterr()
    return code, out, err


def test_answers(tmp_path, capsys):
    columns = {"truth": TRUTH, "tree": answers(0.95), "coin": answers(0.5)}
    file = written(tmp_path / "answers.csv", columns)
    code, out, _ = said(capsys, file, "--truth", "truth")
    expected = compare({"tree": columns["tree"], "coin": columns["coin"]}, truth=TRUTH)
    assert code == 0
    assert out.startswith("tree and coin, best first; tree is told apart from coin.")
    for part in ("McNemar", "Why: ", "p < 0.00001", "95% interval", "Provided that", "Measured"):
        assert part in out
    assert expected.pairs[0].text in out


def test_numbers_and_which_models(tmp_path, capsys):
    y = RNG.normal(size=60)
    columns = {
        "y": y, "good": y + 0.1 * RNG.normal(size=60), "bad": y + RNG.normal(size=60),
        "other": y,
    }  # fmt: skip
    file = written(tmp_path / "numbers.csv", columns)
    code, out, _ = said(capsys, file, "--truth", "y", "--models", "good", "bad")
    assert code == 0
    assert "good and bad, best first; good is told apart from bad" in out
    assert "squared errors" in out
    assert "other" not in out


def test_scores_over_data_sets(tmp_path, capsys):
    base = RNG.random(10)
    columns = {
        "set": [f"set {i}" for i in range(10)], "a": base + 0.1, "b": base,
        "c": base + 0.01 * RNG.normal(size=10),
    }  # fmt: skip
    file = written(tmp_path / "scores.csv", columns)
    code, out, _ = said(capsys, file)
    assert code == 0
    assert out.startswith("a, ")
    assert "All at once:" in out
    lower = said(capsys, file, "--lower-is-better")[1]
    assert not lower.startswith("a, ")


def test_folds(tmp_path, capsys):
    columns = {"a": 0.9 + 0.01 * RNG.random(20), "b": 0.8 + 0.01 * RNG.random(20)}
    file = written(tmp_path / "folds.csv", columns)
    code, out, _ = said(capsys, file, "--rows", "300", "--folds", "10", "--repeats", "2")
    assert code == 0
    assert "corrected resampled t test" in out
    assert "270 of the 300 rows" in out


@pytest.mark.parametrize(
    ("columns", "options", "told"),
    [
        ({"y": [1, 0], "m": [1, 0]}, ["--truth", "z"], "no column 'z'"),
        ({"y": [1, 0], "m": [1, 0]}, ["--truth", "y"], "nothing to compare"),
        ({"y": [1, 0, 1], "m": [1, 0, 1], "n": [0, "", 1]}, ["--truth", "y"], "missing"),
        ({"y": [1, 0], "m": [1, 0], "n": [1, 1]}, ["--truth", "y"], "no outcome"),
        ({"a": [0.5, 0.6], "b": ["x", "y"]}, [], "scores are numbers"),
        ({"a": [0.5, 0.6], "b": [0.4, 0.5]}, [], "6 data sets or more"),
        ({"a": [0.5, 0.6], "b": [0.4, 0.5]}, ["--rows", "50", "--folds", "5"], "the plan has 5"),
        ({"a": [0.5, 0.6], "b": [0.4, 0.5]}, ["--confidence", "7"], "confidence"),
    ],
)
def test_plain_errors(tmp_path, capsys, columns, options, told):
    code, out, err = said(capsys, written(tmp_path / "bad.csv", columns), *options)
    assert code == 2
    assert not out
    assert told in err
    assert err.count("\n") == 1


def test_files_that_are_not_there_and_wrong_use(capsys):
    assert said(capsys, "nowhere.csv")[0] == 2
    assert said(capsys, "x.csv", "--task", "ranking")[0] == 2
    code, out, _ = said(capsys, "--help")
    assert code == 0
    assert "learnable compare answers.csv --truth diagnosis" in out
