"""Documents of brat as sentences with entities and relations."""

from pathlib import Path

import pytest

from abalo.config.tasks import task_of_corpus
from abalo.corpora import load
from abalo.errors import AbaloError
from abalo.tasks.relations.corpus import load as load_relations


@pytest.fixture
def brat(written):
    """Writes a document and its annotations; in them, WORD stands for its places."""

    def write(text, *annotations, name="notes/a", encoded="{}"):
        Path(name).parent.mkdir(exist_ok=True)
        lines = []
        for line in annotations:
            head, mark, words = line.partition(" @")
            start = text.index(words) if mark else 0
            lines.append(f"{head} {start} {start + len(words)}\t{words}" if mark else line)
        written(encoded.format(text).encode(), f"{name}.txt")
        written("".join(f"{line}\n" for line in lines), f"{name}.ann")
        return str(Path(name).parent)

    return write


ANN, PARIS = "T1\tPER @Ann", "T2\tLOC @Paris"


@pytest.mark.parametrize("spec", ["notes", "brat:notes", "brat:notes/", "notes/a.ann", "brat:notes/a.txt", "brat:."])
def test_a_line_is_a_sentence_whatever_names_the_document(brat, rendered, spec):
    brat("Ann saw Paris.\n\nShe left.\n", ANN, PARIS)
    corpus = load(spec)
    assert rendered(corpus) == ["[Ann PER] saw [Paris LOC] .", "She left ."]
    assert corpus.notices == ()
    assert task_of_corpus(spec).name == "ner"


def test_documents_stand_in_the_order_of_their_names_in_folders_too(brat, written, rendered):
    brat("Eve left", "T1\tPER @Eve", name="notes/b")
    brat("Ann left", "T1\tPER @Ann")
    Path("notes/c").mkdir()
    brat("Bob left", name="notes/c/a")
    written("not annotated", "notes/d.txt")
    corpus = load("brat:notes")
    assert rendered(corpus) == ["[Ann PER] left", "[Eve PER] left", "Bob left"]
    assert corpus.notices == ("Read 3 sentences, 2 entities; left out 1 document without an .ann file.",)


def test_lines_are_one_sentence_if_an_annotation_lies_in_both(brat, rendered):
    folder = brat("Ann saw New\nYork.\nBob left.\nEve\nsaw\nRome.\n", "T1\tLOC 8 16\tNew York")
    assert rendered(load(folder)) == ["Ann saw [New York LOC] .", "Bob left .", "Eve", "saw", "Rome ."]
    brat("Ann\nsaw\nRome.\nBob.", "T1\tPER @Ann", "T2\tLOC @Rome", "R1\tSaw Arg1:T1 Arg2:T2")
    assert rendered(load(folder)) == ["[Ann PER] saw [Rome LOC] .", "Bob ."]


def test_a_document_can_be_one_example(brat, rendered):
    folder = brat("Ann left.\nBob too.\n", "T1\tPER @Bob")
    assert rendered(load(f"{folder}?example=document")) == ["Ann left . [Bob PER] too ."]
    assert rendered(load(f"brat:{folder}?example=line")) == ["Ann left .", "[Bob PER] too ."]
    with pytest.raises(AbaloError, match="example=page; expected one of line, document"):
        load(f"{folder}?example=page")


def test_places_count_code_points(brat, rendered):
    assert rendered(load(brat("𝔸 😀 Ann e\u0301 Rui", "T1\tPER @Ann", "T2\tPER @Rui"))) == [
        "𝔸 😀 [Ann PER] e\u0301 [Rui PER]"
    ]


WAYS = {
    "CRLF": ("Ann\r\nsaw Paris", "9 14", ()),
    "CRLF, places of LF": ("Ann\r\nsaw Paris", "8 13", ("skip carriage returns",)),
    "mark": ("\ufeffAnn\nsaw Paris", "8 13", ()),
    "mark, places count it": ("\ufeffAnn\nsaw Paris", "9 14", ("count a byte order mark",)),
}


@pytest.mark.parametrize(("text", "places", "told"), WAYS.values(), ids=WAYS)
def test_ends_of_lines_and_a_mark_count_as_they_fit(written, rendered, text, places, told):
    written(text, "a.txt")
    corpus = load(written(f"T1\tLOC {places}\tParis\r\n", "a.ann"))
    assert rendered(corpus) == ["Ann", "saw [Paris LOC]"]
    assert corpus.notices == tuple(f"Read 2 sentences, 1 entity; 1 document whose places {each}." for each in told)


def test_what_is_no_entity_or_has_a_gap_is_counted(brat, rendered):
    others = ("E1\tGoes:T1 To:T2", "A1\tSure T1", "N1\tReference T1 Wiki:1\tAnn", "#1\tNote T1\twhy", "*\tAlias T1 T2")
    folder = brat("Ann saw Paris, not Lima.", ANN, PARIS, "T3\tLOC 8 13;19 23\tParis Lima", *others)
    corpus = load(folder)
    assert rendered(corpus) == ["[Ann PER] saw [Paris LOC] , not Lima ."]
    (told,) = corpus.notices
    assert told.startswith("Read 1 sentence, 2 entities; left out ")
    for each in ("1 event,", "1 attribute,", "1 normalisation,", "1 note,", "1 equivalence,", "1 entity with a gap"):
        assert each in told
    assert "'Paris Lima' in notes/a.ann:3" in told


