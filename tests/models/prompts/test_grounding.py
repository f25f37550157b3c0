"""Entities that a reply quotes, found again in the sentence."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abalo.models.prompts.entities import EntityForm
from abalo.models.prompts.tags import TagForm
from perturbations import Sentence, parse

FORM = EntityForm(("LOC", "PER"))
MARKED = EntityForm(("LOC", "PER"), marked=True)


def read(text, *entities, form=FORM):
    sentence = parse(text)
    found = form.read(json.dumps({"entities": entities}), Sentence(sentence.tokens, spaces=sentence.spaces))
    return found, found.tags == sentence.tags


def entity(text, kind, **more):
    return {"text": text, "type": kind, **more}


def test_equal_words_are_taken_in_the_order_of_the_reply():
    found, right = read("[Rio LOC] e [Rio PER]", entity("Rio", "LOC"), entity("Rio", "PER"))
    assert right
    assert found.ambiguous == 0


def test_an_occurrence_is_counted_in_the_text_whatever_other_entities_hold():
    found, right = read("Rio e [Rio LOC]", entity("Rio", "LOC", occurrence=2))
    assert right
    assert found.ambiguous == 0
    found, _ = read("Rio e Rio", entity("Rio", "LOC", occurrence=3))
    assert found.ungrounded == (("Rio", "LOC"),)


def test_more_places_than_replies_are_ambiguous_and_the_first_is_taken():
    found, right = read("[Rio LOC] e Rio", entity("Rio", "LOC"))
    assert right
    assert found.ambiguous == 1


def test_words_that_no_place_holds_are_not_grounded():
    found, right = read("[Ana PER] saiu cedo", entity("Ana", "PER"), entity("Lisboa", "LOC"), entity("Ana", "PER"))
    assert right
    assert found.ungrounded == (("Lisboa", "LOC"), ("Ana", "PER"))


def test_the_exact_letter_case_comes_first_and_tokens_before_parts_of_them():
    assert read("rio e [Rio LOC]", entity("Rio", "LOC"))[1]
    assert read("[rio LOC] e", entity("RIO", "LOC"))[1]
    assert read("Marianas e [Ana PER]", entity("Ana", "PER"))[1]
    assert read("as [Marianas PER] e", entity("ariana", "PER"))[1]


def test_white_space_between_tokens_does_not_count():
    assert read("[U . S . LOC] aid", entity("U.S.", "LOC"))[1]


def test_an_entry_that_is_none_is_counted_and_has_no_type():
    entries = [entity("Ana", "PER"), entity("Ana", "ROBOT"), 5, ["Ana"], {"text": 1, "type": []}]
    found, right = read("[Ana PER] saiu de cá hoje", *entries)
    assert right
    assert [kind for _, kind in found.ungrounded] == [""] * 4


@pytest.mark.parametrize("form", [FORM, MARKED])
def test_what_a_right_model_says_is_read_as_gold(form):
    for text in ("[Rio LOC] e Rio de [Rio LOC] [Ana PER] [Rui PER]", "nada", "a [[] b (c) [x y LOC]"):
        sentence = parse(text.replace("[[]", r"\[")) if "[[]" in text else parse(text)
        if form is MARKED and "(c)" in text:
            continue  # brackets of the text cannot be told from marks
        found = form.read(form.said(sentence, sentence.tags), sentence)
        assert found.tags == sentence.tags
        assert (found.ungrounded, found.ambiguous) == ((), found.ambiguous)


def test_marked_text_is_read_where_json_was_wanted():
    sentence = parse("[Rio LOC] e [Rio PER]")
    assert FORM.read("[Rio](LOC) e [Rio](PER)", sentence).tags == sentence.tags


@pytest.mark.parametrize("reply", ["", "no", "[1, 2", '{"entities": "Rio"}', "[" * 10_000, "x" * 10_000_000, "null"])
def test_a_reply_without_entities_in_it_cannot_be_read(reply):
    assert FORM.read(reply, parse("Rio")) is None


def test_no_entity_is_an_answer():
    assert FORM.read('Sure!\n```json\n{"entities": []}\n```', parse("Rio")).tags == ("O",)
    assert FORM.read("[]", parse("Rio")).tags == ("O",)
    assert MARKED.read("Rio", parse("Rio")).tags == ("O",)


@given(st.text(max_size=60))
def test_any_reply_is_read_or_not_and_gives_tags_for_every_token(reply):
    sentence = parse("[Rio LOC] e [Ana PER]")
    for form in (FORM, MARKED):
        found = form.read(reply, sentence)
        assert found is None or len(found.tags) == 3


def test_words_with_tags_are_put_on_the_next_token_that_they_are():
    form, sentence = TagForm(("DET", "NOUN")), parse("o o gato")
    listed = [{"word": "o", "tag": "det"}, {"word": "gato", "tag": "NOUN"}, {"word": "cão", "tag": "NOUN"}, 3]
    found = form.read(json.dumps({"words": listed}), sentence)
    assert found.tags == ("DET", "", "NOUN")
    assert len(found.ungrounded) == 2
    assert form.read("no", sentence) is None
