"""The document and the arrays: what is written comes back; everything else is refused, cheaply."""

from __future__ import annotations

import json
import tracemalloc
from contextlib import suppress

import numpy as np
import pytest

from learnable import __version__
from learnable.core.errors import ModelFileError, ParameterError
from learnable.estimator import modelfile
from learnable.estimator.ledger import DTYPES
from learnable.estimator.modelfile import pack, parse
from learnable.estimator.persistence import from_bytes
from learnable.estimator.sealed_zip import assemble

ROOM = 64_000_000


def packed(model=None, arrays=()):
    return b"".join(pack(model, arrays))


def file_of(text, *arrays):
    """A sealed file of any text and any bytes."""
    text = text if isinstance(text, (str, bytes)) else json.dumps(text)
    return b"".join(assemble([text.encode() if isinstance(text, str) else text, *arrays]))


def document(arrays=(), **changes):
    return {"format": 1, "library": "0.1", "arrays": list(arrays), "model": None} | changes


def refused(data, match=None):
    with pytest.raises(ModelFileError, match=match):
        parse(data)


# ------------------------------------------------------------------------------ what is written


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(), (0,), (5,), (2, 3), (0, 4), (1, 2, 1, 2, 1, 2, 1, 2)])
def test_arrays_of_every_dtype_and_shape_come_back(dtype, shape):
    array = np.arange(np.prod(shape, dtype=int)).reshape(shape).astype(dtype)
    (back,) = parse(packed(None, [array])).arrays
    assert back.dtype == array.dtype
    assert back.shape == array.shape
    assert np.array_equal(back, array)


@pytest.mark.parametrize(
    "array", [np.ones((2, 3), order="F"), np.arange(6.0)[::2], np.arange(3, dtype=">f8")]
)
def test_arrays_in_other_orders_come_back_as_the_same_numbers(array):
    (back,) = parse(packed(None, [array])).arrays
    assert np.array_equal(back, array)
    assert back.flags.c_contiguous
    assert back.dtype.newbyteorder("=") == back.dtype


def test_arrays_are_read_only_views_of_the_file():
    data = packed(None, [np.arange(5.0)])
    (back,) = parse(data).arrays
    assert np.shares_memory(back, np.frombuffer(data, np.uint8))
    (whole, empty) = parse(bytearray(packed(None, [np.arange(5.0), np.empty(0)]))).arrays
    assert not whole.flags.writeable
    assert not empty.flags.writeable
    with pytest.raises(ValueError, match="WRITEABLE"):
        back.flags.writeable = True


def test_special_numbers_keep_their_bits():
    array = np.array([-0.0, np.inf, -np.inf, np.nan, 5e-324])
    (back,) = parse(packed(None, [array])).arrays
    assert back.tobytes() == array.tobytes()


def test_the_document_says_who_wrote_it_and_is_ascii():
    text = parse(packed({"word": "größer"}))
    assert text.document == document(library=__version__, model={"word": "größer"})
    assert packed("ü").isascii() is False  # the headers of the zip; the JSON entry is:
    assert b'"\\u00fc"' in packed("ü")


@pytest.mark.parametrize("model", ["x" * 2_000_000, [[]] * 131_072])
def test_what_could_not_be_read_again_is_not_written(model):
    with pytest.raises(ParameterError, match="cannot be saved"):
        pack(model, [])


def test_a_document_just_within_the_limits_is_read():
    nested = None
    for _ in range(190):
        nested = [nested]
    assert parse(packed(nested)).document["model"] == nested
    assert len(parse(packed(["[" * 300] * 1000)).document["model"]) == 1000


# ------------------------------------------------------------------------------------ versions


def test_a_newer_format_asks_for_an_upgrade():
    refused(file_of(document(format=2)), "newer version of learnable")


