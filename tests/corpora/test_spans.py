"""Texts with entities at places, as other tools write them, become sentences with tags."""

import json

import pytest

from abalo.config.tasks import task_of_corpus
from abalo.corpora import load
from abalo.errors import AbaloError
from abalo.tasks.classification.corpus import load as load_texts
from perturbations import render
from tests.rows import every
from tests.texts import TextWith

TEXT = "Ann Reis left Paris."
ANN, PARIS = [0, 8, "PER"], [14, 19, "LOC"]
READ = "[Ann Reis PER] left [Paris LOC] ."


def objects(start: str, end: str, label: str, **more: object) -> list[dict[str, object]]:
    return [{start: span[0], end: span[1], label: span[2], **more} for span in (ANN, PARIS)]


RECORDS = {
    "doccano label": {"id": 1, "text": TEXT, "label": [ANN, PARIS]},
    "doccano labels": {"id": 1, "text": TEXT, "labels": [ANN, PARIS], "Comments": []},
    "doccano data": {"id": 1, "data": TEXT, "label": [ANN, PARIS]},
    "doccano entities": {
        "id": 1,
        "text": TEXT,
        "entities": objects("start_offset", "end_offset", "label", id=3),
        "relations": [],
        "Comments": [],
    },
    "spaCy in lines": {"text": TEXT, "entities": [ANN, PARIS]},
    "spaCy document": {
        "text": TEXT,
        "ents": objects("start", "end", "label"),
        "tokens": [{"id": 0, "start": 0, "end": 3}],
    },
    "ai4privacy": {
        "source_text": TEXT,
        "target_text": "[PER] left [LOC].",
        "privacy_mask": [
            {"value": "Ann Reis", "start": 0, "end": 8, "label": "PER"},
            {"value": "Paris", "start": 14, "end": 19, "label": "LOC"},
        ],
        "span_labels": [[0, 8, "PER"], [8, 14, "O"], [14, 19, "LOC"]],
        "mbert_text_tokens": ["Ann"],
    },
    "Rasa": {"text": TEXT, "entities": objects("start", "end", "entity", value="another name of it")},
    "Presidio": {"full_text": TEXT, "spans": objects("start_position", "end_position", "entity_type")},
    "Comprehend": {"Text": "x", "text": TEXT, "Entities": objects("BeginOffset", "EndOffset", "Type")},
    "names of no tool": {"id": "x", "paragraph": TEXT, "mentions": objects("begin", "stop", "category")},
    "a list of four": {"text": TEXT, "entities": [[*ANN, "Q1"], [*PARIS, None]]},
    "the label first": {"text": TEXT, "entities": [["PER", 0, 8], ["LOC", 14, 19]]},
    "numbers of pandas": {
        "text": TEXT,
        "spans": [{"start": 0.0, "end": 8.0, "label": "PER"}, {"start": "14", "end": "19", "label": "LOC"}],
    },
    "spans as text": {"source_text": TEXT, "privacy_mask": str(objects("start", "end", "label"))},
    "spans as text of JSON": {"text": TEXT, "label": json.dumps([ANN, PARIS])},
    "text under a key of no tool": {"generated_text": TEXT, "pii_spans": str(objects("start", "end", "label"))},
    "Vertex": {"textContent": TEXT, "textSegmentAnnotations": objects("startOffset", "endOffset", "displayName")},
    "UBIAI": {"document": TEXT, "tokens": objects("start", "end", "entityLabel"), "relations": []},
    "Argilla 2": {
        "id": "1",
        "status": "completed",
        "fields": {"text": TEXT},
        "responses": {"spans": [{"value": objects("start", "end", "label"), "user_id": "u", "status": "submitted"}]},
    },
    "with other lists": {"text": TEXT, "label": [ANN, PARIS], "words": ["Ann"], "meta": []},
    "spaces around a name": {"text": f"  {TEXT}", "label": [[1, 11, "PER"], [15, 21, "LOC"]]},
}


@every("record", RECORDS.values(), ids=RECORDS)
@every("form", ["lines", "array"])
def test_every_form_gives_the_same_sentence(written, rendered, record, form):
    content = json.dumps([record], indent=1) if form == "array" else json.dumps(record) + "\n"
    name = written(content, "dev.json")
    corpus = load(name)
    assert rendered(corpus) == [READ]
    assert corpus.sentences[0].text == TEXT
    assert (corpus.notices, corpus.scheme) == ((), "BIO")
    assert task_of_corpus(name).name == "ner"


PAIR = [TEXT, {"entities": [ANN, PARIS]}]


