"""The container: one form only, any unzip opens it, any other byte is refused."""

from __future__ import annotations

import hashlib
import io
import struct
import zipfile

import numpy as np
import pytest

from learnable.core.errors import ModelFileError, ParameterError
from learnable.estimator.sealed_zip import (
    ALIGNMENT,
    MAX_ENTRIES,
    MAX_FILE,
    assemble,
    disassemble,
    reseal,
)

PARTS = [b'{"a": 1}', b"", b"x" * 70, bytes(range(256))]
NAMES = ["model.json", "arrays/0.bin", "arrays/1.bin", "arrays/2.bin"]


def file_of(parts):
    return b"".join(assemble(parts))


def contents(data):
    return [bytes(entry) for entry in disassemble(data)]


def test_what_goes_in_comes_out_as_read_only_views():
    data = file_of(PARTS)
    assert contents(data) == PARTS
    assert all(entry.readonly and entry.obj is data for entry in disassemble(data))
    assert all(entry.readonly for entry in disassemble(bytearray(data)))


def test_any_unzip_opens_it():
    with zipfile.ZipFile(io.BytesIO(file_of(PARTS))) as opened:
        assert opened.testzip() is None
        assert opened.namelist() == NAMES
        assert [opened.read(name) for name in NAMES] == PARTS
        assert {entry.compress_type for entry in opened.infolist()} == {zipfile.ZIP_STORED}
        assert {entry.date_time for entry in opened.infolist()} == {(1980, 1, 1, 0, 0, 0)}


def test_entries_are_aligned():
    data = file_of(PARTS)
    start = np.frombuffer(data, np.uint8).__array_interface__["data"][0]
    for entry in disassemble(data):
        if len(entry):
            place = np.frombuffer(entry, np.uint8).__array_interface__["data"][0]
            assert (place - start) % ALIGNMENT == 0


def test_the_same_parts_give_the_same_bytes():
    assert file_of(PARTS) == file_of([bytearray(part) for part in PARTS])


@pytest.mark.parametrize("change", [1, 0x80, 0xFF])
def test_no_byte_can_change_unnoticed(change):
    data = file_of(PARTS)
    for place in range(len(data)):
        changed = bytearray(data)
        changed[place] ^= change
        with pytest.raises(ModelFileError):
            disassemble(changed)


def test_with_the_seal_renewed_only_contents_can_have_changed():
    data = file_of(PARTS)
    kept = 0
    for place in range(len(data)):
        changed = bytearray(data)
        changed[place] ^= 1
        try:
            found = contents(reseal(bytes(changed)))
        except ModelFileError:
            continue
        kept += found != PARTS
        assert list(map(len, found)) == list(map(len, PARTS))
        assert found != PARTS or reseal(bytes(changed)) == data
    assert kept == sum(map(len, PARTS))


def test_every_cut_and_every_addition_is_refused():
    data = file_of(PARTS)
    others = [data[:size] for size in range(len(data))]
    others += [data[1:], data + b"\0", b"\0" + data, data + data, b"", b"PK\5\6" + bytes(18)]
    for other in others:
        for form in (other, reseal(other)):
            if form != data:
                with pytest.raises(ModelFileError):
                    disassemble(form)


END = struct.Struct("<4s4H2IH")
SEAL = len(b"learnable-seal-1:") + 64


def sealed(body):
    return body + b"learnable-seal-1:" + hashlib.sha256(body).hexdigest().encode()


def with_end(data, change, hidden=b""):
    """A file with bytes hidden before its list of entries, and changed figures at its end."""
    *_, count, size, directory, comment = END.unpack(data[-SEAL - END.size : -SEAL])
    count, size, directory = change(count, size, directory)
    end = END.pack(b"PK\5\6", 0, 0, count, count, size, directory, comment)
    begin = data[: -SEAL - END.size]
    place = len(begin) - END.unpack(data[-SEAL - END.size : -SEAL])[5]
    return sealed(begin[:place] + hidden + begin[place:] + end)


