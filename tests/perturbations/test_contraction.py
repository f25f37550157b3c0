"""Words contracted and contractions taken apart, by hand."""

import pytest

from perturbations import Sentence, apply, find, parse, render
from tests.rows import every

CONTRACTION = find("Contraction")


def variant(text: str, language: str = "en", which: str = "both") -> str | None:
    perturbed = CONTRACTION.configured(language=language, which=which).sample(parse(text), seed=1)
    return None if perturbed is None else render(perturbed.sentence)


@every(
    ("full", "short"),
    [
        ("the dog is not here", "the dog isn't here"),
        ("dogs will not bark", "dogs won't bark"),
        ("dogs cannot bark", "dogs can't bark"),
        ("I am here", "I'm here"),
        ("they have gone home", "they've gone home"),
        ("let us go", "let's go"),
        ("DOGS ARE NOT HERE", "DOGS AREN'T HERE"),
        ("I AM HERE", "I'M HERE"),
    ],
)
def test_english_contracts_and_expands(full, short):
    assert variant(full, which="contract") == short
    assert variant(short, which="expand") == full


@every(
    ("full", "short"),
    [
        ("em um caso", "num caso"),
        ("EM UMA VARA", "NUMA VARA"),
        ("de um caso", "dum caso"),
        ("em outras varas", "noutras varas"),
        ("De outro modo", "Doutro modo"),
        ("em algum caso", None),  # "nalgum" is right, and hardly anyone writes it
        ("disse de o réu , em a lei , por o juiz", None),  # a treebank's words, which are no text
        ("filho de ele , vindo de aqui", None),
    ],
)
def test_portuguese_contracts(full, short):
    assert variant(full, "pt", "contract") == short


@pytest.mark.parametrize(
    "text",
    [
        "o direito de um paciente aguardar o julgamento",
        "apesar de uma Resolução n . 414 , de 2010 , ter sido revogada",
        "o fato de outros serem réus",
        "a possibilidade de um juiz decidir",
    ],
)
def test_a_preposition_stays_apart_from_the_subject_of_an_infinitive(text):
    """Acordo Ortográfico and grammars: "é hora de a onça beber água"."""
    assert variant(text, "pt", "contract") is None


@pytest.mark.parametrize("text", ["em um ou dois casos", "de um a cem", "lido em Um Teto Todo Seu", "em um dos"])
def test_numbers_and_titles_are_not_contracted(text):
    assert variant(text, "pt", "contract") is None


def test_portuguese_contracts_by_default():
    assert CONTRACTION.params["which"] == "contract"
    made = CONTRACTION.sample(parse("num caso e em outro caso do réu"), seed=1)
    assert render(made.sentence) == "num caso e noutro caso do réu"


@every(
    ("short", "full"),
    [
        ("num caso", "em um caso"),
        ("Numa visão clara", "Em uma visão clara"),
        ("noutro giro", "em outro giro"),
        ("dum lado", "de um lado"),
        ("donde se conclui", "de onde se conclui"),
        ("do réu , na vara , dele , neste caso , à vista , pelo juiz , daqui", None),
        ("eu num quero", None),  # "não", as it is spoken
        ("Num : 303", None),
    ],
)
def test_only_what_portuguese_writes_in_two_words_is_taken_apart(short, full):
    assert variant(short, "pt", "expand") == full


def test_both_directions_at_once():
    assert variant("the dog is not here and the cat isn't") == "the dog isn't here and the cat is not"
    assert variant("em outra vara e num caso", "pt") == "noutra vara e em um caso"


def test_the_last_words_are_no_exception():
    assert variant("surely he is not") in ("surely he isn't", "surely he's not")
    assert variant("surely the dog is not") == "surely the dog isn't"
    assert variant("surely he isn't") == "surely he is not"
    assert variant("disse em outra", "pt") == "disse noutra"


@every(
    ("text", "expected"),
    [
        ("I don ' t know", "I do not know"),
        ("I do n ' t know", "I do not know"),
        ("I don 't know", "I do not know"),
        ("I ' m here and you ' re there", "I am here and you are there"),
        ("it ' s late", "it is late"),
        ("she ' d go , they won ' t", "she would go , they will not"),
        ("we can ’ t go", "we can not go"),
        ("let ' s go", "let us go"),
        ("DON ' T GO", "DO NOT GO"),
        ("it ain ' t so", None),
        ("the dogs ' bone , Casey ' s shirt", None),
        ("he said ' so '", None),
    ],
)
def test_a_contraction_in_three_or_four_tokens_is_understood(text, expected):
    assert variant(text, which="expand") == expected


