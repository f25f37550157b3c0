"""Perturbations in turn, and which of them can be."""

import json
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perturbations import (
    Edit,
    Perturbation,
    Pipeline,
    Sentence,
    apply,
    entity_spans,
    find,
    members,
    parse,
    render,
    sample_pipeline,
    sentence_level,
    word_level,
)
from perturbations.pipelines import combinations, languages, sampled_combinations
from perturbations.resources import InOrder, Invented
from perturbations.strategies import sentences


def every(member: Perturbation) -> bool:
    """All but those that look at another sentence."""
    return member.scheme != "pair"


PAIRS = list(combinations(2, "pt", every))


def names(found) -> list[tuple[str, ...]]:
    return [tuple(step.name for step in steps) for steps in found]


def test_a_pipeline_makes_its_steps_in_turn():
    steps = (find("accents"), find("token_masking").configured(rate=1, mask_token="x"))
    assert render(Pipeline(steps).sample(parse("[José PER]"), seed=1).sentence) == "[x PER]"
    assert Pipeline(steps[:1]).sample(parse("[Ana PER]"), seed=1) is None


def test_entities_are_where_the_steps_before_have_put_them():
    """N2: after a step that inserts, the catalogue overwrites what stands at the old places."""
    text = "In [Lima LOC] the judge [John Smith PER] ruled"
    oov = find("swap_ent_oov").configured(language="en", entities=Invented("en"))
    steps = (find("word_insertion").configured(rate=1, fillers=["x"]), oov)
    for seed in range(10):
        new = Pipeline(steps).sample(parse(text), seed=seed).sentence
        spans = entity_spans(new.tags)
        assert [span.type for span in spans] == ["LOC", "PER"]
        outside = [token for token, tag in zip(new.tokens, new.tags, strict=True) if tag == "O"]
        assert outside == ["In", "x", "x", "the", "x", "judge", "x", "x", "ruled", "x"]
        assert not {"Lima", "John", "Smith"} & set(new.tokens)


def test_a_slip_in_an_entity_leaves_what_was_inserted_alone():
    """N2: TwitterType and EntTypos of the catalogue mistyped the handle and the preposition."""
    steps = (find("insert").configured(rate=1, distractors=["@x9y"]), find("ent_typos"))
    new = Pipeline(steps).sample(parse("In [Lima LOC] the judge"), seed=1).sentence
    assert [token for token, tag in zip(new.tokens, new.tags, strict=True) if tag == "O"] == [
        "In",
        "@x9y",
        "@x9y",
        "the",
        "judge",
    ]


def test_what_a_step_changed_stays_changed():
    """N2: EntTypos of the catalogue undid what was done to entities before."""
    steps = (find("accents"), find("ent_typos").configured(operation="swap"))
    new = Pipeline(steps).sample(parse("[Glória PER]"), seed=1).sentence
    assert "ó" not in new.tokens[0]
    assert sorted(new.tokens[0]) == sorted("Gloria")


def test_insertions_within_an_entity_belong_to_it_in_the_steps_that_follow():
    """N6: the catalogue calls what is inserted within an entity O."""
    steps = (find("word_insertion").configured(rate=1, fillers=["x"]), find("swap_named_ent"))
    new = Pipeline(steps).sample(parse("[Ana Sá PER] saiu"), seed=1).sentence
    (span,) = entity_spans(new.tags)
    assert new.tokens[span.stop :] == ("x", "saiu", "x")


CORPUS = [parse(text) for text in ("[José PER] saiu .", "[Inês PER] ficou .", "fim .")]


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_what_follows_a_sentence_still_does_when_it_has_changed(order):
    both = (find("concat_sent").configured(following=InOrder("corpus", CORPUS)), find("accents"))
    steps = tuple(both[i] for i in order)
    new = Pipeline(steps).sample(CORPUS[0], seed=1).sentence
    second = "Ines" if order == (0, 1) else "Inês"
    assert render(new) == f"[Jose PER] saiu . [{second} PER] ficou . fim ."


