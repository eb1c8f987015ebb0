"""Mutated model files: what a bad disk, a bad copy or a bad person may hand to ``load``.

``mutations(data, seed, count)`` yields, always the same for the same arguments, ``count`` changed
files, each in two forms: with the seal of the file that it was made from, and with a seal (and
checksums) renewed after the change. ``survey`` holds a learner against them.
"""

from __future__ import annotations

import json
from collections import Counter
from random import Random
from typing import NamedTuple

import numpy as np

from learnable.core.errors import LearnableError, ModelFileError
from learnable.estimator.sealed_zip import assemble, disassemble, reseal

SEAL = len("learnable-seal-1:") + 64
NUMBERS = (
    0, 1, -1, 2, 3, 7, 255, 256, -(2**31), 2**31, 2**53, 2**63 - 1, -(2**63), 2**64 - 1, 2**64,
    10**30, 0.5, -0.5, 1e-320, 1e18, 1e308, -1e308,
)  # fmt: skip
WORDS = (
    "NaN", "Infinity", "-Infinity", "1e999", "null", "true", "false", '""', '"a"', "[]", "{}",
    '"\\ud800"', '"\\u0000"', '{"float":"nan"}', '{"float":"-inf"}', '{"array":0}', '{"tuple":[1]}',
    '{"text":[{"array":0},{"array":1},"U9"]}', "[[]]", "-", '"passthrough"', '{"dict":[[1,2]]}',
)  # fmt: skip
CELLS = (0.0, -0.0, -1.0, 1.0, 1e308, -1e308, 5e-324, np.inf, -np.inf, np.nan, 2.0**53, 0.5)
DTYPES = (
    "float64", "float32", "int64", "int32", "int16", "int8", "uint64", "uint32", "uint16", "uint8",
    "bool", "object", "<f8",
)  # fmt: skip


class Mutation(NamedTuple):
    """One changed file in both of its forms."""

    kind: str
    unsealed: bytes
    resealed: bytes


def mutations(data, seed, count):
    """Yield changed files; none of the unsealed ones equals the file itself."""
    random = Random(seed)  # noqa: S311
    made = 0
    while made < count:
        kind, change = random.choice(KINDS)
        changed = change(data, random)
        if changed is None:
            continue
        unsealed, resealed = changed
        if unsealed != data:
            made += 1
            yield Mutation(kind, unsealed, resealed)


def survey(data, load, use, *, seed, count):
    """Hold the promise of model files against changed ones; return what happened how often.

    ``load`` makes a model of bytes and ``use`` predicts with it; ``use`` may refuse with an error
    of the library, anything else is a crash.
    """
    tally = Counter()
    for number, (kind, unsealed, resealed) in enumerate(mutations(data, seed, count)):
        where = f"mutation {number} of seed {seed}, {kind}"
        try:
            load(unsealed)
        except ModelFileError:
            tally["unsealed refused"] += 1
        else:
            msg = f"{where}: an unsealed file was loaded"
            raise AssertionError(msg)
        try:
            model = load(resealed)
        except ModelFileError:
            tally["resealed refused"] += 1
            continue
        except Exception as error:
            msg = f"{where}: load raised {type(error).__name__}"
            raise AssertionError(msg) from error
        try:
            use(model)
        except LearnableError:
            tally["loaded, refused to predict"] += 1
        except Exception as error:
            msg = f"{where}: a loaded model crashed with {type(error).__name__}"
            raise AssertionError(msg) from error
        else:
            tally["loaded, predicted"] += 1
    return dict(tally)


# ----------------------------------------------------------------------- changes of the raw bytes


def _both(changed):
    return changed, reseal(changed)


def _flip(data, random):
    changed = bytearray(data)
    for _ in range(random.choice((1, 1, 1, 2, 8))):
        changed[random.randrange(len(data))] ^= 1 << random.randrange(8)
    return _both(bytes(changed))


def _edit(data, random):
    changed = bytearray(data)
    start = random.randrange(len(data))
    for place in range(start, min(start + random.choice((1, 2, 4, 8)), len(data))):
        changed[place] = random.choice((0, 1, 127, 128, 255, random.randrange(256)))
    return _both(bytes(changed))


def _cut(data, random):
    return _both(data[: random.randrange(len(data))])


def _cut_front(data, random):
    return _both(data[random.randrange(1, len(data)) :])


