"""Sentences with aspects are read from JSON, and what is wrong with them is told with its place."""

import json

import pytest

from abalo.core.protocols.task import tasks
from abalo.core.records.gate import Gate
from abalo.core.running.engine import language_of
from abalo.errors import AbaloError
from abalo.tasks.aspects.corpus import load, recognises
from perturbations import Span, render
from tests.texts import TextWith

TEXT = "Good screen, awful keyboard."
SCREEN = {"term": "screen", "polarity": "positive", "from": 5, "to": 11}
KEYBOARD = {"term": "keyboard", "polarity": "negative", "from": 19, "to": 27}


def problem(path):
    with pytest.raises(AbaloError) as caught:
        load(str(path))
    return str(caught.value)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ids.json", {"1": {"sentence": TEXT, "term_list": {"1_0": SCREEN, "1_1": KEYBOARD}}}),
        ("single.json", {"1": {"sentence": TEXT, **SCREEN}, "2": {"sentence": TEXT, **KEYBOARD}}),
        ("list.json", [{"sentence": TEXT, "aspects": [SCREEN, KEYBOARD]}]),
        ("a.jsonl", {"text": TEXT, "aspects": [SCREEN, KEYBOARD], "id": 7}),
    ],
)
def test_every_format_gives_the_same_aspects(tmp_path, name, value):
    path = tmp_path / name
    path.write_text(json.dumps(value) + "\n", "utf-8")
    corpus = load(str(path))
    assert corpus.inputs == ((TEXT, "screen"), (TEXT, "keyboard"))
    assert corpus.golds == (("positive",), ("negative",))
    assert [render(each) for each in corpus.sentences] == ["Good [screen positive] , awful [keyboard negative] ."] * 2
    assert [each.anchors for each in corpus.sentences] == [(Span(1, 2, "target"),), (Span(4, 5, "target"),)]
    first, second = corpus.examples
    assert first.cluster == second.cluster
    assert first.id != second.id
    assert corpus.label_counts == {"negative": 1, "positive": 1}


def test_an_aspect_has_the_tokens_that_it_shares_a_character_with(tmp_path):
    path = tmp_path / "a.jsonl"
    aspect = {"polarity": "neutral", "from": 7, "to": 16}
    path.write_text(json.dumps({"sentence": " 2-core usb ports...seem few", "aspects": [aspect]}), "utf-8")
    ((text, words),) = load(str(path)).inputs
    assert (text, words) == ("2-core usb ports...seem few", "usb ports")


def test_of_aspects_that_overlap_the_target_has_its_tags(tmp_path):
    path = tmp_path / "a.jsonl"
    long, short = {"polarity": "positive", "from": 5, "to": 17}, {"polarity": "neutral", "from": 5, "to": 12}
    path.write_text(json.dumps({"sentence": "Good battery life", "aspects": [long, short]}), "utf-8")
    assert [render(each) for each in load(str(path)).sentences] == [
        "Good [battery life positive]",
        "Good [battery neutral] life",
    ]


def test_aspects_of_conflicting_polarity_are_no_targets(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps({"sentence": TEXT, "aspects": [SCREEN, {**KEYBOARD, "polarity": "conflict"}]}), "utf-8")
    corpus = load(str(path))
    assert corpus.golds == (("positive",),)
    assert corpus.unlabelled == {"conflict": 1}
    assert corpus.notices == ("Read 1 aspect; left out 1 aspect with conflict for a polarity.",)


@pytest.mark.parametrize("value", [None, "", "none", "nan", -1, "-"])
def test_aspects_without_a_polarity_are_left_out_and_counted(tmp_path, value):
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps({"sentence": TEXT, "aspects": [SCREEN, {**KEYBOARD, "polarity": value}]}), "utf-8")
    corpus = load(str(path))
    assert (corpus.golds, corpus.unlabelled) == ((("positive",),), {str(value or ""): 1})
    assert set(corpus.sentences[0].tags) == {"O", "B-positive"}


