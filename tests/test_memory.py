"""A source larger than memory folds: a stream is never held as a whole."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytestmark = [pytest.mark.alone, pytest.mark.slow]

MEGABYTE = 1 << 20
CAP = 128
"""Megabytes that the process may take after it has loaded and compiled everything."""

SCRIPT = """
import resource
import sys
import threading

import numpy as np

from learnable.core import fold, merge_each
from learnable.core.fold import Threads, serial
from learnable.stats import Fingerprint, Moments

MEGABYTE = 1 << 20
what, runner, cap, blocks = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
run = serial if runner == "serial" else Threads(2)


def of(block):
    return Moments.of(block), Fingerprint.of(block, 10**8)


def stream(count):
    for seed in range(count):
        yield np.random.default_rng(seed).normal(size=(16384, 8))  # one megabyte


def status(key):
    for line in open("/proc/self/status"):
        if line.startswith(key):
            return int(line.split()[1]) * 1024


fold(of, merge_each, stream(64), run=run)  # imports, compiles, fills the sketch
before = status("VmData:")
resource.setrlimit(resource.RLIMIT_DATA, (before + cap * MEGABYTE,) * 2)

resident, done = [status("VmRSS:")], threading.Event()


def watch():
    while not done.wait(0.01):
        resident.append(status("VmRSS:"))


watcher = threading.Thread(target=watch)
watcher.start()
try:
    if what == "list":
        blocks = list(stream(blocks))
    else:
        moments, fingerprint = fold(of, merge_each, stream(blocks), run=run)
        print(int(moments.weight[0]), fingerprint.rows, float(abs(moments.mean).max()))
finally:
    done.set()
    watcher.join()
print(max(resident) - resident[0])
"""


def started(what, runner, cap, blocks):
    command = [sys.executable, "-c", SCRIPT, what, runner, str(cap), str(blocks)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("runner", ["serial", "threads"])
def test_a_stream_four_times_larger_than_memory_folds(runner):
    blocks = 4 * CAP
    done = started("fold", runner, CAP, blocks)
    assert done.returncode == 0, done.stderr
    counts, grown = done.stdout.splitlines()
    rows, sketched, mean = counts.split()
    assert int(rows) == int(sketched) == blocks * 16384
    assert float(mean) < 6 / (blocks * 16384) ** 0.5
    assert int(grown) < CAP // 4 * MEGABYTE


def test_the_same_stream_as_a_list_dies_under_that_cap():
    done = started("list", "serial", CAP, 4 * CAP)
    assert done.returncode != 0
    assert "MemoryError" in done.stderr
