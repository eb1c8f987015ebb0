"""Signatures stated ahead: words for the arrays they stand for."""

from __future__ import annotations

import numba
import numpy as np
import pytest

from learnable.core import ParameterError
from learnable.core.signatures import expand


def test_signatures_are_spelt_like_the_arrays_they_stand_for():
    def ready(kind, *shape):
        x = np.ones(shape, kind)
        x.flags.writeable = False
        return numba.typeof(x)

    stated = [("const real[:, ::1]", "real[::1]", "int64", "bool_", None, 1.5)]
    first, second = expand("loop", stated)
    assert first[0] == ready("f8", 2, 3)
    assert second[0] == ready("f4", 2, 3)
    assert first[1] == numba.typeof(np.ones(2))
    assert first[2:] == (numba.int64, numba.boolean, numba.none, numba.float64)
    assert second[2:] == first[2:]
    assert len(list(expand("loop", [("int64",)]))) == 1


@pytest.mark.parametrize(
    "word", ["floaty", "const float64", "real[:, :]", "", "int64[:, :]", "float64[::1]x"]
)
def test_a_signature_that_means_nothing_is_refused(word):
    with pytest.raises(ParameterError, match="loop"):
        list(expand("loop", [(word,)]))
    with pytest.raises(ParameterError, match="must be a tuple"):
        list(expand("loop", ["float64"]))