@pytest.mark.parametrize(
    ("record", "said"),
    [
        ({"sentence": " ", "aspects": []}, "the sentence is ' '; expected text with visible characters"),
        ({"sentence": TEXT}, "no aspects, only 'sentence'; expected 'term_list' or 'aspects'"),
        ({"sentence": TEXT, "aspects": 3}, "'aspects' is 3; expected the aspects, in a list or by their ids"),
        ({"sentence": TEXT, "aspects": [{"from": 1}]}, "expected an object with 'polarity', 'from' and 'to'"),
        (
            {"sentence": TEXT, "aspects": [{**SCREEN, "to": 99}]},
            "an aspect from 5 to 99; expected places in",
        ),
        ({"sentence": TEXT, "aspects": [{**SCREEN, "from": 5.0}]}, "an aspect from 5.0 to 11"),
        ({"sentence": TEXT, "aspects": [{**SCREEN, "polarity": "positve"}]}, "did you mean 'positive'?"),
        ({"sentence": TEXT, "aspects": [{**SCREEN, "to": 10}]}, "the aspect 'screen' is 'scree' at 5 to 10"),
        ({"sentence": TEXT, "aspects": []}, "no aspects; expected at least one"),
        ([TEXT], "expected an object with 'sentence' and 'term_list'"),
    ],
)
def test_what_is_no_aspect_is_told(tmp_path, record, said):
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps(record) + "\n", "utf-8")
    assert said in problem(path)


OF_2014 = """<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<sentences>
  <sentence id="1">
    <text>Good screen, awful keyboard.</text>
    <aspectTerms>
      <aspectTerm term="screen" polarity="positive" from="5" to="11"/>
      <aspectTerm term="keyboard" polarity="negative" from="19" to="27"/>
    </aspectTerms>
    <aspectCategories><aspectCategory category="display" polarity="positive"/></aspectCategories>
  </sentence>
  <sentence id="2"><text>It came on Monday.</text></sentence>
</sentences>
"""
OF_2016 = """<Reviews><Review rid="1"><sentences>
  <sentence id="1:0"><text>Good screen, awful keyboard.</text><Opinions>
    <Opinion target="screen" category="DISPLAY#QUALITY" polarity="positive" from="5" to="11"/>
    <Opinion target="screen" category="DISPLAY#PRICES" polarity="positive" from="5" to="11"/>
    <Opinion target="keyboard" category="KEYBOARD#GENERAL" polarity="negative" from="19" to="27"/>
    <Opinion target="NULL" category="LAPTOP#GENERAL" polarity="positive" from="0" to="0"/>
    <Opinion target="NULL" category="LAPTOP#PRICES" polarity="positive" from="0" to="0"/>
  </Opinions></sentence>
  <sentence id="1:1" OutOfScope="TRUE"><text>Bye.</text></sentence>
</sentences></Review></Reviews>
"""
UNNAMED = "2 aspects that no word of the sentence names (NULL)"


@pytest.mark.parametrize(
    ("content", "notices"), [(OF_2014, ()), (OF_2016, (f"Read 2 aspects; left out {UNNAMED}.",))], ids=["2014", "2016"]
)
def test_xml_of_semeval_is_read(tmp_path, content, notices):
    path = tmp_path / "a.xml"
    path.write_text(content, "utf-8")
    corpus = load(str(path))
    assert corpus.inputs == ((TEXT, "screen"), (TEXT, "keyboard"))
    assert corpus.golds == (("positive",), ("negative",))
    assert corpus.notices == notices
    assert [task.name for task in tasks().values() if task.recognises(str(path))] == ["aspects"]


def test_one_place_with_two_polarities_has_a_conflicting_one(tmp_path):
    path = tmp_path / "a.xml"
    path.write_text(
        OF_2016.replace('PRICES" polarity="positive" from="5"', 'PRICES" polarity="neutral" from="5"'), "utf-8"
    )
    corpus = load(str(path))
    assert corpus.inputs == ((TEXT, "keyboard"),)
    assert corpus.notices == (f"Read 1 aspect; left out 1 aspect with conflict for a polarity, {UNNAMED}.",)