def test_parts_with_white_space_between_are_one_entity(brat, rendered):
    folder = brat("Ann saw New\nYork.", "T1\tLOC 8 11;12 16\tNew York")
    assert rendered(load(folder)) == ["Ann saw [New York LOC] ."]


def test_of_entities_that_overlap_the_longer_one_stays(brat, rendered):
    corpus = load(brat("Ann saw New York.", "T1\tLOC @New York", "T2\tLOC @York"))
    assert rendered(corpus) == ["Ann saw [New York LOC] ."]
    assert "left out 1 entity sharing characters with a longer one" in corpus.notices[0]


def test_each_relation_is_a_sentence_with_two_spans(brat):
    relations = ("R1\tSaw Arg1:T1 Arg2:T2", "R2\tSeen_by Arg1:T2 Arg2:T1", "R3\tX Arg1:E1 Arg2:T1")
    folder = brat("Then Ann saw Paris.\nBob left.", ANN, PARIS, "E1\tGoes:T1", *relations)
    corpus = load_relations(folder)
    assert corpus.gold == ("Saw", "Seen_by")
    assert [sentence.text for sentence in corpus.sentences] == ["Then Ann saw Paris."] * 2
    assert [[(each.start, each.stop, each.type) for each in found.anchors] for found in corpus.sentences] == [
        [(1, 2, "subject"), (3, 4, "object")],
        [(3, 4, "subject"), (1, 2, "object")],
    ]
    assert corpus.sentences[0].tags == ("O", "B-PER", "O", "B-LOC", "O")
    assert "1 relation of an event, or of an entity with a gap" in corpus.notices[-1]


def test_a_document_without_annotations_has_no_entities(brat, rendered):
    brat("Ann left", "T1\tPER @Ann")
    assert rendered(load(brat("Bob left", name="notes/b"))) == ["[Ann PER] left", "Bob left"]


BAD = {
    "outside": (["T1\tPER 0 3\tAnn", "T2\tLOC 4 40\tleft"], ":2: T2 at 4 40; expected places in the text, 0 to 8"),
    "backwards": (["T1\tPER 3 0\tAnn"], ":1: T1 at 3 0; expected places in the text"),
    "blank": (["T1\tPER 3 4\t "], ":1: T1 at 3 4; expected places in the text"),
    "parts not in order": (["T1\tPER 4 8;0 3\tleft Ann"], ":1: T1 at 4 8;0 3; expected places in the text"),
    "other words": (["", "T1\tPER 0 3\tBob"], ":2: T1 is 'Bob', but the text has 'Ann' at 0 3; expected the same"),
    "no words": (["T1\tPER 0 3"], ":1: 'T1\\tPER 0 3'; expected an annotation of brat"),
    "columns": (["Ann B-PER"], ":1: 'Ann B-PER'; expected an annotation of brat"),
    "twice": (["T1\tPER 0 3\tAnn", "T1\tPER 4 8\tleft"], ":2: 'T1' is there twice"),
    "of nothing": (
        ["T1\tPER 0 3\tAnn", "R1\tX Arg1:T1 Arg2:T9"],
        ":2: the relation is of 'T9', which is not annotated",
    ),
    "long numbers": ([f"T1\tPER 0 {'9' * 5000}\tAnn"], ":1: "),
}


@pytest.mark.parametrize(("lines", "told"), BAD.values(), ids=BAD)
def test_an_annotation_that_cannot_be_right_is_refused_with_its_line(brat, refusal, lines, told):
    brat("Ann left", *lines)
    for spec in ("brat:notes", "notes/a.ann"):
        assert f"notes/a.ann{told}" in refusal(spec)
        assert f"notes/a.ann{told}" in refusal(f"{spec}?lenient")


def test_a_file_that_is_missing_or_unreadable_is_named(brat, written, refusal):
    assert refusal("brat:none").startswith("brat:none: no such file")
    assert refusal("none.ann").startswith("none.ann: no such file")
    assert refusal("brat:.") == ".: no .ann file in it; expected the documents of brat"
    brat("Ann left", "T1\tPER @Ann")
    Path("notes/a.txt").write_bytes(b"Ann\nl\xffeft")
    assert "notes/a.txt:2: byte 2 of the line (0xff) is not UTF-8" in refusal("notes")
    Path("notes/a.txt").unlink()
    assert refusal("notes").startswith("notes/a.ann: no a.txt beside it")
    assert refusal(f"brat:{written('Ann left', 'b.txt')}").startswith("b.txt: no b.ann beside it")
    assert "expected a folder, a .txt or a .ann file of brat" in refusal(f"brat:{written('', 'b.xml')}")


def test_what_is_named_like_a_scheme_but_there_is_read_as_it_is(written, rendered):
    assert rendered(load(written("Ann B-PER\n", "brat:x"))) == ["[Ann PER]"]
