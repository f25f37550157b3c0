"""Perturbations of sentences with two spans: what they make, where they make nothing, and where the spans are then."""

import pytest

from perturbations import Sentence, Span, apply, find, parse, render
from tests.rows import every


def made(name, text, language, **params):
    """All variants of a sentence in bracket notation."""
    member, sentence = find(name).configured(rate=1, language=language, **params), parse(text)
    return {render(apply(sentence, [edit]).sentence) for site in member.sites(sentence) for edit in site}


BIRTHS = [
    ("en", "[Ana Silva P] , born in [Lima L] , writes .", "Born in [Lima L] , [Ana Silva P] writes ."),
    ("en", "Born in [Lima L] , [Ana Silva P] writes .", "[Ana Silva P] , born in [Lima L] , writes ."),
    ("en", "[Ana Silva P] , who was born in [Lima L] , writes .", "Born in [Lima L] , [Ana Silva P] writes ."),
    ("en", "[Ana Silva P] was born in [Lima L] and writes .", "Born in [Lima L] , [Ana Silva P] writes ."),
    ("pt", "[Ana Silva P] , que nasceu em [Lima L] , escreve .", "Nascida em [Lima L] , [Ana Silva P] escreve ."),
    ("pt", "[Paulo Silva P] nasceu em [Lima L] e escreve .", "Nascido em [Lima L] , [Paulo Silva P] escreve ."),
    ("pt", "Nascida em [Lima L] , [Ana Silva P] escreve .", "[Ana Silva P] , nascida em [Lima L] , escreve ."),
]
AGES = [
    ("en", "[Ana Silva P] , [46 N] , writes .", "Aged [46 N] , [Ana Silva P] writes ."),
    ("en", "[Ana Silva P] , [46 N] years old , writes .", "Aged [46 N] , [Ana Silva P] writes ."),
    ("en", "Aged [46 N] , [Ana Silva P] writes .", "[Ana Silva P] , [46 N] , writes ."),
    ("pt", "[Ana Silva P] , de [46 N] anos , escreve .", "Aos [46 N] anos , [Ana Silva P] escreve ."),
    ("pt", "[Ana Silva P] , [46 N] , escreve .", "Aos [46 N] anos , [Ana Silva P] escreve ."),
]
POSTS = [
    ("en", "[Ana Silva P] , president of [Acme O] , writes .", "The president of [Acme O] , [Ana Silva P] , writes ."),
    ("en", "The president of [Acme O] , [Ana Silva P] , writes .", "[Ana Silva P] , president of [Acme O] , writes ."),
    (
        "pt",
        "[Ana Silva P] , presidente da [Acme O] , lê .",
        "A presidente da [Acme O] , [Ana Silva P] , lê .",
    ),
    ("pt", "[Paulo Silva P] , diretor da [Acme O] , escreve .", "O diretor da [Acme O] , [Paulo Silva P] , escreve ."),
]
MOVES = {"swap_birth": BIRTHS, "swap_age": AGES, "swap_employee": POSTS}


def spelled(text):
    """With the names of types as corpora have them."""
    for short, long in ((" P]", " PERSON]"), (" L]", " PLACE]"), (" O]", " ORGANIZATION]"), (" N]", " NUMBER]")):
        text = text.replace(short, long)
    return text


@every(
    ("name", "language", "before", "after"),
    [(name, *row) for name, rows in MOVES.items() for row in rows],
)
def test_what_is_told_of_a_person_moves_to_the_other_side(name, language, before, after):
    assert made(name, spelled(before), language) == {spelled(after)}
    assert made("swap_triple_pos", spelled(before), language) == {spelled(after)}


@every(
    ("name", "language", "text"),
    [
        ("swap_birth", "en", "[Ana Silva P] was born in [Lima L] and raised in Cusco ."),
        ("swap_birth", "en", "[Ana Silva P] was born in [Lima L] and brought up in Cusco ."),
        ("swap_birth", "en", "[Ana Silva P] , born in [Lima L] , Peru , writes ."),
        ("swap_birth", "en", "They met [Ana Silva P] , born in [Lima L] , who writes ."),
        ("swap_birth", "pt", "[Zqual Silva P] nasceu em [Lima L] e escreve ."),
        ("swap_birth", "en", "The [ridge subject] , born in [fire object] , rises ."),
        ("swap_age", "en", "[Ana Silva P] , [146 N] , writes ."),
        ("swap_age", "en", "[Ana Silva P] , [46 N] , and Bo write ."),
        ("swap_employee", "en", "[Ana Silva P] , friend of [Acme O] , writes ."),
        ("swap_employee", "pt", "[Paulo Silva P] , diretora da [Acme O] , escreve ."),
        ("insert_clause", "en", "[Acme O] president [Ana Silva P] writes"),
        ("insert_clause", "en", 'He said " [Ana Silva P] is in [Lima L] .'),
    ],
)
def test_what_is_not_certain_stays(name, language, text):
    found = made(name, spelled(text), language)
    assert not any("[Acme ORGANIZATION] ," in each for each in found) if name == "insert_clause" else not found


def test_anchors_move_with_their_words():
    sentence = Sentence(
        ("Ana", "Silva", ",", "born", "in", "Lima", ",", "writes", "."),
        ("B-PERSON", "I-PERSON", "O", "O", "O", "B-PLACE", "O", "O", "O"),
        (" ", "", " ", " ", " ", "", " ", "", ""),
        (Span(0, 2, "subject"), Span(5, 6, "object")),
    )
    new = find("swap_birth").configured(language="en").sample(sentence, seed=1).sentence
    assert new.text == "Born in Lima, Ana Silva writes."
    assert new.anchors == (Span(4, 6, "subject"), Span(2, 3, "object"))


def test_clauses_stand_before_a_verb_or_at_the_end():
    found = made("insert_clause", spelled("[Ana Silva P] works in [Lima L] ."), "en")
    assert spelled("[Ana Silva P] , mentioned above , works in [Lima L] .") in found
    assert spelled("[Ana Silva P] works in [Lima L] , mentioned above .") in found


@pytest.mark.parametrize("by", ["same_type", "low_frequency", "several_types"])
def test_other_spans_have_the_type_and_the_gender_of_the_old(by):
    found = made("swap_ent", spelled("[Ana Silva P] mora em [Lima L] com [Acme O]"), "pt", by=by)
    assert not found  # three names, and no anchors: which are meant is not known
    found = made("swap_ent", spelled("[Ana Silva P] mora em [Lima L]"), "pt", by=by)
    assert all(each.endswith(" PLACE]") for each in found)
    assert any("[Lima PLACE]" in each for each in found)
    assert not made("swap_ent", spelled("[Zqual Silva P] viu [46 N]"), "pt", by=by)


def test_names_of_textflint_are_known():
    names = {"SwapTriplePos": "swap_triple_pos", "SwapBirth": "swap_birth", "SwapAge": "swap_age"}
    names |= {"SwapEmployee": "swap_employee", "InsertClause": "insert_clause"}
    assert {name: find(name).name for name in names} == names
