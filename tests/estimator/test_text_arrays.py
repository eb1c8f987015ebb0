"""Arrays of strings: they come back the same, and their memory is counted before it is taken."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from learnable.estimator.ledger import ALLOWANCE, Content, Reader, Refused, Writer
from learnable.estimator.text_arrays import is_text, put_text, take_text

LETTERS = st.characters() | st.sampled_from("\0\ud800ü")
WORDS = st.lists(st.text(LETTERS, max_size=3)).map(lambda words: np.array(words, dtype=str))


def through(array):
    writer = Writer()
    node = put_text(array, writer)
    return take_text(node, Reader(Content({}, writer.arrays, 1000)))


def taken(blob, offsets, form, size=1000):
    node = {"text": [{"array": 0}, {"array": 1}, form]}
    blob = np.frombuffer(blob, np.uint8) if isinstance(blob, bytes) else blob
    return take_text(node, Reader(Content({}, [blob, np.asarray(offsets)], size)))


@given(WORDS)
def test_strings_of_numpy_come_back_the_same_or_are_refused(words):
    text = "".join(words)
    if "\0" in text or any("\ud800" <= letter <= "\udfff" for letter in text):
        with pytest.raises(Refused):
            through(words)
        return
    back = through(words)
    assert back.dtype == words.dtype
    assert back.tolist() == words.tolist()
    assert not back.flags.writeable


@pytest.mark.parametrize(
    "words", [["a"], ["", "größer", "\U0001f600"], [str(i) for i in range(10_000)]]
)
def test_strings_of_python_come_back_the_same(words):
    back = through(np.array(words, dtype=object))
    assert back.dtype == object
    assert back.tolist() == words


def test_what_is_text():
    assert is_text(np.array(["a"]))
    assert is_text(np.array(["a"], dtype=object))
    assert not is_text(np.array(["a", 1], dtype=object))
    assert not is_text(np.array([["a"]]))
    assert not is_text(np.array([b"a"]))


@pytest.mark.parametrize("word", ["a\0b", "\ud800", "x" * 1_048_577])
def test_odd_strings_are_not_stored(word):
    with pytest.raises(Refused):
        through(np.array([word], dtype=object))


BAD = {
    "offsets from 1": (b"ab", [1, 2], "U2"),
    "offsets that end early": (b"ab", [0, 1], "U2"),
    "offsets beyond the end": (b"ab", [0, 3], "U2"),
    "offsets that fall": (b"ab", [0, 2, 1, 2], "U2"),
    "negative offsets": (b"ab", [0, -1, 2], "U2"),
    "no offsets": (b"", np.empty(0, int), "U2"),
    "offsets of floats": (b"ab", [0.0, 2.0], "U2"),
    "offsets in a table": (b"ab", [[0, 2]], "U2"),
    "bytes in a table": (np.ones((1, 2), np.uint8), [0, 2], "U2"),
    "signed bytes": (np.ones(2, np.int8), [0, 2], "U2"),
    "no UTF-8": (b"\xff\xfe", [0, 2], "U2"),
    "half a letter": ("ü".encode(), [0, 1, 2], "U2"),
    "a surrogate": (b"\xed\xa0\x80", [0, 3], "U2"),
    "NUL": (b"a\0", [0, 2], "U2"),
    "too narrow": (b"abc", [0, 3], "U2"),
    "no form": (b"ab", [0, 2], None),
    "an odd form": (b"ab", [0, 2], "S2"),
    "no width": (b"", [0, 0], "U0"),
    "an endless width": (b"ab", [0, 2], "U9999999999"),
}


@pytest.mark.parametrize(("blob", "offsets", "form"), BAD.values(), ids=BAD)
def test_bad_text_is_refused(blob, offsets, form):
    with pytest.raises(Refused):
        taken(blob, offsets, form)


@pytest.mark.parametrize("node", [{"text": []}, {"text": None}, {"text": [0, 1, 2, 3]}, {}, 1])
def test_a_bad_node_is_refused(node):
    with pytest.raises(Refused):
        take_text(node, Reader(Content({}, [], 0)))


def test_the_allowance_is_for_all_texts_together():
    width = ALLOWANCE // 4 // 10
    blob, offsets = np.empty(0, np.uint8), np.zeros(7, int)
    reader = Reader(Content({}, [blob, offsets, blob, offsets], 0))
    take_text({"text": [{"array": 0}, {"array": 1}, f"U{width}"]}, reader)
    with pytest.raises(Refused, match="more than such a file may"):
        take_text({"text": [{"array": 2}, {"array": 3}, f"U{width}"]}, reader)


def test_text_that_could_not_be_read_again_is_not_written():
    writer = Writer()
    put_text(np.array(["x" * 1000] + [""] * 10_000), writer)
    with pytest.raises(Refused, match="its text would take 40004000 bytes"):
        writer.finish()
