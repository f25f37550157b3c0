"""Candidates of attacks: what is drawn, and what it looks like."""

import unicodedata

import pytest

from abalo.attacks.candidates.boundaries import Boundaries
from abalo.attacks.candidates.deletions import Deletions
from abalo.attacks.candidates.imperceptible import KINDS, Imperceptible
from abalo.attacks.candidates.insertions import Insertions
from abalo.attacks.candidates.slips import Slips
from abalo.attacks.candidates.spaces import Spaces
from abalo.attacks.candidates.together import Together
from abalo.attacks.candidates.words import SourceWords
from abalo.corpora.examples import TEXT, example_of
from abalo.sources import Synonym
from abalo.tasks.labels.targets import TextLabels
from abalo.tasks.ner.targets import entities
from perturbations import Edit, find, parse
from perturbations.lexicons import pairs
from perturbations.scripts import script

WORDS = "um romance bonito e a casa"


def target(notation: str = WORDS) -> TextLabels:
    return TextLabels(example_of(parse(notation)), TEXT, None)


def sites(notation: str = WORDS):
    own = target(notation)
    return [(own, place) for place in range(len(own.sentence))]


def words(edits) -> list[str]:
    return [" ".join(edit.tokens) for edit in edits]


@pytest.mark.parametrize(
    ("mode", "length", "kept"),
    [("swap", 0, True), ("replace", 0, True), ("insert", 1, True), ("delete", -1, True), ("delete", -1, False)],
)
def test_a_slip_is_one_of_those_that_the_catalogue_has(mode, length, kept):
    typos = find("typos").configured(mode=mode, keep_first=kept, keep_last=kept)
    every = {
        place: {edit.tokens for edit in site} for site in typos.sites(target().sentence) for place in [site[0].start]
    }
    found = Slips(typos, 3).of(sites())
    for place, edits in enumerate(found):
        assert len(edits) == (place in every)
        for edit in edits:
            assert (edit.start, edit.stop) == (place, place + 1)
            assert edit.tokens in every[place]
            assert len(edit.tokens[0]) == len(target().sentence.tokens[place]) + length


def test_slips_are_drawn_by_seed_and_by_nothing_else():
    typos = find("typos").configured(mode="replace")
    first = Slips(typos, 3).of(sites())
    assert Slips(typos, 3).of(sites()[::-1])[::-1] == first
    assert Slips(typos, 4).of(sites()) != first


def test_more_draws_are_more_slips_and_none_comes_twice():
    swap = find("typos").configured(mode="swap", keep_first=False, keep_last=False)
    (edits,) = Slips(swap, 1, draws=50).of([(target("abc"), 0)])
    assert sorted(words(edits)) == ["acb", "bac"]
    assert Slips(swap, 1, shortest=4).of([(target("abc"), 0)]) == [[]]


def test_a_space_makes_two_words_of_a_short_one():
    found = Spaces(1, 5).of(sites("um romance e a casa 12"))
    assert words(found[0]) == ["u m"]
    assert [len(edits) for edits in found] == [1, 0, 0, 0, 1, 0]
    assert "".join(found[4][0].tokens) == "casa"


def invisible_gone(word: str) -> str:
    return "".join(char for char in word if unicodedata.category(char) not in ("Cf", "Cc"))


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_imperceptible_change_is_another_word(kind):
    found = Imperceptible(kind, 5, draws=3).of(sites())
    assert found == Imperceptible(kind, 5, draws=3).of(sites())
    for (own, place), edits in zip(sites(), found, strict=True):
        assert len(set(words(edits))) == len(edits) <= 3
        assert own.sentence.tokens[place] not in words(edits)
    assert found[1]


def test_invisible_characters_take_no_room():
    ((edit,),) = Imperceptible("invisible", 5).of([(target("casa"), 0)])
    assert invisible_gone(edit.tokens[0]) == "casa"
    assert len(edit.tokens[0]) == 5


