"""Broken files: a typed error or a table that holds what stands in the file; never much memory."""

from __future__ import annotations

import csv
import random
import time
import tracemalloc
import warnings

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learnable.core import LearnableError
from learnable.data import Table, read_arff, read_jsonl, read_libsvm
from learnable.data.files.delimited import Delimited
from learnable.data.files.gathering import gathered
from learnable.data.files.opening import File

ROOM, SOON = 64_000_000, 5.0
CSV = b"""size,wind,day,note
1.5,Weak,2026-01-31,"a, ""b""
c"
?,Strong,2026-02-01,plain
-3e2,Weak,,"x;y"
"""
SEMICOLONS = "größe;n\r\n1,5;-\r\n2,25;7\r\n".encode("utf-16")
ARFF = b"""% a comment
@relation 'a b'
@attribute size numeric % told
@attribute wind {Weak, 'very strong', "x\\'y"}
@attribute day date "yyyy-MM-dd HH:mm"
@attribute note string
@data
1.5, Weak, "2026-01-31 10:00", 'don\\'t'
?, 'very strong', ?, ?
{0 2, 2 '2026-02-01 11:00', 3 x} % sparse
"""
LIBSVM = b"1 1:0.5 3:2 # first\n-1 2:1e-3 9:7\n+1\n"
LINES = b"""{"n": 1.5, "w": "a", "b": true}
{"n": null, "w": "\\u00e9", "b": false}
{"w": "x", "b": null, "n": 12345678901234567890}
"""
PIECES = [
    *(bytes([byte]) for byte in b"\"',;\n\r\t\\{}%?\0\xff\xc3:#- "),
    *(b"\xef\xbb\xbf", b"e999", b"9" * 400, b"nan", b"1_0", b"0x1", b"[" * 50),
    *(b"@data\n", b"@attribute", b"\x1f\x8b", b"PK\x03\x04"),
]


def fast(content):
    return gathered(Delimited(File(content), fast=True))


def plain(content):
    return gathered(Delimited(File(content), fast=False))


READERS = {
    "csv": (plain, CSV),
    "csv of others": (plain, SEMICOLONS),
    "arff": (read_arff, ARFF),
    "libsvm": (read_libsvm, LIBSVM),
    "json lines": (read_jsonl, LINES),
}
each_reader = pytest.mark.parametrize(("read", "content"), READERS.values(), ids=READERS)


def mutated(content, draw):
    made = bytearray(content)
    for _ in range(draw.randint(1, 4)):
        at, end = draw.randrange(len(made) + 1), draw.randrange(len(made) + 1)
        match draw.randrange(6):
            case 0:
                made[at:at] = draw.choice(PIECES)
            case 1:
                made[at : at + draw.randint(1, 8)] = b""
            case 2 if at < len(made):
                made[at] = draw.randrange(256)
            case 3:
                made[at:at] = made[min(at, end) : max(at, end)]
            case 4:
                del made[at:]
            case _:
                made[at : at + 1] = draw.choice(PIECES)
    return bytes(made)


def answer(read, content):
    """The table, or None for a typed error; anything else is an error of ours."""
    try:
        return read(content)
    except LearnableError as error:
        return None if str(error) else error


def survive(read, content, times, seed=0):
    """Read files that are broken at random; return how many were tables all the same."""
    draw = random.Random(seed)  # noqa: S311 (no secret)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tables = 0
        for _ in range(times):
            changed = mutated(content, draw)
            made = answer(read, changed)
            tables += made is not None
            if isinstance(made, Table):
                check(made, changed)
    assert 0 < tables < times
    return tables


def check(table, content):
    """No more rows than ends of lines, no cell that does not fit its column."""
    assert len(table) <= content.count(b"\n") + content.count(b"\r") + 1
    assert all(len(table[name]) == len(table) for name in table)
    for column in table.schema:
        if column.coded:
            assert table[column.name].max(initial=-1) < len(column.values)


@each_reader
def test_broken_files_are_refused_or_read(read, content):
    survive(read, content, 400)


@pytest.mark.slow
@each_reader
def test_many_broken_files_are_refused_or_read(read, content):
    survive(read, content, 20_000)


