"""Files on disk: the old or the new one, never half of one."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from learnable.core.errors import ModelFileError, ParameterError
from learnable.estimator import disk_file
from learnable.estimator.disk_file import read, write
from learnable.estimator.sealed_zip import assemble

PIECES = assemble([b"{}", b"12345678"])
WHOLE = b"".join(PIECES)


def names_in(folder):
    return [path.name for path in folder.iterdir()]


def test_what_was_written_is_read(tmp_path):
    write(tmp_path / "a.model", PIECES)
    assert read(str(tmp_path / "a.model")) == WHOLE


def test_nothing_else_is_left_behind(tmp_path):
    for _ in range(2):
        write(tmp_path / "a.model", PIECES)
    assert names_in(tmp_path) == ["a.model"]


def test_a_file_has_the_usual_permissions(tmp_path):
    (tmp_path / "usual").write_bytes(b"")
    write(tmp_path / "a.model", PIECES)
    assert (tmp_path / "a.model").stat().st_mode == (tmp_path / "usual").stat().st_mode


def test_a_link_goes_on_pointing_to_the_file(tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "a.model")
    write(tmp_path / "link", PIECES)
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "a.model").read_bytes() == WHOLE


@pytest.mark.parametrize(("place", "step"), [("os", "fsync"), ("Path", "replace")])
def test_a_failure_leaves_the_old_file_and_no_other(tmp_path, monkeypatch, place, step):
    (tmp_path / "a.model").write_bytes(b"old")

    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(getattr(disk_file, place), step, fail)
    with pytest.raises(OSError, match="No space"):
        write(tmp_path / "a.model", PIECES)
    monkeypatch.undo()
    assert (tmp_path / "a.model").read_bytes() == b"old"
    assert names_in(tmp_path) == ["a.model"]


CRASH = """
import os, sys
from learnable.estimator import disk_file

def pieces():
    yield b"new" * 100_000
    os._exit(9)

disk_file.write(sys.argv[1], pieces())
"""


def test_a_crash_while_writing_leaves_the_old_file(tmp_path):
    (tmp_path / "a.model").write_bytes(b"old")
    crashed = subprocess.run([sys.executable, "-c", CRASH, tmp_path / "a.model"], check=False)
    assert crashed.returncode == 9
    assert (tmp_path / "a.model").read_bytes() == b"old"
    write(tmp_path / "a.model", PIECES)
    assert (tmp_path / "a.model").read_bytes() == WHOLE


def test_a_name_that_is_taken_is_not_overwritten(tmp_path):
    taken = tmp_path / f".a.model.{os.getpid()}-0.tmp"
    taken.write_bytes(b"mine")
    write(tmp_path / "a.model", PIECES)
    assert taken.read_bytes() == b"mine"


def test_a_folder_is_not_written_over(tmp_path):
    with pytest.raises(ParameterError, match="no regular file"):
        write(tmp_path, PIECES)


def test_what_is_no_file_is_not_read(tmp_path):
    with pytest.raises(FileNotFoundError):
        read(tmp_path / "missing")
    with pytest.raises(ModelFileError, match="no regular file"):
        read("/dev/zero")


def test_a_large_file_of_another_kind_is_refused_by_its_end(tmp_path):
    with (tmp_path / "large").open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(ModelFileError, match="seal of a model file"):
        read(tmp_path / "large")


def test_a_file_that_shrinks_while_it_is_read_is_refused(tmp_path, monkeypatch):
    write(tmp_path / "a.model", PIECES)

    def shrink(tail):
        os.truncate(tmp_path / "a.model", 10)
        return tail

    monkeypatch.setattr(disk_file, "check_tail", shrink)
    with pytest.raises(ModelFileError, match="changed while it was read"):
        read(tmp_path / "a.model")
