"""What a study leaves behind: one offline page, text, numbers, a model, a card, a program."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import numpy as np
import pytest

import learnable
from learnable.data import Table
from learnable.datasets import load_penguins, path_of
from learnable.report.figures import figures
from learnable.report.page import short
from tools.check_offline import outside_references


@pytest.fixture(scope="module")
def penguins(tmp_path_factory):
    folder = tmp_path_factory.mktemp("penguins")
    return learnable.study(path_of("penguins"), "species", out=folder, budget=10), folder


def text_of(folder, name):
    return (folder / name).read_text(encoding="utf-8")


def test_the_page_is_one_small_offline_file_without_scripts(penguins):
    _, folder = penguins
    page = text_of(folder, "report.html")
    assert outside_references(folder / "report.html") == []
    assert len(page.encode()) < 2_000_000
    assert "<script" not in page
    assert "default-src 'none'" in page
    assert not re.search(r"\son\w+=", page)


def test_every_figure_has_a_sentence_its_numbers_and_a_name_for_readers(penguins):
    study, folder = penguins
    drawn = figures(study)
    assert {figure.name for figure in drawn} == {"learners", "importances", "learning",
                                                 "calibration"}  # fmt: skip
    page = text_of(folder, "report.html")
    assert page.count("<svg") == page.count('role="img"') == len(drawn)
    assert page.count("<figure>") == page.count("The numbers</summary>") == len(drawn)
    for figure in drawn:
        assert figure.sentence.endswith(".")
        assert len({len(column) for column in figure.data.values()}) == 1
        assert "#010101" not in figure.svg


def test_headings_links_and_tables_are_whole(penguins):
    _, folder = penguins
    page = text_of(folder, "report.html")
    assert page.count("<h1>") == 1
    ids = set(re.findall(r' id="([a-z]+)"', page))
    assert set(re.findall(r'href="#([a-z]+)"', page)) <= ids
    for tag in ("table", "section", "details", "figure", "div", "ul"):
        assert len(re.findall(f"<{tag}[ >]", page)) == page.count(f"</{tag}>")


def test_the_numbers_are_json_that_says_its_version(penguins):
    study, folder = penguins
    found = json.loads(text_of(folder, "results.json"))
    assert found["schema_version"] == 1
    assert found["choice"]["name"] == study.choice.name
    for name, scores in study.outcome.scores.items():
        np.testing.assert_array_equal(found["scores"][name], scores)
    assert len(found["model"]) == 64


def test_text_and_card_say_what_the_page_says(penguins):
    study, folder = penguins
    report, card = text_of(folder, "report.md"), text_of(folder, "card.md")
    assert study.verdict.certificate.text in report
    assert study.verdict.certificate.text in card
    assert "Proven to beat a baseline:** yes" in card


def test_the_program_beside_the_model_answers(penguins):
    _, folder = penguins
    done = subprocess.run([sys.executable, str(folder / "predict.py"), str(path_of("penguins"))],
                          capture_output=True, text=True, check=True)  # fmt: skip
    answers = [line.split()[0] for line in done.stdout.splitlines()]
    truth = load_penguins().target
    assert np.mean(np.array(answers) == truth) > 0.9


def test_names_and_values_are_escaped_everywhere(tmp_path):
    rng = np.random.default_rng(0)
    bad = "<img src=x onerror=alert(1)>|*`"
    x = rng.normal(size=80)
    table = Table.of({bad: x, "b": rng.choice([bad, "ok"], 80).tolist(),
                      "y": np.where(x > 0, bad, "fine").tolist()})  # fmt: skip
    learnable.study(table, "y", out=tmp_path, budget=5)
    page = text_of(tmp_path, "report.html")
    assert "<img" not in page
    assert "&lt;img src=x" in page
    for name in ("report.md", "card.md"):
        assert not re.search(r"(?<!\\)<img", text_of(tmp_path, name))


def test_a_regression_report(tmp_path):
    rng = np.random.default_rng(1)
    table = Table.of({"x": rng.normal(size=60), "y": rng.normal(size=60)})
    learnable.study(table, "y", out=tmp_path, budget=3)
    assert "which is an amount" in text_of(tmp_path, "report.html")


def test_long_text_is_cut():
    assert short("x" * 100) == "x" * 59 + "\u2026"