def test_an_older_format_is_migrated(monkeypatch):
    old = packed({"old": 1})
    monkeypatch.setattr(modelfile, "FORMAT", 3)
    steps = {1: lambda d: d | {"model": [d["model"]]}, 2: lambda d: d | {"model": [d["model"], 2]}}
    monkeypatch.setattr(modelfile, "MIGRATIONS", steps)
    assert parse(old).document["model"] == [[{"old": 1}], 2]


def test_every_older_format_has_its_migration():
    assert set(modelfile.MIGRATIONS) == set(range(1, modelfile.FORMAT))


@pytest.mark.parametrize("form", [0, -1, 1.0, True, None, "1", [1]])
def test_an_odd_format_is_refused(form):
    refused(file_of(document(format=form)), "names no format")


# --------------------------------------------------------------------------------- bad documents

BAD_TEXTS = {
    "empty": "",
    "no object": "[]",
    "a null": "null",
    "a doubled key": '{"format":1,"format":1,"library":"","arrays":[],"model":null}',
    "a deeply doubled key": '{"format":1,"library":"","arrays":[],"model":[{"a":1,"a":1}]}',
    "a key too many": json.dumps(document(more=1)),
    "a key too few": '{"format":1,"library":"0","arrays":[]}',
    "no library": json.dumps(document(library=None)),
    "a long library": json.dumps(document(library="9" * 65)),
    "NaN": '{"format":1,"library":"","arrays":[],"model":NaN}',
    "Infinity": '{"format":1,"library":"","arrays":[],"model":-Infinity}',
    "1e999": '{"format":1,"library":"","arrays":[],"model":1e999}',
    "a long integer": '{"format":1,"library":"","arrays":[],"model":' + "9" * 21 + "}",
    "a very long integer": '{"format":1,"library":"","arrays":[],"model":' + "9" * 100_000 + "}",
    "text behind": json.dumps(document()) + "{}",
    "Latin-1": json.dumps(document(model="ü"), ensure_ascii=False).encode("latin-1"),
    "UTF-8": json.dumps(document(model="ü"), ensure_ascii=False).encode(),
    "a byte order mark": b"\xef\xbb\xbf" + json.dumps(document()).encode(),
    "a comment": json.dumps(document()) + "//",
    "too deep": json.dumps(document(model="@")).replace('"@"', "[" * 201 + "]" * 201),
    "far too deep": json.dumps(document(model="@")).replace('"@"', "[" * 60_000 + "]" * 60_000),
    "only deep": "[" * 100_000,
    "too many parts": json.dumps(document(model="@")).replace('"@"', f"[{'[],' * 131_072}[]]"),
    "too large": json.dumps(document(model="x" * 2_000_000)),
}


@pytest.mark.parametrize("text", BAD_TEXTS.values(), ids=BAD_TEXTS)
def test_a_bad_document_is_refused(text):
    refused(file_of(text), "^The model file cannot be read: (model.json|it) .*Copy it again")


BAD_TABLES = {
    "none": (None, b"x" * 8),
    "an object": ({"0": ["uint8", 8]}, b"x" * 8),
    "too few": ([], b"x" * 8),
    "too many": ([["uint8", 8], ["uint8", 8]], b"x" * 8),
    "an empty row": ([[]], b"x" * 8),
    "a string": (["uint8"], b"x" * 8),
    "objects": ([["object", 1]], b"x" * 8),
    "complex": ([["complex128", 1]], b"x" * 16),
    "a dtype code": ([["<f8", 1]], b"x" * 8),
    "a dtype that is a list": ([[["float64"], 1]], b"x" * 8),
    "a negative side": ([["uint8", -8]], b"x" * 8),
    "two negative sides": ([["uint8", -2, -4]], b"x" * 8),
    "a float side": ([["uint8", 8.0]], b"x" * 8),
    "a true side": ([["uint8", 8, True]], b"x" * 8),
    "a side in a list": ([["uint8", [8]]], b"x" * 8),
    "too small": ([["float64", 2]], b"x" * 8),
    "too large": ([["float64", 1]], b"x" * 16),
    "1e15 numbers": ([["float64", 10**15]], b"x" * 8),
    "sides that wrap round": ([["uint8", 2**63, 2]], b""),
    "sides that wrap round to 8": ([["uint8", 2**61 + 1, 8]], b"x" * 8),
    "nine sides": ([["uint8", *[1] * 9]], b"x"),
    "empty but huge": ([["float64", 0, 2**62]], b""),
    "empty but wide": ([["float64", 0, 2**21]], b""),
    "a truth value of 2": ([["bool", 2]], b"\1\2"),
}


