"""Matching in Chinese on the corpus that ships: what is changed, and what stays."""

from dataclasses import replace

import pytest

from abalo.corpora.running_text import running_text
from abalo.tasks.pairs.corpus import load
from perturbations import Partner, apply, find
from perturbations.text import Sentence

CORPUS = load("bundled:matching-zh")


def variants(name: str, first: str, second: str) -> list[str]:
    """The second sentence after each edit that the perturbation knows there."""
    return of_pair(name, running_text(first), running_text(second))


def of_pair(name: str, first: Sentence, second: Sentence) -> list[str]:
    read = replace(second, layers=(Partner("premise", first.tokens, entails=True),))
    sites = find(name).configured(language="zh").sites(read)
    return [apply(read, [edit]).sentence.text for site in sites for edit in site]


def test_half_of_at_least_sixty_pairs_match():
    assert len(CORPUS.pairs) >= 60
    assert CORPUS.label_counts["1"] == CORPUS.label_counts["0"]
    assert len({(first.text, second.text) for first, second in CORPUS.pairs}) == len(CORPUS.pairs)


@pytest.mark.parametrize(
    ("first", "second", "variant"),
    [
        ("这家餐厅的菜很好吃。", "这家饭馆的菜很好吃。", "这家饭馆的菜很难吃。"),  # an opposite
        ("门口停着一辆白色的汽车。", "一辆白色的汽车停在门口。", "一辆红色的汽车停在门口。"),  # another of its kind
    ],
)
def test_a_word_of_both_becomes_one_that_excludes_it(first, second, variant):
    assert variant in variants("swap_antonym", first, second)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("这家餐厅的菜很好吃。", "这家饭馆的菜很香。"),  # not in both
        ("这家餐厅的菜不好吃。", "这家饭馆的菜不好吃。"),  # denied
        ("这家餐厅的菜好吃吗？", "这家饭馆的菜好吃吗？"),  # asked
        ("这家餐厅的菜更好吃。", "这家饭馆的菜更好吃。"),  # compared
        ("他先上班再上班。", "他上班。"),  # twice
        ("坏人喜欢他，好人讨厌他。", "好人讨厌他，坏人喜欢他。"),  # the opposites are there
    ],
)
def test_a_word_stays_where_its_opposite_may_fit(first, second):
    assert variants("swap_antonym", first, second) == []


def test_the_number_of_both_sentences_grows_in_what_follows():
    made = variants("swap_number", "公司买了35台电脑。", "公司购买了35台电脑。")
    assert "公司购买了45台电脑。" in made
    assert all(text > "公司购买了35台电脑。" for text in made)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("公司买了35台电脑。", "公司购买了350台电脑。"),  # not the same number
        ("公司买了超过35台电脑。", "公司购买了超过35台电脑。"),  # a limit
        ("公司买了35台电脑和3张桌子。", "公司购买了35台电脑和3张桌子。"),  # another amount
        ("公司买了35台电脑，坏了三台。", "公司购买了35台电脑，坏了三台。"),
        ("公司没买35台电脑。", "公司没有购买35台电脑。"),
    ],
)
def test_a_number_that_is_no_plain_amount_stays(first, second):
    assert variants("swap_number", first, second) == []


def test_of_the_pairs_that_match_most_can_be_changed():
    matching = [pair for pair, gold in zip(CORPUS.pairs, CORPUS.golds, strict=True) if gold == ("1",)]
    fits = {name: sum(bool(of_pair(name, *pair)) for pair in matching) for name in ("swap_antonym", "swap_number")}
    assert fits["swap_antonym"] >= 25
    assert fits["swap_number"] >= 12
