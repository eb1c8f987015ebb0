from __future__ import annotations

import numpy as np
import pytest

from learnable.core import DataError, ParameterError, SchemaError
from learnable.data import Column, Schema, read_csv, scan_csv
from learnable.data.files.delimited import Delimited
from learnable.data.files.gathering import gathered
from learnable.data.files.opening import File

NAN = float("nan")
both_readers = pytest.mark.parametrize("fast", [True, False], ids=["fast", "plain"])


def table(content, schema=None, *, kinds=None, fast=False, **stated):
    return gathered(Delimited(File(content), fast=fast, **stated), schema, kinds)


def notes(found, name):
    return " ".join(found.schema[name].notes)


@both_readers
@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_found(delimiter, fast):
    rows = [["a", "b c", "d"], ["1", "x, y" if delimiter != "," else "x", "2026-01-31"]]
    content = "\n".join(delimiter.join(row) for row in rows).encode()
    found = table(content, fast=fast)
    assert found.columns == ["a", "b c", "d"]
    assert [column.kind for column in found.schema] == ["numeric", "nominal", "date"]


def test_blanks_are_delimiters_of_numbers_alone():
    assert table(b"a b\n1 2\n3 4\n").shape == (2, 2)
    assert table(b"a b\nx y\nz w\n").shape == (2, 1)


@both_readers
def test_decimal_commas_are_found_and_said(fast):
    found = table(b"a;b\n1,5;x\n-2,;\n?;x\n", fast=fast)
    np.testing.assert_array_equal(found["a"], [1.5, -2, NAN])
    assert "decimal comma" in notes(found, "a")
    found = table(b"a;b\n1,5;1.234\n-2,;\n", decimal=",", fast=fast)
    assert found.labels("b").tolist() == ["1.234", None]
    with pytest.raises(DataError, match=r"row 0, value '1\.234'"):
        table(b"a;b\n1,5;1.234\n", kinds={"b": "numeric"}, decimal=",", fast=fast)


def test_a_point_anywhere_speaks_against_decimal_commas():
    assert table(b"a;b\n1,5;1.5\n2,5;2.5\n").schema["a"].kind == "nominal"


@both_readers
def test_quoted_cells_are_texts_even_where_unquoted_ones_are_missing(fast):
    found = table(b'a,b\nNA,x\n"NA",y\n"",z\n,w\n', fast=fast)
    assert found.labels("a").tolist() == [None, "NA", "", None]


@both_readers
def test_where_everything_is_quoted_quoted_cells_can_be_missing(fast):
    found = table(b'"a","b"\n"1","x"\n"","y"\n', fast=fast)
    np.testing.assert_array_equal(found["a"], [1, NAN])


def test_apostrophes_are_found_as_quotes():
    assert table(b"a,b\n'x, y',1\n'z',2\n").labels("a").tolist() == ["x, y", "z"]
    assert table(b"a,b\ndon't,1\nwon't,2\n").labels("a").tolist() == ["don't", "won't"]


def test_an_escape_character_can_be_stated():
    found = table(b'a,b\n"x \\" y",1\n', escape="\\")
    assert found.labels("a").tolist() == ['x " y']


@both_readers
def test_ends_of_lines_inside_quotes_and_crlf(fast):
    found = table(b'a,b\r\n"x\r\ny",1\r\n\r\n"",2\r\n', fast=fast)
    assert found.labels("a").tolist() == ["x\r\ny", ""]
    np.testing.assert_array_equal(found["b"], [1, 2])


@both_readers
@pytest.mark.parametrize(
    ("row", "told"), [("3", "has 1 cells"), ("3,4,5", "has 3 cells"), ("3,4,", "has 3 cells")]
)
def test_ragged_rows_are_refused_with_line_row_and_value(row, told, fast):
    with pytest.raises(DataError, match=told) as refused:
        table(f'a,b\n"1\n1",2\n\n{row}\n'.encode(), fast=fast)
    assert refused.value.row == 1
    assert "line 5" in str(refused.value)
    assert refused.value.value == row
    assert "Correct it" in refused.value.remedy