@pytest.mark.parametrize(("table", "content"), BAD_TABLES.values(), ids=BAD_TABLES)
def test_a_bad_table_of_arrays_is_refused(table, content):
    refused(file_of(document() | {"arrays": table}, content), "Copy it again")


# --------------------------------------------------------------------------------------- memory


def learner(**parts):
    """A file of Gaussian naive Bayes whose parameters and state are anything."""
    node = {"class": "naive_bayes.GaussianNB", "params": {}, "state": None} | parts
    return document(model=node)


def fitted(arrays, **state):
    return learner(state=state) | {"arrays": arrays}


def label_text(blob, offsets, form):
    arrays = [["uint8", len(blob)], ["int64", len(offsets)]]
    labels = {"text": [{"array": 0}, {"array": 1}, form]}
    return file_of(fitted(arrays, classes_=labels), blob, offsets.astype("<i8").tobytes())


HUNGRY = {
    "many lists": lambda: file_of(learner(params={"priors": [[]] * 130_000})),
    "many objects": lambda: file_of(learner(params={"priors": [{"tuple": [1]}] * 65_000})),
    "many short strings": lambda: file_of(learner(params={"priors": ["ab"] * 330_000})),
    "many wide strings": lambda: file_of(learner(params={"priors": ["ü"] * 190_000})),
    "many integers": lambda: file_of(learner(params={"priors": [9] * 600_000})),
    "many floats": lambda: file_of(json.dumps(learner(params={"priors": [1.5] * 390_000}))),
    "many keys": lambda: file_of(learner(params={f"{i:x}": 0 for i in range(150_000)})),
    "many pairs": lambda: file_of(
        learner(params={"priors": {"dict": [[i, 0] for i in range(99_999)]}})
    ),
    "many quotes": lambda: file_of('"' * 1_999_999),
    "many braces": lambda: file_of("{" * 1_999_999),
    "many digits": lambda: file_of("1" * 1_999_999),
    "many arrays": lambda: file_of(document([["uint8", 0]] * 20_000), *[b""] * 20_000),
    "1e15 labels": lambda: file_of(fitted([["float64", 10**15]], classes_={"array": 0}), b"x" * 8),
    "1e15 bytes of text": lambda: label_text(b"ab", np.array([0, 10**15]), "U9"),
    "wide text": lambda: label_text(b"ab", np.array([0, 1, 2]), "U100000000"),
    "many wide texts": lambda: label_text(b"", np.zeros(1_000_001), "U1000"),
    "many texts": lambda: label_text(b"", np.zeros(1_000_001), "object"),
    "one wide character": lambda: label_text(
        "😀".encode() + b"a" * 10**6, np.array([0, 10**6 + 4]), "object"
    ),
    "a text of 30 MB": lambda: label_text(b"a" * 30_000_000, np.array([0, 30_000_000]), "object"),
    "texts of 40 MB": lambda: label_text(b"a" * 40_000_000, np.arange(41) * 10**6, "U1000000"),
    "wide texts of 40 MB": lambda: label_text(
        "😀".encode() * 10**7, np.arange(41) * 10**6, "object"
    ),
}


@pytest.mark.alone
@pytest.mark.parametrize("make", HUNGRY.values(), ids=HUNGRY)
def test_a_file_that_claims_much_takes_at_most_its_double_and_64_mb(make):
    data = make()
    tracemalloc.start()
    with suppress(ModelFileError):
        from_bytes(data)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    # The bytes themselves were there before.
    assert peak + len(data) < 2 * len(data) + ROOM
