"""Texts with references: two files, tables, JSON and TMX, and what is wrong in them."""

import json

import pytest

from abalo.core.protocols.task import tasks
from abalo.corpora.parallel import load, parse_spec, recognises, record_of
from abalo.corpora.parallel_text import languages_in
from abalo.errors import AbaloError
from abalo.tasks.translation.in_parts import TextsInParts
from tests.texts import TextWith


@pytest.fixture
def write(tmp_path, monkeypatch):
    """Writes files into a folder in which the test runs."""
    monkeypatch.chdir(tmp_path)

    def written(**files):
        for name, text in files.items():
            tmp_path.joinpath(name.replace("__", ".").replace("0", "-")).write_text(text, encoding="utf-8")

    return written


def texts(corpus):
    return [(text.text, *own) for text, own in zip(corpus.sentences, corpus.references, strict=True)]


PAIRS = [("Oi, Ana.", "Hi, Ana."), ("Tchau.", "Bye.")]


def languages(corpus):
    return corpus.direction.source, corpus.direction.target


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["tatoeba-pt-en.tsv"], ("pt", "en")),
        (["opus-mt-en-de.jsonl"], ("en", "de")),
        (["news.pt", "news.en"], ("pt", "en")),
        (["src.pt.txt", "ref.en.txt"], ("pt", "en")),
        (["dev.tsv"], ("", "")),
        (["en-en.tsv"], ("", "")),
    ],
)
def test_languages_are_guessed_by_the_names_of_files(names, expected):
    assert languages_in(names) == expected


def test_a_table_with_a_header_is_read(write):
    write(dev0pt0en__tsv="source\treference\nOi, Ana.\tHi, Ana.\nTchau.\tBye.\n")
    found = load("dev-pt-en.tsv")
    assert (texts(found), languages(found)) == (PAIRS, ("pt", "en"))
    assert [example.language for example in found.examples] == ["pt", "pt"]
    assert recognises("dev-pt-en.tsv")
    assert languages(load("dev-pt-en.tsv?from=es&to=fr")) == ("es", "fr")


def test_columns_may_be_called_by_their_languages(write):
    write(dev__tsv="en\tpt\nHi.\tOi.\n")
    assert texts(load("dev.tsv")) == [("Hi.", "Oi.")]
    assert texts(load("dev.tsv?from=pt&to=en")) == [("Oi.", "Hi.")]
    assert recognises("dev.tsv")


def test_two_files_are_read_line_by_line_and_several_references_too(write):
    write(a__pt="Oi, Ana.\r\n\nTchau.\n", a__en="Hi, Ana.\n\nBye.\n", b__en="Hello, Ana.\n\nBye-bye.\n")
    assert texts(load("a.pt,a.en")) == PAIRS
    assert texts(load("a.pt,a.en,b.en"))[0] == ("Oi, Ana.", "Hi, Ana.", "Hello, Ana.")
    assert languages(load("a.pt, a.en")) == ("pt", "en")
    assert recognises("a.pt,a.en")
    assert tasks()["translation"].recognises("a.pt,a.en?to=en")


def test_json_may_have_a_list_of_references(write):
    records = [{"source": "Oi.", "reference": ["Hi.", "Hello."]}, {"source": "Tchau.", "reference": "Bye."}]
    write(dev__jsonl="".join(json.dumps(each) + "\n" for each in records))
    found = load("dev.jsonl")
    assert texts(found) == [("Oi.", "Hi.", "Hello."), ("Tchau.", "Bye.")]
    assert record_of(found.examples[0]) == {"source": "Oi.", "reference": "Hi.", "reference2": "Hello."}


@pytest.mark.parametrize(
    ("asked", "expected"), [("", PAIRS), ("?from=en&to=pt", [each[::-1] for each in PAIRS]), ("?to=pt", None)]
)
def test_texts_by_language_inside_records_are_read_in_either_direction(write, asked, expected):
    write(wmt__jsonl="".join(json.dumps({"id": "0", "translation": {"pt": a, "en": b}}) + "\n" for a, b in PAIRS))
    found = load(f"wmt.jsonl{asked}")
    assert texts(found) == (expected or [each[::-1] for each in PAIRS])
    assert languages(found) == (("en", "pt") if asked else ("pt", "en"))
    assert recognises(f"wmt.jsonl{asked}")


