from __future__ import annotations

import numpy as np

import learnable
from learnable.core.versions import versions


def test_what_is_installed_is_named(capsys):
    learnable.show_versions()
    told = capsys.readouterr().out
    assert f"{np.__version__}\n" in told
    assert all(name in told for name in versions())


def test_what_is_not_installed_is_left_out(monkeypatch):
    monkeypatch.setattr("learnable.core.versions.LIBRARIES", ("numpy", "no-such-library"))
    assert "numpy" in versions()
    assert "no-such-library" not in versions()
