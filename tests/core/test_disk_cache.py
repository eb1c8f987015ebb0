"""The folder of compiled loops cleans up after itself."""

from __future__ import annotations

import os
import time

from learnable.core import disk_cache


def aged(folder, name, days):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"1234")
    then = time.time() - 86400 * days
    os.utime(path, (then, then))
    return path


def test_a_sweep_removes_what_nobody_used_for_a_month(tmp_path):
    fresh, old = aged(tmp_path, "a/x.loop", 29), aged(tmp_path, "a/y.loop", 31)
    left = aged(tmp_path, "b/tmp-1.loop", 31)
    assert disk_cache.sweep(tmp_path) == 8
    assert fresh.exists()
    assert not old.exists()
    assert not left.parent.exists()


def test_a_sweep_keeps_few_versions_and_none_that_is_in_use(tmp_path):
    versions = [aged(tmp_path, f"v{i}/x.loop", 2 + i) for i in range(12)]
    recent = [aged(tmp_path, f"r{i}/x.loop", 0.5) for i in range(10)]
    disk_cache.sweep(tmp_path)
    assert all(path.exists() for path in recent)
    assert not any(path.exists() for path in versions)
    assert disk_cache.sweep(tmp_path / "nowhere") == 0