def test_columns_of_other_names_are_those_asked_for(write):
    write(a__tsv="um\tdois\nOi.\tHi.\n", b__tsv="um\tdois\tn\nOi.\tHi.\t1\n")
    for name in ("a.tsv", "b.tsv"):
        assert texts(load(f"{name}?source=um&reference=dois")) == [("Oi.", "Hi.")]
        assert recognises(f"{name}?source=um&reference=dois")
        assert not recognises(name)


TMX = """<?xml version="1.0"?>
<!DOCTYPE tmx SYSTEM "tmx14.dtd">
<tmx version="1.4"><header srclang="pt-BR"/><body>
<tu><tuv xml:lang="en"><seg>Hi, <bpt i="1">{b}</bpt>Ana<ept i="1">{/b}</ept>.</seg></tuv>
<tuv xml:lang="pt-BR"><seg>Oi, Ana.</seg></tuv></tu>
<tu><tuv xml:lang="PT_br"><seg>Tchau.</seg></tuv><tuv xml:lang="eng"><seg>Bye.</seg></tuv></tu>
<tu><tuv xml:lang="pt-BR"><seg>Só.</seg></tuv></tu></body></tmx>"""


def test_a_translation_memory_is_read_without_the_codes_of_formats(write):
    write(dev__tmx=TMX)
    found = load("dev.tmx")
    assert (texts(found), languages(found)) == (PAIRS, ("pt-BR", "en"))
    assert found.notices == (TextWith("left out 1 unit without a text in pt-BR or en"),)
    assert texts(load("dev.tmx?from=en&to=pt"))[0] == ("Hi, Ana.", "Oi, Ana.")
    assert recognises("dev.tmx")


@pytest.mark.parametrize(
    ("declared", "encoding"), [("ISO-8859-1", "latin-1"), ("utf-16", "utf-8"), ("klingon", "utf-8")]
)
def test_a_translation_memory_is_read_as_it_declares_if_it_can_be(tmp_path, declared, encoding):
    path = tmp_path / "d.tmx"
    path.write_bytes(
        TMX.replace('"1.0"', f'"1.0" encoding="{declared}"', 1).replace("Tchau", "Até já").encode(encoding)
    )
    assert texts(load(str(path))) == [PAIRS[0], ("Até já.", "Bye.")]


def test_bytes_that_are_not_as_declared_are_told_once_with_their_line(tmp_path):
    path = tmp_path / "d.tmx"
    path.write_bytes(TMX.replace("Tchau", "Até").replace("Só", "So").encode("latin-1"))
    with pytest.raises(AbaloError, match=r"d\.tmx:6: byte \d+ of the line \(0xe9\) is not UTF-8"):
        load(str(path))
    found = load(f"{path}?lenient")
    assert (found.repairs, texts(found)[1]) == (1, ("At\ufffd.", "Bye."))
    path.write_bytes(TMX.replace('"1.0"', '"1.0" encoding="cp1252"', 1).encode("cp1252") + b"\x81")
    with pytest.raises(AbaloError, match=r"d\.tmx: declares cp1252, but byte \d+ is none"):
        load(str(path))


