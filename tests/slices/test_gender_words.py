"""Words and names of women and men."""

import pytest

from abalo.slices import slices
from abalo.slices.gender_words import genders
from perturbations import Sentence, parse
from perturbations.lexicons import pairs
from tests.rows import every


def sentence(text: str) -> Sentence:
    return Sentence(tuple(text.split()))


@every(
    ("text", "language", "expected"),
    [
        ("A ministra votou .", "pt", {"female"}),
        ("O MINISTRO votou .", "pt", {"male"}),
        ("A Sra. Souza e seu marido", "pt", {"female", "male"}),
        ("Maria saiu", "pt", {"female"}),
        ("MARIA saiu", "pt", {"female"}),
        ("maria-fumaça e maria", "pt", set()),
        ("Em São Paulo , perto de Santa Helena", "pt", set()),
        ("Paulo mora em São Paulo", "pt", {"male"}),
        ("Ele e ela , a autora", "pt", set()),
        ("She left him", "en", {"female", "male"}),
        ("Mr. Smith left", "en", {"male"}),
        ("Ma’am , wait", "en", {"female"}),
        ("Her own", "en", {"female"}),
        ("In San Antonio , St. George told Mary", "en", {"female"}),
        ("the shed , the human , the hero", "en", set()),
    ],
)
def test_what_words_and_names_say(text, language, expected):
    assert genders(sentence(text), language) == expected


def test_the_four_slices_part_every_sentence():
    part = slices()["gender_words"]
    texts = ["she left", "he left", "she left him", "it left"]
    held = {
        words: [
            text for text in texts if part.cut(None, part.configured(words=words, language="en")).holds(sentence(text))
        ]
        for words in ("female", "male", "both", "neither")
    }
    assert held == {"female": texts[:1], "male": texts[1:2], "both": texts[2:3], "neither": texts[3:]}


@pytest.mark.parametrize("language", ["pt", "en"])
def test_no_name_is_also_a_word_and_all_say_one_of_two(language):
    words, names = pairs(f"gender_words_{language}"), pairs(f"given_names_{language}")
    assert words.keys() & names.keys() == set()
    assert set(words.values()) == {"female", "male"}


@pytest.mark.parametrize(
    ("text", "language"), [("Foi a Israel", "pt"), ("A Rose fell", "en"), ("Washington agreed", "en")]
)
def test_a_name_that_is_as_often_something_else_says_nothing(text, language):
    assert genders(parse(text), language) == set()
