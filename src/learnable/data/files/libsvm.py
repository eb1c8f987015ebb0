"""LIBSVM (SVMlight) files: a target, then the numbers that are not zero, each with its place.

``1.5 1:0.5 7:2 # comment``: places ascend, from 1 (or from 0, where one is 0).
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from learnable.core.errors import DataError, ParameterError
from learnable.data.files.opening import File

_LARGEST = 2**31 - 1


class Sparse(NamedTuple):
    """Sparse numbers and a target.

    Attributes
    ----------
    X : scipy.sparse.csr_array (n, d)
        The numbers.
    y : array (n,) of float64
        The target.

    Examples
    --------
    >>> from learnable.data import read_libsvm
    >>> read_libsvm(b"1 2:0.5").X.shape
    (1, 2)
    """

    X: Any
    y: NDArray[np.float64]


class _Taken:
    """The cells read so far, compact."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.y, self.values = array("d"), array("d")
        self.places, self.ends = array("q"), array("q", [0])

    def take(self, words: list[str], number: int) -> None:
        self.y.append(self._number(words[0], number, None))
        last = -1
        for word in words[1:]:
            place, colon, value = word.partition(":")
            if not colon or not (place.isascii() and place.isdigit()) or len(place) > 10:
                self._refuse(number, "a cell is not written as place:number", word, None)
            at = int(place)
            if at <= last or at > _LARGEST:
                self._refuse(number, "places do not ascend, or one is too large", word, at)
            self.places.append(at)
            self.values.append(self._number(value, number, at))
            last = at
        self.ends.append(len(self.places))

    def _number(self, text: str, number: int, column: int | None) -> float:
        try:
            return float(text.replace("_", "no digit"))
        except ValueError:
            what = "a target is no number" if column is None else "a cell is no number"
            self._refuse(number, what, text, column)

    def _refuse(self, line: int, what: str, value: str, column: int | None) -> NoReturn:
        raise DataError(
            f"{self.name}, line {line}: {what}.",
            row=len(self.ends) - 1,
            column=column,
            value=value[:80],
            remedy="Write: target place:number place:number ..., places ascending.",
        )


def _lines(file: File) -> Iterator[tuple[int, list[str]]]:
    with file.reading(), file.text() as text:
        for number, line in enumerate(text, 1):
            words = line.partition("#")[0].split()
            if words:
                yield number, words


def read_libsvm(
    source: Any, *, d: int | None = None, from_zero: bool | None = None, encoding: str | None = None
) -> Sparse:
    r"""Read a LIBSVM (SVMlight) file into memory; it does not stream.

    Parameters
    ----------
    source : path or bytes
        The file; gzip, bzip2, xz and zip are opened.
    d : int, optional
        Number of columns; the largest place in the file by default.
    from_zero : bool, optional
        Whether places begin with 0; by default they do if one of them is 0.
    encoding : str, optional
        How it is encoded; found by default.

    Returns
    -------
    Sparse
        ``X`` in compressed rows, and ``y``.

    Notes
    -----
    Cost: one pass; 16 bytes a cell that is not zero.

    References
    ----------
    Chang, C.-C., Lin, C.-J. (2011). LIBSVM: a library for support vector machines. ACM TIST 2(3).

    Examples
    --------
    >>> from learnable.data import read_libsvm
    >>> X, y = read_libsvm(b"1 1:0.5 3:2\n-1 2:1\n")
    >>> X.toarray(), y
    (array([[0.5, 0. , 2. ],
           [0. , 1. , 0. ]]), array([ 1., -1.]))
    """
    from scipy.sparse import csr_array

    file = File(source, encoding)
    taken = _Taken(file.name)
    for number, words in _lines(file):
        taken.take(words, number)
    if not taken.y:
        raise DataError(f"{file.name}: there is nothing in it.", remedy="Give a file of rows.")
    places = np.frombuffer(taken.places, dtype=np.int64)
    lowest, highest = (int(places.min()), int(places.max())) if len(places) else (1, 0)
    first = 1 if (from_zero is None and lowest > 0) or from_zero is False else 0
    if lowest < first:
        raise DataError(f"{file.name}: a place is 0.", remedy="State from_zero=True.")
    width = highest - first + 1 if d is None else d
    if width < highest - first + 1:
        raise DataError(
            f"{file.name}: there are {highest - first + 1} columns, not {d}.",
            remedy="State a larger d.",
        )
    index = np.int32 if len(places) <= _LARGEST else np.int64
    ends = np.frombuffer(taken.ends, dtype=np.int64).astype(index)
    cells = np.frombuffer(taken.values, dtype=np.float64), (places - first).astype(index), ends
    return Sparse(csr_array(cells, shape=(len(taken.y), width)), np.array(taken.y))


def write_libsvm(X: Any, y: Any, path: str | Path, *, from_zero: bool = False) -> None:
    r"""Write sparse numbers and a target as a LIBSVM (SVMlight) file; zeros are left out.

    Parameters
    ----------
    X : array or sparse matrix (n, d)
        The numbers.
    y : array (n,)
        The target.
    path : path
        Where to.
    from_zero : bool
        Whether places begin with 0.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from learnable.data import write_libsvm
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "two.svm"
    >>> write_libsvm([[0.5, 0.0], [0.0, 2.0]], [1, -1], file)
    >>> file.read_text()
    '1.0 1:0.5\n-1.0 2:2.0\n'
    """
    from scipy.sparse import csr_array

    rows, target = csr_array(X, dtype=np.float64), np.asarray(y, dtype=np.float64)
    rows.sum_duplicates()
    if target.shape != (rows.shape[0],):
        raise DataError(f"X has {rows.shape[0]} rows, y the shape {target.shape}.")
    first = 0 if from_zero else 1
    try:
        with Path(path).open("w", encoding="ascii", newline="") as file:
            for i, label in enumerate(target.tolist()):
                cells = slice(rows.indptr[i], rows.indptr[i + 1])
                pairs = zip(rows.indices[cells].tolist(), rows.data[cells].tolist(), strict=True)
                words = [f"{j + first}:{value!r}" for j, value in pairs if value != 0]
                file.write(" ".join([repr(label), *words]) + "\n")
    except OSError as error:
        msg = f"{path}: cannot be written ({error.strerror})"
        raise ParameterError(msg) from error
