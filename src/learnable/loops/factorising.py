"""The different values of a column, in order of first appearance, and the place of every cell.

Keys stand in a table of open addressing that doubles when it is half full, so that a column of few
values stays in the processor's cache. Cost: one look-up a cell.
"""

from __future__ import annotations

import numpy as np

from learnable.core.compiler import loop
from learnable.loops.bits import bits_of
from learnable.loops.memory import word_at

_SPREAD = np.uint64(0x9E3779B97F4A7C15)
_HALF, _WORD_HALF = np.uint64(29), np.uint64(32)
_SMALL = 1024
_NAN = np.int64(0x7FF8000000000000)
_INFINITE = np.uint64(0xFFE0000000000000)
TYPE, LENGTH, VALUE, WORD, KINDS = 8, 16, 16, 8, 4


@loop(fastmath=False)
def _mixed(key):
    h = np.uint64(key) * _SPREAD
    return h ^ (h >> _HALF)


@loop(fastmath=False)
def _table_of(hashes, count, size):
    """Return a table of a size with the places of the first hashes."""
    table = np.full(size, np.int32(-1))
    mask = np.uint64(size - 1)
    for c in range(count):
        slot = hashes[c] & mask
        while table[slot] >= 0:
            slot = (slot + np.uint64(1)) & mask
        table[slot] = c
    return table


@loop(fastmath=False)
def _longer(array, size):
    longer = np.empty(size, array.dtype)
    longer[: array.shape[0]] = array
    return longer


@loop(fastmath=False)
def _hash_of_words(words, i):
    h = np.uint64(words.shape[1])
    for j in range(words.shape[1]):
        h = (h ^ np.uint64(words[i, j])) * _SPREAD
        h ^= h >> _HALF
    return h


@loop(fastmath=False)
def _same_words(words, i, other):
    for j in range(words.shape[1]):  # noqa: SIM110 (a compiled loop knows no generators)
        if words[i, j] != words[other, j]:
            return False
    return True


@loop(fastmath=False, ahead=[("const int64[::1]", "int32[::1]")])
def places_of_keys(keys, codes):
    """Write the place of each key among the different ones; return the row that each first has."""
    n = keys.shape[0]
    size = _SMALL
    table = np.full(size, np.int32(-1))
    first, hashes = np.empty(size, np.int64), np.empty(size, np.uint64)
    count = 0
    for i in range(n):
        key = keys[i]
        h = _mixed(key)
        mask = np.uint64(size - 1)
        slot = h & mask
        while table[slot] >= 0 and keys[first[table[slot]]] != key:
            slot = (slot + np.uint64(1)) & mask
        if table[slot] < 0:
            table[slot] = count
            first[count], hashes[count] = i, h
            count += 1
            codes[i] = count - 1
            if 2 * count > size:
                size *= 2
                first, hashes = _longer(first, size), _longer(hashes, size)
                table = _table_of(hashes, count, size)
        else:
            codes[i] = table[slot]
    return first[:count].copy()


@loop(
    fastmath=False, ahead=[("const float64[:]", "int32[::1]"), ("const float32[:]", "int32[::1]")]
)
def places_of_floats(cells, codes):
    """Do the same for floats: 0 and -0 are one value, and so are all that are NaN."""
    keys = np.empty(cells.shape[0], np.int64)
    for i in range(cells.shape[0]):
        cell = np.float64(cells[i])
        keys[i] = bits_of(cell + 0.0) if cell == cell else _NAN
    return places_of_keys(keys, codes)


@loop(fastmath=False, ahead=[("const int32[::1]", "int64")])
def count_places(codes, size):
    """Return how many cells have each place."""
    counts = np.zeros(size, np.int64)
    for code in codes:
        counts[code] += 1
    return counts


@loop(fastmath=False, ahead=[("const uint32[:, ::1]", "int32[::1]")])
def places_of_words(words, codes):
    """Do the same for keys of several words, such as the characters of strings."""
    n = words.shape[0]
    size = _SMALL
    table = np.full(size, np.int32(-1))
    first, hashes = np.empty(size, np.int64), np.empty(size, np.uint64)
    count = 0
    for i in range(n):
        h = _hash_of_words(words, i)
        mask = np.uint64(size - 1)
        slot = h & mask
        while table[slot] >= 0 and not (
            hashes[table[slot]] == h and _same_words(words, first[table[slot]], i)
        ):
            slot = (slot + np.uint64(1)) & mask
        if table[slot] < 0:
            table[slot] = count
            first[count], hashes[count] = i, h
            count += 1
            codes[i] = count - 1
            if 2 * count > size:
                size *= 2
                first, hashes = _longer(first, size), _longer(hashes, size)
                table = _table_of(hashes, count, size)
        else:
            codes[i] = table[slot]
    return first[:count].copy()