def test_figures_at_the_end_that_are_not_true_are_refused():
    data = file_of(PARTS)
    assert with_end(data, lambda *figures: figures) == data
    record = 46 + len(NAMES[-1])
    for change, hidden in [
        (lambda count, size, place: (count + 1, size, place), b""),
        (lambda count, size, place: (count - 1, size, place), b""),
        (lambda _, size, place: (0, size, place), b""),
        (lambda _, size, place: (0, 0, place + size), b""),
        (lambda count, size, place: (count - 1, size - record, place + record), b""),
        (lambda count, size, place: (count, size, place + 64), bytes(64)),
        (lambda count, size, place: (count, size + 64, place), bytes(64)),
        (lambda count, size, place: (count, size + 1, place), b""),
        (lambda count, size, place: (count, size, place - 1), b""),
    ]:
        with pytest.raises(ModelFileError):
            disassemble(with_end(data, change, hidden))


def test_bytes_hidden_behind_the_list_of_entries_are_refused():
    begin = file_of(PARTS)[: -SEAL - END.size]
    *_, count, size, place, comment = END.unpack(file_of(PARTS)[-SEAL - END.size : -SEAL])
    end = END.pack(b"PK\5\6", 0, 0, count, count, size + 64, place, comment)
    with pytest.raises(ModelFileError, match="fill it exactly"):
        disassemble(sealed(begin + bytes(64) + end))


def test_a_file_of_no_entries_is_refused():
    with pytest.raises(ModelFileError, match="fill it exactly"):
        disassemble(sealed(END.pack(b"PK\5\6", 0, 0, 0, 0, 0, 0, SEAL)))


def test_a_wrong_checksum_is_refused_whatever_the_seal():
    body = file_of(PARTS)[:-SEAL].replace(b"xxx", b"xxy", 1)
    with pytest.raises(ModelFileError, match=r"checksum of the entry arrays/1\.bin"):
        disassemble(sealed(body))


def test_an_entry_that_claims_more_than_there_is_is_refused():
    data = file_of([b"{}", b"x" * 64])
    for claim in (65, 128, 2**32 - 1):
        with pytest.raises(ModelFileError):
            disassemble(
                reseal(data.replace(struct.pack("<2I", 64, 64), struct.pack("<2I", claim, claim)))
            )


def test_a_cut_file_says_what_to_do():
    with pytest.raises(ModelFileError, match=r"cut short\. Copy it again"):
        disassemble(file_of(PARTS)[:-1])


def test_an_ordinary_zip_is_refused():
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as made:
        made.writestr("model.json", "{}")
    with pytest.raises(ModelFileError, match="seal of a model file"):
        disassemble(buffer.getvalue())


def zipped(method, members):
    """A zip made by the standard library that bears a right seal."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as made:
        for name, content in members.items():
            made.writestr(name, content)
        made.comment = b"learnable-seal-1:" + bytes(64)
    return reseal(buffer.getvalue())


def test_a_compression_bomb_is_refused_before_it_is_unpacked():
    data = zipped(zipfile.ZIP_DEFLATED, {"model.json": b"0" * 10_000_000})
    assert len(data) < 20_000
    with pytest.raises(ModelFileError, match="compressed or encrypted"):
        disassemble(data)


def test_a_zip_with_other_headers_is_refused():
    data = zipped(zipfile.ZIP_STORED, {"model.json": b"{}", "arrays/0.bin": bytes(200)})
    with pytest.raises(ModelFileError, match=r"headers of the entry model\.json"):
        disassemble(data)


def test_a_seal_of_a_later_kind_asks_for_an_upgrade():
    data = file_of(PARTS).replace(b"learnable-seal-1:", b"learnable-seal-2:")
    with pytest.raises(ModelFileError, match=r"newer version of learnable\. Upgrade"):
        disassemble(data)


def test_renewing_the_seal_of_an_unchanged_file_changes_nothing():
    assert reseal(file_of(PARTS)) == file_of(PARTS)


def test_what_no_zip_can_hold_is_not_written():
    with pytest.raises(ParameterError, match="more than 65533 arrays"):
        assemble([b""] * (MAX_ENTRIES + 1))
    huge = np.broadcast_to(np.zeros(1, np.uint8), (MAX_FILE,))
    with pytest.raises(ParameterError, match="4 GiB"):
        assemble([memoryview(huge)])
