"""Documents come in: any iterable of them, in blocks on a fixed grid, decoded where needed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from learnable.core.errors import DataError
from learnable.data import Table, is_frame, is_sparse

BLOCK_CHARACTERS = 1 << 20
BLOCK_DOCUMENTS = 4096
BLOCK_FILES = 16


class Documents(NamedTuple):
    """Neighbouring documents, as they were given.

    Examples
    --------
    >>> from learnable.feature_extraction.documents import Documents
    >>> list(Documents(7, [b"a", b"b"]).read(bytes.decode))
    ['a', 'b']
    """

    start: int
    given: list[Any]

    def read(self, decode: Callable[[Any], Any]) -> Iterator[Any]:
        """Decode each; one that cannot be used is named by its number."""
        for row, doc in enumerate(self.given, self.start):
            try:
                yield decode(doc)
            except DataError as error:
                error.row = row
                raise


def in_blocks(
    documents: Iterable[Any], *, files: bool = False, characters: int = BLOCK_CHARACTERS
) -> Iterator[Documents]:
    """Cut an iterable into blocks of about so many characters, or of a few files.

    Examples
    --------
    >>> from learnable.feature_extraction.documents import in_blocks
    >>> [(block.start, len(block.given)) for block in in_blocks(["a"] * 5000)]
    [(0, 4096), (4096, 904)]
    """
    start, size, given = 0, 0, []
    most = BLOCK_FILES if files else BLOCK_DOCUMENTS
    for doc in documents:
        given.append(doc)
        size += len(doc) if isinstance(doc, (str, bytes)) else 1
        if size >= characters or len(given) == most:
            yield Documents(start, given)
            start, size, given = start + len(given), 0, []
    if given:
        yield Documents(start, given)


def documents_of(documents: Any) -> Any:
    """Return the iterable of documents; refuse one string, a table of many columns, numbers.

    Examples
    --------
    >>> from learnable.data import Table
    >>> from learnable.feature_extraction.documents import documents_of
    >>> documents_of(["one document", "another one"])
    ['one document', 'another one']
    """
    if isinstance(documents, Table) and len(documents.schema) == 1:
        return documents.labels(documents.schema.names[0])
    if isinstance(documents, (str, bytes)):
        raise DataError(
            "Iterable over raw text documents expected, string object received.",
            remedy="Put the one document into a list.",
        )
    wide = getattr(documents, "ndim", 1) != 1 or isinstance(documents, Table)
    if wide or is_sparse(documents) or (is_frame(documents) and not hasattr(documents, "dtype")):
        raise DataError(
            "Documents come as one column of texts, not as a table.",
            remedy="Pass the column of the texts alone.",
        )
    if not hasattr(documents, "__iter__"):
        raise DataError(
            f"Documents come as a list or another iterable, not as {type(documents).__name__}.",
            remedy="Put the documents into a list.",
        )
    return documents