def test_places_in_xml_count_the_characters_that_entities_stand_for(tmp_path):
    path = tmp_path / "a.xml"
    path.write_text(OF_2014.replace("Good", "&lt;&amp;&#x1F600;>").replace("\n", "\r\n"), "utf-8")
    assert [words for _, words in load(str(path)).inputs] == ["screen", "keyboard"]


@pytest.mark.parametrize(
    "record",
    [
        {
            "text": TEXT,
            "opinions": [
                {"target": "screen", **SCREEN},
                {"target": "NULL", "polarity": "positive", "from": 0, "to": 0},
            ],
        },
        {"sentence": TEXT, "aspects": [SCREEN, {"term": "NULL", "polarity": "neutral"}]},
        {"sentence": TEXT, "aspects": [SCREEN, {"term": None, "polarity": "neutral", "from": 0, "to": 0}]},
        {"text": TEXT, "aspectTerms": [{**SCREEN, "from": "5", "to": "11"}, {"term": "NULL", "polarity": "neutral"}]},
    ],
)
def test_aspects_without_words_in_json_are_left_out_and_counted(tmp_path, record):
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps(record), "utf-8")
    corpus = load(str(path))
    assert corpus.inputs == ((TEXT, "screen"),)
    assert corpus.notices == (TextWith("Read 1 aspect; left out 1 aspect ", " (NULL)."),)
    assert [task.name for task in tasks().values() if task.recognises(str(path))] == ["aspects"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (OF_2014[:300], "not XML: "),
        ("<!DOCTYPE x [<!ENTITY a 'b'>]><sentences/>", "declares a document type"),
        (OF_2014.replace('from="5"', 'from="6"'), "sentence 1: the aspect 'screen' is 'creen' at 6 to 11"),
        (OF_2014.replace(' from="5"', ""), "sentence 1: an aspect from None to 11"),
        (OF_2016.replace('screen"', 'NULL"').replace('keyboard"', 'NULL"'), "no aspects, but 5 aspects that no word"),
        ("<sentences><sentence><text>Bye</text></sentence></sentences>", "no aspects; expected at least one"),
    ],
)
def test_what_is_wrong_in_xml_is_told(tmp_path, content, said):
    path = tmp_path / "a.xml"
    path.write_text(content, "utf-8")
    assert said in problem(path)


def test_places_that_do_not_fit_the_term_are_taken_leniently(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps({"sentence": TEXT, "aspects": [{**SCREEN, "term": "display"}]}), "utf-8")
    corpus = load(f"{path}?lenient")
    assert (corpus.inputs, corpus.repairs) == (((TEXT, "screen"),), 1)


def test_aspects_are_told_from_other_corpora(tmp_path):
    path, other = tmp_path / "a.json", tmp_path / "b.jsonl"
    path.write_text(json.dumps({"1": {"sentence": TEXT, "term_list": {"1_0": SCREEN}}}), "utf-8")
    other.write_text('{"sentence": "Good film", "label": "yes"}\n', "utf-8")
    assert [task.name for task in tasks().values() if task.recognises(str(path))] == ["aspects"]
    assert [task.name for task in tasks().values() if task.recognises(str(other))] == ["classification"]
    assert recognises("bundled:aspects-en")
    assert not recognises("bundled:sentiment-en")


def test_the_digest_knows_polarities_and_targets(tmp_path):
    path = tmp_path / "a.jsonl"
    digests = set()
    for aspects in ([SCREEN], [KEYBOARD], [SCREEN, KEYBOARD], [{**SCREEN, "polarity": "neutral"}]):
        path.write_text(json.dumps({"sentence": TEXT, "aspects": aspects}), "utf-8")
        digests.add(load(str(path)).sha256)
    assert len(digests) == 4


def test_the_corpus_that_ships_is_large_and_varied():
    corpus = load("bundled:aspects-en")
    assert len({sentence.text for sentence in corpus.sentences}) >= 350
    assert set(corpus.label_counts) == {"negative", "neutral", "positive"}
    assert min(corpus.label_counts.values()) >= 50
    assert language_of(corpus, Gate()) == "en"
