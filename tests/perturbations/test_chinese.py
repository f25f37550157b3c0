"""Promises of all perturbations of Chinese, on Chinese text, whether tokens are words or characters."""

from collections import Counter

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from perturbations import Sentence, apply, entity_spans, find
from perturbations.languages.zh.borders import HAN, layout
from perturbations.text import Span
from tests.perturbations.chinese import CHINESE, characters, sentences, words
from tests.rows import every

every_one = pytest.mark.parametrize("name", CHINESE)
on_some = settings(max_examples=50)

PORTUGUESE = Sentence(("Em", "2023", "houve", "105", "casos", "."), ("O",) * 6)


def test_these_are_there():
    names = "antonym digits homophone insert_adverb irrelevant_text misspelling miswritten named_ent nasal number"
    assert [f"zh_{name}" for name in [*names.split(), "prejudice", "punctuation", "synonym"]] == CHINESE


@every(
    ("alias", "name"),
    [
        ("CnHomophones", "zh_homophone"),
        ("CnNasal", "zh_nasal"),
        ("CnSpellingError", "zh_misspelling"),
        ("CnDigit2Char", "zh_digits"),
        ("CnSwapNum", "zh_number"),
        ("CnPunctuation", "zh_punctuation"),
        ("CnAppendIrr", "zh_irrelevant_text"),
        ("CnInsertAdv", "zh_insert_adverb"),
        ("CnSynonym", "zh_synonym"),
        ("CnAntonym", "zh_antonym"),
        ("CnPrejudice", "zh_prejudice"),
        ("CnSwapNamedEnt", "zh_named_ent"),
    ],
)
def test_the_published_names_find_them(alias, name):
    assert find(alias).name == find(name).name
    assert find(alias).params["language"] == find(name).params["language"] == "zh"


@every(
    ("alias", "name"),
    [
        ("zh_antonym", "antonym"),
        ("zh_synonym", "synonym_wordnet"),
        ("zh_miswritten", "misspelling"),
        ("zh_misspelling", "sound_slip"),
        ("zh_named_ent", "swap_named_ent"),
    ],
)
def test_a_name_for_chinese_alone_finds_the_one_for_all_languages_set_to_chinese(alias, name):
    assert find(alias).name == name
    assert find(alias).params["language"] == "zh"
    assert find(name).params["language"] != "zh" or find(name).languages == ("zh",)


@every_one
def test_other_languages_are_left_alone(name):
    assert list(find(name).sites(PORTUGUESE)) == []


@pytest.mark.slow
@every_one
@on_some
@given(sentence=sentences())
def test_every_option_keeps_entities_and_the_way_tokens_are_cut(name, sentence):
    before = layout(sentence)
    assume(before is not None)  # a name is exchanged in text without a Chinese character, too
    for site in find(name).sites(sentence):
        assert site
        for edit in site:
            perturbed = apply(sentence, [edit])
            new = perturbed.sentence
            assert new.text != sentence.text
            assert Counter(s.type for s in entity_spans(new.tags)) == Counter(
                s.type for s in entity_spans(sentence.tags)
            )
            assert not any(character.isspace() for token in edit.tokens for character in token)
            gap = " " if before is None else before.gap  # None: no Chinese character to go by
            assert set(new.spaces) <= {gap, *sentence.spaces}
            if before is not None and before.by_character:
                assert all(len(token) == 1 for token in new.tokens if HAN.search(token))


@pytest.mark.slow
@every_one
@on_some
@given(sentence=sentences(), seed=st.integers(0, 1000))
def test_all_sites_can_be_hit_at_once(name, sentence, seed):
    perturbed = find(name).configured(rate=1).sample(sentence, seed=seed)
    assert (perturbed is None) == (not list(find(name).sites(sentence)))


@pytest.mark.slow
@every_one
@on_some
@given(sentence=sentences(), seed=st.integers(0, 1000))
def test_no_token_is_merged_across_the_border_of_an_entity(name, sentence, seed):
    perturbed = find(name).configured(rate=1).sample(sentence, seed=seed)
    spans = entity_spans(sentence.tags)
    entity = {i: span for span in spans for i in range(span.start, span.stop)}
    for origin in perturbed.origins if perturbed else ():
        assert len({entity.get(old) for old in origin}) <= 1


@every_one
def test_an_anchor_is_a_border_too(name):
    text = characters(words("他 父亲 认为 1 0 5 个 医生 在 日本 购买 礼物 。"))
    cut = Sentence(text.tokens, text.tags, text.spaces, tuple(Span(i, i + 1, "x") for i in range(len(text))))
    for site in find(name).sites(cut):
        for edit in site:
            assert edit.stop - edit.start <= 1 or edit.origins is not None


def test_a_sentence_is_by_character_if_every_chinese_character_stands_alone():
    assert layout(words("他 用 IBM 电 脑")).by_character
    assert not layout(words("他 用 IBM 电脑")).by_character
    assert layout(words("IBM 5")) is None
    assert layout(Sentence(())) is None


def test_the_gap_is_what_stands_between_tokens():
    assert layout(words("他 走 了")).gap == ""
    assert layout(Sentence(("他", "走", "了"))).gap == " "
    assert layout(Sentence(("他",))).gap == ""


def test_white_space_in_a_name_is_no_token_where_characters_are():
    sentence = Sentence(("㐀", "00\r"), ("B-PER", "I-PER"))
    found = [find("ent_typos").sample(sentence, seed=seed) for seed in range(5)]
    assert all(made is not None and made.sentence.text.endswith("\r") for made in found)
