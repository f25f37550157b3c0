"""Tables, XML and templates whose names are ambiguous, whose cells are long, or that are more than a word counts."""

import pytest

from abalo.corpora.findings import Findings
from abalo.errors import AbaloError
from abalo.reporting.formats.cells import read_csv, to_csv
from abalo.tasks.aspects import corpus as aspects
from abalo.tasks.choice.files import load_choices
from abalo.tasks.classification.corpus import TEXTS, load
from abalo.tasks.labels.in_parts import LabelsInParts
from abalo.tasks.pairs import corpus as pairs
from abalo.tasks.pairs.assin import records

LONG = "a" * 200_000
"""More than the 131,072 characters that csv reads by default."""

TWICE = {
    "texts, with tabs": (load, "text\ttext\tlabel\nWell.\tBad.\tpos\nBad.\tWell.\tneg\n", ".tsv", "text"),
    "texts, with commas": (load, "text,label,label\nWell.,pos,neg\n", ".csv", "label"),
    "texts, in other letters": (load, "Text,TEXT,label\nWell.,Bad.,pos\n", ".csv", "text"),
    "texts, a column that nobody reads": (load, "text,label,id,id\nWell.,pos,1,2\n", ".csv", "id"),
    "texts, as JSON": (load, '{"text": "Well.", "Text": "Bad.", "label": "pos"}\n', ".jsonl", "text"),
    "questions, their answer": (load_choices, "question,A,B,answer,answer\nWho?,Ann,Bob,A,B\n", ".csv", "answer"),
    "questions, in other letters": (
        load_choices,
        "question\tA\tB\tanswer\tQuestion\nWho?\tA.\tB.\tA\tHow?\n",
        ".tsv",
        "question",
    ),
    "options": (load_choices, "question,A,B,A,answer\nWho?,Ann,Bob,Eve,A\n", ".csv", "a"),
    "pairs": (pairs.load, "premise\thypothesis\tlabel\tlabel\nIt is.\tIs it?\tentailment\tneutral\n", ".tsv", "label"),
}


@pytest.mark.parametrize(("read", "text", "ending", "column"), TWICE.values(), ids=TWICE)
def test_a_corpus_with_a_column_twice_is_refused(write, read, text, ending, column):
    with pytest.raises(AbaloError, match=f"the column '{column}' is there twice"):
        read(str(write(text, f"corpus{ending}")))


def test_columns_without_a_name_are_no_columns_twice(write):
    corpus = load(str(write("text,label,,\nWell.,pos,,\nBad.,neg,,\n", "corpus.csv")))
    assert [example.fields["text"].text for example in corpus.examples] == ["Well.", "Bad."]


def test_a_sheet_with_a_column_twice_is_refused(write):
    with pytest.raises(AbaloError, match="the column 'rating' is there twice"):
        read_csv(write("id,rating,rating\nx,1,5\n", "sheet.csv"), ("id", "rating"))


def test_parquet_with_a_column_twice_is_refused(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    table = pyarrow.Table.from_arrays([pyarrow.array(["a"])] * 3, names=["text", "text", "label"])
    path = tmp_path / "corpus.parquet"
    parquet.write_table(table, path)
    with pytest.raises(AbaloError, match="the column 'text' is there twice"):
        LabelsInParts(TEXTS, str(path)).cut(10)


@pytest.mark.parametrize("ending", [".tsv", ".csv"])
@pytest.mark.parametrize("header", ["text{}label\n", ""])
def test_a_cell_of_a_corpus_may_be_long(write, ending, header):
    sign = "\t" if ending == ".tsv" else ","
    text = header.format(sign) + f"{LONG}{sign}pos\nGood.{sign}pos\nBad.{sign}neg\n"
    corpus = load(str(write(text, f"corpus{ending}")))
    assert [len(example.fields["text"].text) for example in corpus.examples] == [200_000, 5, 4]


def test_so_may_one_of_a_corpus_in_parts(write):
    path = write(f"text,label\n{LONG},pos\nGood.,pos\nBad.,neg\n", "corpus.csv")
    source, parts = LabelsInParts(TEXTS, str(path)).cut(2)
    assert (source.examples, [part.examples for part in parts]) == (3, [2, 1])


def test_so_may_one_of_a_sheet(write):
    (row,) = read_csv(write(to_csv(("id", "sentence"), [("x", LONG)]), "sheet.csv"), ("id", "sentence"))
    assert len(row.cells[1]) == 200_000


XML = """{}<entailment-corpus><pair entailment="Entailment" id="1" similarity="5"><t>João viu.</t><h>João.</h></pair>
</entailment-corpus>"""

SENTENCE = """<sentences><sentence id="1"><text>Good food</text>{}<aspectTerms>
<aspectTerm term="food" polarity="positive" from="5" to="9"/></aspectTerms></sentence></sentences>"""

ELEMENTS_TWICE = {
    "the text": (pairs.load, XML.format("").replace("<t>", "<t>Maria viu.</t><t>"), "<t>"),
    "the hypothesis": (pairs.load, XML.format("").replace("<h>", "<h>Maria.</h><h>"), "<h>"),
    "the sentence": (aspects.load, SENTENCE.format("<text>Bad food</text>"), "<text>"),
}


@pytest.mark.parametrize(("read", "text", "element"), ELEMENTS_TWICE.values(), ids=ELEMENTS_TWICE)
def test_xml_with_an_element_twice_is_refused(write, read, text, element):
    with pytest.raises(AbaloError, match=f"1: {element} is there 2 times; expected it once"):
        read(str(write(text, "corpus.xml")))


DECLARED = {
    "UTF-8": ('<?xml version="1.0" encoding="UTF-8"?>', "utf-8"),
    "Latin-1, converted to UTF-8 since": ('<?xml version="1.0" encoding="ISO-8859-1"?>', "utf-8"),
    "Latin-1": ('<?xml version="1.0" encoding="ISO-8859-1"?>', "latin-1"),
    "UTF-16, with its mark": ('<?xml version="1.0" encoding="UTF-16"?>', "utf-16"),
    "nothing, in UTF-16": ("", "utf-16"),
    "an encoding that is none": ('<?xml version="1.0" encoding="none"?>', "utf-8"),
}


@pytest.mark.parametrize(("declaration", "encoding"), DECLARED.values(), ids=DECLARED)
def test_xml_is_read_in_the_encoding_of_its_bytes_whatever_it_declares(write, declaration, encoding):
    path, findings = (
        write(XML.format(declaration).encode(encoding), "corpus.xml"),
        Findings("corpus.xml", lenient=False),
    )
    assert [record["premise"] for _, record in records(path, findings)] == ["João viu."]
    assert not findings.problems
