"""Options that are counted first and made when drawn."""

from collections import Counter
from dataclasses import replace
from math import sqrt

import pytest

from perturbations import Edit, Sentence, render, sentence_level, stream, word_level
from perturbations.numbered import Numbered, OnDemand, one_put_in

SIZES = (2, 0, 3)


def named(word: str, group: int, number: int) -> str:
    return f"{word}{group}{number}"


@pytest.fixture
def slips():
    @word_level(example=("a", "b00"))
    def numbered_slips(word: str) -> Numbered | tuple[()]:
        """Five options for one word, in two groups; no other word has any."""
        return Numbered(SIZES, named, "b") if word == "a" else Numbered((0, 0), named)

    return numbered_slips


def test_they_are_a_sequence_group_after_group():
    options = Numbered(SIZES, named, "x")
    assert list(options) == ["x00", "x01", "x20", "x21", "x22"]
    assert (len(options), options[0], options[-1], options[1:3]) == (5, "x00", "x22", ["x01", "x20"])
    with pytest.raises(IndexError):
        options[5]


def test_there_are_none_where_every_group_is_empty():
    nothing = Numbered((0, 0), named)
    assert not nothing
    assert list(nothing) == []


def test_each_group_is_equally_likely_and_in_it_each_option():
    options, draws = Numbered(SIZES, named, "x"), stream(1, "test")
    count = 6000
    drawn = Counter(options.picked(draws) for _ in range(count))
    for option, share in {"x00": 1 / 4, "x01": 1 / 4, "x20": 1 / 6, "x21": 1 / 6, "x22": 1 / 6}.items():
        assert abs(drawn[option] - count * share) < 4 * sqrt(count * share * (1 - share))
    assert sum(drawn.values()) == count


def test_a_word_level_gives_them_all_as_edits_and_draws_one(slips):
    sentence = Sentence(("a", "c", "a"))
    assert [[edit.tokens[0] for edit in site] for site in slips.sites(sentence)] == [
        list(Numbered(SIZES, named, "b"))
    ] * 2
    drawn = {render(slips.sample(sentence, seed=seed).sentence) for seed in range(200)}
    every = list(Numbered(SIZES, named, "b"))
    assert drawn == {f"{first} c {second}" for first in every for second in every}


def test_only_the_option_that_is_drawn_is_made():
    made = []

    def noting(group: int, number: int) -> str:
        made.append((group, number))
        return "x"

    Numbered((10**6, 10**6), noting).picked(stream(1, "test"))
    assert len(made) == 1


def test_one_string_is_put_in_for_one_character_or_two():
    assert list(one_put_in("abc", ["x", "", ("yy", "z")], [["w"], []])) == ["xbc", "abyy", "abz", "wc"]


def test_options_on_demand_are_a_sequence():
    options = OnDemand(3, "abc".__getitem__)
    assert list(options) == ["a", "b", "c"]
    assert (len(options), options[0], options[-1], options[1:]) == (3, "a", "c", ["b", "c"])
    assert not OnDemand(0, "".__getitem__)
    with pytest.raises(IndexError):
        options[3]


def test_a_sentence_level_makes_only_the_edit_that_is_drawn_and_draws_as_from_a_list():
    made = []

    def insertion(number: int) -> Edit:
        made.append(number)
        return Edit(0, 0, (str(number),))

    @sentence_level(example=("a", "7 a"))
    def on_demand(_sentence: Sentence) -> list[OnDemand[Edit]]:
        """A number before the sentence."""
        return [OnDemand(1000, insertion)]

    @sentence_level(example=("a", "7 a"))
    def listed(_sentence: Sentence) -> list[list[Edit]]:
        """The same."""
        return [[Edit(0, 0, (str(number),)) for number in range(1000)]]

    alike = replace(listed, drawn_as="on_demand")
    variants = [on_demand.sample(Sentence(("a",)), seed=seed) for seed in range(20)]
    assert len(made) == 20
    assert variants == [alike.sample(Sentence(("a",)), seed=seed) for seed in range(20)]
    assert [len(site) for site in on_demand.sites(Sentence(("a",)))] == [1000]
