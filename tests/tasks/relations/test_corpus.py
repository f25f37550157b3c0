"""Sentences with two spans are read from all formats, and what is wrong with them is told with its place."""

import json

import pytest

from abalo.core.protocols.options import RunOptions
from abalo.core.protocols.task import tasks
from abalo.errors import AbaloError
from abalo.models.classifiers.two_spans import MARKERS, as_triple, read_input
from abalo.tasks.relations.corpus import load, record_of, relation_of
from perturbations import Span

TASK = tasks()["relations"]

TEXT = "Ana Silva was born in Lima."
SPANS = {"subject": {"from": 0, "to": 9, "type": "PERSON"}, "object": {"from": 22, "to": 26, "type": "PLACE"}}
RECORD = {"text": TEXT, **SPANS, "relation": "birth_place"}
TACRED = {
    "id": "e779865fb9",
    "relation": "birth_place",
    "token": ["Ana", "Silva", "was", "born", "in", "Lima", "."],
    "subj_start": 0,
    "subj_end": 1,
    "obj_start": 5,
    "obj_end": 5,
    "subj_type": "PERSON",
    "obj_type": "PLACE",
}
SEMEVAL = '1\t"<e1>Ana Silva</e1> was born in <e2>Lima</e2>."\nbirth_place\nComment: none\n\n'


def open_nre(stop, first, last):
    return {"h": {"name": "ana", "id": "Q1", "pos": [0, stop]}, "t": {"name": "lima", "pos": [first, last]}}


ANCHORS = (Span(0, 2, "subject"), Span(5, 6, "object"))


def written(tmp_path, name, text):
    path = tmp_path / name
    path.write_text(text, "utf-8")
    return str(path)


def problem(path):
    with pytest.raises(AbaloError) as caught:
        load(path)
    return str(caught.value)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.jsonl", json.dumps(RECORD) + "\n"),
        ("a.json", json.dumps([TACRED])),
        ("a.txt", SEMEVAL),
        ("b.jsonl", json.dumps({"text": TEXT, "subject": [0, 9], "object": [22, 26], "label": "birth_place"})),
        (
            "c.jsonl",
            json.dumps({"tokens": TACRED["token"], "subject": [0, 2], "object": [5, 6], "relation": "birth_place"}),
        ),
        ("d.jsonl", json.dumps({"token": TACRED["token"], **open_nre(2, 5, 6), "relation": "birth_place"})),
        ("e.jsonl", json.dumps({"text": TEXT, **open_nre(9, 22, 26), "relation": "birth_place"})),
        ("f.jsonl", json.dumps({"sentence": SEMEVAL.split('"')[1], "relation": "birth_place"})),
    ],
)
def test_every_format_gives_the_same_spans(tmp_path, name, text):
    path = written(tmp_path, name, text)
    corpus = load(path)
    assert TASK.recognises(path)
    assert corpus.golds == (("birth_place",),)
    assert corpus.sentences[0].anchors == ANCHORS
    assert corpus.sentences[0].tokens == tuple(TACRED["token"])
    assert corpus.sentences[0].tags[0] in ("B-PERSON", "B-subject")


def test_what_is_written_is_read_again(tmp_path):
    (example,) = load(written(tmp_path, "a.jsonl", json.dumps(RECORD))).examples
    assert record_of(example) == RECORD


def test_the_object_may_come_first_and_spans_may_hold_a_part_of_a_token(tmp_path):
    text = '7\t"A <e2>glass</e2>-maker <e1>cut</e1> it."\nProduct-Producer(e2,e1)\nComment:\n'
    (sentence,) = load(written(tmp_path, "a.txt", text)).sentences
    assert sentence.tokens[1] == "glass-maker"
    assert sentence.anchors == (Span(2, 3, "subject"), Span(1, 2, "object"))


@pytest.mark.parametrize("spans", [(0, 9, 0, 9), (0, 9, 4, 9), (0, 13, 10, 18)], ids=["equal", "nested", "overlapping"])
def test_spans_that_share_words_are_told(tmp_path, spans):
    shared = {**RECORD, "subject": [*spans[:2]], "object": [*spans[2:]]}
    rows = [RECORD, shared, shared]
    (notice,) = load(written(tmp_path, "a.jsonl", "\n".join(map(json.dumps, rows)))).notices
    assert notice.startswith("Subject and object share words in 2 sentences, the first in line 2; ")
    assert not load(written(tmp_path, "b.jsonl", json.dumps(RECORD))).notices