@both_readers
@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b'a,b\n1,"2', "line 2: a quote is opened and never closed"),
        (b'a,b\n1,"2"3\n', "line 2: text stands behind a closing quote"),
        (b"a,b,a\n1,2,3\n", "two columns have the same name"),
        (b"", "there is nothing in it"),
        (b"\r\n\n", "there is nothing in it"),
    ],
)
def test_what_cannot_be_read_is_refused(content, told, fast):
    with pytest.raises(DataError, match=told):
        table(content, fast=fast)


@both_readers
def test_a_header_alone_is_a_table_without_rows(fast):
    found = table(b"a,b\n", fast=fast)
    assert found.shape == (0, 2)
    assert list(scan_csv(b"a,b\n")) == []


def test_columns_without_a_name_are_numbered_and_it_is_said():
    found = table(b",b\n1,2\n")
    assert found.columns == ["column_1", "b"]
    assert "it had no name" in notes(found, "column_1")
    with pytest.raises(SchemaError, match="same name"):
        table(b",column_1\n1,2\n")


def test_a_file_without_names_is_noticed_and_said():
    found = table(b"1,x\n2,y\n")
    assert found.columns == ["column_1", "column_2"]
    assert "header=True" in notes(found, "column_1")
    assert table(b"x,y\ny,x\nx,x\n").shape == (3, 2)
    assert table(b"1,x\n2,y\n", header=True).columns == ["1", "x"]
    assert table(b"1,x\n2,y\n", names=["n", "w"]).columns == ["n", "w"]
    with pytest.raises(ParameterError, match="has 2 columns, but 1 names"):
        table(b"1,x\n2,y\n", names=["n"])


@both_readers
def test_a_late_contradiction_widens_the_column_and_is_said(fast):
    rows = "".join(f"{i}.5,{i}\n" for i in range(3000))
    found = table(f"a,b\n{rows}abc,1\n{rows}".encode(), fast=fast)
    assert len(found) == 6001
    assert found.schema["a"].kind == "text"
    assert "numbers until row 3,000, which holds 'abc'" in notes(found, "a")
    assert found.labels("a")[:2].tolist() == ["0.5", "1.5"]
    assert found.schema["b"].kind == "numeric"


@both_readers
@pytest.mark.parametrize(
    "word", ["inf", "nAn", "-Infinity", "1e999", "0x10", "1_0", "+5", "\u0665"]
)
def test_words_that_some_take_for_numbers_are_taken_alike(word, fast):
    rows = "".join(f"{i}.5,{i}\n" for i in range(600))
    found = table(f"a,b\n{rows}{word},1\n".encode(), fast=fast)
    numbers = {"1e999": np.inf, "+5": 5, "\u0665": 5}
    assert (found.schema["a"].kind == "numeric") == (word in numbers)
    assert found.labels("a")[600] == numbers.get(word, word)


@both_readers
def test_dashes_are_missing_among_numbers_alone(fast):
    found = table(b"a,b\n1,-\n-,x\n2,-\n", fast=fast)
    np.testing.assert_array_equal(found["a"], [1, NAN, 2])
    assert "1 cells hold '-', taken as missing" in notes(found, "a")
    assert found.labels("b").tolist() == ["-", "x", "-"]
    with pytest.raises(DataError, match="value '-'"):
        table(b"a\n1\n-\n", Schema((Column("a", "numeric"),)), fast=fast)


@both_readers
def test_a_stated_schema_is_kept_and_what_contradicts_it_is_named(fast):
    schema = Schema((Column("w", "nominal", ("a", "b")), Column("n", "numeric")))
    found = table(b"n,w\n1,b\n2,a\n", schema, fast=fast)
    assert found.schema == schema
    assert found["w"].tolist() == [1, 0]
    with pytest.raises(DataError, match=r"<bytes>: .*column 'n', row 1, value 'x'"):
        table(b"n,w\n1,b\nx,a\n", schema, fast=fast)
    with pytest.raises(DataError, match=r"column 'w', row 1, value 'c'"):
        table(b"n,w\n1,b\n2,c\n", schema, fast=fast)
    with pytest.raises(SchemaError, match="missing: w"):
        table(b"n\n1\n", schema, fast=fast)
    with pytest.raises(SchemaError, match="not in the schema: v"):
        table(b"n,w,v\n1,a,1\n", schema, fast=fast)


