"""Opposites, synonyms and numbers in the place of words, by hand."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perturbations import Sentence, apply, find, parse, render
from perturbations.lexicons import entries, pairs


def options(name: str, text: str, **params: object) -> list[str]:
    sentence = parse(text)
    sites = find(name).configured(**params).sites(sentence)
    return [render(apply(sentence, [edit]).sentence) for site in sites for edit in site]


def numbers(word: str) -> list[str]:
    return [edit.tokens[0] for site in find("SwapNum").sites(Sentence((word,))) for edit in site]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("provas válidas", ["provas inválidas"]),
        ("prova válida", ["prova inválida"]),
        ("Bons tempos", ["Maus tempos"]),
        ("RECURSO INTEMPESTIVO", ["RECURSO TEMPESTIVO"]),
        ("decidiu rapidamente", ["decidiu lentamente"]),
        ("uma grande casa", []),
        ("[Banco Novo ORG]", []),
        ("o pedido", []),
    ],
)
def test_portuguese_opposites_keep_gender_number_and_case(text, expected):
    assert options("antonym", text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("An unusual day", ["A usual day"]),
        ("AN UNUSUAL DAY", ["A USUAL DAY"]),
        ("the unusual day", ["the usual day"]),
        ("a useful day", ["a useless day"]),
        ("an honest man", ["a dishonest man"]),
        ("a bigger dog", ["a smaller dog"]),
        ("[A PER] useful day", ["[A PER] useless day"]),
        ("[A usual PER]", []),
    ],
)
def test_english_opposites_keep_degree_and_the_article_fits(text, expected):
    assert options("SwapAntWordNet", text, language="en") == expected


def test_words_in_entities_are_swapped_where_asked():
    assert options("antonym", "[An Unusual ORG] day", language="en", inside_entities=True) == ["[A Usual ORG] day"]
    assert options("synonym_wordnet", "[acordo inicial ORG]") == []


def test_only_adjectives_and_adverbs_of_the_list_change():
    changed = options("SwapAnt", "the slow brown fox jumps over the lazy dog", language="en")
    assert changed == [
        "the fast brown fox jumps over the lazy dog",
        "the quick brown fox jumps over the lazy dog",
        "the rapid brown fox jumps over the lazy dog",
        "the slow brown fox jumps over the diligent dog",
    ]


def test_synonyms_are_those_of_the_lexicon_in_the_case_of_the_word():
    (entry,) = entries("synonyms_pt")["acarreta"]
    assert options("SwapSynWordNet", "Acarreta") == [synonym.capitalize() for synonym in entry.synonyms]
    assert options("SwapSyn", "ACARRETA") == [synonym.upper() for synonym in entry.synonyms]
    assert options("SwapSyn", "movies", language="en") == list(entries("synonyms_en")["movies"][0].synonyms)


def test_a_word_that_can_be_what_the_list_has_no_synonyms_of_has_some_only_where_a_tagger_says_so():
    assert [entry.pos for entry in entries("synonyms_en")["annoying"]] == ["VERB"]
    assert options("synonym_wordnet", "annoying", language="en") == []  # as an adjective it has none

    class Verb:
        def of(self, sentences):
            return [("VERB",)]

    assert options("synonym_wordnet", "annoying", language="en", parts_of_speech=Verb()) == ["irritating"]


@pytest.mark.parametrize(
    ("name", "language", "text"),
    [
        ("antonym", "pt", "por oportuno"),  # a fixed phrase
        ("antonym", "en", "to be honest"),
        ("synonym_wordnet", "pt", "ele veio de Empresa"),  # a name, as its capital says
        ("synonym_wordnet", "pt", "advogado -geral"),  # part of a compound
        ("synonym_wordnet", "pt", "o alcance da lei"),  # a noun, which the list has as a verb
    ],
)
def test_words_that_mean_something_else_together_stay(name, language, text):
    assert options(name, text, language=language) == []


def test_an_unknown_language_is_an_error():
    with pytest.raises(ValueError, match=r"synonym_wordnet is for en, .*pt and zh; there is no language 'de'"):
        options("synonym_wordnet", "Haus", language="de")


@pytest.mark.parametrize("language", ["en", "pt"])
def test_every_opposite_can_be_reached(language):
    lexicon = pairs(f"antonyms_{language}")
    for word, others in lexicon.items():
        assert options("antonym", word, language=language) == others.split("|")


@pytest.mark.parametrize(
    ("word", "shape"),
    [
        ("7", r"[1-9]"),
        ("81", r"[1-9]\d"),
        ("8.666", r"[1-9]\.\d{3}"),
        ("1.234,56", r"[1-9]\.\d{3},\d\d"),
        ("0,5", r"0,\d"),
        ("007", r"00\d"),
        ("5º", r"[1-9]º"),
        ("10%", r"[1-9]\d%"),
        ("0", r"[1-9]"),
        ("2200", r"[1-9]\d{3}"),
    ],
)
def test_a_number_keeps_its_shape(word, shape):
    found = numbers(word)
    assert len(found) >= 8
    assert word not in found
    assert [other for other in found if not re.fullmatch(shape, other)] == []


@pytest.mark.parametrize("word", ["1900", "1999", "2010", "2099"])
def test_a_year_becomes_a_year_nearby(word):
    years = [int(other) for other in numbers(word)]
    assert len(years) >= 30
    assert all(1900 <= year <= 2099 and 0 < abs(year - int(word)) <= 30 for year in years)


@pytest.mark.parametrize("word", ["12/05/2010", "10:30", "2.200-2/2001", "x2", "1.", "00", "٣", "²", "."])
def test_what_would_cease_to_be_a_date_or_the_like_stays(word):
    assert numbers(word) == []


def test_number_words_become_others_of_their_language():
    assert numbers("Três") == ["Quatro", "Cinco", "Seis", "Sete", "Oito", "Nove", "Dez"]
    assert "SEVEN" in numbers("THREE")
    assert numbers("uma") == numbers("one") == []


@given(st.from_regex(r"[0-9]{1,9}([.,][0-9]{1,3}){0,2}[%º]?", fullmatch=True))
def test_another_number_has_as_many_digits_and_never_the_same(word):
    for other in numbers(word):
        assert other != word
        assert re.sub(r"\d", "0", other) == re.sub(r"\d", "0", word)


def test_numbers_are_hit_at_a_rate_that_can_be_set():
    many = [Sentence(("art.", str(10 + i % 80), str(i))) for i in range(1000)]
    number = find("number")
    assert number.rate == 0.1
    hit = sum(number.configured(rate=0.5).sample(sentence, seed=1) is not None for sentence in many)
    assert 700 < hit < 800


@pytest.mark.parametrize("name", ["antonym", "synonym_wordnet", "number", "tense", "negation", "contraction"])
def test_at_rate_0_nothing_changes(name):
    sentence = parse("o lento juiz não acarreta e nega 81 casos do [STF ORG]")
    assert find(name).configured(rate=1).sample(sentence, seed=1) is not None
    assert find(name).configured(rate=0).sample(sentence, seed=1) is None
