"""Whole studies: the same however they end, whatever the table throws at them."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from html.parser import HTMLParser

import numpy as np
import pytest

import learnable
from learnable.core import DataError, LearnableError, ParameterError
from learnable.data import Table
from learnable.datasets import load_iris, load_play_tennis, path_of
from learnable.studies import Options, Wishes, follow
from learnable.studies.running import Silent

DAYS = load_play_tennis(as_frame=True).frame
NAMES = {"report.html", "report.md", "results.json", "model.learnable", "card.md", "plan.toml",
         "predict.py", "study.sqlite"}  # fmt: skip
RNG = np.random.default_rng(0)


def results(folder):
    found = json.loads((folder / "results.json").read_text(encoding="utf-8"))
    return found["scores"], found["choice"], found["model"]


def test_play_tennis_is_not_proven_to_be_predictable(tmp_path):
    found = learnable.study(DAYS, "play", out=tmp_path / "days")
    assert {file.name for file in (tmp_path / "days").iterdir()} == NAMES
    assert not found.choice.proven
    assert "It is not proven that 'play' can be predicted" in found.text
    assert found.verdict.certificate.kind == "guaranteed"


def test_iris_is_predictable_and_the_same_plan_ends_the_same(tmp_path):
    iris = load_iris(as_frame=True).frame
    first = learnable.study(iris, "species", out=tmp_path / "a", budget=1, learners="GaussianNB")
    again = learnable.study(iris, plan=tmp_path / "a" / "plan.toml", out=tmp_path / "b")
    assert first.choice.proven
    assert results(tmp_path / "a") == results(tmp_path / "b")
    assert again.plan.hash == first.plan.hash


def test_another_table_does_not_follow_the_plan(tmp_path):
    learnable.study(DAYS, "play", out=tmp_path)
    with pytest.raises(DataError, match="not the one that the plan was made for"):
        learnable.study(load_iris(as_frame=True).frame.rename({"species": "play"})
                        if hasattr(DAYS, "lazy") else DAYS.iloc[1:],
                        plan=tmp_path / "plan.toml")  # fmt: skip


def test_a_test_file_of_its_own_is_certified_on(tmp_path):
    lines = path_of("iris").read_text(encoding="utf-8").splitlines()
    for name, part in (("a.csv", lines[1::2]), ("b.csv", lines[2::2])):
        (tmp_path / name).write_text("\n".join([lines[0], *part]) + "\n", encoding="utf-8")
    found = learnable.study(tmp_path / "a.csv", "species", test=tmp_path / "b.csv", budget=5)
    assert found.learned_rows == 75
    assert len(found.verdict.truth) == 75
    (tmp_path / "b.csv").write_text(lines[0] + "\n" + lines[1].replace("setosa", "new") + "\n")
    with pytest.raises(DataError, match="class of the test rows was never learned"):
        learnable.study(tmp_path / "a.csv", "species", test=tmp_path / "b.csv", budget=5)


def test_groups_weights_and_costs(tmp_path):
    n = 96
    x = RNG.normal(size=n)
    y = np.where(x + 0.5 * RNG.normal(size=n) > 0, "yes", "no")
    table = {"x": x, "g": [f"g{i // 4}" for i in range(n)], "w": RNG.random(n), "y": y.tolist()}
    (tmp_path / "costs.csv").write_text("true,no,yes\nno,0,1\nyes,20,0\n", encoding="utf-8")
    found = learnable.study(Table.of(table), "y", group="g", weights="w", budget=5)
    assert found.problem.groups is not None
    dear = learnable.study(Table.of(table), "y", drop="g,w", budget=5,
                           costs=str(tmp_path / "costs.csv"))  # fmt: skip
    assert dear.plan.metric == "cost"
    missed = (dear.verdict.truth == "yes") & (dear.verdict.answers == "no")
    assert missed.sum() <= 1  # a miss costs twenty false alarms


def test_a_regression_with_baselines_alone_says_so():
    table = Table.of({"x": RNG.normal(size=60), "y": RNG.normal(size=60)})
    found = follow(table, Wishes("y"), Options(learners=("DummyRegressor",), budget=5.0))
    assert "only baselines took part" in found.text


def test_what_is_missing_is_said():
    with pytest.raises(ParameterError, match="which column to predict"):
        learnable.study(DAYS)
    with pytest.raises(ParameterError, match="say where the study was written"):
        learnable.study(DAYS, "play", resume=True)
    with pytest.raises(ParameterError, match="nothing to resume"):
        learnable.study(DAYS, "play", resume=True, out="/nonexistent-folder")


class Interrupting(Silent):
    """Somebody who presses Ctrl-C after some folds."""

    def __init__(self, after):
        self.left = after

    def fold(self, entry):  # noqa: ARG002 (as the protocol says)
        self.left -= 1
        if not self.left:
            raise KeyboardInterrupt


def test_ctrl_c_still_writes_a_report_and_the_study_goes_on(tmp_path):
    whole = learnable.study(DAYS, "play", out=tmp_path / "whole")
    cut = learnable.study(DAYS, "play", out=tmp_path / "cut", watch=Interrupting(20))
    assert cut.ended == "interrupted"
    assert "because it was interrupted" in cut.text
    assert (tmp_path / "cut" / "report.html").exists()
    again = learnable.study(DAYS, out=tmp_path / "cut", resume=True)
    assert again.ended == whole.ended == "complete"
    assert results(tmp_path / "cut") == results(tmp_path / "whole")


# ---------------------------------------------------------------------- killed at random moments


def command(file, folder, *more):
    return [sys.executable, "-m", "learnable.cli", "study", str(file), "--out", str(folder), *more]


def killed_and_resumed(file, folder, rng, span):
    """Run a study, kill it at a random moment, and resume it to its end."""
    process = subprocess.Popen(command(file, folder, "--target", "play", "--quiet"),
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # fmt: skip
    time.sleep(rng.uniform(0.0, span))
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    begun = (folder / "plan.toml").exists()
    more = ["--resume"] if begun else ["--target", "play"]
    again = subprocess.run(command(file, folder, *more, "--quiet"), capture_output=True, text=True,
                           check=False)  # fmt: skip
    assert again.returncode == 0, again.stderr
    return results(folder)


def kills(tmp_path, count):
    file, rng = path_of("play_tennis"), random.Random(0)  # noqa: S311
    begin = time.perf_counter()
    subprocess.run(command(file, tmp_path / "whole", "--target", "play", "--quiet"), check=True,
                   stdout=subprocess.DEVNULL)  # fmt: skip
    span = time.perf_counter() - begin
    expected = results(tmp_path / "whole")
    for number in range(count):
        assert killed_and_resumed(file, tmp_path / f"cut{number}", rng, span) == expected


@pytest.mark.slow
def test_five_killed_studies_end_the_same(tmp_path):
    kills(tmp_path, 5)


@pytest.mark.full
def test_two_hundred_killed_studies_end_the_same(tmp_path):
    kills(tmp_path, 200)


# ----------------------------------------------------------------------------------- hostile tables


def labels(n):
    return RNG.choice(["yes", "no"], n).tolist()


HOSTILE = {
    "script in names": {"</script><script>alert(1)</script>": RNG.normal(size=40),
                        'a" onload="x': labels(40), "y": ["<b>yes</b>", "no"] * 20},
    "one row": {"x": [1.0], "y": ["yes"]},
    "all missing": {"x": [None] * 30, "y": labels(30)},
    "a target without a cell": {"x": RNG.normal(size=30), "y": [None] * 30},
    "one class": {"x": RNG.normal(size=30), "y": ["yes"] * 30},
    "no rows": {"x": [], "y": []},
    "equal rows": {"x": [1.0] * 20 + [2.0] * 20, "y": labels(40)},
    "huge and tiny": {"x": RNG.normal(size=40) * 1e200, "z": RNG.normal(size=40) * 1e-200,
                      "y": labels(40)},
    "odd words": {"x": ["\u202eabc", "\u0000", "a\nb", "\U0001f600"] * 10, "y": labels(40)},
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_tables_are_studied_or_refused_with_a_remedy(name, tmp_path):
    if name in REFUSED:
        with pytest.raises(LearnableError) as caught:
            learnable.study(HOSTILE[name], "y", out=tmp_path, budget=3)
        assert caught.value.remedy
        return
    learnable.study(HOSTILE[name], "y", out=tmp_path, budget=3)
    assert not dangerous((tmp_path / "report.html").read_text(encoding="utf-8"))


REFUSED = {"one row", "all missing", "a target without a cell", "one class", "no rows"}


def dangerous(page):
    """Elements and attributes of a page that its template does not hold."""
    found = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag, attributes):
            if tag in {"script", "img", "b", "iframe", "object", "link"}:
                found.append(tag)
            found.extend(name for name, _ in attributes if name.startswith("on"))

    Reader().feed(page)
    return found


@pytest.mark.slow
def test_five_thousand_columns(tmp_path):
    n, d = 60, 5000
    X = RNG.normal(size=(n, d))
    table = Table.of({**{f"x{j}": X[:, j] for j in range(d)},
                      "y": np.where(X[:, 7] > 0, "up", "down").tolist()})  # fmt: skip
    found = learnable.study(table, "y", out=tmp_path, budget=20)
    assert found.choice is not None
    assert (tmp_path / "report.html").stat().st_size < 2_000_000


def test_mixed_encodings_and_kinds_are_refused(tmp_path):
    path = tmp_path / "mixed.csv"
    lines = [f"{v},{c}".encode() for v, c in zip(RNG.normal(size=40), labels(40), strict=True)]
    lines[5] = "gr\u00f6\u00dfe,yes".encode("latin-1")
    lines[9] = "gr\u00f6\u00dfe,no".encode()
    path.write_bytes(b"x,y\n" + b"\n".join(lines) + b"\n")
    with pytest.raises(LearnableError, match="No column is left"):
        learnable.study(path, "y", budget=3)