def test_rows_without_a_relation_are_left_out_and_counted(tmp_path):
    rows = [RECORD, {**RECORD, "relation": None}, {**RECORD, "relation": ""}]
    corpus = load(written(tmp_path, "a.jsonl", "\n".join(map(json.dumps, rows))))
    assert len(corpus.examples) == 1
    assert sum(corpus.unlabelled.values()) == 2


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"text": "", "subject": [0, 1], "object": [1, 2], "relation": "a"}', ":1: the sentence is ''"),
        ('{"text": "ab", "subject": [0, 9], "object": [1, 2], "relation": "a"}', ":1: the subject is"),
        ('{"text": "a b", "subject": [0, 1], "object": [1, 2], "relation": "a"}', "object from 1 to 2 is blank"),
        ('{"text": "a b", "subject": [0, 1], "relation": "a"}', ":1: the object is None; expected"),
        ('{"text": "a b", "subject": [0, 1], "object": [2, 3], "relation": ["a", "b"]}', "the relation is ['a', 'b']"),
        ('{"tokens": ["a", " "], "subject": [0, 1], "object": [1, 2], "relation": "a"}', "a list of words"),
        ("[1, 2]", "expected an object with a sentence"),
        ('1\t"<e1>a</e1> <e2>b</e2>"\nX\n\n2\t"<e1>a</e1> b"\nX\n', "a.jsonl:4: "),
        (
            '1\t"<e1>a</e1> b"\nX\n\n2\t"<e1>a</e1> <e2>b</e2>"\nX\n',
            (
                r"""a.jsonl:1: '1\t"<e1>a</e1> b"'; expected 1, a tab and "The <e1>child</e1> """
                'slept in the <e2>cradle</e2>."; correct it'
            ),
        ),
        ("[]", "no sentences; expected at least one with its relation"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(tmp_path, text, told):
    assert told in problem(written(tmp_path, "a.jsonl", text))


def test_the_negative_relation_is_known_or_named(tmp_path):
    rows = [{**RECORD, "relation": label} for label in ("NA", "birth_place", "Other")]
    path = written(tmp_path, "a.jsonl", "\n".join(map(json.dumps, rows)))
    assert TASK.read(path, RunOptions()).inventory.negative == "Other"
    named = TASK.read(f"{path}?negative=NA", RunOptions())
    assert (named.inventory.negative, named.inventory.relations) == ("NA", ("Other", "birth_place"))
    with pytest.raises(AbaloError, match=r"negative=N: no such label in .*; expected one of NA, Other, birth_place"):
        load(f"{path}?negative=N")
    corpus = TASK.in_parts(f"{path}?negative=NA", RunOptions())
    source, parts = corpus.cut(1)
    assert {corpus.read(source, part).inventory.negative for part in parts} == {"NA"}
    assert corpus.labels_alone(source).inventory.negative == "NA"
    with pytest.raises(AbaloError, match="negative=N: no such label"):
        TASK.in_parts(f"{path}?negative=N", RunOptions()).labels_alone(source)


@pytest.mark.parametrize(
    ("label", "relation"),
    [
        ("Cause-Effect(e1,e2)", "Cause-Effect"),
        ("Cause-Effect(e2,e1)", "Cause-Effect"),
        ("per:age", "per:age"),
        ("f(x)", "f(x)"),
    ],
)
def test_a_relation_has_two_directions(label, relation):
    assert relation_of(label) == relation


def test_models_are_shown_marks_or_tokens_and_spans(tmp_path):
    (given,) = load(written(tmp_path, "a.jsonl", json.dumps(RECORD))).inputs
    assert read_input(given).text(MARKERS) == "[E1] Ana Silva [/E1] was born in [E2] Lima [/E2]."
    assert as_triple(given) == (TACRED["token"], (0, 2), (5, 6))


def test_numbers_of_the_hub_have_the_names_of_its_relations(tmp_path):
    rows = [{"sentence": f"<e2>A{k}</e2> is in <e1>B</e1>.", "relation": k} for k in (0, 3, 18)]
    found = load(written(tmp_path, "a.jsonl", "".join(json.dumps(each) + "\n" for each in rows)))
    assert found.gold == ("Cause-Effect(e1,e2)", "Component-Whole(e2,e1)", "Other")
    assert found.inventory.negative == "Other"
    assert found.sentences[0].anchors == (Span(3, 4, "subject"), Span(0, 1, "object"))
    assert "in the order of the hub" in found.notices[0]
    other = load(written(tmp_path, "b.jsonl", json.dumps({**rows[0], "relation": 19}) + "\n"))
    assert (other.gold, other.notices) == (("19",), ())


@pytest.mark.parametrize(
    "record", [{"h": {"pos": [1, 0]}}, {"h": {"pos": [0, "2"]}}, {"h": {"pos": 0}}, {"h": ["ana"]}]
)
def test_places_of_open_nre_that_are_none_are_told(tmp_path, record):
    path = written(tmp_path, "a.jsonl", json.dumps({"text": TEXT, **open_nre(9, 22, 26), "relation": "x", **record}))
    assert "the subject is" in problem(path)


def exported(tmp_path, words="Ann"):
    """An export of Label Studio, which counts UTF-16 units, with a relation of two people."""
    spans = [
        {"id": "a", "type": "labels", "value": {"start": 3, "end": 6, "text": words, "labels": ["PER"]}},
        {"id": "b", "type": "labels", "value": {"start": 11, "end": 14, "text": "Bob", "labels": ["PER"]}},
    ]
    related = {"type": "relation", "from_id": "b", "to_id": "a", "labels": ["met"]}
    task = {"data": {"text": "😀 Ann met Bob"}, "annotations": [{"result": [*spans, related]}]}
    path = tmp_path / "export.json"
    path.write_text(json.dumps([task]), "utf-8")
    return str(path)


def test_places_of_related_spans_are_read_as_they_fit_the_text(tmp_path):
    corpus = load(exported(tmp_path))
    (sentence,) = corpus.sentences
    assert sentence.tokens == ("😀", "Ann", "met", "Bob")
    assert [(each.start, each.stop, each.type) for each in sentence.anchors] == [(3, 4, "subject"), (1, 2, "object")]
    assert "UTF-16" in "".join(corpus.notices)


def test_the_words_of_related_spans_are_those_of_the_text(tmp_path):
    with pytest.raises(AbaloError, match="the entity 'Eve' is 'Ann' at 3 to 6"):
        load(exported(tmp_path, words="Eve"))
