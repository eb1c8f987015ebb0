"""The container of model files: an ordinary zip that has exactly one form, sealed by its hash.

A file that comes from elsewhere must never crash the process or fill the memory. Here the reader
computes the only headers that the writer could have written for the sizes it finds, and compares:
so no entry is compressed, encrypted, hidden, doubled or overlapping, and nothing stands before,
between or behind the entries. The entries are ``model.json``, then ``arrays/0.bin``,
``arrays/1.bin``, ...; they are stored, not deflated, bear a fixed date, and begin at multiples of
64 (the extra field of each header is padded), so the same content gives the same bytes and any
unzip opens them. The comment of the zip is ``learnable-seal-1:`` and the SHA-256 of all bytes
before the comment. The seal finds damage. It is no signature, as anybody can renew it: what
protects a reader are the checks.

Cost: one SHA-256 and one CRC-32 over the bytes; entries are views, nothing is copied.

References
----------
PKWARE (2022), *APPNOTE.TXT: .ZIP File Format Specification*, version 6.3.10.
NIST (2015), *Secure Hash Standard*, FIPS 180-4.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterable, Sequence
from typing import Final, NoReturn
from zlib import crc32

from learnable.core.errors import ModelFileError, ParameterError

Piece = bytes | bytearray | memoryview

ALIGNMENT: Final = 64
MAX_FILE: Final = (1 << 32) - 1
MAX_ENTRIES: Final = (1 << 16) - 2

_SEAL: Final = b"learnable-seal-1:"
_SEAL_OF_ANY_VERSION: Final = b"learnable-seal-"
_COMMENT: Final = len(_SEAL) + 64
_LOCAL: Final = struct.Struct("<4s5H3I2H")
_CENTRAL: Final = struct.Struct("<4s6H3I5H2I")
_END: Final = struct.Struct("<4s4H2IH")
_PADDING: Final = struct.Struct("<HHH")
_LOCAL_MARK, _CENTRAL_MARK, _END_MARK = b"PK\3\4", b"PK\1\2", b"PK\5\6"
_VERSION, _UNIX, _STORED, _MIDNIGHT, _FIRST_DAY = 20, 3 << 8, 0, 0, 0x0021
_PADDING_ID: Final = 0xD935
_MODE: Final = 0o100644 << 16
_MOST_OVERHEAD: Final = 256

TAIL: Final = _END.size + _COMMENT
"""Bytes at the end of the file that tell whether it is one of ours."""


def damaged(message: str) -> NoReturn:
    """Refuse a file that is not as the library writes it."""
    remedy = "Copy it again from where it was saved, or save the model anew."
    msg = f"The model file cannot be read: {message}. {remedy}"
    raise ModelFileError(msg)


def too_new() -> NoReturn:
    """Refuse a file of a later format."""
    msg = "The model file was written by a newer version of learnable. Upgrade learnable."
    raise ModelFileError(msg)


def too_large(message: str) -> NoReturn:
    """Refuse to write what a reader would have to refuse."""
    msg = f"The model cannot be saved: {message}."
    raise ParameterError(msg)


def assemble(entries: Sequence[Piece]) -> list[Piece]:
    """Lay out the bytes of ``model.json`` and of each array as the pieces of a sealed file.

    Examples
    --------
    >>> from learnable.estimator.sealed_zip import assemble, disassemble
    >>> data = b"".join(assemble([b"{}", b"12345678"]))
    >>> [bytes(entry) for entry in disassemble(data)]
    [b'{}', b'12345678']
    """
    if len(entries) > MAX_ENTRIES:
        too_large(f"it has more than {MAX_ENTRIES - 1} arrays")
    if sum(map(len, entries)) + _MOST_OVERHEAD * (len(entries) + 1) > MAX_FILE:
        too_large("it takes more than 4 GiB")
    pieces: list[Piece] = []
    directory: list[bytes] = []
    offset = 0
    for number, entry in enumerate(entries):
        facts = _name(number), crc32(entry), len(entry), offset
        header = _local(*facts)
        directory.append(_central(*facts))
        pieces += [header, entry]
        offset += len(header) + len(entry)
    central = b"".join(directory)
    pieces.append(central + _end(len(entries), len(central), offset))
    return [*pieces, _seal(pieces)]


def disassemble(data: Piece) -> list[memoryview]:
    """Check the bytes of a sealed file and return its entries, as read-only views.

    Examples
    --------
    >>> from learnable.estimator.sealed_zip import assemble, disassemble
    >>> data = bytearray(b"".join(assemble([b"{}"])))
    >>> data[0] ^= 1
    >>> disassemble(data)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    learnable.core.errors.ModelFileError: The model file cannot be read: its content does not ...
    """
    view = memoryview(data).cast("B").toreadonly()
    check_tail(view[-TAIL:])
    if _seal([view[:-_COMMENT]]) != view[-_COMMENT:]:
        damaged("its content does not match its seal, so it was damaged or changed")
    end = len(view) - TAIL
    count, size, directory = _END.unpack_from(view, end)[4:7]
    if view[end : end + _END.size] != _end(count, size, directory) or directory + size != end:
        damaged("its list of entries is not where it should be")
    entries: list[memoryview] = []
    offset, position = 0, directory
    for number in range(count):
        record, header, entry = _entry(view[:end], _name(number), position, offset)
        entries.append(entry)
        position += record
        offset += header + len(entry)
    if not entries or position != end or offset != directory:
        damaged("its entries do not fill it exactly")
    return entries


def check_tail(tail: memoryview) -> None:
    """Refuse a file whose last :data:`TAIL` bytes are not those of a sealed file."""
    if len(tail) == TAIL and tail[:4] == _END_MARK:
        if tail[_END.size :][: len(_SEAL)] == _SEAL:
            return
        if tail[_END.size :][: len(_SEAL_OF_ANY_VERSION)] == _SEAL_OF_ANY_VERSION:
            too_new()
    damaged("it does not end in the seal of a model file, so it is none or was cut short")


def reseal(data: bytes) -> bytes:
    """Renew checksums and seal of a file that was edited on purpose; sizes must be unchanged.

    Where the parts are not found, only the last bytes are replaced by a new seal.

    Examples
    --------
    >>> from learnable.estimator.sealed_zip import assemble, disassemble, reseal
    >>> edited = b"".join(assemble([b"[41]"])).replace(b"41", b"42")
    >>> bytes(disassemble(reseal(edited))[0])
    b'[42]'
    """
    body = bytearray(data[: max(len(data) - _COMMENT, 0)])
    end = len(body) - _END.size
    position = _END.unpack_from(body, end)[6] if end >= 0 else 0
    while 0 <= position <= end - _CENTRAL.size and body[position : position + 4] == _CENTRAL_MARK:
        fields = _CENTRAL.unpack_from(body, position)
        size, name, start = fields[9], fields[10], fields[16]
        if start <= end - _LOCAL.size:
            first = start + _LOCAL.size + sum(_LOCAL.unpack_from(body, start)[9:])
            checksum = struct.pack("<I", crc32(body[first : first + size]))
            body[start + 14 : start + 18] = body[position + 16 : position + 20] = checksum
        position += _CENTRAL.size + name
    return bytes(body) + _seal([body])


def _entry(
    view: memoryview, name: bytes, position: int, offset: int
) -> tuple[int, int, memoryview]:
    """Return the lengths of both headers of one entry, and its bytes."""
    if position + _CENTRAL.size > len(view):
        damaged("its list of entries is cut short")
    fields = _CENTRAL.unpack_from(view, position)
    if fields[3] & 1 or fields[4] != _STORED:
        damaged("an entry is compressed or encrypted, which model files never are")
    facts = name, fields[7], fields[9], offset
    record, header = _central(*facts), _local(*facts)
    first = offset + len(header)
    if view[position : position + len(record)] != record or view[offset:first] != header:
        damaged(f"the headers of the entry {name.decode()} are not as they should be")
    entry = view[first : first + fields[9]]
    if crc32(entry) != fields[7]:
        damaged(f"the checksum of the entry {name.decode()} is wrong")
    return len(record), len(header), entry


def _name(number: int) -> bytes:
    return b"arrays/%d.bin" % (number - 1) if number else b"model.json"


def _local(name: bytes, checksum: int, size: int, offset: int) -> bytes:
    padding = -(offset + _LOCAL.size + len(name) + _PADDING.size) % ALIGNMENT
    extra = _PADDING.pack(_PADDING_ID, 2 + padding, ALIGNMENT) + bytes(padding)
    head = _LOCAL.pack(
        _LOCAL_MARK, _VERSION, 0, _STORED, _MIDNIGHT, _FIRST_DAY,
        checksum, size, size, len(name), len(extra),
    )  # fmt: skip
    return head + name + extra


def _central(name: bytes, checksum: int, size: int, offset: int) -> bytes:
    head = _CENTRAL.pack(
        _CENTRAL_MARK, _UNIX | _VERSION, _VERSION, 0, _STORED, _MIDNIGHT, _FIRST_DAY,
        checksum, size, size, len(name), 0, 0, 0, 0, _MODE, offset,
    )  # fmt: skip
    return head + name


def _end(count: int, size: int, offset: int) -> bytes:
    return _END.pack(_END_MARK, 0, 0, count, count, size, offset, _COMMENT)


def _seal(pieces: Iterable[Piece]) -> bytes:
    digest = hashlib.sha256()
    for piece in pieces:
        digest.update(piece)
    return _SEAL + digest.hexdigest().encode("ascii")