def _insert(data, random):
    place = random.randrange(len(data) + 1)
    return _both(data[:place] + random.randbytes(random.choice((1, 4, 64))) + data[place:])


def _drop(data, random):
    place = random.randrange(len(data))
    return _both(data[:place] + data[place + random.choice((1, 4, 64)) :])


def _swap(data, random):
    size = random.choice((1, 4, 8, 64))
    first, second = sorted(random.randrange(max(len(data) - size, 1)) for _ in range(2))
    second = max(second, first + size)
    moved = data[second : second + size], data[first + size : second], data[first : first + size]
    return _both(data[:first] + b"".join(moved) + data[second + size :])


def _double(data, random):
    return _both(data + data if random.random() < 0.5 else data[:-SEAL] + data)


def _header(data, random):
    """Aim at the headers of the zip, of which most bytes of a file are not."""
    marks = [i for i in range(len(data) - 3) if data[i : i + 2] == b"PK"]
    changed = bytearray(data)
    changed[min(random.choice(marks) + random.randrange(50), len(data) - 1)] = random.randrange(256)
    return _both(bytes(changed))


# ---------------------------------------------------------------- changes of the parts of the file


def _rebuilt(data, text, arrays):
    """Put the parts together again: once with the old seal, once with the right one."""
    changed = b"".join(assemble([text, *arrays]))
    return changed[:-SEAL] + data[-SEAL:], changed


def _taken_apart(data):
    text, *arrays = map(bytes, disassemble(data))
    return text.decode("ascii"), arrays


def _places(tree, path=()):
    """Return the paths to every value of a document."""
    found = [path] if path else []
    if isinstance(tree, (dict, list)):
        for key, value in tree.items() if isinstance(tree, dict) else enumerate(tree):
            found += _places(value, (*path, key))
    return found


def _holder(document, path):
    for key in path[:-1]:
        document = document[key]
    return document


def _of_document(change):
    def changed(data, random):
        text, arrays = _taken_apart(data)
        document = json.loads(text)
        marker = change(document, random)
        if marker is None:
            return None
        text = json.dumps(document, separators=(",", ":"))
        for old, new in marker.items():
            text = text.replace(json.dumps(old), new)
        return _rebuilt(data, text.encode(), arrays)

    return changed


def _path(document, random, wanted=lambda _: True):
    paths = [p for p in _places(document) if wanted(_holder(document, p)[p[-1]])]
    return random.choice(paths) if paths else None


def _is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


@_of_document
def _number(document, random):
    path = _path(document, random, _is_number)
    if path is None:
        return None
    _holder(document, path)[path[-1]] = random.choice(NUMBERS)
    return {}


@_of_document
def _step(document, random):
    """Move a number a little: indices and sides that are nearly right."""
    path = _path(document, random, _is_number)
    if path is None:
        return None
    _holder(document, path)[path[-1]] += random.choice((-2, -1, 1, 2))
    return {}


@_of_document
def _word(document, random):
    path = _path(document, random)
    _holder(document, path)[path[-1]] = "a marker"
    return {"a marker": random.choice(WORDS)}


@_of_document
def _exchange(document, random):
    """Exchange two values of the same type: array numbers, shapes, names, steps."""
    first = _path(document, random)
    kind = type(_holder(document, first)[first[-1]])
    second = _path(document, random, lambda value: type(value) is kind)
    if first[: len(second)] == second or second[: len(first)] == first:
        return None
    one, other = _holder(document, first), _holder(document, second)
    one[first[-1]], other[second[-1]] = other[second[-1]], one[first[-1]]
    return {}


@_of_document
def _exchange_arrays(document, random):
    paths = [p for p in _places(document["model"]) if p[-1] == "array"]
    if len(paths) < 2:
        return None
    first, second = random.sample(paths, 2)
    one, other = _holder(document["model"], first), _holder(document["model"], second)
    one["array"], other["array"] = other["array"], one["array"]
    return {}


@_of_document
def _drop_key(document, random):
    path = _path(document, random)
    del _holder(document, path)[path[-1]]
    return {}


@_of_document
def _copy_value(document, random):
    """Put one part of the model in the place of another."""
    source, goal = _path(document, random), _path(document, random)
    value = json.loads(json.dumps(_holder(document, source)[source[-1]]))
    _holder(document, goal)[goal[-1]] = value
    return {}


