"""The different values of a column, in order of first appearance, and the place of every cell.

Keys stand in a table of open addressing that doubles when it is half full, so that a column of few
values stays in the processor's cache. Cost: one look-up a cell.
"""

from __future__ import annotations

import numpy as np

from learnable.core.compiler import loop

_SPREAD = np.uint64(0x9E3779B97F4A7C15)
_HALF = np.uint64(29)
_SMALL = 1024


@loop(fastmath=False)
def _mixed(key):
    h = np.uint64(key) * _SPREAD
    return h ^ (h >> _HALF)


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
    first = np.empty(size, np.int64)
    count = 0
    for i in range(n):
        key = keys[i]
        mask = np.uint64(size - 1)
        slot = _mixed(key) & mask
        while table[slot] >= 0 and keys[first[table[slot]]] != key:
            slot = (slot + np.uint64(1)) & mask
        if table[slot] < 0:
            table[slot] = count
            first[count] = i
            count += 1
            codes[i] = count - 1
            if 2 * count > size:
                size *= 2
                grown = np.empty(size, np.int64)
                grown[:count] = first[:count]
                first = grown
                table = np.full(size, np.int32(-1))
                mask = np.uint64(size - 1)
                for c in range(count):
                    slot = _mixed(keys[first[c]]) & mask
                    while table[slot] >= 0:
                        slot = (slot + np.uint64(1)) & mask
                    table[slot] = c
        else:
            codes[i] = table[slot]
    return first[:count].copy()


@loop(fastmath=False, ahead=[("const uint32[:, ::1]", "int32[::1]")])
def places_of_words(words, codes):
    """Do the same for keys of several words, such as the characters of strings."""
    n = words.shape[0]
    size = _SMALL
    table = np.full(size, np.int32(-1))
    first = np.empty(size, np.int64)
    hashes = np.empty(size, np.uint64)
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
            first[count] = i
            hashes[count] = h
            count += 1
            codes[i] = count - 1
            if 2 * count > size:
                size *= 2
                grown = np.empty(size, np.int64)
                grown[:count] = first[:count]
                first = grown
                kept = np.empty(size, np.uint64)
                kept[:count] = hashes[:count]
                hashes = kept
                table = np.full(size, np.int32(-1))
                mask = np.uint64(size - 1)
                for c in range(count):
                    slot = hashes[c] & mask
                    while table[slot] >= 0:
                        slot = (slot + np.uint64(1)) & mask
                    table[slot] = c
        else:
            codes[i] = table[slot]
    return first[:count].copy()