@both_readers
def test_kinds_change_what_is_found(fast):
    found = table(b"zip,n\n01234,1\n04711,2\n01234,3\n", kinds={"zip": "nominal"}, fast=fast)
    assert found.schema["zip"].values == ("01234", "04711")
    with pytest.raises(SchemaError, match="column 'zap'"):
        table(b"zip\n1\n", kinds={"zap": "nominal"}, fast=fast)


@both_readers
def test_numbers_are_the_nearest_doubles(fast):
    draw = np.random.default_rng(0)
    bits = draw.integers(0, 2**63, 5000, dtype=np.uint64).view(np.float64)
    digits = ["".join(map(str, draw.integers(0, 10, k))) for k in draw.integers(1, 40, 5000)]
    texts = [
        f"{d[:5]}.{d[5:]}e{e}" for d, e in zip(digits, draw.integers(-320, 300, 5000), strict=True)
    ]
    texts += [repr(x) for x in bits[np.isfinite(bits)].tolist()]
    texts += ["+1.5", "1e999", "-1e-999", "9007199254740993", ".5", "5.", " 7 ", "1E5", "inf"]
    schema = Schema((Column("a", "numeric"), Column("b", "numeric")))
    content = "a,b\n" + "".join(f"{text},1\n" for text in texts)
    found = table(content.encode(), schema, fast=fast)["a"]
    np.testing.assert_array_equal(found, [float(text) for text in texts])


@both_readers
def test_thousands_of_columns(fast):
    names = [f"c{j}" for j in range(5000)]
    row = [str(j) for j in range(5000)]
    found = table(f"{','.join(names)}\n{','.join(row)}\n".encode(), fast=fast)
    assert found.shape == (1, 5000)
    assert found["c4999"].tolist() == [4999]


@pytest.mark.parametrize(
    ("encoding", "written"),
    [
        ("utf-8", "utf-8"), ("utf-8-sig", "utf-8-sig"), ("utf-16", "utf-16"),
        ("utf-16-le", "utf-16-le"), ("utf-16-be", "utf-16-be"), ("cp1252", "cp1252"),
    ],
)  # fmt: skip
@both_readers
def test_encodings_are_found_and_said(encoding, written, fast):
    content = "größe,b\n1,é\n2,x\n".encode(written)
    reader = Delimited(File(content), fast=fast)
    assert reader.file.encoding == encoding
    found = gathered(reader)
    assert found.columns == ["größe", "b"]
    assert found.labels("b").tolist() == ["é", "x"]
    assert ("read as cp1252" in notes(found, "größe")) == (encoding == "cp1252")


@both_readers
def test_a_mark_is_no_text_whatever_encoding_is_stated(fast):
    for encoding in ("utf-8", "utf-8-sig", "UTF8"):
        for content in (b"a\n1\n", "a\n1\n".encode("utf-8-sig")):
            reader = Delimited(File(content, encoding), fast=fast)
            assert gathered(reader)["a"].tolist() == [1]


def test_bytes_that_are_no_utf8_far_behind_are_noticed():
    content = b"a,b\n" + b"1,x\n" * 400_000 + b"2,\xe9\n"
    assert read_csv(content).labels("b")[-1] == "é"


@pytest.mark.parametrize(
    "stated",
    [{"delimiter": ",,"}, {"quote": "ab"}, {"decimal": ";"}, {"escape": "\n"},
     {"delimiter": '"'}, {"delimiter": ",", "decimal": ","}],
)  # fmt: skip
def test_layouts_that_make_no_sense_are_refused(stated):
    with pytest.raises(ParameterError):
        read_csv(b"a,b\n1,2\n", **stated)
    with pytest.raises(ParameterError):
        read_csv(b"a,b\n1,2\n", encoding="no such")
