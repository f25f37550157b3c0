"""Words contracted and contractions taken apart, by hand."""

import pytest

from perturbations import Sentence, apply, find, parse, render

CONTRACTION = find("Contraction")


def variant(text: str, language: str = "en", **params: object) -> str | None:
    perturbed = CONTRACTION.configured(language=language, **params).sample(parse(text), seed=1)
    return None if perturbed is None else render(perturbed.sentence)


@pytest.mark.parametrize(
    ("full", "short"),
    [
        ("the dog is not here", "the dog isn't here"),
        ("dogs will not bark", "dogs won't bark"),
        ("dogs cannot bark", "dogs can't bark"),
        ("I am here", "I'm here"),
        ("they have gone home", "they've gone home"),
        ("let us go", "let's go"),
        ("Are not they here", "Aren't they here"),
        ("DOGS ARE NOT HERE", "DOGS AREN'T HERE"),
        ("I AM HERE", "I'M HERE"),
    ],
)
def test_english_contracts_and_expands(full, short):
    assert variant(full, which="contract") == short
    assert variant(short, which="expand") == full


@pytest.mark.parametrize(
    ("full", "short"),
    [
        ("disse de o réu", "disse do réu"),
        ("posto em a lei", "posto na lei"),
        ("dito por o réu", "dito pelo réu"),
        ("filho de ele", "filho dele"),
        ("levado a as varas", "levado às varas"),
        ("ida a aquela vara", "ida àquela vara"),
        ("em um caso", "num caso"),
        ("vindo de aqui", "vindo daqui"),
        ("De o réu", "Do réu"),
        ("DE O RÉU", "DO RÉU"),
        ("À vista", None),
    ],
)
def test_portuguese_contracts_and_expands(full, short):
    if short is None:
        assert variant(full, "pt", which="expand") == "A a vista"
        return
    assert variant(full, "pt", which="contract") == short
    assert variant(short, "pt", which="expand") == full


def test_both_directions_at_once():
    assert variant("the dog is not here and the cat isn't") == "the dog isn't here and the cat is not"
    assert variant("de o réu na vara", "pt") == "do réu em a vara"


def test_the_last_words_are_no_exception():
    assert variant("surely he is not") in ("surely he isn't", "surely he's not")
    assert variant("surely the dog is not") == "surely the dog isn't"
    assert variant("surely he isn't") == "surely he is not"
    assert variant("filho de ele", "pt") == "filho dele"


def test_a_contraction_in_two_tokens_is_understood():
    assert variant("I 'm here") == "I am here"
    assert (
        variant("they do n't bark and ca n't run , wo n't they") == "they do not bark and can not run , will not they"
    )
    assert variant("people 've gone") == "people have gone"
    assert variant("THEY DO N'T") == "THEY DO NOT"
    assert variant("it ai n't so") is None


def test_tokens_that_touch_get_a_space_when_they_become_words():
    glued = Sentence(("I", "'m", "here", "."), None, ("", " ", "", ""))
    assert CONTRACTION.configured(language="en").sample(glued, seed=1).sentence.text == "I am here."
    assert CONTRACTION.sample(Sentence(("dito", "pelo", "réu"), None, (" ", "\n", "")), seed=1).sentence.text == (
        "dito por o\nréu"
    )


def test_a_typographic_apostrophe_is_an_apostrophe():
    assert variant("the dog isn’t here , I ’m sure") == "the dog is not here , I am sure"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("she 's late", "she is late"),
        ("she's really late", "she is really late"),
        ("she 's been late", "she has been late"),
        ("she 's got a car", "she has got a car"),
        ("she 's gone", None),
        ("this is John 's book", None),
        ("John 's a lawyer", "John is a lawyer"),
        ("John 's not been here", "John has not been here"),
        ("John's book", None),
        ("let 's go", "let us go"),
        ("she 'd go", "she would go"),
        ("she'd better go", "she had better go"),
        ("she 'd never been there", "she had never been there"),
        ("she 'd come", None),
        ("that is what she 's .", None),
    ],
)
def test_what_s_and_d_stand_for_is_told_by_the_words_around_them(text, expected):
    assert variant(text, which="expand") == expected


@pytest.mark.parametrize("text", ["yes , I am .", "that is what it is", "we have a car", "we had a car"])
def test_a_verb_that_is_not_weak_does_not_lean_on_its_subject(text):
    expected = {"that is what it is": "that's what it is"}
    assert variant(text, which="contract") == expected.get(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("nos autos", "em os autos"),
        ("nos vemos hoje", None),
        ("eles nos viram", None),
        ("desse modo", "de esse modo"),
        ("se desse certo", None),
    ],
)
def test_a_word_that_may_be_no_contraction_is_told_by_its_neighbours(text, expected):
    assert variant(text, "pt") == expected


def test_nothing_merges_across_the_border_of_an_entity():
    assert variant("[He PER] is not here", which="contract") == "[He PER] isn't here"
    assert variant("here is [Not PER] , [I PER] am sure", which="contract") is None
    assert variant("de [O Globo ORG] , [A PER] [O ORG]", "pt", which="contract") is None
    assert variant("[Nós em ORG] [a Luta ORG]", "pt", which="contract") is None


def test_within_an_entity_the_first_token_keeps_its_b():
    inside = CONTRACTION.configured(language="en").sample(parse("[Is not It WORK] won"), seed=1).sentence
    assert inside.tokens == ("Isn't", "It", "won")
    assert inside.tags == ("B-WORK", "I-WORK", "O")
    assert variant("o [Tribunal de o Estado ORG]", "pt") == "o [Tribunal do Estado ORG]"
    assert variant("o [Tribunal do Estado ORG]", "pt") == "o [Tribunal de o Estado ORG]"


def test_contractions_that_share_a_word_are_options_of_one_site():
    (site,) = CONTRACTION.configured(language="en").sites(parse("he is not here"))
    assert [render(apply(parse("he is not here"), [edit]).sentence) for edit in site] == [
        "he's not here",
        "he isn't here",
    ]


def test_which_confines_it_to_one_direction():
    text = "the dog is not here , it isn't"
    assert variant(text, which="contract") == "the dog isn't here , it isn't"
    assert variant(text, which="expand") == "the dog is not here , it is not"
    with pytest.raises(TypeError, match="which is 'shorten'; expected one of 'both', 'contract', 'expand'"):
        CONTRACTION.configured(which="shorten")