@pytest.mark.parametrize("content", [CSV, SEMICOLONS])
def test_both_readers_of_csv_answer_broken_files_alike(content):
    draw = random.Random(1)  # noqa: S311 (no secret)
    for _ in range(300):
        changed = mutated(content, draw)
        one, other = answer(fast, changed), answer(plain, changed)
        assert (one is None) == (other is None), changed
        assert one is None or one.equals(other), changed


@pytest.mark.parametrize("content", [CSV, SEMICOLONS])
def test_tables_of_broken_files_hold_what_pythons_reader_finds(content):
    draw = random.Random(3)  # noqa: S311 (no secret)
    compared = 0
    for _ in range(400):
        changed = mutated(content, draw)
        try:
            reader = Delimited(File(changed), fast=False)
            made = gathered(reader)
        except LearnableError:
            continue
        layout = reader.layout
        with reader.file.text() as text:
            found = csv.reader(
                text, delimiter=layout.delimiter, quotechar=layout.quote, strict=True
            )
            rows = [row for row in found if row][layout.header :]
        for place, column in enumerate(made.schema):
            cells = [row[place] for row in rows]
            assert len(cells) == len(made)
            for cell, ours in zip(cells, texts_or_numbers(made, column), strict=True):
                if column.kind in {"nominal", "text", "identifier", "boolean"}:
                    assert ours == cell or (ours is None and cell in layout.missing)
                elif column.kind == "numeric" and ours == ours:  # noqa: PLR0124 (NaN)
                    assert ours == float(cell.replace(",", "."))
        compared += 1
    assert compared > 100


def texts_or_numbers(table, column):
    """The cells of a column by their own texts."""
    return table.labels(column.name).tolist()


def any_bytes(read, content, data):
    """Read what is made of any bytes and marks, alone and inside of a file."""
    marks = st.text(alphabet="a1,;\t\"'\\\n\r{}%?@:# .-é", max_size=40).map(str.encode)
    piece = data.draw(st.binary(max_size=40) | marks)
    at = data.draw(st.integers(0, len(content)))
    for changed in (piece, content[:at] + piece, content[:at] + piece + content[at:]):
        answer(read, changed)


@each_reader
@settings(max_examples=100)
@given(data=st.data())
def test_any_bytes_and_any_marks_are_refused_or_read(read, content, data):
    any_bytes(read, content, data)


@pytest.mark.full
@each_reader
def test_a_hundred_thousand_broken_files_are_refused_or_read(read, content, record_property):
    drawn, mutations = 1000, 18_000

    @settings(max_examples=drawn)
    @given(data=st.data())
    def search(data):
        any_bytes(read, content, data)

    search()
    tables = survive(read, content, mutations, seed=4)
    record_property("files", mutations + 3 * drawn)
    record_property("of the mutations tables", tables)


@each_reader
def test_broken_files_take_little_memory(read, content):
    draw = random.Random(2)  # noqa: S311 (no secret)
    answer(read, content)
    tracemalloc.start()
    try:
        for _ in range(100):
            answer(read, mutated(content, draw))
        assert tracemalloc.get_traced_memory()[1] < ROOM
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    ("read", "content"),
    [
        (plain, b'a,b\n"' + b"x\n" * 200_000),
        (plain, b"a,b\n" + b'""' * 200_000),
        (read_arff, b"@relation r\n@attribute a string\n@data\n" + b"'" * 100_001),
        (read_arff, b"@relation r\n@attribute a string\n@data\n" + b"\\'" * 50_000 + b"%"),
        (read_arff, b"@relation r\n@attribute a string\n@data\n" + b" " * 100_000 + b"'"),
        (read_arff, b"@relation r\n@attribute a string\n@data\n{0 " + b" " * 100_000 + b"'"),
        (read_jsonl, b"[" * 100_000),
        (read_jsonl, b'{"a":' * 50_000),
        (read_libsvm, b"1 999999999999999999999:1"),
        (read_libsvm, b"1 " + b"1" * 100_000 + b":1"),
    ],
    ids=range(10),
)
def test_files_made_to_take_long_are_answered_soon(read, content):
    begin = time.process_time()
    answer(read, content)
    assert time.process_time() - begin < SOON
