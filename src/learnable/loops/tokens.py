"""From text to numbers of terms: words and slices of characters, found and numbered.

Text comes as UTF-8, the documents one after the other, ``ends`` saying where each ends. A term is
numbered by its first appearance, through a hash table with open addressing of at most half its
slots. Up to seven bytes of a term and their number are its key; longer terms have a hash for a key
and are compared as text. Where room runs out, a loop says so, and is run again with more. What a
character is, a table says (:data:`WORD`, :data:`SPACE`); one of 128 entries will do for ASCII.

Cost: a few operations a byte and one look-up a term.

References
----------
.. [1] G. Fowler, L. C. Noll, K.-P. Vo: The FNV non-cryptographic hash algorithm. 1991.
.. [2] D. E. Knuth: The Art of Computer Programming 3, section 6.4: hashing. 1998.
"""

from __future__ import annotations

import numpy as np

from learnable.core.compiler import loop

WORD, SPACE = 1, 2
PRIME, SPREAD = 1099511628211, -7046029254386353131
SHORT, LONG = 7, -1 << 56
NO_ID = -1


@loop(inline=True)
def _width(byte):
    """Bytes of the character that begins with this byte."""
    return 1 if byte < 128 else (2 if byte < 224 else (3 if byte < 240 else 4))


@loop(inline=True)
def _code(text, i, width):
    """Return the number of the character of this width at ``i``."""
    if width == 1:
        return np.int64(text[i])
    code = np.int64(text[i]) & (127 >> width)
    for k in range(1, width):
        code = (code << 6) | (text[i + k] & 63)
    return code


@loop(inline=True)
def slot_of(key, mask):
    """Return where to look first for a key, in a table of ``mask + 1`` slots."""
    mixed = key * SPREAD
    return (mixed ^ (mixed >> 32)) & mask


@loop(inline=True)
def _key_of(text, low, high):
    """Return the key of a term: that of a short one is no other term's, that of a long one < 0."""
    key = 0
    if high - low <= SHORT:
        for k in range(low, high):
            key = (key << 8) | np.int64(text[k])
        return key | ((high - low) << 56)
    for k in range(low, high):
        key = (key ^ np.int64(text[k])) * PRIME
    return key | LONG


@loop(inline=True)
def _run(text, i, end, classes, flag, wanted):
    """How many characters from ``i`` on are (or are not) of a class, and where they end."""
    characters = 0
    while i < end:
        width = _width(text[i])
        if ((classes[_code(text, i, width)] & flag) != 0) != wanted:
            break
        i += width
        characters += 1
    return characters, i


@loop(inline=True)
def _smaller(text, low, high):
    """Make A-Z small."""
    for k in range(low, high):
        if 65 <= text[k] <= 90:
            text[k] |= 32


@loop(ahead=[("uint8[::1]", "const int64[::1]", "const uint8[::1]", "boolean")])
def word_spans(text, ends, classes, lower):
    """Find the runs of two or more word characters; ``lower`` makes A-Z small, in the text too.

    Returns where they begin and end, and how many there are up to the end of each document.
    """
    room = text.shape[0] // 2 + 1
    lows, highs = np.empty(room, np.int32), np.empty(room, np.int32)
    places = np.empty(ends.shape[0], np.int64)
    made = i = 0
    for document in range(ends.shape[0]):
        end = ends[document]
        while i < end:
            low, characters, width = i, 0, 1
            while i < end:
                byte = text[i]
                if byte < 128:
                    width = 1
                    if not classes[byte] & WORD:
                        break
                    if lower and 65 <= byte <= 90:
                        text[i] = byte | 32
                else:
                    width = _width(byte)
                    if not classes[_code(text, i, width)] & WORD:
                        break
                i += width
                characters += 1
            if characters >= 2:
                lows[made], highs[made] = low, i
                made += 1
            if i < end:
                i += width
        places[document] = made
    return lows[:made], highs[:made], places


@loop(inline=True)
def _copied(text, low, high, out, made):
    """Append a part of a text, and return how much there is now."""
    for k in range(low, high):
        out[made] = text[k]
        made += 1
    return made


