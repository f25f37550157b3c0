"""The exports of Prodigy and Label Studio, recognised by their records."""

import json

import pytest

from abalo.config.tasks import task_of_corpus
from abalo.corpora import load
from abalo.errors import AbaloError
from abalo.tasks.classification.corpus import TEXTS
from abalo.tasks.pairs.corpus import PAIRS
from abalo.tasks.relations.corpus import load as load_relations

OPTIONS = [{"id": "GOOD", "text": "Good"}, {"id": "BAD", "text": "Bad"}]


@pytest.fixture
def lines(written):
    """Writes records as JSON lines."""
    return lambda *records: written("".join(json.dumps(each) + "\n" for each in records), "dev.jsonl")


@pytest.fixture
def array(written):
    """Writes records as an array."""
    return lambda *records: written(json.dumps(records, indent=1), "dev.json")


def asked(number, text, answer="accept", **more):
    return {"text": text, "_input_hash": number, "_task_hash": number, "answer": answer, **more}


def labelled(name):
    assert task_of_corpus(name).name == "classification"
    corpus = TEXTS.load(name)
    return [(text.text, *gold) for text, gold in zip(corpus.sentences, corpus.golds, strict=True)], corpus


def test_an_option_that_was_accepted_is_the_label(lines):
    chosen = [asked(k, f"text {k}", options=OPTIONS, accept=[each]) for k, each in enumerate(["GOOD", "BAD"])]
    out = [
        asked(2, "text 2", "reject", options=OPTIONS, accept=["BAD"]),
        asked(3, "text 3", "ignore", options=OPTIONS, accept=[]),
        asked(4, "text 4", options=OPTIONS, accept=[]),
    ]
    found, corpus = labelled(lines(*out, *chosen))
    assert found == [("text 0", "GOOD"), ("text 1", "BAD")]
    assert corpus.scheme == "one label"
    told = corpus.notices[-1]
    assert "1 record because of the answer 'reject', 1 record because of the answer 'ignore'" in told
    assert "1 text without a label" in told


def test_several_accepted_options_are_several_labels(lines):
    several = {"options": OPTIONS, "config": {"choice_style": "multiple"}}
    records = [asked(1, "text 1", **several, accept=["GOOD", "BAD"]), asked(2, "text 2", **several, accept=[])]
    found, corpus = labelled(lines(*records))
    assert found == [("text 1", "BAD", "GOOD"), ("text 2",)]
    assert corpus.scheme == "several labels"


def test_labels_accepted_one_by_one_are_those_of_their_text(lines):
    one = [
        asked(1, "text 1", label="GOOD"),
        asked(2, "text 2", label="BAD"),
        asked(2, "text 2", "reject", label="GOOD"),
    ]
    found, corpus = labelled(lines(*one, asked(3, "text 3", "reject", label="GOOD")))
    assert found == [("text 1", "GOOD"), ("text 2", "BAD")]
    assert "left out 1 record because of the answer 'reject'" in corpus.notices[-1]
    found, _ = labelled(lines(*one, asked(1, "text 1", label="BAD")))
    assert found == [("text 1", "BAD", "GOOD"), ("text 2", "BAD")]


def test_a_text_that_was_annotated_again_is_read_once(lines, rendered):
    spans = [{"start": 0, "end": 3, "label": "PER"}]
    corpus = load(lines(asked(1, "Ann left", spans=spans), asked(1, "Ann left", spans=[]), asked(2, "So")))
    assert rendered(corpus) == ["[Ann PER] left", "So"]
    assert "left out 1 record because of an earlier annotation of the same text" in corpus.notices[-1]


def test_a_hash_or_an_id_may_be_any_value(lines, array, rendered):
    hashed = [{"text": f"So {k}", "_task_hash": [k], "_input_hash": {}, "spans": []} for k in (1, 1, 2)]
    assert rendered(load(lines(*hashed))) == ["So 1", "So 2"]
    short = [{"id": [k], "text": f"So {k}", "label": [], "annotation_id": 1, "lead_time": 1} for k in (1, 1, 2)]
    assert rendered(load(array(*short))) == ["So 1", "So 2"]


