"""Opening a file: plain or compressed, in whatever encoding it is written.

What a file is compressed with is told by its first bytes, its encoding by a byte order mark or by
a look at all of its bytes: bytes that are no UTF-8 are taken as Windows-1252 (or Latin-1 where
that has no such character), and the file says so in ``note``.
"""

from __future__ import annotations

import bz2
import codecs
import gzip
import io
import lzma
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import Any, BinaryIO, TextIO

from learnable.core.errors import DataError, LearnableError, ParameterError

CHUNK = 1 << 20
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_NOT_IN_1252 = bytes([0x81, 0x8D, 0x8F, 0x90, 0x9D])


class File:
    r"""A file of text that can be read again and again.

    Parameters
    ----------
    source : path or bytes
        The file, or its content; plain, or compressed by gzip, bzip2, xz, or zip (one member).
    encoding : str, optional
        How its text is encoded; found by default.

    Attributes
    ----------
    name : str
        What it is called in messages.
    encoding : str
        How its text is encoded.
    note : str
        What is odd about its encoding, if something is.

    Examples
    --------
    >>> from learnable.data.files.opening import File
    >>> file = File("größe\n1".encode("utf-16"))
    >>> file.encoding, file.text().readline()
    ('utf-16', 'größe\n')
    """

    def __init__(self, source: Any, encoding: str | None = None) -> None:
        if not isinstance(source, (str, PathLike, bytes)):
            msg = f"a file is given by its path or its bytes, not by a {type(source).__name__}"
            raise ParameterError(msg)
        self._content = source if isinstance(source, bytes) else None
        self.path = None if isinstance(source, bytes) else Path(source)
        self.name = "<bytes>" if self.path is None else self.path.name
        self.note = ""
        with self.reading():
            self._opener = _opener(self._raw())
            self.encoding = self._found() if encoding is None else self._known(encoding)

    def _raw(self) -> Any:
        """Return what can be opened: a path, or the content."""
        return io.BytesIO(self._content or b"") if self.path is None else self.path

    def _found(self) -> str:
        with self.binary() as stream:
            encoding = found_encoding(stream)
        if encoding in {"cp1252", "latin-1"}:
            self.note = f'bytes that are no UTF-8: read as {encoding}; or say encoding="..."'
        return encoding

    def _known(self, encoding: str) -> str:
        """Return the encoding by its usual name; a byte order mark is no part of the text."""
        try:
            name = codecs.lookup(encoding).name
        except LookupError as error:
            msg = f"encoding must be one that Python knows, not {encoding!r}"
            raise ParameterError(msg) from error
        if name not in {"utf-8", "utf-8-sig"}:
            return name
        with self.binary() as stream:
            return "utf-8-sig" if stream.read(3) == codecs.BOM_UTF8 else "utf-8"

    def binary(self) -> BinaryIO:
        """Open it, decompressed."""
        return self._opener(self._raw())

    def text(self) -> TextIO:
        """Open it, decompressed and decoded; ends of lines stay as they are."""
        return io.TextIOWrapper(self.binary(), self.encoding, newline="")

    def utf8(self) -> BinaryIO:
        """Open it, decompressed, in UTF-8 without a byte order mark."""
        if self.encoding == "utf-8":
            return self.binary()
        if self.encoding == "utf-8-sig":
            stream = self.binary()
            stream.read(len(codecs.BOM_UTF8))
            return stream
        return _Recoded(self.text())  # type: ignore[return-value]

    def size(self) -> int:
        """Return how many bytes there are, before decompression."""
        return len(self._content or b"") if self.path is None else self.path.stat().st_size

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Turn whatever goes wrong while the file is read into typed errors."""
        try:
            yield
        except LearnableError:
            raise
        except (EOFError, zlib.error, lzma.LZMAError, zipfile.BadZipFile, gzip.BadGzipFile) as e:
            raise DataError(
                f"{self.name}: its compression is damaged ({e}).",
                remedy="Get the file again.",
            ) from e
        except UnicodeError as error:
            raise DataError(
                f"{self.name}: is not encoded in {self.encoding} ({error}).",
                remedy='State how it is: encoding="...".',
            ) from error
        except OSError as error:
            if error.errno is None:
                raise DataError(f"{self.name}: its compression is damaged ({error}).") from error
            msg = f"{self.name}: cannot be read ({error.strerror or error})"
            raise ParameterError(msg) from error


class _Recoded(io.RawIOBase):
    """A text stream, as a binary one in UTF-8."""

    def __init__(self, text: TextIO) -> None:
        self._text, self._rest = text, b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if not self._rest:
            self._rest = self._text.read(CHUNK).encode("utf-8")
        part = self._rest[: len(buffer)]
        self._rest = self._rest[len(buffer) :]
        buffer[: len(part)] = part
        return len(part)

    def close(self) -> None:
        self._text.close()
        super().close()


def found_encoding(stream: BinaryIO) -> str:
    r"""Return how a stream of bytes is encoded.

    Parameters
    ----------
    stream : binary file
        Read to its end where no byte order mark says it.

    Examples
    --------
    >>> import io
    >>> from learnable.data.files.opening import found_encoding
    >>> found_encoding(io.BytesIO(b"caf\xe9")), found_encoding(io.BytesIO("café".encode()))
    ('cp1252', 'utf-8')
    """
    chunk = stream.read(CHUNK)
    for mark, encoding in _MARKS:
        if chunk.startswith(mark):
            return encoding
    if wide := _wide(chunk[:4096]):
        return wide
    decoder, valid, in_1252 = codecs.getincrementaldecoder("utf-8")(), True, True
    while chunk:
        if valid and not (chunk.isascii() and not decoder.getstate()[0]):
            valid = _decodes(decoder, chunk)
        if not chunk.isascii():
            in_1252 = in_1252 and not any(byte in chunk for byte in _NOT_IN_1252)
        chunk = stream.read(CHUNK)
    if valid and _decodes(decoder, b"", final=True):
        return "utf-8"
    return "cp1252" if in_1252 else "latin-1"


def _decodes(decoder: codecs.IncrementalDecoder, chunk: bytes, *, final: bool = False) -> bool:
    try:
        decoder.decode(chunk, final)
    except UnicodeDecodeError:
        return False
    return True


def _wide(head: bytes) -> str | None:
    """Return UTF-16 without a mark: every other byte is zero, the others hardly ever."""
    pairs = len(head) // 2
    even, odd = head[0::2].count(0), head[1::2].count(0)
    if pairs >= 2 and odd > 0.7 * pairs and even == 0:
        return "utf-16-le"
    return "utf-16-be" if pairs >= 2 and even > 0.7 * pairs and odd == 0 else None


def _opener(source: Any) -> Callable[[Any], BinaryIO]:
    """Return what opens the source, decompressed."""
    with _plain(source) as stream:
        head = stream.read(6)
    if head.startswith(b"\x1f\x8b"):
        return gzip.open  # type: ignore[return-value]
    if head.startswith(b"BZh") and head[3:4].isdigit():
        return bz2.open  # type: ignore[return-value]
    if head.startswith(b"\xfd7zXZ\x00"):
        return lzma.open  # type: ignore[return-value]
    return _only_member if head.startswith(b"PK\x03\x04") else _plain


def _plain(source: Any) -> BinaryIO:
    return source.open("rb") if isinstance(source, Path) else source


def _only_member(source: Any) -> BinaryIO:
    with zipfile.ZipFile(source) as archive:
        members = [name for name in archive.namelist() if not name.endswith("/")]
        if len(members) != 1:
            raise DataError(
                f"The zip archive has {len(members)} files: {', '.join(members[:5])}.",
                remedy="Take the one you mean out of it.",
            )
        return archive.open(members[0])  # type: ignore[return-value]
