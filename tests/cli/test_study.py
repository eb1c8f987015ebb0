"""``learnable study`` and the commands that go on from its model."""

from __future__ import annotations

import csv
import io

import pytest

from learnable.cli import main
from learnable.cli.live import Live
from learnable.cli.study import seconds
from learnable.core import ParameterError
from learnable.datasets import path_of
from learnable.studies.ledger import Entry

PENGUINS = str(path_of("penguins"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("study")
    arguments = ["study", PENGUINS, "--target", "species", "--out", str(folder), "--budget", "5s"]
    assert main([*arguments, "--quiet"]) == 0
    return folder


def told_by(capsys, *arguments):
    code = main([str(argument) for argument in arguments])
    found = capsys.readouterr()
    return code, found.out, found.err


def test_a_dry_run_writes_the_plan_and_learns_nothing(tmp_path, capsys):
    code, out, _ = told_by(
        capsys, "study", PENGUINS, "--target", "species", "--out", tmp_path, "--dry-run"
    )
    assert code == 0
    assert out.startswith("Question ")
    assert [file.name for file in tmp_path.iterdir()] == ["plan.toml"]


def test_a_plan_is_followed_and_resumed(tmp_path, capsys):
    told_by(capsys, "study", PENGUINS, "--target", "species", "--out", tmp_path / "a",
            "--budget", "3s", "--dry-run")  # fmt: skip
    code, out, err = told_by(
        capsys, "study", PENGUINS, "--plan", tmp_path / "a" / "plan.toml", "--out", tmp_path / "b"
    )
    assert code == 0
    assert "'species' can be predicted" in out
    assert "reading the table" in err
    assert told_by(capsys, "study", PENGUINS, "--out", tmp_path / "b", "--resume")[0] == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--target", "spices"], "Did you mean 'species'"),
        ([], "which column to predict"),
        (["--target", "species", "--budget", "soon"], "a time looks like"),
        (["--target", "species", "--metric", "luck"], "luck"),
        (["--target", "species", "--learners", "Oracle"], "no learner 'Oracle'"),
        (["--target", "species", "--cost", "absent.csv"], "absent.csv"),
    ],
)
def test_bad_options_are_exit_code_two_and_one_line(arguments, words, tmp_path, capsys):
    code, out, err = told_by(capsys, "study", PENGUINS, "--out", tmp_path, "--quiet", *arguments)
    assert (code, out) == (2, "")
    assert words in err
    assert err.count("\n") == 1


def test_predict_writes_answers_beside_an_id(folder, tmp_path, capsys):
    code, out, _ = told_by(capsys, "predict", folder / "model.learnable", PENGUINS, "--id", "year")
    lines = list(csv.DictReader(io.StringIO(out)))
    assert code == 0
    assert len(lines) == 344
    assert list(lines[0])[:2] == ["year", "answer"]
    assert sum(float(lines[0][f"chance of {name}"]) for name in ("Adelie", "Chinstrap", "Gentoo")
               ) == pytest.approx(1.0)  # fmt: skip
    code, out, _ = told_by(
        capsys, "predict", folder / "model.learnable", PENGUINS, "--out", tmp_path / "answers.csv"
    )
    assert "344 answers lie in" in out


def test_explain_certify_and_check(folder, tmp_path, capsys):
    model = folder / "model.learnable"
    code, out, _ = told_by(capsys, "explain", model, PENGUINS, "--row", "5")
    assert code == 0
    assert "island = Torgersen" in out
    assert told_by(capsys, "explain", model, PENGUINS, "--row", "999")[0] == 2
    code, _, err = told_by(capsys, "certify", model, PENGUINS, "--target", "species")
    assert code == 2
    assert "among the training rows" in err
    code, out, _ = told_by(capsys, "check", model, PENGUINS)
    assert code == 0
    assert out.startswith("No column differs beyond chance in 344 new rows.")
    other = tmp_path / "model.learnable"
    other.write_bytes(model.read_bytes())
    assert "results.json is not there" in told_by(capsys, "check", other, PENGUINS)[2]


def test_a_missing_column_is_named(folder, tmp_path, capsys):
    path = tmp_path / "new.csv"
    path.write_text("island,year\nDream,2009\n", encoding="utf-8")
    code, _, err = told_by(capsys, "predict", folder / "model.learnable", path)
    assert code == 2
    assert "bill_length_mm" in err


def test_unseen_values_are_warned_of(folder, tmp_path):
    lines = path_of("penguins").read_text(encoding="utf-8").splitlines()
    path = tmp_path / "new.csv"
    path.write_text("\n".join([lines[0], lines[1].replace("Torgersen", "Atlantis")]) + "\n")
    with pytest.warns(UserWarning, match="'Atlantis' of column 'island' was never seen"):
        assert main(["predict", str(folder / "model.learnable"), str(path)]) == 0


def test_times():
    assert [seconds(text) for text in ("90", "90s", "2m", "1.5h", "0")] == [90, 90, 120, 5400, 0]
    with pytest.raises(ParameterError):
        seconds("-3s")


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_a_terminal_sees_one_line_rewritten_and_a_file_plain_lines(monkeypatch):
    monkeypatch.setattr("learnable.cli.live.EVERY", 0.0)
    for stream in (Terminal(), io.StringIO()):
        live = Live(stream)
        live.begin(4, 2)
        for fold in (2, 3):
            live.fold(Entry("GaussianNB", fold, 0.9 + fold / 100, 0.1, 0.1, {}, 9.0, ""))
        live.dropped("Slow", 2, 0.9999)
        live.close()
        text = stream.getvalue()
        assert "4 folds, 2 of them were there already" in text
        assert "4/4 folds, about 0:00 left; GaussianNB; best so far GaussianNB 0.9250" in text
        assert "Slow is dropped after repeat 2" in text
        assert ("\r" in text) == stream.isatty()
