from __future__ import annotations

import numpy as np
import pytest

from learnable.core import DataError, SchemaError
from learnable.data import read_arff, scan_arff

NAN = float("nan")
HEAD = """% comment
@RELATION 'a b'
@attribute  n  REAL % told
@attribute 'the wind' {Weak,'very strong', "it's" , b\\,c}
@ATTRIBUTE s string
@attribute d date "dd.MM.yyyy HH:mm"

@DATA
"""


def arff(rows, head=HEAD):
    return read_arff((head + rows).encode())


def test_declarations_are_kept_in_order():
    found = arff("")
    assert found.shape == (0, 4)
    assert found.schema["the wind"].values[:3] == ("Weak", "very strong", "it's")
    assert [column.kind for column in found.schema] == ["numeric", "nominal", "text", "date"]


def test_rows_with_quotes_escapes_missing_cells_and_comments():
    found = arff(
        "1.5 , 'very strong', 'a\\'b\\\\n,{}', '31.01.2026 10:30' % told\n"
        "%a line\n\n"
        "?, \"it's\", '?', ?\r\n"
        "-2,?,?,?\n"
    )
    np.testing.assert_array_equal(found["n"], [1.5, NAN, -2])
    assert found.labels("the wind").tolist() == ["very strong", "it's", None]
    assert found["s"].tolist() == ["a'b\\n,{}", "?", None]
    assert str(found["d"][0]) == "2026-01-31T10:30:00.000000"
    assert found.missing("d").tolist() == [False, True, True]


def test_sparse_rows():
    head = (
        "@relation r\n@attribute a numeric\n@attribute b {no, yes}\n@attribute c numeric\n@data\n"
    )
    found = arff("{1 yes, 2 3.5}\n{}\n{ 0 ?,1 'yes' }\n1,no,2\n", head)
    np.testing.assert_array_equal(found["a"], [0, 0, NAN, 1])
    assert found["b"].tolist() == [1, 0, 1, 0]
    np.testing.assert_array_equal(found["c"], [3.5, 0, 0, 2])


def test_blanks_separate_cells_where_no_comma_does():
    head = "@relation r\n@attribute a numeric\n@attribute b {no, 'a b'}\n@data\n"
    assert arff("1 no\n2\t'a b'\n", head)["b"].tolist() == [0, 1]


def test_a_nominal_attribute_without_values():
    head = "@relation r\n@attribute a {}\n@data\n"
    assert arff("?\n?\n", head)["a"].tolist() == [-1, -1]


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ("1,Weak,a\n", "line 9: a row has 3 cells, but 4 attributes"),
        ("1,Weak,,?\n", "line 9: a cell is empty"),
        ("1,Weak,'a,?\n", "line 9: a quote is not closed"),
        ("1,Weak,'a'b,?\n", "text stands behind it"),
        ("1,Weak,a,31/01/2026\n", "a date of 'd' is not written as dd.MM.yyyy HH:mm"),
        ("1,Mild,a,?\n", r"column 'the wind', row 0, value 'Mild'"),
        ("x,Weak,a,?\n", r"column 'n', row 0, value 'x'"),
        ("{0 1}\n", "does not name 's', which has no zero"),
        ("{0 1, 0 2, 2 a, 3 ?}\n", "no new attribute's number"),
        ("{9 1}\n", "no new attribute's number"),
        ("{0 1\n", "a sparse row is not closed"),
        ("{x 1}\n", "a sparse cell is not a number and a value"),
    ],
)
def test_rows_that_do_not_fit_are_refused(rows, told):
    with pytest.raises(DataError, match=told):
        arff(rows)


@pytest.mark.parametrize(
    ("head", "told"),
    [
        ("", "no @data line|no attribute"),
        ("@data\n", "no attribute is declared"),
        ("@attribute a\n@data\n", "line 1: attribute 'a' is of a kind"),
        ("@attribute a relational\n@data\n", "of a kind that is not known"),
        ("@attribute a {x,x}\n@data\n", "declares a value twice"),
        ("@attribute\n@data\n", "an attribute has no name"),
        ("1,2\n@data\n", "line 1: a line of the header is no declaration"),
        ("@attribute a real\n@attribute a real\n@data\n", "same name"),
    ],
)
def test_headers_that_make_no_sense_are_refused(head, told):
    with pytest.raises((DataError, SchemaError), match=told):
        arff("", head)


def test_arff_streams_with_its_declared_schema():
    stream = scan_arff((HEAD + "1,Weak,a,?\n" * 5).encode(), rows=2)
    assert [len(table) for table in stream] == [2, 2, 1]
    assert [len(table) for table in stream] == [2, 2, 1]
    assert stream.schema["the wind"].values[0] == "Weak"
