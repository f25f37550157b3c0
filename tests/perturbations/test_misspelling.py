"""Common misspellings, by hand; and the lists they come from."""

import pytest
from hypothesis import given

from perturbations import Sentence, find, parse, render
from perturbations.families.character.accents import strip_accents
from perturbations.lexicons import entries, pairs, words
from perturbations.strategies import sentences
from tests.rows import every

LANGUAGES = ("pt", "en")


def options(word: str, **params: object) -> list[str]:
    return [
        edit.tokens[0] for site in find("SpellingError").configured(**params).sites(Sentence((word,))) for edit in site
    ]


def wrong(language: str) -> dict[str, list[str]]:
    return {word: errors.split("|") for word, errors in pairs(f"misspellings_{language}").items()}


@every(
    ("language", "word", "expected"),
    [
        ("pt", "exceção", ["excessão", "exeção"]),
        ("pt", "Exceção", ["Excessão", "Exeção"]),
        ("pt", "EXCEÇÃO", ["EXCESSÃO", "EXEÇÃO"]),
        ("en", "separate", ["seperate"]),
        ("en", "Separate", ["Seperate"]),
        ("en", "SEPARATE", ["SEPERATE"]),
        ("pt", "eXceção", []),
        ("pt", "separate", []),
        ("en", "exceção", []),
        ("pt", "Abalo", []),
        ("pt", ",", []),
    ],
)
def test_a_word_is_misspelt_in_its_own_letter_case(language, word, expected):
    # TextFlint knows words in small letters only.
    assert options(word, language=language) == expected


def test_errors_are_corrected_only_where_that_counts():
    assert options("Excessão") == []
    assert options("Excessão", corrections=True) == ["Exceção"]
    assert options("seperate", language="en", corrections=True) == ["separate"]
    assert options("exceção", corrections=True) == options("exceção")


def test_several_words_are_misspelt_at_once_and_labels_stay():
    perturbed = find("misspelling").configured(rate=1).sample(parse("o [ADVOGADO DE JOSÉ PESSOA] quiser ."), seed=1)
    assert render(perturbed.sentence) == "o [ADIVOGADO DE JOSÉ PESSOA] quizer ."


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_lists_are_long_enough(language):
    assert len(wrong(language)) >= 300


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_error_is_there_twice_or_is_a_word(language):
    found = wrong(language)
    errors = [error for each in found.values() for error in each]
    assert len(errors) == len(set(errors)), "an error of two words could not be corrected"
    known = words(f"stop_words_{language}") | set(pairs(f"nouns_{language}")) | set(entries(f"synonyms_{language}"))
    assert set(errors) & (known | set(found)) == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_error_is_only_a_lost_accent(language):
    assert [word for word, errors in wrong(language).items() if strip_accents(word) in errors] == []


@given(sentence=sentences())
def test_what_is_corrected_was_an_error_and_the_other_way_round(sentence):
    there = find("misspelling").configured(rate=1)
    back = find("misspelling").configured(rate=1, corrections=True)
    known = Sentence(("Exceção", *sentence.tokens))
    error = there.sample(known, seed=1).sentence.tokens[0]
    assert [edit.tokens for edit in next(back.sites(Sentence((error,))))] == [("Exceção",)]