HEAD, CHILD = {"start": 0, "end": 3, "label": "PER"}, {"start": 9, "end": 14, "label": "LOC"}


def relations_of(name):
    corpus = load_relations(name)
    roles = [{each.type: found.tokens[each.start] for each in found.anchors} for found in corpus.sentences]
    return [(each["subject"], gold, each["object"]) for each, gold in zip(roles, corpus.gold, strict=True)]


def test_relations_of_prodigy_go_from_head_to_child(lines, rendered):
    related = [{"head": 0, "child": 2, "head_span": HEAD, "child_span": CHILD, "label": "LEFT"}]
    one = asked(1, "Ann left Paris", spans=[HEAD, CHILD], relations=related)
    name = lines(one, asked(2, "Ann left Paris", "reject", spans=[], relations=related), asked(3, "So", spans=[]))
    assert relations_of(name) == [("Ann", "LEFT", "Paris")]
    assert rendered(load(name)) == ["[Ann PER] left [Paris LOC]", "So"]


def test_what_is_no_record_between_those_of_prodigy_is_refused(lines, refusal):
    name = lines(asked(1, "Ann left", spans=[HEAD]), "the answer 'reject'")
    assert refusal(name).startswith("dev.jsonl:2: \"the answer 'reject'\"; expected an object")


def test_a_file_with_no_accepted_answer_is_refused_by_every_task(lines):
    name = lines(asked(1, "Ann left", "reject", spans=[HEAD]), asked(2, "Bob left", "ignore", label="GOOD"))
    for read in (load, TEXTS.load, load_relations, task_of_corpus):
        with pytest.raises(AbaloError, match="all of 2 records left out, the first because of the answer 'reject'"):
            read(name)


def labels(start, end, *labels, name="a"):
    return {"id": name, "type": "labels", "value": {"start": start, "end": end, "labels": [*labels]}}


def choices(*chosen):
    return {"type": "choices", "from_name": "topic", "to_name": "text", "value": {"choices": [*chosen]}}


def task(text, *annotations, **data):
    return {"id": text, "data": {"text": text, **data}, "annotations": [*annotations], "predictions": []}


def done(*results, **more):
    return {"result": [*results], "was_cancelled": False, **more}


def test_a_choice_in_label_studio_is_the_label(array):
    found, corpus = labelled(array(task("text 1", done(choices("good"))), task("text 2", done(choices("bad")))))
    assert found == [("text 1", "good"), ("text 2", "bad")]
    assert corpus.notices == ()
    found, corpus = labelled(array(task("text 1", done(choices("good", "bad"))), task("text 2", done(choices("bad")))))
    assert found == [("text 1", "bad", "good"), ("text 2", "bad")]


def test_the_data_of_a_task_can_be_a_pair(array):
    pair = {"premise": "Ann left.", "hypothesis": "Ann went.", "label": "old", "meta": {"a": 1}}
    name = array(task("x", done(choices("entailment")), **pair))
    assert task_of_corpus(name).name == "pairs"
    assert PAIRS.load(name).golds == (("entailment",),)


def test_of_two_annotations_the_first_that_was_not_cancelled_is_gold(array, rendered):
    cancelled, first, second = done(labels(4, 8, "X"), was_cancelled=True), done(labels(0, 3, "PER")), done()
    corpus = load(array(task("Ann left", cancelled, first, second), task("So", cancelled), task("Bob", second)))
    assert rendered(corpus) == ["[Ann PER] left", "Bob"]
    (told,) = corpus.notices
    assert "1 annotation beside another of the same text" in told
    assert "1 record because of no annotation" in told
    assert rendered(load(array(task("Ann left", second, {**first, "ground_truth": True})))) == ["[Ann PER] left"]


