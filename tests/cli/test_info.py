from __future__ import annotations

import pytest

from learnable.cli import main

TABLE = "town,size,sold\nUlm,1.5,yes\nBonn,,no\nUlm,2.5,yes\nUlm,1e3,no\n"


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "houses.csv"
    path.write_text(TABLE)
    return path


def test_info_says_what_is_in_a_file(file, capsys):
    assert main(["info", str(file), "--target", "sold"]) == 0
    text = capsys.readouterr().out
    assert "4 rows, 3 columns" in text
    assert "25.0%" in text
    assert "yes: 2 (50.0%)" in text


def test_info_takes_stated_kinds_and_prints_the_schema(file, tmp_path, capsys):
    kinds = tmp_path / "kinds.toml"
    kinds.write_text('size = "text"\n')
    assert main(["info", str(file), "--kinds", str(kinds), "--toml"]) == 0
    text = capsys.readouterr().out
    assert '["size"]\nkind = "text"' in text
    assert 'values = ["Bonn", "Ulm"]' in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--target", "price"], "There is no such column. (column 'price')"),
        (["--kinds", "absent.toml"], "absent.toml: cannot be read"),
    ],
)
def test_info_names_what_is_wrong(file, arguments, message, capsys):
    assert main(["info", str(file), *arguments]) == 2
    assert message in capsys.readouterr().err


def test_info_names_a_file_that_is_not_there(capsys):
    assert main(["info", "absent.csv"]) == 2
    assert "absent.csv" in capsys.readouterr().err


def test_info_names_the_row_that_is_ragged(tmp_path, capsys):
    path = tmp_path / "ragged.csv"
    path.write_text("a,b\n1,2\n3\n")
    assert main(["info", str(path)]) == 2
    message = capsys.readouterr().err
    assert "ragged.csv" in message
    assert "row" in message
