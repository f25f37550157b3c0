"""French: numbers in words, and what else its folder has."""

import pytest

from perturbations import apply, find, parse, render
from perturbations.function_words import language_of
from perturbations.languages.fr import nouns
from perturbations.languages.fr.numerals import LARGEST, numeral
from tests.rows import every


def everywhere(name: str, text: str, **params: object) -> str | None:
    """The text where each site has its first option."""
    perturbation = find(name).configured(language="fr", **params)
    edits = [site[0] for site in perturbation.sites(parse(text))]
    return render(apply(parse(text), edits).sentence) if edits else None


@every(
    ("value", "words"),
    [
        (0, "zéro"),
        (16, "seize"),
        (17, "dix-sept"),
        (21, "vingt et un"),
        (22, "vingt-deux"),
        (61, "soixante et un"),
        (70, "soixante-dix"),
        (71, "soixante et onze"),
        (77, "soixante-dix-sept"),
        (80, "quatre-vingts"),
        (81, "quatre-vingt-un"),
        (90, "quatre-vingt-dix"),
        (91, "quatre-vingt-onze"),
        (99, "quatre-vingt-dix-neuf"),
        (100, "cent"),
        (101, "cent un"),
        (200, "deux cents"),
        (203, "deux cent trois"),
        (280, "deux cent quatre-vingts"),
        (1000, "mille"),
        (1001, "mille un"),
        (2000, "deux mille"),
        (21_000, "vingt et un mille"),
        (80_000, "quatre-vingt mille"),
        (200_000, "deux cent mille"),
        (LARGEST, "neuf cent quatre-vingt-dix-neuf mille neuf cent quatre-vingt-dix-neuf"),
    ],
)
def test_numerals(value, words):
    assert numeral(value) == words


def test_every_numeral_is_another():
    assert len({numeral(value) for value in range(10_000)}) == 10_000


def test_numerals_are_those_of_num2words():
    num2words = pytest.importorskip("num2words", reason="pip install num2words").num2words
    values = [*range(2_000), *range(2_000, LARGEST, 997)]
    assert [numeral(value) for value in values] == [num2words(value, lang="fr") for value in values]


@pytest.mark.parametrize("value", [-1, LARGEST + 1])
def test_a_number_without_numeral_is_refused(value):
    with pytest.raises(ValueError, match="expected a number from 0 to 999999"):
        numeral(value)


@every(
    ("text", "read"),
    [
        ("Le 1 mai 1998 à [Lyon LOC]", "Le premier mai mille neuf cent quatre-vingt-dix-huit à [Lyon LOC]"),
        ("en 1900", "en mille neuf cent"),
        ("les 200 juges", "les deux cents juges"),
        ("la page 80", "la page quatre-vingt"),
        ("21 femmes et 31 hommes", "vingt et une femmes et trente et un hommes"),
        ("1 maison , 1 château", "une maison , un château"),
        ("71 nations", "soixante et onze nations"),
        ("[Rue des 3 Frères LOC]", "[Rue des trois Frères LOC]"),
        ("LES 12 JUGES", "LES DOUZE JUGES"),
    ],
)
def test_numbers_are_read_where_they_stand(text, read):
    assert everywhere("digits", text) == read


@every("text", ["21 xyz", "12 000 euros", "3 , 5 %", "10 %", "5 / 7", "le 32 mai", "007", "no 1234567", "1,5 litre"])
def test_what_cannot_be_told_stays(text):
    assert everywhere("digits", text) is None


@every(
    ("noun", "gender"),
    [
        ("femmes", "woman"),
        ("hommes", "man"),
        ("décisions", "woman"),
        ("documents", "man"),
        ("images", "woman"),
        ("voyages", "man"),
        ("journaux", "man"),
        ("stades", "man"),
        ("musées", "man"),
        ("élèves", None),
        ("livres", None),
        ("de", None),
    ],
)
def test_the_gender_of_a_noun_is_told_by_lists_and_endings(noun, gender):
    assert nouns.gender_by_ending(noun) == gender


def test_agreement_by_spacy_says_what_to_install_where_it_is_missing(monkeypatch):
    nouns._pipeline.cache_clear()
    monkeypatch.setattr(nouns, "PIPELINE", "fr_not_there")
    with pytest.raises(ImportError, match="needs spaCy and its pipeline for French: pip install"):
        everywhere("digits", "21 xyz", agreement="spacy")
    assert everywhere("digits", "21 femmes", agreement="spacy") == "vingt et une femmes"  # which needs none


def test_french_has_no_contractions_that_one_may_write_or_not():
    assert "fr" not in find("contraction").languages


def test_a_quarter_of_an_hour_on_azerty():
    """The keys around *q* on the keyboard of France: *s*, and those above and below."""
    from perturbations.families.character.keyboard import _neighbours

    assert sorted(_neighbours("azerty", True, False)["q"]) == sorted("azws")


def test_it_is_found_in_a_text_of_its_own():
    text = (
        "Le tribunal a rejeté le recours , mais la cour d' appel n' est pas liée par cette décision et elle l' a dit ."
    )
    assert language_of([parse(text)]) == "fr"


@every("name", ["antonym", "tense", "negation", "multi_pos", "synonym_wordnet"])
def test_what_it_has_no_part_for_says_so(name):
    reason = find(name).unfit("fr")
    assert reason is not None
    assert f"{name} needs " in reason
    assert ", which Abalo does not have for fr; it has them for " in reason


@every(
    "text",
    [
        "le 3 mars 2015",
        "il est né en 1987 à Lyon",
        "l' article 12 du code",
        "vers 18 heures",
        "au 19 e siècle",
        "page 45 du livre",
        "entre 20 et 30 personnes",
        "vingt mille 12 personnes",
        "deux fois par semaine",
    ],
)
def test_dates_citations_and_parts_of_numbers_are_no_amounts(text):
    assert everywhere("number", text, rate=1.0) is None


@pytest.mark.parametrize("text", ["avec 12 amis", "il a payé 300 euros", "trois chats dorment"])
def test_amounts_become_others(text):
    assert everywhere("number", text, rate=1.0) not in (None, text)