@_of_document
def _add_key(document, random):
    path = _path(document, random, lambda value: isinstance(value, dict))
    _holder(document, path)[path[-1]][random.choice(("classes_", "x", "__class__", "array"))] = 1
    return {}


def _double_key(data, random):
    text, arrays = _taken_apart(data)
    places = [i for i in range(len(text)) if text.startswith('":', i)]
    end = random.choice(places)
    key = text[text.rindex('"', 0, end) : end + 2]
    start = text.rindex('"', 0, end)
    return _rebuilt(data, f"{text[:start]}{key}0,{text[start:]}".encode(), arrays)


@_of_document
def _shape(document, random):
    table = document["arrays"]
    if not table:
        return None
    row = random.choice(table)
    choice = random.randrange(6)
    if choice == 0:
        row.append(random.choice((0, 1, -1, 2**62)))
    elif choice == 1 and len(row) > 1:
        row.pop()
    elif choice == 2 and len(row) > 2:
        row[1:] = row[:0:-1]
    elif choice == 3 and len(row) > 1:
        row[1:] = [int(np.prod(row[1:]))]
    elif len(row) > 1:
        row[random.randrange(1, len(row))] = random.choice((*NUMBERS, None, "3", True, [1]))
    return {}


@_of_document
def _dtype(document, random):
    if not document["arrays"]:
        return None
    random.choice(document["arrays"])[0] = random.choice(DTYPES)
    return {}


def _resized(data, random):
    """Change dtype or shape so that the size still fits."""
    text, arrays = _taken_apart(data)
    document = json.loads(text)
    if not arrays:
        return None
    number = random.randrange(len(arrays))
    dtype = np.dtype(random.choice(DTYPES[:-2]))
    cells = len(arrays[number]) // dtype.itemsize
    shapes = ([cells], [1, cells], [cells, 1], [2, cells // 2], [cells // 3, 3])
    shape = random.choice(shapes)
    document["arrays"][number] = [dtype.name, *shape]
    arrays[number] = arrays[number][: int(np.prod(shape)) * dtype.itemsize]
    return _rebuilt(data, json.dumps(document, separators=(",", ":")).encode(), arrays)


def _cell(data, random):
    text, arrays = _taken_apart(data)
    table = json.loads(text)["arrays"]
    number = random.randrange(len(arrays)) if arrays else 0
    if not arrays or not arrays[number]:
        return None
    array = np.frombuffer(arrays[number], table[number][0]).copy()
    for _ in range(random.choice((1, 1, 4))):
        place = random.randrange(len(array))
        if array.dtype.kind == "f":
            with np.errstate(over="ignore"):
                array[place] = random.choice(CELLS)
        elif array.dtype.kind == "b":
            array.view(np.uint8)[place] = random.choice((0, 1, 2, 255))
        else:
            limits = np.iinfo(array.dtype)
            near = [int(array[place]) + step for step in (-1, 1)]
            cells = [0, 1, 127, limits.min, limits.max, limits.max // 2, *near]
            array[place] = random.choice([c for c in cells if limits.min <= c <= limits.max])
    arrays[number] = array.tobytes()
    return _rebuilt(data, text.encode(), arrays)


def _exchange_bytes(data, random):
    """Exchange two array entries; leave the table as it is."""
    text, arrays = _taken_apart(data)
    if len(arrays) < 2:
        return None
    first, second = random.sample(range(len(arrays)), 2)
    arrays[first], arrays[second] = arrays[second], arrays[first]
    return _rebuilt(data, text.encode(), arrays)


def _more_or_fewer(data, random):
    text, arrays = _taken_apart(data)
    if arrays and random.random() < 0.5:
        del arrays[random.randrange(len(arrays))]
    else:
        arrays.insert(random.randrange(len(arrays) + 1), random.randbytes(8))
    return _rebuilt(data, text.encode(), arrays)


RAW = (_flip, _edit, _cut, _cut_front, _insert, _drop, _swap, _double, _header)
PARTS = (
    _number, _step, _word, _exchange, _exchange_arrays, _drop_key, _copy_value, _add_key,
    _double_key, _shape, _dtype, _resized, _exchange_bytes, _more_or_fewer, *[_cell] * 8,
)  # fmt: skip
NAMES = {id(value): name.lstrip("_") for name, value in list(globals().items()) if callable(value)}
KINDS = tuple((NAMES[id(change)], change) for change in (*RAW, *PARTS))