@loop(fastmath=False, inline=True)
def _text_at(address, layout):
    """Return where the characters of a string lie, and their bytes with their width in one.

    What is no plain string is its own address, of width -1.
    """
    if word_at(address + TYPE) != layout[0]:
        return address, np.int64(-1)
    state = word_at(address + layout[1]) & layout[2]
    for kind in range(KINDS):
        if state == layout[3 + 2 * kind]:
            width = np.int64(kind - 1 if kind > 1 else 0)
            size = word_at(address + LENGTH) << width
            return address + layout[4 + 2 * kind], (size << 2) | width
    return address, np.int64(-1)


@loop(fastmath=False, inline=True)
def _last_word(start, size):
    """Return the last word of some bytes, without what lies behind them."""
    at = (size - 1) & ~np.int64(WORD - 1)
    return np.uint64(word_at(start + at)) << np.uint64(8 * (WORD - (size - at)))


@loop(fastmath=False, inline=True)
def _hash_at(start, size):
    if size < 4:
        return _mixed(start) if size < 0 else np.uint64(0)
    h, at = np.uint64(size), 0
    size >>= 2
    while at + WORD < size:
        h = (h ^ np.uint64(word_at(start + at))) * _SPREAD
        h ^= h >> _HALF
        at += WORD
    h = (h ^ _last_word(start, size)) * _SPREAD
    return _mixed(h ^ (h >> _WORD_HALF))  # what differs in high bits alone must reach low ones


@loop(fastmath=False, inline=True)
def _same_at(start, other, size):
    if size < 4:
        return start == other or size >= 0
    size >>= 2
    at = 0
    while at + WORD < size:
        if word_at(start + at) != word_at(other + at):
            return False
        at += WORD
    return _last_word(start, size) == _last_word(other, size)


@loop(fastmath=False)
def _same_objects(addresses, layout, first, codes):
    """Whether every object says what the first one of its place says."""
    for i in range(addresses.shape[0]):
        other = addresses[first[codes[i]]]
        if addresses[i] != other:
            start, size = _text_at(addresses[i], layout)
            other_start, other_size = _text_at(other, layout)
            if size != other_size or not _same_at(start, other_start, size):
                return False
    return True


@loop(
    fastmath=False,
    locked=True,
    ahead=[
        ("const int64[:]", "const int64[::1]", "int32[::1]"),
        ("const int64[::1]", "const int64[::1]", "int32[::1]"),
    ],
)
def places_of_objects(objects, layout, codes):
    """Do the same for Python's objects: strings by what they say, others by where they are.

    ``layout`` says how strings lie in memory (:mod:`learnable.data.string_layout`). No rows are
    returned where two different strings have the same key: a chance in 2**64 for each pair, but
    what is counted must be true.
    """
    addresses, keys = objects.copy(), np.empty(objects.shape[0], np.int64)
    for i in range(addresses.shape[0]):
        start, size = _text_at(addresses[i], layout)
        keys[i] = _hash_at(start, size)
    first = places_of_keys(keys, codes)
    return first if _same_objects(addresses, layout, first, codes) else first[:0]


@loop(
    fastmath=False,
    locked=True,
    ahead=[
        ("const int64[:]", "const int64[::1]", "int8[::1]"),
        ("const int64[::1]", "const int64[::1]", "int8[::1]"),
    ],
)
def missing_objects(objects, known, out):
    """Write 1 for each of Python's objects that is missing, 0 for what is not, -1 for others.

    ``known`` holds the addresses of the types of strings and floats, and of what is nothing.
    """
    for i in range(objects.shape[0]):
        address, out[i] = objects[i], -1
        kind = word_at(address + TYPE)
        if kind == known[0]:
            out[i] = 0
        elif kind == known[1]:
            bits = np.uint64(word_at(address + VALUE)) << np.uint64(1)
            out[i] = bits > _INFINITE
        for k in range(2, known.shape[0]):
            if address == known[k]:
                out[i] = 1