@pytest.mark.parametrize(
    "content",
    [
        json.dumps([PAIR]),
        json.dumps([PAIR], indent=2),
        json.dumps(PAIR) + "\n",
        json.dumps({"classes": ["PER"], "annotations": [None, PAIR]}),
        json.dumps({"rasa_nlu_data": {"common_examples": [RECORDS["Rasa"]]}}, indent=2),
        json.dumps(
            [
                {
                    "content": TEXT,
                    "annotation": [
                        {"label": [span[2]], "points": [{"start": span[0], "end": span[1]}]} for span in (ANN, PARIS)
                    ],
                }
            ]
        ),
    ],
    ids=["array", "indented", "line", "annotator", "rasa", "dataturks"],
)
def test_pairs_and_lists_inside_an_object_are_read(written, rendered, content):
    name = written(content, "dev.json")
    assert rendered(load(name)) == [READ]
    assert task_of_corpus(name).name == "ner"


def test_a_text_without_entities_is_a_sentence_also_where_it_comes_first(written, rendered):
    name = written("".join(json.dumps({"text": TEXT, "label": spans}) + "\n" for spans in ([], [ANN])), "dev.jsonl")
    assert rendered(load(name)) == ["Ann Reis left Paris .", "[Ann Reis PER] left Paris ."]
    assert task_of_corpus(name).name == "ner"


def test_a_sentence_with_tokens_may_stand_among_them(written, rendered):
    records = [{"text": "Bob ran", "label": []}, {"tokens": ["Ann"], "tags": ["B-PER"]}, {"text": TEXT, "label": [ANN]}]
    name = written("".join(json.dumps(each) + "\n" for each in records), "dev.jsonl")
    assert rendered(load(name)) == ["Bob ran", "[Ann PER]", "[Ann Reis PER] left Paris ."]


@pytest.mark.parametrize(
    ("spans", "expected", "notices"),
    [
        ([[2, 5, "PER"], [11, 16, "LOC"]], "😀 [Ann PER] left [Paris LOC]", 0),
        ([[3, 6, "PER"], [12, 17, "LOC"]], "😀 [Ann PER] left [Paris LOC]", 1),
        ([[0, 1, "X"], [2, 5, "PER"]], "[😀 X] [Ann PER] left Paris", 0),
        ([[0, 2, "X"], [12, 17, "LOC"]], "[😀 X] Ann left [Paris LOC]", 1),
    ],
)
def test_units_of_utf_16_are_told_by_the_words_that_places_then_fit(written, rendered, spans, expected, notices):
    corpus = load(written(json.dumps({"text": "😀 Ann left Paris", "label": spans}), "dev.jsonl"))
    assert rendered(corpus) == [expected]
    assert ["UTF-16" in each for each in corpus.notices] == [True] * notices


def test_bytes_of_utf_8_are_told_by_the_words_that_places_then_fit(written, rendered):
    spans = [[2, 9, "PER"], [16, 26, "LOC"]]
    corpus = load(written(json.dumps({"text": "A Müller está São Paulo já", "label": spans}), "dev.jsonl"))
    assert rendered(corpus) == ["A [Müller PER] está [São Paulo LOC] já"]
    assert ["bytes" in each for each in corpus.notices] == [True]


def test_spans_by_their_types_and_words_are_read(written, rendered):
    record = {"text": "Ann Reis left Paris.", "label": {"PER": {"Ann Reis": [[0, 7]]}, "LOC": {"Paris": [[14, 18]]}}}
    assert rendered(load(written(json.dumps(record) + "\n", "dev.json"))) == [READ]


def test_a_record_without_a_key_for_spans_beside_others_has_no_entities(written, rendered):
    records = [{"text": TEXT, "label": [ANN]}, {"text": "Bob ran", "annotator": 1}]
    corpus = load(written(json.dumps(records), "dev.json"))
    assert rendered(corpus) == ["[Ann Reis PER] left Paris .", "Bob ran"]
    (notice,) = corpus.notices
    assert "1 record without" in notice


def test_tasks_that_nobody_has_annotated_are_refused_as_such(written, refusal):
    tasks = json.dumps([{"data": {"text": TEXT}, "annotations": []}] * 2)
    name = written(tasks, "dev.json")
    assert "all of 2 records left out, the first because of no annotation" in refusal(name)
    with pytest.raises(AbaloError, match="left out, the first because of no annotation"):
        task_of_corpus(name)


def test_the_words_of_a_span_tell_the_unit_where_no_border_does(written, rendered):
    span = {"start": 2, "end": 4, "label": "LOC", "text": "北京"}
    assert rendered(load(written(json.dumps({"text": "😀北京人", "spans": [span]}), "dev.jsonl"))) == [
        "😀 [北 京 LOC] 人"
    ]