@pytest.mark.parametrize(
    ("files", "spec", "message"),
    [
        ({"a__pt": "Oi.\n", "a__en": "Hi.\nBye.\n"}, "a.pt,a.en", r"a\.pt has 1, a\.en has 2 lines; expected as many"),
        ({"a__pt": "Oi.\n\n", "a__en": "Hi.\nBye.\n"}, "a.pt,a.en", r":2: the source is '';"),
        ({"a__pt": "Oi.\n"}, "a.pt,b.en", r"b\.en: no such file"),
        ({"d__tsv": "source\treference\nOi.\t \n"}, "d.tsv", r"d\.tsv:2: the reference is ' ?';"),
        (
            {"d__tsv": "one\ttwo\nOi.\tHi.\n"},
            "d.tsv",
            r"d\.tsv:1: 'one' and 'two' name no columns; expected a header .*: FILE\?source=1&reference=2",
        ),
        ({"a__pt": "Oi.\nO\0i.\n", "a__en": "Hi.\nHi.\n"}, "a.pt,a.en", r":2: the source has .* '\\x00': 'O\\x00i\.'"),
        ({"a__pt": "Oi.\n", "a__en": "Hi\x1b[1m.\n"}, "a.pt,a.en", r":1: the reference has .* '\\x1b'"),
        ({"a__pt": "O\ri.\n", "a__en": "Hi.\n"}, "a.pt,a.en", ":1: a lone carriage return"),
        ({"d__tsv": "source\treference\n"}, "d.tsv", "no text with a reference"),
        ({"d__tmx": "<tmx><!ENTITY x 'y'></tmx>"}, "d.tmx?from=pt&to=en", "declares a document type"),
        (
            {"d__tmx": TMX.replace('"pt-BR"/', '""/').replace(">Só", '>Só</seg></tuv><tuv xml:lang="de"><seg>So')},
            "d.tmx",
            r"has units in en, pt-BR, de; name two of them: d\.tmx\?from=CODE&to=CODE",
        ),
        ({"d__tmx": "<tmx><body></body></tmx>"}, "d.tmx", "has units in no language; expected two languages"),
        ({"d__tmx": TMX}, "d.tmx?from=pt&to=it", "has units in en, pt-BR, and none in it; name others"),
        (
            {"a__pt": "Oi.\n", "a__en": "Hi.\n"},
            "a.pt,a.en?source=x",
            "no setting 'source'; expected from=CODE, to=CODE, tok=",
        ),
        ({"a__pt": "Oi.\n", "a__en": "Hi.\n"}, "a.pt,a.en?from=portuguese", "from=portuguese; expected the code"),
        ({"d__tmx": "<tmx><body>"}, "d.tmx?from=pt&to=en", "not XML"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(write, files, spec, message):
    write(**files)
    with pytest.raises(AbaloError, match=message):
        load(spec)


def test_lenient_reading_leaves_lines_out_that_lack_a_side(write):
    write(a__pt="Oi.\n\nTchau.\n", a__en="Hi.\nBye.\nBye.\n")
    found = load("a.pt,a.en?lenient")
    assert (texts(found), found.repairs) == ([("Oi.", "Hi."), ("Tchau.", "Bye.")], 1)


def test_a_part_of_a_corpus_is_a_corpus_and_references_count_in_its_digest(write):
    write(a__tsv="source\treference\nOi.\tHi.\nTchau.\tBye.\n", b__tsv="source\treference\nOi.\tHey.\nTchau.\tBye.\n")
    first, second = load("a.tsv"), load("b.tsv")
    assert first.sha256 != second.sha256
    assert texts(first.first(1)) == texts(first.chosen([0])) == [("Oi.", "Hi.")]
    assert load("a.tsv?from=pt&to=en").sha256 != first.sha256
    with pytest.raises(AbaloError, match="expected at least 1 text"):
        load("a.tsv", limit=0)


def test_several_files_are_not_read_in_parts(write):
    write(a__pt="Oi.\n", a__en="Hi.\n")
    with pytest.raises(
        AbaloError, match=r"a\.pt,a\.en: several files cannot be read in parts; write them as one table"
    ):
        TextsInParts("a.pt,a.en")


def test_a_name_with_a_question_mark_or_comma_is_a_file_if_there_is_one(write, tmp_path):
    write(a__tsv="source\treference\nOi.\tHi.\n")
    (tmp_path / "a.tsv").rename(tmp_path / "a,b?.tsv")
    assert parse_spec("a,b?.tsv").files == ()
    assert texts(load("a,b?.tsv")) == [("Oi.", "Hi.")]
