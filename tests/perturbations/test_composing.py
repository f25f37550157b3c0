"""Two steps as one, and the edits between two sentences."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perturbations import Edit, Perturbed, Sentence, apply, compose, find, parse, render, sample_pipeline, unchanged
from perturbations.composition import edits_between
from perturbations.strategies import edits, sentences
from tests.rows import every


def without_anchors(perturbed: Perturbed) -> tuple[Sentence, tuple[tuple[int, ...], ...]]:
    return replace(perturbed.sentence, anchors=()), perturbed.origins


def step(data, sentence: Sentence) -> Perturbed:
    return apply(sentence, data.draw(edits(sentence)))


def test_a_pipeline_is_one_step_from_the_source():
    source = parse("[Ana Sá PER] saiu")
    first = apply(source, [Edit(1, 1, ("xxx",)), Edit(2, 3, ("foi", "embora"))])
    second = apply(first.sentence, [Edit(0, 1, ()), Edit(4, 5, ("já",))])
    whole = compose(source, first, second)
    assert render(whole.sentence) == "[xxx Sá PER] foi já"
    assert whole.origins == ((), (1,), (2,), (2,))
    assert apply(source, whole.edits) == whole


def test_edits_of_a_composition_leave_out_what_stayed():
    source = parse("a b c d e")
    first = apply(source, [Edit(1, 2, ("x",))])
    whole = compose(source, first, apply(first.sentence, [Edit(3, 4, ("y",))]))
    assert [(edit.start, edit.stop, edit.tokens) for edit in whole.edits] == [(1, 2, ("x",)), (3, 4, ("y",))]


def test_a_step_taken_back_leaves_no_edits():
    source = parse("[Ana PER] saiu")
    first = apply(source, [Edit(1, 2, ("foi",))])
    assert compose(source, first, apply(first.sentence, [Edit(1, 2, ("saiu",))])) == unchanged(source)


def test_entities_that_grew_together_stay_together():
    source = parse("[Ana PER] [Rui Sá PER]")
    first = apply(source, [Edit(0, 2, ("Ana",), tags=("B-PER",), origins=((0,),))])
    assert render(first.sentence) == "[Ana Sá PER]"
    assert without_anchors(compose(source, first, unchanged(first.sentence))) == without_anchors(first)


def test_moved_tokens_keep_their_origins():
    source = parse("[Ana PER] saiu hoje")
    first = apply(source, [Edit(0, 3, ("hoje", "Ana", "saiu"), origins=((2,), (0,), (1,)))])
    whole = compose(source, first, apply(first.sentence, [Edit(0, 1, ("ontem",))]))
    assert render(whole.sentence) == "ontem [Ana PER] saiu"
    assert whole.origins == ((2,), (0,), (1,))
    assert apply(source, whole.edits) == whole


def test_a_token_moved_to_the_front_is_put_there_and_the_rest_stays():
    source = parse("a b c d e")
    first = apply(source, [Edit(0, 3, ("c", "a", "b"), origins=((2,), (0,), (1,)))])
    whole = compose(source, first, unchanged(first.sentence))
    assert without_anchors(whole) == without_anchors(first)
    assert apply(source, whole.edits) == whole


@pytest.mark.slow
@given(st.data())
def test_a_composition_is_what_its_steps_made_and_its_edits_make_it_again(data):
    source = data.draw(sentences())
    first = step(data, source)
    second = step(data, first.sentence)
    whole = compose(source, first, second)
    assert whole.sentence == second.sentence
    assert whole.origins == tuple(
        tuple(sorted({old for middle in origin for old in first.origins[middle]})) for origin in second.origins
    )
    assert apply(source, whole.edits) == whole


@pytest.mark.slow
@given(st.data())
def test_composing_is_associative(data):
    source = data.draw(sentences(max_tokens=6))
    first = step(data, source)
    second = step(data, first.sentence)
    third = step(data, second.sentence)
    later = compose(first.sentence, second, third)
    assert compose(source, first, later) == compose(source, compose(source, first, second), third)


@given(st.data())
def test_the_identity_composes_to_nothing_more(data):
    source = data.draw(sentences())
    made = step(data, source)
    assert without_anchors(compose(source, unchanged(source), made)) == without_anchors(made)
    assert without_anchors(compose(source, made, unchanged(made.sentence))) == without_anchors(made)


@pytest.mark.slow
@given(st.data())
def test_edits_lead_from_any_sentence_to_any_other(data):
    source, target = data.draw(sentences()), data.draw(sentences())
    some = (
        st.lists(st.integers(0, len(source) - 1), max_size=2, unique=True).map(sorted) if len(source) else st.just([])
    )
    origins = tuple(tuple(data.draw(some)) for _ in target.tokens)
    made = apply(source, edits_between(source, target, origins))
    assert made.sentence == target
    assert made.origins == origins


def test_a_pipeline_samples_each_step_by_the_clean_sentence():
    source = parse("o [TRIBUNAL DE JUSTIÇA ORG] não decidiu a causa da ré")
    steps = [find("accents"), find("synonyms"), find("word_insertion").configured(rate=0.5)]
    perturbed = sample_pipeline(steps, source, seed=1)
    assert apply(source, perturbed.edits) == perturbed
    alone = steps[2].sample(source, seed=1, step=2)
    inserted = [origin == () for origin in perturbed.origins]
    assert inserted == [origin == () for origin in alone.origins]


def test_a_perturbation_used_twice_draws_differently():
    noise = find("character_noise").configured(rate=0.5)
    source = parse("abcdefghijklmnopqrstuvwxyz")
    assert noise.sample(source, seed=1, step=0) != noise.sample(source, seed=1, step=1)


def test_a_pipeline_that_changes_nothing_is_none():
    assert sample_pipeline([find("accents"), find("synonyms")], parse("xyz"), seed=1) is None
    assert sample_pipeline([], parse("xyz"), seed=1) is None


def turned(meaning: str, made: Perturbed) -> Perturbed:
    return replace(made, meaning=meaning)


@every(
    ("first", "second", "together"),
    [
        ("keeps", "keeps", "keeps"),
        ("turns", "keeps", "turns"),
        ("keeps", "turns", "turns"),
        ("turns", "turns", "loses"),
        ("keeps", "loses", "loses"),
        ("loses", "turns", "loses"),
    ],
)
def test_what_is_turned_around_twice_has_lost_its_meaning(first, second, together):
    source = parse("a b")
    one = turned(first, apply(source, [Edit(0, 1, ("c",))]))
    other = turned(second, apply(one.sentence, [Edit(1, 2, ("d",))]))
    assert compose(source, one, other).meaning == together


def test_a_negation_turns_the_meaning_around_and_an_accent_keeps_it():
    source = parse("[Ana Sá PESSOA] se apresentou às sete .")
    assert find("negation").sample(source, seed=1).meaning == "turns"
    assert find("accents").sample(source, seed=1).meaning == "keeps"
    assert sample_pipeline([find("accents"), find("negation")], source, seed=1).meaning == "turns"
    assert sample_pipeline([find("negation"), find("negation")], source, seed=1) is None  # it takes itself back
