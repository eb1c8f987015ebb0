"""The same numbers in every form that people pass them in, and every way to run the blocks."""

from __future__ import annotations

from contextlib import contextmanager

import numpy as np
import pandas as pd
import polars as pl

import learnable
from learnable.core import Dask, serial


class Fresh:
    """A generator that starts anew with each draw: no test depends on those before it."""

    def __getattr__(self, name):
        return getattr(np.random.default_rng(0), name)


RANDOM = Fresh()
TABLE = RANDOM.normal(size=(300, 5)) * [1.0, 10.0, 0.1, 3.0, 0.0] + [0.0, 5.0, 1.0, -7.0, 2.5]
NAMES = list("abcde")


def read_only(X):
    X = X.copy()
    X.flags.writeable = False
    return X


FORMS = {
    "lists": TABLE.tolist(),
    "F-order": np.asfortranarray(TABLE),
    "strided": np.repeat(TABLE, 2, axis=0)[::2],
    "read-only": read_only(TABLE),
    "objects": TABLE.astype(object),
    "pandas": pd.DataFrame(TABLE, columns=NAMES),
    "polars": pl.DataFrame(TABLE, schema=NAMES),
}


def holed(X, share=0.2):
    X = X.copy()
    X[RANDOM.random(X.shape) < share] = np.nan
    return X


@contextmanager
def run_by(how):
    """Run the blocks by so many threads, one after the other, or by Dask."""
    if isinstance(how, int):
        with learnable.config(threads=how):
            yield
    else:
        with learnable.config(runner={"serial": serial, "dask": Dask("threads", ahead=3)}[how]):
            yield


RUNNERS = [1, 2, 3, "serial", "dask"]


def bits_for_every_runner(scaler, X):
    """Return the bits of ``transform`` and of the statistics, for each way to run the blocks."""
    found = set()
    for how in RUNNERS:
        with run_by(how):
            scaler.fit(X)
            state = [np.asarray(part).tobytes() for part in vars(scaler).get("statistic_", ())]
            found.add((*state, scaler.transform(X).tobytes()))
    return found
