from __future__ import annotations

import re
import subprocess
import sys
from time import perf_counter

import pytest

import learnable
from learnable.cli import main
from learnable.cli import main as entry
from learnable.core import DataError, cache_folder
from tools.check_offline import outside_references

COMMANDS = (
    "demo", "info", "study", "predict", "explain", "certify", "check", "compare", "warmup", "cache"
)  # fmt: skip


def run(*arguments, **options):
    """Run the command line as a user does, in a process of its own."""
    command = [sys.executable, "-m", "learnable.cli", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)


def test_help_names_every_command(capsys):
    assert main(["--help"]) == 0
    told = capsys.readouterr()
    assert all(re.search(rf"^\s+{name} ", told.out, re.MULTILINE) for name in COMMANDS)
    assert told.err == ""


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(name, capsys):
    assert main([name, "--help"]) == 0
    assert capsys.readouterr().out.startswith(f"usage: learnable {name}")


def test_the_version_is_that_of_the_library(capsys):
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"learnable {learnable.__version__}\n"


@pytest.mark.parametrize(
    "arguments",
    [[], ["dance"], ["demo", "--bogus"], ["cache"], ["cache", "polish"], ["warmup", "now"]],
)
def test_wrong_use_is_exit_code_two_and_says_how(arguments, capsys):
    assert main(arguments) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith("usage: learnable")


@pytest.fixture
def failing(monkeypatch):
    """Make ``learnable warmup`` raise."""

    def fail_with(error):
        def fail():
            raise error

        monkeypatch.setattr("learnable.cli.cache.warmup", fail)
        return entry(["warmup"])

    return fail_with


def test_an_error_of_ours_is_exit_code_two_and_one_line(failing, capsys):
    error = DataError("a cell holds NaN.", column="age", row=3, remedy="Impute it first.")
    assert failing(error) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err == ("learnable: a cell holds NaN. (column 'age', row 3) Impute it first.\n")


def test_an_error_of_several_lines_is_told_in_one(failing, capsys):
    assert failing(DataError("two\nlines", remedy="Join them.")) == 2
    assert capsys.readouterr().err == "learnable: two lines Join them.\n"


def test_ctrl_c_is_exit_code_130_and_no_traceback(failing, capsys):
    assert failing(KeyboardInterrupt()) == 130
    assert capsys.readouterr().err == "learnable: interrupted\n"


def test_errors_that_are_nobodys_fault_but_ours_are_not_hidden(failing):
    with pytest.raises(ZeroDivisionError):
        failing(ZeroDivisionError())


def test_the_demo_studies_the_penguins_and_leaves_a_report_and_a_model(tmp_path, capsys):
    out = tmp_path / "new" / "folder"
    assert main(["demo", "--out", str(out)]) == 0
    told = capsys.readouterr().out
    assert "'species' can be predicted." in told
    assert "With 95% confidence" in told
    model = learnable.load(out / "model.learnable")
    assert model.classes_.tolist() == ["Adelie", "Chinstrap", "Gentoo"]
    assert (out / "report.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    assert outside_references(out / "report.html") == []
    before = (out / "model.learnable").read_bytes()
    assert main(["demo", "--out", str(out)]) == 0
    assert (out / "model.learnable").read_bytes() == before


def test_a_folder_that_cannot_be_made_is_one_line_on_stderr(tmp_path, capsys):
    (tmp_path / "taken").write_text("a file")
    assert main(["demo", "--out", str(tmp_path / "taken")]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert re.search(r"^learnable: .*taken.*\n$", told.err, re.MULTILINE)
    assert "Traceback" not in told.err


def test_the_cache_is_shown_and_cleared(tmp_path, capsys):
    with learnable.config(cache=str(tmp_path)):
        folder = cache_folder() / "0123"
        folder.mkdir(parents=True)
        (folder / "one.loop").write_bytes(b"x" * 2_500_000)
        (folder / "mine.txt").write_text("not a loop")
        assert main(["cache", "show"]) == 0
        assert capsys.readouterr().out == f"1 compiled loops take 2.5 MB in {folder.parent}.\n"
        assert main(["cache", "clear"]) == 0
        assert (
            capsys.readouterr().out == f"Cleared 2.5 MB of compiled loops from {folder.parent}.\n"
        )
        assert main(["cache", "show"]) == 0
        assert capsys.readouterr().out.startswith("0 compiled loops take 0.0 MB")
        assert (folder / "mine.txt").exists()


def test_warming_up_says_how_many_loops_are_ready_and_where(monkeypatch, capsys):
    monkeypatch.setattr("learnable.cli.cache.warm_up", lambda show: show("a.loop", 0.1) or 7)
    assert main(["warmup"]) == 0
    told = capsys.readouterr().out
    assert re.fullmatch(r"7 loops are ready after \d+\.\d s; they lie in .+\.\n", told)


def test_the_module_can_be_run_and_hands_its_exit_code_on():
    assert run("--version").stdout == f"learnable {learnable.__version__}\n"
    assert run("dance").returncode == 2


def test_help_loads_nothing_heavy():
    code = (
        "import sys; from learnable.cli import main; main(['--help']);"
        "print([name for name in ('numba', 'pandas', 'scipy', 'sklearn') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.endswith("[]\n")


@pytest.mark.alone
def test_help_answers_at_once():
    def seconds():
        begin = perf_counter()
        run("--help")
        return perf_counter() - begin

    assert min(seconds() for _ in range(7)) < 0.4
