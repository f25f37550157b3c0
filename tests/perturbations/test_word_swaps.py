"""Opposites, synonyms and numbers in the place of words, by hand."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perturbations import Sentence, apply, find, parse, render
from perturbations.lexicons import entries, pairs, rows
from tests.rows import every


def options(name: str, text: str, **params: object) -> list[str]:
    sentence = parse(text)
    sites = find(name).configured(**params).sites(sentence)
    return [render(apply(sentence, [edit]).sentence) for site in sites for edit in site]


def numbers(word: str) -> list[str]:
    """The options of an amount, before a unit."""
    unit = () if word[-1] == "%" else ("dias",)
    return [edit.tokens[0] for site in find("SwapNum").sites(Sentence((word, *unit))) for edit in site]


def amounts(text: str, language: str = "any") -> list[str]:
    """The numbers of the text that may change."""
    sentence = parse(text)
    return [sentence.tokens[site[0].start] for site in find("number").configured(language=language).sites(sentence)]


@every(
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


@every(
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


def test_pairs_that_a_filter_has_refused_are_not_offered():
    assert ("swift", "rapid") in rows("refused_synonyms_en")
    (entry,) = entries("synonyms_en")["swift"]
    assert "rapid" in entry.synonyms
    assert "rapid" not in options("synonym_wordnet", "swift", language="en")
    assert options("synonym_wordnet", "rapid", language="en") == ["fast"]


def test_every_refused_pair_is_in_the_list():
    for word, other in rows("refused_synonyms_en"):
        assert any(other in entry.synonyms for entry in entries("synonyms_en")[word])


def test_an_ambiguous_word_has_synonyms_only_if_a_tagger_names_the_listed_kind():
    assert [entry.pos for entry in entries("synonyms_en")["annoying"]] == ["VERB"]
    assert options("synonym_wordnet", "annoying", language="en") == []  # as an adjective it has none

    class Verb:
        def of(self, sentences):
            return [("VERB",)]

    assert options("synonym_wordnet", "annoying", language="en", parts_of_speech=Verb()) == ["irritating"]


@every(
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


@every(
    ("word", "others"),
    [
        ("7", "8 9 2 3 4 5 6"),
        ("2", "3 4 5 6 7 8 9"),
        ("10", "20"),
        ("30", "10 20"),
        ("12", "20 21 23 24"),
        ("49", "10 11 12 13 14 15 16 17 18"),  # and so on
        ("400", "500 600 700 800 900 100 200 300"),
        ("50%", "10% 20% 30% 40%"),
        ("8,5%", "9,8% 2,4% 3,7% 4,0% 5,3% 6,6%"),
        ("8.600", "9.900 1.200 2.500 3.800 4.100 5.400 6.700 7.000"),
        ("1.234,56", "2.503,69"),
    ],
)
def test_another_amount_has_the_same_shape_and_is_possible(word, others):
    assert numbers(word)[: len(others.split())] == others.split()


@every("word", ["0", "1", "0,5", "1,9", "007", "5º", "2ª", "1900", "1999", "2010", "1234567", "100", "100%"])
def test_small_numbers_codes_ordinals_and_years_stay(word):
    assert numbers(word) == []


@every(
    "text",
    [
        "em 9.3.2018 , 24 de março de 2017 e 24 março",
        "dia 24 próximo , nos dias 7 , 8 e 9 seguintes",
        "o art . 24 combinado com o art. 7 citado",
        "a Lei n.º 8.112 revogada , a Lei nº 9 citada , a lei 12 revogada",
        "RE 2867 julgado , fls . 12 verso , processo 33 extinto",
        "sessenta e nove dias , vinte e cinco anos",
        "o prazo de 10 ( dez ) dias",
        "das 14 horas às 16 horas",
        "entre 3 e 5 anos , de 3 a 6 meses",
        "100 % dos votos",
        "três quartos do valor , 2 terços",
        "5 dias e mais 5 dias",
        "[Uncharted 4 WORK] jogos , [12ª CJM ORG] , [Sala 12 verde LOC]",
        "8 horas por dia",
        "Página 3 de 17",
        "70 % para o autor e 30 % para o réu",
        "três municípios do Paraná : Londrina , Maringá e Cascavel",
        "dois mil reais e quatro centavos",
    ],
)
def test_portuguese_dates_ordinals_compounds_and_citations_stay(text):
    assert amounts(text, "pt") == []


@every(
    "text",
    [
        "January 26 people came , 26 january",
        "the 22 nd time , on the 11 th floor",
        "sixty nine days , five hundred men",
        "section 5 applies , page 12 says , no . 7 wins",
        "at 3 : 45 sharp , at 5 pm",
        "3 to 5 days , 10 et 20 visites",
        "Windows 7 works , # 5 is , world war 3 starts",
        "what a chance 2 meet him",
        "24 hours a day , 7 days per week",
        "i &lt; 3 you , 2 - 1 goals",
    ],
)
def test_english_dates_ordinals_compounds_and_names_stay(text):
    assert amounts(text, "en") == []


@every(
    ("text", "language"),
    [
        ("the four largest towns of the country -- Paris , Lyon , Lille and Marseille -- slept", "en"),
        ("Ann , Rui and Eve are three friends", "en"),
        ("França , Alemanha e Itália , as três maiores economias", "pt"),
        ("the 3 ′ end , the 5′ end and 3 ' ends", "en"),
        ("they saw 13 reasons why , the big three men and a 430 call", "en"),
        ('they saw Four Weddings , “ 12 angry men ” and " seven days in may "', "en"),
        ("24 pages here and 36 pages there are 60 pages", "en"),
        ("he turns 180 degrees in a 12 step course with a 24 hour service", "en"),
        ("on Monday , October , 25 , 2000", "en"),
        ("the town , 25 , is here", "en"),
    ],
)
def test_counts_of_a_list_primes_titles_and_sums_stay(text, language):
    assert amounts(text, language) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("nine towns , Paris and Lyon , slept", ["nine"]),
        ("twelve saw 15 men", ["15"]),
        ("Ann Lee , 25 , of Porto and Rui Sá , 31 ; slept", ["25", "31"]),
        ('he said " we waited here for 15 days , and nobody came to see us "', ["15"]),
    ],
)
def test_other_numbers_beside_a_list_or_in_a_quotation_change(text, found):
    assert [amount for amount in amounts(text, "en") if amount in found] == found


@pytest.mark.parametrize(
    ("text", "language", "found"),
    [
        ("em 15 dias , três votos e R$ 300,00 ; 60 % do valor", "pt", ["15", "três", "300,00", "60"]),
        ("até seis meses depois de 40 audiências", "pt", ["seis", "40"]),
        ("it took five weeks and $ 20 , or 30% more", "en", ["five", "20", "30%"]),
        ("a 10 year old with [25 % PERCENT] and [12 dollars MONEY]", "en", ["10", "25", "12"]),
    ],
)
def test_amounts_are_found(text, language, found):
    assert amounts(text, language) == found


@every("word", ["12/05/2010", "10:30", "2.200-2/2001", "x2", "1.", "00", "٣", "²", "."])
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


@pytest.mark.slow
def test_numbers_are_hit_at_a_rate_that_can_be_set():
    many = [parse(f"em {10 + i % 12} dias e {13 + i % 11} horas de {i}x") for i in range(1000)]
    number = find("number")
    assert number.rate == 1
    hit = sum(number.configured(rate=0.5).sample(sentence, seed=1) is not None for sentence in many)
    assert 700 < hit < 800


@every("name", ["antonym", "synonym_wordnet", "number", "tense", "negation", "contraction"])
def test_at_rate_0_nothing_changes(name):
    text = "o lento juiz recusou tudo" if name in ("tense", "negation") else "o lento juiz acarreta 81 casos em outro"
    sentence = parse(f"{text} ao [STF ORG]")
    assert find(name).configured(rate=1).sample(sentence, seed=1) is not None
    assert find(name).configured(rate=0).sample(sentence, seed=1) is None
