"""The compiled loops on disk: found again, never stale, never in the way."""

from __future__ import annotations

import hashlib
import os
import pickle
import shutil
import stat
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import learnable
from learnable.core import cache_folder, clear_cache, compiler, loop

RULE = """
from learnable.core import generic, record

FACTOR = 2.0

@record
class Square:
    scale: float = 1.0

@generic
def worth(loss, x):
    "What a number is worth."
"""
MORE = """
from learnable.core import rule
from rules import Square, worth

@rule(worth, Square)
def _square(loss, x):
    return loss.scale * x * x + 1.0
"""
CALLEE = """
from learnable.core import loop

@loop(inline=True)
def step(x):
    return x + 10.0
"""
MAIN = """
import sys
import more
import numpy as np
from learnable.core import loop
from rules import FACTOR, Square, worth
from callee import step

@loop
def total(loss, x):
    out = 0.0
    for i in range(x.size):
        out += FACTOR * step(worth(loss, x[i]))
    return out

if __name__ == "__main__":
    value = total(Square().lowered(), np.ones(2))
    print(value, sum(total.stats.cache_hits.values()), sum(total.stats.cache_misses.values()))
"""


def run(code, folder, cache, **env):
    """Run a program in a fresh interpreter; return what it printed.

    Python must not keep bytecode: it would not notice an edit of the same length within a second.
    """
    known = {**os.environ, "LEARNABLE_CACHE": str(cache), "PYTHONPATH": str(folder)}
    known |= {"PYTHONDONTWRITEBYTECODE": "1", **env}
    known = {name: value for name, value in known.items() if value is not None}
    command = [sys.executable, "-W", "error", str(code)]
    done = subprocess.run(
        command, env=known, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


@pytest.fixture(scope="module")
def compiled_once(tmp_path_factory):
    folder = tmp_path_factory.mktemp("compiled")
    (folder / "program").mkdir()
    for name, text in {"rules": RULE, "more": MORE, "callee": CALLEE, "main": MAIN}.items():
        (folder / "program" / f"{name}.py").write_text(text)
    assert run(folder / "program" / "main.py", folder, folder / "cache") == ["48.0", "0", "1"]
    return folder


@pytest.fixture
def program(compiled_once, tmp_path):
    return shutil.copytree(compiled_once / "program", tmp_path / "program")


@pytest.fixture
def cache(compiled_once, tmp_path):
    """A cache in which a process has left the loops of the program."""
    return shutil.copytree(compiled_once / "cache", tmp_path / "cache")


def files(cache):
    return sorted(Path(cache).rglob("*.loop"))


def edit(path, old, new):
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    # Python's own cache goes by the second and the size.
    os.utime(path, (time.time() + 10, time.time() + 10))


def test_a_second_process_compiles_nothing(program, cache):
    before = files(cache)
    assert len([path for path in before if "total" in path.name]) == 1
    assert run(program / "main.py", program, cache) == ["48.0", "1", "0"]
    assert files(cache) == before


EDITS = {
    "a callee": ("callee.py", "10.0", "20.0", "88.0"),
    "a rule": ("more.py", "x * x + 1.0", "x * x + 2.0", "52.0"),
    "a global of another file": ("rules.py", "FACTOR = 2.0", "FACTOR = 3.0", "72.0"),
    "the loop itself": ("main.py", "out = 0.0", "out = 5.0", "53.0"),
}


@pytest.mark.parametrize("what", EDITS)
def test_an_edit_is_never_answered_from_the_old_code(what, program, cache):
    name, old, new, answer = EDITS[what]
    edit(program / name, old, new)
    assert run(program / "main.py", program, cache)[0] == answer
    edit(program / name, new, old)
    assert run(program / "main.py", program, cache)[:2] == ["48.0", "1"]


def torn(data):
    return data[: len(data) // 2]


def flipped(data):
    return bytes([*data[: len(data) // 2], data[len(data) // 2] ^ 1, *data[len(data) // 2 + 1 :]])


def swapped(data):  # a sealed file that holds something else
    body = pickle.dumps(([], ("nothing", "of", "use", len(data))))
    return hashlib.sha256(body).digest() + body


DAMAGE = [torn, flipped, swapped, lambda _: b"", lambda _: os.urandom(5000)]


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_file_counts_as_absent(damage, program, cache):
    for path in files(cache):
        path.write_bytes(damage(path.read_bytes()))
    assert run(program / "main.py", program, cache) == ["48.0", "0", "1"]
    assert run(program / "main.py", program, cache) == ["48.0", "1", "0"]  # it was replaced


def test_a_file_of_another_loop_counts_as_absent(program, tmp_path):
    cache = tmp_path / "cache"
    edit(
        program / "main.py",
        "    print",
        "    total(Square().lowered(), np.ones(2, 'f4'))\n    print",
    )
    run(program / "main.py", program, cache)
    one, other = (path for path in files(cache) if "total" in path.name)
    first, second = one.read_bytes(), other.read_bytes()
    one.write_bytes(second)
    other.write_bytes(first)
    assert run(program / "main.py", program, cache)[-2:] == ["0", "2"]


def test_a_file_that_others_can_write_is_not_read(program, cache):
    for path in files(cache):
        path.chmod(0o666)
    assert run(program / "main.py", program, cache) == ["48.0", "0", "1"]


@pytest.mark.parametrize("blocked", ["file", "under a file", "nobody"])
def test_without_a_folder_to_write_loops_live_in_memory(blocked, program, tmp_path):
    wall = tmp_path / "wall"
    wall.write_text("not a folder")
    cache = {"file": wall, "under a file": wall / "deep", "nobody": "~no-such-user/cache"}[blocked]
    assert run(program / "main.py", program, cache) == ["48.0", "0", "1"]
    assert not files(tmp_path)


def test_without_a_home_folder_loops_live_in_memory(program):
    settings = {"HOME": None, "LEARNABLE_CACHE": None}
    edit(program / "main.py", "import sys\n", "import pathlib, sys\nfrom learnable.core import *\n")
    edit(
        program / "main.py",
        '__main__":\n',
        '__main__":\n    pathlib.Path.home = classmethod(lambda cls: cls("~").expanduser())\n'
        "    import pwd; pwd.getpwuid = lambda uid: {}[uid]\n    assert cache_folder() is None\n",
    )
    assert run(program / "main.py", program, "", **settings) == ["48.0", "0", "1"]


def test_read_only_sources_are_fine(program, cache):
    for path in [*program.glob("*.py"), program]:
        path.chmod(stat.S_IRUSR | stat.S_IXUSR)
    try:
        assert run(program / "main.py", program, cache) == ["48.0", "1", "0"]
        assert {path.name for path in program.iterdir()} <= {
            "rules.py",
            "more.py",
            "callee.py",
            "main.py",
            "__pycache__",
        }
    finally:
        program.chmod(0o700)


def test_two_processes_that_compile_the_same_loop_are_both_right(program, tmp_path):
    cache = tmp_path / "cache"
    env = {**os.environ, "LEARNABLE_CACHE": str(cache), "PYTHONPATH": str(program)}
    command = [sys.executable, str(program / "main.py")]
    both = [subprocess.Popen(command, env=env, stdout=subprocess.PIPE) for _ in range(3)]
    assert {one.communicate(timeout=120)[0].split()[0] for one in both} == {b"48.0"}
    names = [path.name for path in files(cache)]
    assert sum("total" in name for name in names) == 1
    assert not [name for name in names if name.startswith("tmp-")]


def test_plain_functions_where_the_compiler_is_switched_off(program, tmp_path):
    edit(program / "main.py", "sum(total.stats.cache_hits.values())", "type(total).__name__")
    edit(program / "main.py", "sum(total.stats.cache_misses.values())", "0")
    cache, settings = tmp_path / "cache", {"NUMBA_DISABLE_JIT": "1"}
    assert run(program / "main.py", program, cache, **settings) == ["48.0", "function", "0"]
    (program / "plain.py").write_text(
        "from learnable.loops.vector_math import exp, log\nfrom learnable.core import warm_up\n"
        "print(round(exp(1.0), 9), round(log(2.0), 9), warm_up())\n"
    )
    found = run(program / "plain.py", program, cache, **settings)
    assert found == ["2.718281828", "0.693147181", "0"]
    assert not files(tmp_path)


def test_switches_of_the_compiler_have_files_of_their_own(program, cache):
    checked = {"NUMBA_BOUNDSCHECK": "1"}
    assert run(program / "main.py", program, cache, **checked) == ["48.0", "0", "1"]
    assert run(program / "main.py", program, cache, **checked) == ["48.0", "1", "0"]


@pytest.fixture
def configured(tmp_path):
    with learnable.config(cache=str(tmp_path / "mine")):
        yield tmp_path / "mine"


def test_clear_cache_removes_every_loop_and_counts_the_bytes(configured):
    for name in ("one/a.loop", "other/b.loop"):
        path = configured / "loops" / name
        path.parent.mkdir(parents=True)
        path.write_bytes(b"12345")
    kept = configured / "loops" / "notes.txt"
    kept.write_text("not ours")
    assert cache_folder() == configured / "loops"
    assert clear_cache() == 10
    assert list((configured / "loops").iterdir()) == [kept]
    assert clear_cache() == 0


def test_a_use_is_noted_so_that_no_sweep_takes_the_file(program, cache):
    then = time.time() - 86400 * 25
    (path,) = (path for path in files(cache) if "total" in path.name)
    os.utime(path, (then, then))
    run(program / "main.py", program, cache)
    assert path.stat().st_mtime > then + 86400


def test_a_folder_for_this_user_alone(compiled_once):
    (stamp,) = {path.parent for path in files(compiled_once / "cache")}
    assert stat.S_IMODE(stamp.stat().st_mode) == 0o700


@pytest.mark.slow
def test_after_a_warm_up_a_fit_compiles_nothing(tmp_path):
    (tmp_path / "warm.py").write_text(
        "from learnable.core import warm_up\nseen = []\n"
        "n = warm_up(lambda name, seconds: seen.append((name, seconds)))\n"
        "assert n == len(seen) > 20 and all(s >= 0 for _, s in seen)\nprint(n)\n"
    )
    (tmp_path / "fit.py").write_text(
        "import numpy as np\nfrom learnable.loops import vector_math\n"
        "from learnable.core import compiler\nfrom learnable.naive_bayes import GaussianNB\n"
        "X = np.random.default_rng(0).normal(size=(60, 3))\ny = np.arange(60) % 2\n"
        "for kind in ('f8', 'f4'):\n"
        "    GaussianNB().fit(X.astype(kind), y).predict(X.astype(kind))\n"
        "    vector_math.softmax(vector_math.exp(X.astype(kind)))\n"
        "misses = {d.py_func.__name__: n for d, _ in compiler._ahead\n"
        "          if (n := sum(d.stats.cache_misses.values()))}\n"
        "hits = sum(sum(d.stats.cache_hits.values()) for d, _ in compiler._ahead)\n"
        "assert not misses, misses\nprint(hits > 4)\n"
    )
    cache = tmp_path / "cache"
    (count,) = run(tmp_path / "warm.py", tmp_path, cache)
    assert run(tmp_path / "fit.py", tmp_path, cache) == ["True"]
    before = files(cache)
    assert run(tmp_path / "warm.py", tmp_path, cache) == [count]
    assert files(cache) == before


def test_division_and_infinity_follow_numpy():
    @loop
    def ratio(a, b):
        return a / b

    assert ratio(1.0, 0.0) == np.inf
    assert np.isnan(ratio(np.nan, 1.0))


def test_options_reach_the_compiler():
    def three(a, b, c):
        return a + b + c

    assert loop(three).targetoptions["fastmath"] == set(compiler.FAST)
    assert loop(fastmath=False)(three).targetoptions["fastmath"] is False
    assert loop(fastmath={"nsz"})(three).targetoptions["fastmath"] == {"nsz"}
    assert loop(inline=True)(three).targetoptions["forceinline"] is True
    assert loop(three).targetoptions["nogil"] is True
