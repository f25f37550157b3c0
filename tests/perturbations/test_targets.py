"""Perturbations aimed at target spans touch what they mean to, and nothing else."""

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perturbations import Sentence, Span, entity_spans, find, parse, render
from perturbations.strategies import sentences
from tests.rows import every

SPARING = ("boundary", "context_distractors", "insert")

every_attack = pytest.mark.parametrize("name", [*SPARING, "char_typo", "synonym_attack"])


@st.composite
def aimed_sentences(draw: st.DrawFn) -> Sentence:
    """Sentences with gold entities and, as a model predicts them, other targets that may cut through these."""
    sentence = draw(sentences(min_tokens=1))
    tags = draw(sentences(min_tokens=len(sentence), max_tokens=len(sentence))).tags
    return replace(sentence, anchors=draw(st.sampled_from([tuple(entity_spans(tags)), ()])))


def covered(spans) -> set[int]:
    return {i for span in spans for i in range(span.start, span.stop)}


def targets_of(sentence: Sentence) -> tuple[Span, ...]:
    return sentence.anchors or tuple(entity_spans(sentence.tags))


@pytest.mark.slow
@every_attack
@given(sentence=aimed_sentences(), seed=st.integers(0, 2**32))
def test_an_attack_touches_only_what_it_may(name, sentence, seed):
    inside, gold = covered(targets_of(sentence)), covered(entity_spans(sentence.tags))
    reach = {"char_typo": 0, "synonym_attack": 3}.get(name, 1)
    near = {i for target in inside for i in range(target - reach, target + reach + 1)}
    allowed = near - gold - inside if name in SPARING else inside | near - gold
    perturbed = find(name).configured(rate=1).sample(sentence, seed=seed)
    for edit in perturbed.edits if perturbed else ():
        if name == "insert":
            assert edit.start == edit.stop
            assert edit.start in {end for span in targets_of(sentence) for end in (span.start, span.stop)}
        else:
            assert edit.stop == edit.start + 1
            assert edit.start in allowed
            assert edit.tokens[0].strip()


@pytest.mark.slow
@given(sentence=aimed_sentences(), seed=st.integers(0, 2**32))
def test_insertions_stand_in_no_entity(sentence, seed):
    perturbed = find("insert").configured(rate=1).sample(sentence, seed=seed)
    if perturbed:
        inserted = [i for i, origin in enumerate(perturbed.origins) if not origin]
        assert {perturbed.sentence.tags[i] for i in inserted} == {"O"}
        kept = [tag for i, tag in enumerate(perturbed.sentence.tags) if i not in inserted]
        assert tuple(kept) == sentence.tags


@every_attack
def test_without_a_target_nothing_changes(name):
    assert find(name).configured(rate=1).sample(parse("o juiz saiu ."), seed=1) is None


def reached(name: str, text: str, **params) -> set[str]:
    attack = find(name).configured(rate=1, **params)
    found = (attack.sample(parse(text), seed=seed) for seed in range(50))
    return {text if perturbed is None else render(perturbed.sentence) for perturbed in found}


@pytest.mark.parametrize(
    ("text", "variant"),
    [
        ("[Ana PER]", "[Ana PER]"),  # nothing beside it
        ("[Ana PER] [Natal LOC]", "[Ana PER] [Natal LOC]"),  # the words beside are entities
        ("em [Ana PER] e [Natal LOC] .", "xxx [Ana PER] xxx [Natal LOC] xxx"),  # a word between two is replaced once
        ("ontem em [Ana PER]", "ontem xxx [Ana PER]"),
    ],
)
def test_distractors_take_the_place_of_the_words_beside_targets(text, variant):
    assert reached("context_distractors", text, distractors=["xxx"]) == {variant}


@pytest.mark.parametrize(
    ("text", "variant"),
    [
        ("[Ana PER]", "x [Ana PER] x"),
        ("[Ana PER] [Natal LOC]", "x [Ana PER] x [Natal LOC] x"),  # the gap in common counts once
        ("viu [Ana Sá PER] hoje", "viu x [Ana Sá PER] x hoje"),
    ],
)
def test_insertions_fill_the_gaps_beside_targets(text, variant):
    assert reached("insert", text, distractors=["x"]) == {variant}


def test_a_distractor_is_never_the_word_itself():
    assert reached("context_distractors", "lorem [Ana PER]", distractors=["lorem", "xxx"]) == {"xxx [Ana PER]"}


@every("mark", ["(", "...", "—", "«", "´"])
def test_only_punctuation_is_masked(mark):
    is_punctuation = mark != "´"  # a spacing accent is a symbol
    variant = r"\[MASK\] [Ana PER] disse" if is_punctuation else f"{mark} [Ana PER] disse"
    assert reached("boundary", f"{mark} [Ana PER] disse") == {variant}


def test_synonyms_reach_three_tokens_and_spare_other_entities():
    text = "juiz a b c [TRIBUNAL ORG] a b juiz juiz"
    assert reached("synonym_attack", text) == {"juiz a b c [TRIBUNAL ORG] a b magistrado juiz"}
    aimed = replace(parse("[juiz PER] [ACÓRDÃO ORG]"), anchors=(Span(1, 2, "ORG"),))
    assert render(find("synonym_attack").sample(aimed, seed=1).sentence) == "[juiz PER] [ARESTO ORG]"


def test_half_a_gold_entity_is_neither_replaced_nor_cut():
    aimed = replace(parse("em [Ana Sá PER] hoje"), anchors=(Span(1, 2, "PER"),))
    replaced = find("context_distractors").configured(distractors=["x"]).sample(aimed, seed=1)
    assert render(replaced.sentence) == "x [Ana Sá PER] hoje"
    inserted = find("insert").configured(rate=1, distractors=["x"]).sample(aimed, seed=1)
    assert render(inserted.sentence) == "em x [Ana Sá PER] hoje"


@pytest.mark.slow
def test_each_operation_of_a_typo_is_equally_likely():
    token = "ab"
    found = Counter(
        find("char_typo")
        .configured(rate=1)
        .sample(Sentence((token, f"o{seed}"), ("B-P", "O")), seed=1)
        .sentence.tokens[0]
        for seed in range(3000)
    )
    swapped, deleted = found["ba"], found["a"] + found["b"]
    assert all(abs(count - 1000) < 4 * (3000 * 2 / 9) ** 0.5 for count in (swapped, deleted, 3000 - swapped - deleted))


def test_a_token_of_one_character_is_replaced_never_deleted():
    tokens = {text.split()[0] for text in reached("char_typo", "[A PER]")}
    assert len(tokens) > 20
    assert "[A" not in tokens


def test_half_of_the_tokens_are_hit_by_default():
    sentence = Sentence(tuple(f"w{i}" for i in range(4000)), ("B-P", *["I-P"] * 3999))
    hit = len(find("char_typo").sample(sentence, seed=1).edits)
    assert abs(hit - 2000) < 4 * 1000**0.5
