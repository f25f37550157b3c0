"""Cells in CSV: every text comes back, no text is run, and whatever spreadsheet programs save is read."""

import csv
import io
import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from abalo.errors import AbaloError
from abalo.reporting.formats.cells import CsvRow, guard, read_csv, to_csv, unguard
from tests.rows import every

COLUMNS = ("id", "sentence", "rating")

texts = st.text(st.sampled_from("=+-@＝\t\r\n;,'\" a") | st.characters(exclude_categories=["Cs"]))


@every(
    ("text", "cell"),
    [
        ("São Paulo", "São Paulo"),
        ("a = b - c", "a = b - c"),
        ("'tis", "'tis"),
        ("=1+1", "'=1+1"),
        ("+351 21", "'+351 21"),
        ("-1", "'-1"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("＝1", "'＝1"),
        ("\tx", "'\tx"),
        ("\rx", "'\rx"),
        ("  =1", "'  =1"),
        ("'=1", "''=1"),
        ('"=1', "'\"=1"),
        ("a;=1", "a;'=1"),
        ("a\n=1", "a\n'=1"),
    ],
)
def test_an_apostrophe_stands_before_what_may_be_run(text, cell):
    assert guard(text) == cell
    assert unguard(cell) == text


@given(texts)
@example("\t'\t'=")
@example("'' ='=")
def test_every_text_comes_back(text):
    assert unguard(guard(text)) == text


@given(st.lists(st.tuples(texts, texts, texts).filter(lambda row: any(map(str.strip, row))), max_size=3))
def test_every_table_comes_back(tmp_path_factory, rows):
    path = tmp_path_factory.getbasetemp() / "table.csv"
    path.write_bytes(to_csv(COLUMNS, rows).encode())
    assert [row.cells for row in read_csv(path, COLUMNS)] == rows


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@given(text=texts)
def test_no_cell_is_a_formula_whatever_a_program_takes_for_the_separator(separator, text):
    table = io.StringIO(to_csv(COLUMNS, [("bcd", text, "")]), newline="")
    cells = [cell for row in csv.reader(table, delimiter=separator) for cell in row]
    assert not [cell for cell in cells if re.match(r"\s*[=+\-@＝＋－＠]|[\t\r]", cell)]


def test_programs_know_it_for_utf_8_by_its_byte_order_mark():
    assert to_csv(("id",), [("São",)]).encode() == b"\xef\xbb\xbfid\r\nS\xc3\xa3o\r\n"


@pytest.mark.parametrize(
    "saved",
    [
        "id,sentence,rating\nbcd,São João,4\n",
        "\ufeffid;sentence;rating;notes\r\nbcd;São João;4;why?\r\n;;;\r\n",
        '"id"\t"sentence"\t"rating"\n"bcd"\t"São João"\t"4"',
    ],
)
def test_what_programs_save_is_read(tmp_path, saved):
    (tmp_path / "sheet.csv").write_bytes(saved.encode())
    assert read_csv(tmp_path / "sheet.csv", COLUMNS) == [CsvRow(2, ("bcd", "São João", "4"))]


def test_rows_know_the_line_they_begin_on_and_missing_cells_are_empty(tmp_path):
    (tmp_path / "sheet.csv").write_text('id,sentence,rating\nb,"two\nlines",1\n\nc,one\n')
    assert read_csv(tmp_path / "sheet.csv", COLUMNS) == [
        CsvRow(2, ("b", "two\nlines", "1")),
        CsvRow(5, ("c", "one", "")),
    ]


@pytest.mark.parametrize(
    ("saved", "message"),
    [
        (b"", "sheet.csv:1: ''; expected the columns id, sentence, rating"),
        (b"id,text\nb,x\n", "sheet.csv:1: 'id,text'; expected the columns id, sentence, rating"),
        (b"id,sentence,rating\nb,S\xe3o,1\n", "sheet.csv: byte 23 is not UTF-8; save the file as CSV in UTF-8"),
        (
            b'id,sentence,rating\nb,x,1\nc,"open,1\n',
            "sheet.csv:3: not CSV: unexpected end of data; save the file as CSV in UTF-8",
        ),
    ],
)
def test_what_is_no_such_table_is_refused(tmp_path, saved, message):
    (tmp_path / "sheet.csv").write_bytes(saved)
    with pytest.raises(AbaloError) as caught:
        read_csv(tmp_path / "sheet.csv", COLUMNS)
    assert str(caught.value) == f"{tmp_path}/{message}"


def test_a_file_that_is_not_there_is_told(tmp_path):
    with pytest.raises(AbaloError, match=r"none\.csv: cannot be read: No such file or directory"):
        read_csv(tmp_path / "none.csv", COLUMNS)
