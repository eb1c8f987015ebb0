"""Settings: from the environment, in blocks, in threads."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import pytest

import learnable
from learnable.core import ParameterError, Settings, get_config, thread_count

NAMES = ("THREADS", "DETERMINISTIC", "MEMORY", "CACHE")


@pytest.fixture(autouse=True)
def environment(monkeypatch):
    for name in NAMES:
        monkeypatch.delenv(f"LEARNABLE_{name}", raising=False)
    return lambda name, value: monkeypatch.setenv(f"LEARNABLE_{name}", value)


def test_defaults():
    assert get_config() == Settings()
    assert thread_count() >= 1


GOOD = [
    ("THREADS", "3", "threads", 3),
    ("THREADS", "", "threads", None),
    ("DETERMINISTIC", "0", "deterministic", False),
    ("DETERMINISTIC", "False", "deterministic", False),
    ("DETERMINISTIC", "no", "deterministic", False),
    ("DETERMINISTIC", "yes", "deterministic", True),
    ("MEMORY", "1000000", "memory", 1000000),
    ("MEMORY", "auto", "memory", "auto"),
    ("CACHE", "/tmp/x", "cache", "/tmp/x"),  # noqa: S108
    ("CACHE", "", "cache", None),
]


@pytest.mark.parametrize(("name", "text", "setting", "value"), GOOD)
def test_the_environment_is_read(name, text, setting, value, environment):
    environment(name, text)
    assert getattr(get_config(), setting) == value


BAD = [
    ("THREADS", "0"), ("THREADS", "-1"), ("THREADS", "two"), ("THREADS", "1.5"),
    ("MEMORY", "0"), ("MEMORY", "1GB"), ("DETERMINISTIC", "perhaps"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "text"), BAD)
def test_bad_values_of_the_environment_are_named(name, text, environment):
    environment(name, text)
    with pytest.raises(ParameterError, match=f"(?i)LEARNABLE_{name}.*{text}"):
        get_config()


def test_a_block_changes_and_restores():
    with learnable.config(threads=2) as settings:
        assert settings.threads == get_config().threads == thread_count() == 2
        with learnable.config(threads=3, deterministic=False):
            assert (get_config().threads, get_config().deterministic) == (3, False)
        assert get_config() == settings
    assert get_config() == Settings()


def test_a_block_restores_after_an_error():
    with pytest.raises(RuntimeError), learnable.config(threads=2):
        raise RuntimeError
    assert get_config().threads is None


@pytest.mark.parametrize("threads", [0, -1, 1.5, "2", True])
def test_bad_threads_change_nothing(threads):
    with pytest.raises(ParameterError, match="threads must be None or a positive integer"):
        learnable.config(threads=threads)
    assert get_config().threads is None


@pytest.mark.parametrize("memory", [0, -5, "much", 1.5, True, None])
def test_bad_memory(memory):
    with pytest.raises(ParameterError, match="memory must be"):
        learnable.config(memory=memory)


def test_an_unknown_setting_is_named():
    with pytest.raises(ParameterError, match="no such setting: 'colour'; there are cache"):
        learnable.config(threads=1, colour="blue")


def test_numbers_of_other_libraries_and_paths():
    with learnable.config(threads=np.int64(2), cache=Path("somewhere")):
        assert thread_count() == 2
        assert learnable.core.cache_folder() == Path.cwd() / "somewhere" / "loops"


def in_thread(work):
    answer = []
    thread = threading.Thread(target=lambda: answer.append(work()))
    thread.start()
    thread.join()
    return answer[0]


def test_a_change_without_a_block_holds_in_its_own_thread_only():
    def change():
        learnable.config(threads=5)
        return get_config().threads

    assert in_thread(change) == 5
    assert get_config().threads is None


def test_a_change_without_a_block_holds_from_then_on():
    def change():
        learnable.config(threads=5)
        learnable.config(deterministic=False)
        with learnable.config(threads=6):
            pass
        return get_config()

    assert in_thread(change) == Settings(threads=5, deterministic=False)


def test_a_block_in_one_thread_is_not_seen_in_another():
    with learnable.config(threads=7):
        assert in_thread(get_config).threads is None


def test_the_environment_holds_in_every_thread(environment):
    environment("THREADS", "4")
    assert in_thread(thread_count) == 4
