"""The core: record, fold, iterate, trace, certificate, the cached compiler, errors, settings."""

from learnable.core.blas import one_blas_thread
from learnable.core.certificate import Certificate
from learnable.core.compiler import cache_folder, clear_cache, loop, warm_up
from learnable.core.config import Settings, config, get_config
from learnable.core.errors import (
    DataError,
    LearnableError,
    MissingDependencyError,
    ModelFileError,
    ParameterError,
    SchemaError,
)
from learnable.core.events import EventBuffer
from learnable.core.explanation import Explanation, Part
from learnable.core.fold import Dask, Threads, fold, merge_each, runner, serial
from learnable.core.iterate import Run, Turn, iterate, observing
from learnable.core.pool import thread_count
from learnable.core.progress import progress
from learnable.core.record import generic, record, rule
from learnable.core.trace import Event, Trace, emit, tracing
from learnable.core.versions import show_versions

__all__ = [
    "Certificate",
    "Dask",
    "DataError",
    "Event",
    "EventBuffer",
    "Explanation",
    "LearnableError",
    "MissingDependencyError",
    "ModelFileError",
    "ParameterError",
    "Part",
    "Run",
    "SchemaError",
    "Settings",
    "Threads",
    "Trace",
    "Turn",
    "cache_folder",
    "clear_cache",
    "config",
    "emit",
    "fold",
    "generic",
    "get_config",
    "iterate",
    "loop",
    "merge_each",
    "observing",
    "one_blas_thread",
    "progress",
    "record",
    "rule",
    "runner",
    "serial",
    "show_versions",
    "thread_count",
    "tracing",
    "warm_up",
]