def test_a_homoglyph_is_a_letter_of_another_script():
    ((edit,),) = Imperceptible("homoglyph", 5).of([(target("casa"), 0)])
    (changed,) = [k for k in range(4) if edit.tokens[0][k] != "casa"[k]]
    assert edit.tokens[0][changed] in pairs("homoglyphs")["casa"[changed]].split("|")
    assert Imperceptible("homoglyph", 5).of([(target("12"), 0)]) == [[]]


def test_a_reordering_is_written_in_the_other_order():
    ((edit,),) = Imperceptible("reordering", 5).of([(target("ab"), 0)])
    assert invisible_gone(edit.tokens[0]) == "ba"
    controls = [f"{ord(char):X}" for char in edit.tokens[0] if unicodedata.category(char) == "Cf"]
    assert controls == ["202D", "2066", "202E", "2066", "2069", "2066", "2069", "202C", "2069", "202C"]
    assert Imperceptible("reordering", 5).of([(target("aa"), 0)]) == [[]]


def test_a_deleted_character_is_taken_away_by_a_backspace():
    ((edit,),) = Imperceptible("deletion", 5).of([(target("casa"), 0)])
    before, after = edit.tokens[0].split("\b")
    assert before[:-1] + after == "casa"


def test_homoglyphs_are_one_letter_for_one_and_of_another_script():
    found = {letter: others.split("|") for letter, others in pairs("homoglyphs").items()}
    assert found["a"] == ["α", "а"]
    assert [letter for letter, others in found.items() if "c" in others] == ["с"]
    for letter, others in found.items():
        for other in others:
            assert (len(letter), len(other)) == (1, 1)
            assert letter in found[other]
            assert script(other) in {"LATIN", "GREEK", "CYRILLIC", "ARMENIAN"} - {script(letter)}
            assert unicodedata.category(other) == unicodedata.category(letter)


class Twice:
    """Every word said twice, and how often it was asked."""

    name = "twice"
    asked = 0

    def of(self, sites):
        self.asked += len(sites)
        return [[Synonym(sentence.tokens[place] * 2, 1.0)] for sentence, place in sites]


def test_words_are_looked_up_once_a_sentence():
    source, own = Twice(), sites("a b")
    assert list(map(words, SourceWords(source).of([*own, *own]))) == [["aa"], ["bb"], ["aa"], ["bb"]]
    assert source.asked == 2


def test_several_kinds_stand_together_each_edit_once():
    both = Together(Deletions(), SourceWords(Twice()), Deletions())
    assert both.of(sites("a b")) == [
        [Edit(place, place + 1, ()), Edit(place, place + 1, (word,))] for place, word in enumerate(("aa", "bb"))
    ]
    assert both.name == "words left out; twice; words left out"


class Guessing:
    """A masked language model that puts a word of its own at each place, and one word more."""

    name = "guessing"

    def proposals(self, sites, most):
        self.asked = [(sentence.tokens, place) for sentence, place in sites]
        return [[(["first", "second"][place], 0.5 - place / 10), ("all", 0.01)][:most] for _, place in sites]


def test_new_words_come_before_and_after_a_word_the_likeliest_first():
    model = Guessing()
    found = Insertions(model, 3).of(sites("a b")[:1])
    assert model.asked == [(("x", "a", "b"), 0), (("a", "x", "b"), 1)]
    assert found == [[Edit(0, 0, ("first",)), Edit(1, 1, ("second",)), Edit(0, 0, ("all",))]]


def test_boundary_words_come_in_anywhere_but_beside_an_entity():
    sentence = parse("hoje cedo [Ana de Sá P] viu um mar [Rui P] ali perto")
    (first, second) = entities(example_of(sentence), None, ())
    found = Boundaries().of([(first, place) for place in first.free])
    gaps = [[(edit.start, edit.tokens[0]) for edit in edits] for edits in found]
    both = ["Ana", "Sá"]
    assert gaps == [
        [(0, word) for word in both],  # before hoje
        [(1, word) for word in both],  # before cedo
        [],  # before viu, right behind the entity
        [(6, word) for word in both],
        [(7, word) for word in both],
        [],  # before ali, right behind another entity
        [*((10, word) for word in both), *((11, word) for word in both)],  # before perto, and at the end
    ]
    assert [words(edits) for edits in Boundaries().of([(second, 0)])] == [["Rui"]]