def test_the_steps_draw_differently_and_by_the_sentence_as_it_was():
    noise = find("character_noise").configured(rate=0.5)
    sentence = parse("um dois tres quatro cinco")
    first = noise.sample(sentence, seed=1)
    twice = Pipeline((noise, noise)).sample(sentence, seed=1)
    assert twice.sentence != first.sentence
    second = Pipeline((find("accents"), noise)).sample(sentence, seed=1)
    assert second.sentence == noise.sample(sentence, seed=1, step=1).sentence


def test_an_error_says_which_step_it_was():
    @word_level(example=("a", "b"))
    def broken(word: str):
        raise RuntimeError("no")

    with pytest.raises(RuntimeError) as caught:
        sample_pipeline((find("character_noise").configured(rate=1), broken), parse("abc"), seed=1)
    assert caught.value.__notes__ == ["in step 2 of a pipeline, broken"]


@settings(max_examples=300)
@given(steps=st.sampled_from(PAIRS), sentence=sentences(), seed=st.integers(0, 2**32))
def test_every_pair_gives_labels_origins_and_edits_that_fit(steps, sentence, seed):
    perturbed = Pipeline(tuple(step.configured(rate=1) for step in steps)).sample(sentence, seed=seed)
    if perturbed is None:
        return
    new = perturbed.sentence
    assert len(new.tags) == len(new.tokens) == len(perturbed.origins)
    assert not [tag for i, tag in enumerate(new.tags) if tag[:2] == "I-" and (i == 0 or new.tags[i - 1][1:] != tag[1:])]
    flat = [old for origin in perturbed.origins for old in origin]
    assert set(flat) <= set(range(len(sentence)))
    written = json.dumps([edit.to_json() for edit in perturbed.edits])
    assert apply(sentence, map(Edit.from_json, json.loads(written))) == perturbed


def test_pairs_are_of_two_that_fit_the_language_in_both_orders():
    @sentence_level(example=("a b", "b"), languages=("en",))
    def english_only(sentence: Sentence):
        return []

    @word_level(example=("a", "b"), cost="model")
    def costly(word: str):
        return []

    found = names(combinations(2, "pt", every))
    assert ("accents", "synonyms") in found
    assert ("synonyms", "accents") in found
    assert ("accents", "accents") not in found
    assert found == sorted(found)
    assert not [pair for pair in found if {"english_only", "costly"} & set(pair)]
    english = names(combinations(2, "en", every))
    assert ("accents", "english_only") in english
    assert not [pair for pair in english if {"synonyms", "costly"} & set(pair)]
    alone = [m for m in members().values() if m.cost == "text" and every(m)]
    count = len([m for m in alone if not m.languages or "pt" in m.languages])
    assert len(found) == count * (count - 1)
    assert len(list(islice(combinations(3, "pt", every), 10))) == 10


def test_the_languages_are_those_of_the_catalogue():
    assert set(languages()) >= {"en", "pt", "zh"}


def test_drawing_depends_on_the_seed_alone():
    drawn = names(sampled_combinations(20, 2, "pt", every, seed=1))
    assert len(set(drawn)) == 20
    assert drawn == names(sampled_combinations(20, 2, "pt", every, seed=1))
    assert drawn[:5] == names(sampled_combinations(5, 2, "pt", every, seed=1))
    assert set(drawn) != set(names(sampled_combinations(20, 2, "pt", every, seed=2)))
    assert len(sampled_combinations(10**6, 2, "pt", every, seed=1)) == len(PAIRS)


def test_a_new_perturbation_takes_the_place_of_few_that_were_drawn():
    before = set(names(sampled_combinations(20, 2, "pt", every, seed=1)))

    @word_level(example=("a", "b"))
    def novel(word: str):
        return [word + "x"]

    after = set(names(sampled_combinations(20, 2, "pt", every, seed=1)))
    assert all("novel" in pair for pair in after - before)
    assert len(after & before) >= 12


def test_triples_can_be_drawn():
    assert {len(steps) for steps in sampled_combinations(7, 3, "pt", every, seed=1)} == {3}
