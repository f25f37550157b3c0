"""The number of words, by the languages that tell it, and what models propose in the place of words."""

from __future__ import annotations

from perturbations import Sentence
from perturbations.families.word.fitting import of_one_kind
from perturbations.languages import rules
from perturbations.languages.parts import GrammaticalNumber
from tests.rows import every

SINGULAR, PLURAL = ["singular"], ["plural"]
BOTH = ["plural", "singular"]


@every(
    ("language", "kind", "words", "numbers"),
    [
        ("pt", "NOUN", "casa juiz mês país gás deus", SINGULAR),
        ("pt", "NOUN", "casas juízes meses países gases réus bens leis órgãos", PLURAL),
        ("pt", "NOUN", "ônibus lápis campus tênis vírus pires atlas jesus", BOTH),
        ("pt", "ADJ", "português cortês federal", SINGULAR),
        ("pt", "ADJ", "portuguesas federais civis fáceis", PLURAL),
        ("pt", "ADJ", "simples", BOTH),
        ("pt", "ADV", "jamais apenas atrás", BOTH),
        ("pt", "VERB", "julga julgou quis pôs contém tem", SINGULAR),
        ("pt", "VERB", "julgam julgaram contêm têm julgados", PLURAL),
        ("en", "NOUN", "boss bus virus news lens gas bias crisis happiness child", SINGULAR),
        ("en", "NOUN", "bosses buses viruses lenses crises taxis children people plateaus", PLURAL),
        ("en", "NOUN", "series species sheep physics", BOTH),
        ("en", "VERB", "is was has discusses runs focuses misses", SINGULAR),
        ("en", "VERB", "are discuss run focus miss bias", PLURAL),
        ("en", "ADJ", "serious famous grave", BOTH),
        ("en", "ADV", "always often", BOTH),
    ],
)
def test_a_word_has_these_numbers(language: str, kind: str, words: str, numbers: list[str]) -> None:
    number = rules(language, "grammatical_number", GrammaticalNumber)
    assert {word: sorted(number.numbers_of(word, kind)) for word in words.split()} == dict.fromkeys(
        words.split(), numbers
    )


@every(
    ("language", "sentence", "place", "kept", "left"),
    [
        ("en", "a serious problem", 1, ["grave"], []),
        ("en", "her boss spoke", 1, ["employer", "chief"], ["chiefs"]),
        ("en", "they always came", 1, ["often"], []),
        ("en", "she runs it", 1, ["handles"], ["handle"]),
        ("pt", "o lápis sumiu", 1, ["ônus"], ["carro", "carros"]),
        ("pt", "o mês passou", 1, ["carro"], ["carros"]),
    ],
)
def test_a_proposed_word_can_be_of_every_number_of_the_word(
    language: str, sentence: str, place: int, kept: list[str], left: list[str]
) -> None:
    tokens = Sentence(tuple(sentence.split()))
    assert list(of_one_kind(tokens, place, [*left, *kept], language, None, known=False)) == kept