def test_ends_that_count_the_last_character_are_told_by_the_words(written, rendered):
    points = [{"start": 0, "end": 7, "text": "Ann Reis"}]
    corpus = load(
        written(json.dumps({"content": TEXT, "annotation": [{"label": ["PER"], "points": points}]}), "a.jsonl")
    )
    assert rendered(corpus) == ["[Ann Reis PER] left Paris ."]
    assert len(corpus.notices) == 1


def test_a_word_is_cut_where_an_entity_begins_or_ends_and_a_notice_says_so(written):
    records = [
        {"text": "Lisboa-Porto hoje", "label": [[0, 6, "LOC"], [7, 12, "LOC"]]},
        {"text": "em Helsingissä", "label": [[3, 11, "LOC"]]},
    ]
    corpus = load(written("".join(json.dumps(each) + "\n" for each in records), "dev.jsonl"))
    assert [each.tokens for each in corpus.sentences] == [("Lisboa", "-", "Porto", "hoje"), ("em", "Helsingi", "ssä")]
    assert [each.tags for each in corpus.sentences] == [("B-LOC", "O", "B-LOC", "O"), ("O", "B-LOC", "O")]
    assert [each.text for each in corpus.sentences] == ["Lisboa-Porto hoje", "em Helsingissä"]
    (notice,) = corpus.notices
    assert "3 entities" in notice
    assert "'Lisboa|-Porto' in line 1" in notice


def test_a_grapheme_cluster_is_never_cut(written):
    corpus = load(written(json.dumps({"text": "Jose\u0301 left", "label": [[0, 4, "PER"]]}), "dev.jsonl"))
    assert (corpus.sentences[0].tokens, corpus.sentences[0].tags) == (("Jose\u0301", "left"), ("B-PER", "O"))


def test_words_of_thai_are_cut_without_a_word_about_it(written):
    corpus = load(written(json.dumps({"text": "ไปกรุงเทพวันนี้", "label": [[2, 9, "LOC"]]}), "dev.jsonl"))
    assert corpus.sentences[0].tokens == ("ไป", "กรุงเทพ", "วันนี้")
    assert corpus.sentences[0].tags == ("O", "B-LOC", "O")


def test_of_entities_that_share_characters_the_longest_stays(written, rendered):
    spans = [[4, 8, "PER"], [0, 8, "PER"], [0, 8, "PER"], [5, 13, "X"], PARIS]
    corpus = load(written(json.dumps({"text": TEXT, "label": spans}), "dev.jsonl"))
    assert rendered(corpus) == [READ]
    (notice,) = corpus.notices
    assert notice == TextWith("left out 2 entities sharing", " 'eis left' in line 1", "1 entity given before")


def test_places_most_of_which_begin_inside_words_are_refused(written, refusal):
    name = written(json.dumps({"text": TEXT, "label": [[1, 2, "PER"], [15, 19, "LOC"], [4, 8, "PER"]]}), "dev.jsonl")
    assert refusal(name).startswith("dev.jsonl: 2 of 3 entities begin inside a word, the first 'A|nn' in line 1;")
    assert load(f"{name}?lenient").sentences[0].tokens[:3] == ("A", "n", "n")


def test_other_tasks_say_which_task_reads_entities(written):
    for record in (RECORDS["doccano label"], RECORDS["ai4privacy"]):
        with pytest.raises(AbaloError, match=r"entities at places of a text.*--abalo-task ner"):
            load_texts(written(json.dumps(record), "dev.jsonl"))


def test_a_table_of_entities_is_none_of_labelled_texts(written):
    name = written('id,text,label\n1,Ann left,"[[0, 3, ""PER""]]"\n', "dev.csv")
    with pytest.raises(AbaloError, match=r"dev.csv:2: entities at places of a text, .*; write the table as JSON lines"):
        load_texts(name)


def test_texts_with_a_label_and_spans_are_a_corpus_of_either_task(written, rendered):
    name = written(json.dumps({"text": TEXT, "label": "good", "spans": objects("start", "end", "label")}), "dev.jsonl")
    assert load_texts(name).golds == (("good",),)
    assert rendered(load(name)) == [READ]
    assert task_of_corpus(name).name == "ner"


def test_parts_of_a_file_are_its_sentences(written):
    from abalo.tasks.ner.in_parts import EntitiesInParts

    records = [{"text": f"Ann{k} left", "label": [[0, 4, "PER"]]} for k in range(5)]
    name = written("".join(json.dumps(each) + "\n" for each in records), "dev.jsonl")
    corpus = EntitiesInParts(name, None)
    source, parts = corpus.cut(2)
    read = [render(sentence) for part in parts for sentence in corpus.read(source, part).sentences]
    assert read == [f"[Ann{k} PER] left" for k in range(5)]
    assert source.sha256 == load(name).sha256
