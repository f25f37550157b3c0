"""Changes of form: signs, spacing, instruction, order of options."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perturbations import Sentence, apply
from perturbations.families.choice import FORMATTINGS, formattings
from tests.rows import every

FOUR = ("a", "b", "c", "d")


def made(question: str, kind: str, options=FOUR) -> str | None:
    return next((each.text for each in formattings(question, options, 9) if each.kind == kind), None)


def orders(options) -> dict[str, tuple[str, ...]]:
    variants = formattings("Which?", options, 9)
    return {each.kind: apply(Sentence(options), each.moves).sentence.tokens for each in variants if each.moves}


def test_ids_and_kinds_come_in_a_fixed_order_after_the_original():
    variants = formattings("Is it so ?", FOUR, 5)
    assert [(each.id, each.kind) for each in variants] == [
        ("orig", "orig"),
        ("pert:punct", "punct"),
        ("pert:space", "space"),
        ("pert:preamble", "preamble"),
        ("pert:order_swap", "order:swap"),
        ("pert:order_rev", "order:reverse"),
    ]
    assert [each.text for each in variants[1:]] == [
        "Is it so .",
        "Is it so?",
        "Read the question and choose one answer. Is it so ?",
        "Is it so ?",
        "Is it so ?",
    ]


def test_three_of_them_never_touch_the_order():
    assert [each.id for each in formattings("So?", FOUR, 3)] == ["orig", "pert:punct", "pert:preamble"]
    assert [each.id for each in formattings("So?", FOUR, 0)] == ["orig"]


@every(
    ("question", "expected"),
    [("So?", "So."), ("So.", "So?"), ("So...", None), ("So?!", None), ("So", None), ("«So?»", None), ("?", ".")],
)
def test_the_final_sign_is_toggled(question, expected):
    assert made(question, "punct") == expected


@every(
    ("question", "expected"),
    [
        ("Is it ,or not ?", "Is it, or not?"),
        ("It is red.Is it ?", "It is red. Is it?"),
        ("What?Why?", "What? Why?"),
        ("Choose:one;two", "Choose: one; two"),
        ("Is 3.14 or 1,000 at 10:30 in the U.S. so?", None),
        ("See e.g. http://a.org/b?c=d or x:y at 3 : 4?", None),
        ("It was .5 or .NET?", None),
        ("And then ...", None),
        ("Is it?", None),
    ],
)
def test_spacing_around_signs_is_mended(question, expected):
    assert made(question, "space") == expected


def test_the_instruction_speaks_the_language_of_the_question():
    assert made("Qual é?", "preamble") == "Leia a pergunta e escolha uma resposta. Qual é?"
    (*_, told) = formattings("Neon?", FOUR, 3, "pt")
    assert told.text == "Leia a pergunta e escolha uma resposta. Neon?"


def test_options_change_places():
    assert orders(FOUR) == {"order:swap": ("d", "b", "c", "a"), "order:reverse": ("d", "c", "b", "a")}


def test_the_same_order_is_not_given_twice():
    assert orders(("a", "b", "c")) == {"order:swap": ("c", "b", "a")}
    assert orders(("a", "b")) == {"order:swap": ("b", "a")}


@every(
    ("options", "swapped", "turned"),
    [
        ("a|b|c|All of the above", "c|b|a|All of the above", None),
        ("a|b|c|d|None of these.", "d|b|c|a|None of these.", "d|c|b|a|None of these."),
        ("a|b|All of the above|None of the above", "b|a|All of the above|None of the above", None),
        ("a|b|c|d|Nenhuma das alternativas anteriores", "d|b|c|a|Nenhuma das alternativas anteriores", None),
        ("a|b|Both of the above", "b|a|Both of the above", None),
        ("a|b|c|n.d.a.", "c|b|a|n.d.a.", None),
        ("a|b|c|d|NRA", "d|b|c|a|NRA", None),
        ("a|b|c|d|All of them", "d|b|c|a|All of them", None),
        ("a|b|c|d|Any of the above", "d|b|c|a|Any of the above", None),
        ("a|b|c|d|Nenhuma delas", "d|b|c|a|Nenhuma delas", None),
        ("a|b|c|d|None of the above is a true statement.", "d|b|c|a|None of the above is a true statement.", None),
    ],
)
def test_options_about_all_others_or_none_stay_last(options, swapped, turned):
    found = orders(tuple(options.split("|")))
    assert "|".join(found["order:swap"]) == swapped
    if turned is not None:
        assert "|".join(found["order:reverse"]) == turned


@every(
    "options",
    [
        "a stone|a tree|Both A and B|a river",
        "I only|II only|I and II only|III",
        "iron|gold|A & B|lead",
        "ferro|ouro|A e B|chumbo",
        "ferro|ouro|prata|As alternativas A e C estão corretas",
        "ferro|ouro|prata|Apenas I, II e III",
        "iron|gold|lead|1 and 3",
        "iron|gold|lead|Option B is correct",
        "iron|gold|lead|All of the above except C",
        "iron|None of the above|gold|lead",  # above it stands iron alone
        "iron|gold|lead|Both of the above",  # which two
        "iron|none of the above",  # nothing else to change places with
        "iron|gold|lead|A, B, and C",
        "iron|gold|lead|Either A or B, but not both",
        "iron|gold|lead|The first and the third",
        "iron|gold|lead|The first two",
        "iron|gold|lead|A to C",
        "iron|gold|lead|a. and b. above",
        "ferro|ouro|prata|Somente a letra C",
        "ferro|ouro|prata|tanto A quanto B",
    ],
)
def test_options_that_name_others_leave_the_question_as_it_stands(options):
    assert orders(tuple(options.split("|"))) == {}


@every(
    "options",
    [
        "1|2|3|2–3",
        "1 to 3|2|4|3 to 4",
        "{1, 2}|{1}|{2}|{3, 4}",
        "1.2|1.3|2,3|3,1",
        "Vitamin A and C|E|K|D",
        "Above 10|All cats|None|Some",
        "a|e|i|o",
        "A|B|A B|A/B",
    ],
)
def test_options_that_only_look_like_names_of_others_change_places(options):
    first, *middle, last = options.split("|")
    assert orders((first, *middle, last))["order:swap"] == (last, *middle, first)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ("ab", TypeError, "expected a list of strings"),
        (("a", 2), TypeError, "expected a list of strings"),
        (("a",), ValueError, "1 options; expected at least 2"),
        (("a", " "), ValueError, "option 1 is ' '; expected at least one visible character"),
    ],
)
def test_misuse_is_an_error(options, error, message):
    with pytest.raises(error, match=message):
        formattings("Which?", options)


TEXTS = st.text(st.sampled_from("ab.?!,:; AB3\t") | st.characters(exclude_categories=["Cs"]), min_size=1, max_size=30)
OPTIONS = st.lists(st.text(min_size=1, max_size=4).filter(str.strip), min_size=2, max_size=6).map(tuple)


@given(TEXTS.filter(str.strip), OPTIONS)
def test_variants_are_the_same_every_time_and_all_different(question, options):
    found = formattings(question, options, 9)
    assert found == formattings(question, options, 9)
    assert [each.id for each in found[1:]] == [name for name in FORMATTINGS if name in {each.id for each in found}]
    assert len({(each.text, each.moves) for each in found}) == len(found)


@given(TEXTS.filter(str.strip))
def test_mended_spacing_stays_and_changes_no_visible_character(question):
    mended = made(question, "space")
    if mended is not None:
        assert made(mended, "space") is None
        assert "".join(mended.split()) == "".join(formattings(question, FOUR, 0)[0].text.split())


STAYING_LAST = {"all", "any", "none", "todo", "toda", "nota", "aota"}
"""Options that a reversal brings to the end, where the next one leaves them."""


@given(OPTIONS.filter(lambda options: STAYING_LAST.isdisjoint(each.strip(" .").lower() for each in options)))
def test_reversed_twice_options_stand_as_they_did(options):
    for variant in formattings("Which?", options, 9):
        if variant.moves:
            once = apply(Sentence(options), variant.moves)
            again = next(each for each in formattings("Which?", once.sentence.tokens, 9) if each.id == variant.id)
            assert apply(once.sentence, again.moves).sentence.tokens == options