@loop(ahead=[("uint8[::1]", "const int64[::1]", "const uint8[::1]", "boolean", "boolean")])
def squeeze(text, ends, classes, lower, padded):
    """Make white space single: of two or more characters one blank, single ones stay.

    ``padded`` makes every white space one blank, and puts one before and after the words of a
    document; ``lower`` makes A-Z small. Returns text and ends.
    """
    out = np.empty(text.shape[0] + 2 * ends.shape[0], np.uint8)
    stops = np.empty(ends.shape[0], np.int64)
    i = made = 0
    if lower:
        _smaller(text, 0, text.shape[0])
    for document in range(ends.shape[0]):
        end, begin = ends[document], made
        while i < end:
            low = i
            spaces, i = _run(text, i, end, classes, SPACE, True)
            if (padded and i < end) or (not padded and spaces > 1):
                out[made] = 32
                made += 1
            elif not padded:
                made = _copied(text, low, i, out, made)
            low = i
            i = _run(text, i, end, classes, SPACE, False)[1]
            made = _copied(text, low, i, out, made)
        if padded and made > begin:
            out[made] = 32
            made += 1
        stops[document] = made
    return out[:made].copy(), stops


@loop(inline=True)
def _window(text, i, end, inside, marks):
    """Mark where each character of a document begins, or of a word and its blanks, and its end.

    Returns how many characters there are, and where the next window begins.
    """
    size = 0
    while i < end:
        blank = text[i] == 32
        marks[size] = i
        size += 1
        i += _width(text[i])
        if inside and blank and size > 1:
            break
    marks[size] = i
    # The blank after a word is the one before the next.
    return size, i - 1 if inside and i < end else i


@loop(inline=True)
def _longest(size, least, most, inside):
    """Return the longest slice of a window: a word that is too short is taken for long enough."""
    return min(most, max(size, least) if inside else size)


@loop
def _slices(text, ends, least, most, inside):
    """Count the slices that :func:`slice_spans` finds."""
    marks = np.empty(text.shape[0] + 1, np.int64)
    made = i = 0
    for document in range(ends.shape[0]):
        while i < ends[document]:
            size, i = _window(text, i, ends[document], inside, marks)
            for order in range(least, _longest(size, least, most, inside) + 1):
                made += size - min(order, size) + 1
    return made


@loop(ahead=[("const uint8[::1]", "const int64[::1]", "int64", "int64", "boolean")])
def slice_spans(text, ends, least, most, inside):
    """Find the slices of ``least`` to ``most`` characters of each document.

    ``inside`` keeps to words with the blanks around them (of :func:`squeeze`, padded); a word that
    is too short counts once, as a whole. Returns what :func:`word_spans` does.
    """
    room = _slices(text, ends, least, most, inside)
    lows, highs = np.empty(room, np.int32), np.empty(room, np.int32)
    places = np.empty(ends.shape[0], np.int64)
    marks = np.empty(text.shape[0] + 1, np.int64)
    made = i = 0
    for document in range(ends.shape[0]):
        while i < ends[document]:
            size, i = _window(text, i, ends[document], inside, marks)
            for order in range(least, _longest(size, least, most, inside) + 1):
                taken = min(order, size)
                for first in range(size - taken + 1):
                    lows[made], highs[made] = marks[first], marks[first + taken]
                    made += 1
        places[document] = made
    return lows, highs, places


@loop(
    ahead=[
        (
            *("const uint8[::1]", "const int32[::1]", "const int32[::1]", "int32[::1]"),
            *("int32[::1]", "int64[::1]", "int64[::1]", "uint8[::1]", "int64"),
        )
    ]
)
def number_spans(text, lows, highs, ids, slots, keys, bounds, terms, count):
    """Give numbers to the terms at spans of a text, new ones after the ``count`` known ones.

    The bytes of the known terms are in ``terms``, from ``bounds[i]`` to ``bounds[i + 1]``. Returns
    how many terms there are, -1 when there is no room for more.
    """
    mask = slots.shape[0] - 1
    for p in range(lows.shape[0]):
        low, size = np.int64(lows[p]), np.int64(highs[p]) - np.int64(lows[p])
        key = _key_of(text, low, low + size)
        slot = slot_of(key, mask)
        while slots[slot] >= 0:
            one = np.int64(slots[slot])
            if keys[one] == key:
                first = bounds[one]
                k = size if key >= 0 or bounds[one + 1] - first != size else 0
                alike = key >= 0
                while k < size and terms[first + k] == text[low + k]:
                    k += 1
                    alike = k == size
                if alike:
                    break
            slot = (slot + 1) & mask
        if slots[slot] < 0:
            if count == keys.shape[0] or bounds[count] + size > terms.shape[0]:
                return NO_ID
            slots[slot], keys[count] = count, key
            first = bounds[count]
            for k in range(size):
                terms[first + k] = text[low + k]
            bounds[count + 1] = first + size
            count += 1
        ids[p] = slots[slot]
    return count
