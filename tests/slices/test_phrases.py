"""Negations and questions: what is one, what only looks like one."""

import pytest

from abalo.slices.phrase import asks, negates
from perturbations import Sentence
from perturbations.lexicons import pairs
from tests.rows import every


def sentence(text: str) -> Sentence:
    return Sentence(tuple(text.split()))


@every(
    "text",
    [
        "Not now",
        "NOT NOW .",
        "I don't know",
        "I don’t know",
        "I don`t know",
        "I do n't know",
        "I do n’t know",
        "I don 't know",
        "I don ' t know",
        "I do n ' t know",
        "it isn't",
        "We ca n't come .",
        "it wo n't .",
        "dont rush",
        "He never came back .",
        "Nobody knows .",
        "No one knows .",
        "neither of them",
        "This is n't not only bad .",
        "no , thanks",
        "Not only did he lie , he did not come .",
        '"Not"',
        "-Not me",
    ],
)
def test_english_negations(text):
    assert negates(sentence(text), "en")


@every(
    "text",
    [
        "Now or later",
        "He took notes on another knot .",
        "Not only he but she came .",
        "It was not just cold .",
        "Tell me whether or not he came .",
        "Last but not least , dessert .",
        "No doubt he came .",
        "I can't help but laugh",
        "I ca n't help but laugh",
        "Section No. 5",
        "Section No . 5",
        "nonetheless he came , notwithstanding",
        "he came without her",
        "the cant of thieves",
        "Jan van 't Hoff",
        "a non-binding vote",
    ],
)
def test_what_is_no_english_negation(text):
    assert not negates(sentence(text), "en")


@every(
    "text",
    [
        "Não agora",
        "NÃO AGORA .",
        "recurso não provido",
        "nao sei",
        "Nunca veio .",
        "Ninguém sabe .",
        "não há nenhuma prova",
        "nem ele",
        "de modo algum",
        "Não só mentiu , como não veio .",
        "-Não !",
        "“ Não ”",
        "não-sei-quê não",
    ],
)
def test_portuguese_negations(text):
    assert negates(sentence(text), "pt")


@every(
    "text",
    [
        "Não só ele , mas também ela veio .",
        "NÃO SÓ ELE veio",
        "não somente o réu",
        "não apenas o réu",
        "Não obstante , o réu apelou .",
        "nada obstante",
        "Pois não , doutor .",
        "sem prejuízo",
        "o senão é outro",
        "organização não-governamental",
        "o navio nãouba",
        "anão e canhão",
        "No art . 5º",
    ],
)
def test_what_is_no_portuguese_negation(text):
    assert not negates(sentence(text), "pt")


@pytest.mark.parametrize("language", ["pt", "en"])
def test_every_phrase_of_the_lists_is_what_it_says(language):
    for phrase, kind in pairs(f"phrases_{language}").items():
        if kind != "asks":
            assert negates(sentence(phrase), language) is (kind == "negates"), phrase
            assert negates(sentence(f"x {phrase.upper()} , y"), language) is (kind == "negates"), phrase


@every(
    ("text", "language"),
    [
        ("Quem é ele ?", "pt"),
        ("Ele veio?", "pt"),
        ("“ Por que não ? ” , disse .", "pt"),
        ("por que ele não veio", "pt"),
        ("Será que vem", "pt"),
        ("quanto custa isso", "pt"),
        ("Did he come ?", "en"),
        ("what ? !", "en"),
        ("who's there", "en"),
        ("who 's there", "en"),
        ("How many are there", "en"),
        ("do you know", "en"),
        ("“ why do n't you come", "en"),
    ],
)
def test_questions(text, language):
    assert asks(sentence(text), language)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Ele veio .", "pt"),
        ("Por que ele não veio , ninguém sabe .", "pt"),
        ("o porque disso", "pt"),
        ("Quem cala consente", "pt"),
        ("see http://a.example/b?c=d", "en"),
        ("see www.a.example/b?c=d", "en"),
        ("What is done is done .", "en"),
        ("When he came , she left", "en"),
        ("whose issue", "en"),
        ("How many are there !", "en"),
    ],
)
def test_what_is_no_question(text, language):
    assert not asks(sentence(text), language)