def test_relations_of_label_studio_have_the_direction_that_is_drawn(array, rendered):
    spans = [labels(0, 3, "PER", name="a"), labels(9, 14, "LOC", name="b")]
    drawn = {"type": "relation", "from_id": "a", "to_id": "b"}
    ways = [{**drawn, "direction": way, "labels": [way]} for way in ("right", "left", "bi")]
    lost = [{**drawn, "to_id": "c", "labels": ["x"]}, {**drawn, "direction": "right", "labels": []}]
    name = array(task("Ann left Paris", done(*spans, *ways, *lost)))
    assert relations_of(name) == [("Ann", "right", "Paris"), ("Paris", "left", "Ann"), ("Ann", "bi", "Paris")]
    told = load_relations(name).notices[-1]
    assert "1 relation of what is no labelled span" in told
    assert "1 sentence without a relation" in told
    assert rendered(load(name)) == ["[Ann PER] left [Paris LOC]"]


def test_other_results_of_label_studio_are_counted(array, rendered):
    others = [{"type": "rating", "value": {"rating": 4}}, {"type": "textarea", "value": {"text": ["why"]}}]
    corpus = load(array(task("Ann left", done(labels(0, 3, "PER"), *others))))
    assert rendered(corpus) == ["[Ann PER] left"]
    assert "1 result of the type rating, 1 result of the type textarea" in corpus.notices[-1]


def test_a_span_with_two_labels_is_refused_with_its_record(array, refusal):
    name = array(task("So", done()), task("Ann left", done(labels(0, 3, "PER", "ORG"))))
    assert refusal(name).startswith("dev.json record 2: the span ")


def test_choices_in_json_min_are_labels_and_one_annotation_counts(array):
    def short(number, *chosen):
        return {
            "id": number,
            "text": f"text {number}",
            "topic": {"choices": [*chosen]},
            "annotator": 1,
            "annotation_id": 7,
            "lead_time": 1.5,
        }

    found, corpus = labelled(array(short(1, "good", "bad"), short(1, "bad"), short(2, "bad")))
    assert found == [("text 1", "bad", "good"), ("text 2", "bad")]
    assert "1 record because of an earlier annotation of the same text" in corpus.notices[-1]


@pytest.mark.parametrize(
    "record",
    [
        asked(1, "Ann", spans=3),
        asked(1, "Ann", options=OPTIONS, accept={"a": 1}),
        asked(1, None, label="GOOD"),
        {"data": {"text": "Ann"}, "annotations": [3, None]},
        {"data": {"text": "Ann"}, "annotations": [done(3, {"value": 3}, {"value": {"choices": [{}]}})]},
        {"data": {"text": ["Ann"]}, "annotations": [done(labels(0, 3, "PER"))]},
        {"data": {"text": "Ann"}, "annotations": [{"result": 3}]},
        {"data": {"text": "Ann"}, "annotations": [done(labels("x", None, "PER"))]},
    ],
)
def test_what_no_tool_writes_is_refused_with_a_message(lines, record):
    for read in (load, TEXTS.load, load_relations):
        with pytest.raises(AbaloError):
            read(lines(record))


@pytest.mark.parametrize(
    "spans",
    [
        '"none"',
        "[7]",
        '[{"start": 0, "end": 3}]',
        '[{"start": 0, "label": "PER"}, {"start": 0, "end": 3, "label": "PER"}]',
    ],
)
def test_a_damaged_span_is_refused_with_its_line(written, refusal, spans):
    right = '{"text": "Bob left", "spans": [{"start": 0, "end": 3, "label": "PER"}], "_task_hash": 1}\n'
    spec = written(right + '{"text": "Ann left", "spans": SPANS, "_task_hash": 2}\n'.replace("SPANS", spans))
    assert "2: 'spans' is" in refusal(spec)


def test_records_of_another_reader_name_it(written, refusal):
    spec = written('{"text": "Bob left", "spans": [], "_task_hash": 1}\n')
    assert f"name that reader: prodigy:{spec}" in refusal(f"label_studio:{spec}")