@every(
    ("text", "expected"),
    [
        ("aren't they here", None),
        ("it is late , is n't it", None),
        ("why don't you go", None),
        ("did n't John go", None),
        ("Don't go", "Do not go"),
        ("John did n't go", "John did not go"),
    ],
)
def test_not_does_not_stand_between_a_verb_and_its_subject(text, expected):
    assert variant(text, which="expand") == expected


def test_a_contraction_in_two_tokens_is_understood():
    assert variant("I 'm here") == "I am here"
    assert variant("they do n't bark and ca n't run , wo n't they") == "they do not bark and can not run , wo n't they"
    assert variant("people 've gone") == "people have gone"
    assert variant("THEY DO N'T") == "THEY DO NOT"
    assert variant("it ai n't so") is None


def test_tokens_that_touch_get_a_space_when_they_become_words():
    glued = Sentence(("I", "'m", "here", "."), None, ("", " ", "", ""))
    assert CONTRACTION.configured(language="en", which="expand").sample(glued, seed=1).sentence.text == "I am here."
    taking_apart = CONTRACTION.configured(which="expand")
    assert taking_apart.sample(Sentence(("dito", "num", "caso"), None, (" ", "\n", "")), seed=1).sentence.text == (
        "dito em um\ncaso"
    )


def test_a_typographic_apostrophe_is_an_apostrophe():
    assert variant("the dog isn’t here , I ’m sure") == "the dog is not here , I am sure"


@every(
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


@every(
    "text",
    [
        "you know how proud I am to be here",
        "braver than I am today",
        "whether it is or not",
        "because you are n ' t here",
        "let us know",
        "he told us to let us go",
        "it will tomorrow",
        "but you ARE coming",
    ],
)
def test_a_verb_behind_which_something_is_missing_does_not_lean(text):
    assert variant(text, which="contract") is None


def test_what_is_asked_about_may_lean():
    assert variant("see what he is doing", which="contract") == "see what he's doing"


def test_nothing_merges_across_the_border_of_an_entity():
    assert variant("[He PER] is not here", which="contract") == "[He PER] isn't here"
    assert variant("here is [Not PER] , [I PER] am sure", which="contract") is None
    assert variant("de [O Globo ORG] , [A PER] [O ORG]", "pt", which="contract") is None
    assert variant("[Nós em ORG] [a Luta ORG]", "pt", which="contract") is None


def test_within_an_entity_the_first_token_keeps_its_b():
    inside = CONTRACTION.configured(language="en").sample(parse("[Is not It WORK] won"), seed=1).sentence
    assert inside.tokens == ("Isn't", "It", "won")
    assert inside.tags == ("B-WORK", "I-WORK", "O")
    assert variant("o [Tribunal de um Estado ORG]", "pt") == "o [Tribunal dum Estado ORG]"
    assert variant("o [Museu num Barco ORG]", "pt") == "o [Museu em um Barco ORG]"


def test_contractions_that_share_a_word_are_options_of_one_site():
    (site,) = CONTRACTION.configured(language="en", which="both").sites(parse("he is not here"))
    assert [render(apply(parse("he is not here"), [edit]).sentence) for edit in site] == [
        "he's not here",
        "he isn't here",
    ]


def test_which_confines_it_to_one_direction():
    text = "the dog is not here , the cat isn't"
    assert variant(text, which="contract") == "the dog isn't here , the cat isn't"
    assert variant(text, which="expand") == "the dog is not here , the cat is not"
    with pytest.raises(TypeError, match="which is 'shorten'; expected one of 'both', 'contract', 'expand'"):
        CONTRACTION.configured(which="shorten")


@every("negation", ["n't", "n ' t", "'t", "n ’ t"])
@every("start", ["it is", "they are", "you have", "he will"])
def test_nothing_is_contracted_before_a_negation_that_is_a_token_of_its_own(start, negation):
    found = find("contraction").configured(language="en", which="contract")
    assert list(found.sites(parse(f"{start} {negation} going home"))) == []
    assert found.fits(parse("it is going home"))
