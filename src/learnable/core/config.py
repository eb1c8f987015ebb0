"""Settings: how many threads, where the compiled loops are kept, how much memory."""

from __future__ import annotations

import os
from contextvars import ContextVar, Token
from dataclasses import dataclass, fields, replace
from numbers import Integral
from typing import Any

from learnable.core.errors import ParameterError

BLOCK_BYTES = 1 << 22
"""What the cells of a block of the grid take, at most."""


@dataclass(frozen=True)
class Settings:
    """What :func:`get_config` returns.

    Attributes
    ----------
    threads : int or None
        Threads of the pool; None takes as many as this process may use.
    deterministic : bool
        Hold BLAS at one thread everywhere, so that bits never depend on the number of threads.
    memory : int or "auto"
        Bytes that blocks under way may take; "auto" takes a fixed small window.
    cache : str or None
        Folder of the compiled loops; None takes ``~/.cache/learnable``.
    runner : object or None
        Who runs the blocks: None for the pool, a Dask client, or any runner of
        :mod:`learnable.core`.

    Examples
    --------
    >>> import learnable
    >>> learnable.get_config().deterministic
    True
    """

    threads: int | None = None
    deterministic: bool = True
    memory: int | str = "auto"
    cache: str | None = None
    runner: Any = None

    def __post_init__(self) -> None:
        if self.threads is not None and not _positive(self.threads):
            msg = f"threads must be None or a positive integer, not {self.threads!r}"
            raise ParameterError(msg)
        if self.memory != "auto" and not _positive(self.memory):
            msg = f'memory must be "auto" or a positive number of bytes, not {self.memory!r}'
            raise ParameterError(msg)


def _positive(value: Any) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool) and int(value) > 0


YES_OR_NO = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}


def _from_environment() -> Settings:
    env = os.environ
    threads, memory = env.get("LEARNABLE_THREADS"), env.get("LEARNABLE_MEMORY", "auto")
    try:
        return Settings(
            threads=int(threads) if threads else None,
            deterministic=YES_OR_NO[env.get("LEARNABLE_DETERMINISTIC", "1").lower()],
            memory="auto" if memory == "auto" else int(memory),
            cache=env.get("LEARNABLE_CACHE") or None,
        )
    except (ValueError, KeyError) as error:
        names = "LEARNABLE_THREADS, LEARNABLE_MEMORY or LEARNABLE_DETERMINISTIC"
        msg = f"the environment variable {names} is unusable: {error}"
        raise ParameterError(msg) from error


_settings: ContextVar[Settings] = ContextVar("learnable_settings")


def get_config() -> Settings:
    """Return the settings in force here.

    Examples
    --------
    >>> import learnable
    >>> with learnable.config(threads=1):
    ...     learnable.get_config().threads
    1
    """
    return _settings.get(None) or _from_environment()


class config:  # noqa: N801 (used as a function and in a with statement)
    """Change settings, at once or for the length of a ``with`` block.

    The change holds in the current context (thread or task); the environment variables
    ``LEARNABLE_THREADS``, ``LEARNABLE_DETERMINISTIC``, ``LEARNABLE_MEMORY`` and
    ``LEARNABLE_CACHE`` hold for the whole process.

    Parameters
    ----------
    **changes
        Any attribute of :class:`~learnable.core.config.Settings`.

    Examples
    --------
    >>> import learnable
    >>> with learnable.config(threads=2, deterministic=True):
    ...     learnable.get_config().threads
    2
    """

    def __init__(self, **changes: Any) -> None:
        known = {field.name for field in fields(Settings)}
        if unknown := sorted(set(changes) - known):
            msg = f"no such setting: {unknown[0]!r}; there are {', '.join(sorted(known))}"
            raise ParameterError(msg)
        self._token: Token[Settings] = _settings.set(replace(get_config(), **changes))

    def __enter__(self) -> Settings:
        return get_config()

    def __exit__(self, *exception: object) -> None:
        _settings.reset(self._token)
