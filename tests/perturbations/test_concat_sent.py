"""Sentences run together with those that follow."""

import pytest
from hypothesis import given

from perturbations import Edit, Sentence, apply, entity_spans, find, parse, render
from perturbations.resources import Always, InOrder
from perturbations.strategies import corpora

THREE = [parse(text) for text in ("[Ana PER] saiu .", "[Rui Sá PER] ficou em [Rio LOC]", "[Rio LOC] dorme .")]


def joined(sentence, corpus, **params):
    concat = find("ConcatSent").configured(following=InOrder("corpus", corpus), **params)
    return concat.sample(sentence, seed=1)


def test_the_next_two_sentences_are_appended_with_their_labels():
    assert render(joined(THREE[0], THREE).sentence) == (
        "[Ana PER] saiu . [Rui Sá PER] ficou em [Rio LOC] [Rio LOC] dorme ."
    )


def test_one_is_appended_where_one_is_asked_for_or_only_one_is_left():
    assert render(joined(THREE[0], THREE, sentences=1).sentence) == "[Ana PER] saiu . [Rui Sá PER] ficou em [Rio LOC]"
    assert render(joined(THREE[1], THREE).sentence) == "[Rui Sá PER] ficou em [Rio LOC] [Rio LOC] dorme ."


def test_the_last_sentence_stays():
    assert joined(THREE[2], THREE) is None


def test_entities_that_come_to_touch_stay_two():
    """N1, where one sentence ends in an entity and the next begins with one."""
    (first, second) = entity_spans(joined(parse("em [Rio LOC]"), [parse("em [Rio LOC]"), THREE[2]]).sentence.tags)
    assert (first.start, first.stop, second.start, second.stop) == (1, 2, 2, 3)


def test_what_was_there_is_its_own_origin_and_what_comes_has_none():
    perturbed = joined(THREE[1], THREE)
    assert perturbed.origins == ((0,), (1,), (2,), (3,), (4,), (), (), ())
    assert len(perturbed.edits) == 1


def test_white_space_within_sentences_is_kept_and_one_space_comes_between():
    first = Sentence(("Ana", "saiu", "."), ("B-PER", "O", "O"), (" ", "", ""))
    second = Sentence(("Fim", "."), ("O", "O"), ("", "\n"))
    assert joined(first, [first, second]).sentence.text == "Ana saiu. Fim.\n"
    ending = Sentence(("Ana", "."), ("O", "O"), ("", "\n"))
    assert joined(ending, [ending, second]).sentence.text == "Ana.\nFim.\n"


def test_a_sentence_without_labels_gets_none():
    plain = Sentence(("Ana",))
    assert joined(plain, [plain, THREE[0]]).sentence == Sentence(("Ana", "Ana", "saiu", "."))


@pytest.mark.parametrize("count", [0, 11])
def test_a_number_of_sentences_out_of_range_is_refused(count):
    with pytest.raises(ValueError, match=f"sentences is {count}; expected a number from 1 to 10"):
        joined(THREE[0], THREE, sentences=count)


@given(corpus=corpora())
def test_a_sentence_goes_on_as_the_corpus_does(corpus):
    for sentence in dict.fromkeys(corpus):
        place = [each.tokens for each in corpus].index(sentence.tokens)
        perturbed = joined(corpus[place], corpus)
        rest = corpus[place + 1 : place + 3]
        if perturbed is None:
            assert not rest
            continue
        new = perturbed.sentence
        assert new.tokens == sum((each.tokens for each in rest), corpus[place].tokens)
        assert new.tags == sum((each.tags for each in rest), corpus[place].tags)
        assert apply(corpus[place], map(Edit.from_json, [edit.to_json() for edit in perturbed.edits])) == perturbed


def test_the_same_may_always_follow():
    concat = find("concat_sent").configured(following=Always("x", (parse("fim"),)))
    assert render(concat.sample(parse("alheia"), seed=1).sentence) == "alheia fim"
