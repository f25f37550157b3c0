"""Sentences, their ids, and the entities that tags mark."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from seqeval.metrics.sequence_labeling import get_entities

from perturbations import Edit, Sentence, Span, entity_spans, sentence_id
from perturbations.strategies import corpora, edits, sentences
from perturbations.text import entity_start, entity_starts
from tests.rows import every


def test_white_space_is_one_space_after_each_token_but_the_last():
    assert Sentence(("Ana", "saiu", ".")).spaces == (" ", " ", "")


def test_text_is_every_token_followed_by_its_white_space():
    assert Sentence(("Ana", "saiu", "."), spaces=("\n", "", "  ")).text == "Ana\nsaiu.  "


def test_an_empty_sentence_is_a_sentence():
    assert Sentence(()).text == ""
    assert len(Sentence((), ())) == 0


@pytest.mark.parametrize("blank", ["", " ", "\t", "\u00a0"])
def test_a_token_of_white_space_is_an_error_that_names_it(blank):
    with pytest.raises(ValueError, match=r"token 1 is .* at least one visible character"):
        Sentence(("Ana", blank))


def test_white_space_within_a_token_is_fine():
    assert Sentence(("10\u00a0000",)).text == "10\u00a0000"


@every(
    ("wrong", "message"),
    [
        ({"tokens": "Ana saiu"}, "tokens is 'Ana saiu'; expected a tuple"),
        ({"tokens": ["Ana", "saiu"]}, "expected a tuple"),
        ({"tokens": ("Ana", "saiu"), "tags": ["O", "O"]}, "tags is .* expected a tuple"),
        ({"tokens": ("Ana", "saiu"), "spaces": "  "}, "spaces is .* expected a tuple"),
        ({"tokens": None}, "tokens is None; expected a tuple"),
    ],
)
def test_anything_but_tuples_is_a_type_error(wrong, message):
    with pytest.raises(TypeError, match=message):
        Sentence(**wrong)


@every(
    ("wrong", "message"),
    [
        ({"tags": ("O",)}, "2 tokens but 1 tags"),
        ({"spaces": (" ",)}, "2 tokens but 1 spaces"),
        ({"spaces": (" ", ".")}, "more than white space"),
        ({"anchors": (Span(1, 3, "x"),)}, "lies outside the 2 tokens"),
        ({"anchors": (Span(1, 0, "x"),)}, "lies outside the 2 tokens"),
    ],
)
def test_what_does_not_fit_the_tokens_is_an_error(wrong, message):
    with pytest.raises(ValueError, match=message):
        Sentence(("Ana", "saiu"), **wrong)


def test_equal_tokens_have_one_id_whatever_their_tags_and_spaces():
    assert sentence_id(Sentence(("a", "b"))) == sentence_id(Sentence(("a", "b"), ("O", "B-X"), ("\n", "")))


def test_an_id_is_the_same_on_every_machine():
    assert sentence_id(Sentence(("Ana", "não", "saiu"))) == "3497d76e5ea77ad6"
    assert sentence_id(Sentence(())) == "9791547bf874064f"


@pytest.mark.parametrize(
    ("one", "other"),
    [(("ab",), ("a", "b")), (("a\x1fb",), ("a", "b")), (("a', 'b",), ("a", "b")), (("a",), ("a", "a"))],
)
def test_other_tokens_have_another_id_also_where_the_text_is_the_same(one, other):
    assert sentence_id(Sentence(one)) != sentence_id(Sentence(other))


def test_a_lone_surrogate_has_an_id():
    assert len(sentence_id(Sentence(("\ud800",)))) == 16


def test_touching_entities_are_two_and_an_i_without_its_b_opens_one():
    assert entity_spans(("B-X", "B-X", "I-X", "O", "I-Y", "I-X")) == [
        Span(0, 1, "X"),
        Span(1, 3, "X"),
        Span(4, 5, "Y"),
        Span(5, 6, "X"),
    ]


@given(st.lists(st.sampled_from(["O", "B-A", "I-A", "B-B", "I-B", "B-A-B", "I-A-B"]), max_size=12))
def test_entities_are_those_of_seqeval(tags):
    assert [(span.type, span.start, span.stop - 1) for span in entity_spans(tags)] == get_entities(tags)


@given(st.lists(st.sampled_from(["O", "B-", "I-", "B-A", "I-A", "B-B", "I-B", "B-A-B", "I-A-B", "x"]), max_size=12))
def test_the_entity_of_one_token_is_that_found_with_all(tags):
    assert [entity_start(tags, place) for place in range(len(tags))] == entity_starts(tags)


@given(st.data())
def test_edits_survive_a_trip_through_json(data):
    sentence = data.draw(sentences())
    for edit in data.draw(edits(sentence)):
        assert Edit.from_json(json.loads(json.dumps(edit.to_json()))) == edit


def test_json_of_an_edit_leaves_out_what_is_not_given_and_keeps_what_is_empty():
    edit = Edit(1, 2, (), tags=(), origins=((0, 1), ()))
    assert edit.to_json() == {"start": 1, "stop": 2, "tokens": (), "tags": (), "origins": ((0, 1), ())}
    assert Edit.from_json(json.loads(json.dumps(edit.to_json()))) == edit


@given(sentences(types=("X",), min_tokens=1, max_tokens=4))
def test_the_strategy_keeps_to_its_limits(sentence):
    assert 1 <= len(sentence) <= 4
    assert {span.type for span in entity_spans(sentence.tags)} <= {"X"}


@given(corpora(max_sentences=3, max_tokens=4))
def test_corpora_have_a_sentence_at_least(corpus):
    assert 1 <= len(corpus) <= 3
    assert all(1 <= len(sentence) <= 4 for sentence in corpus)
