"""The audit of ambiguity: options that say the same, speak of others or crowd, and options that only look like it."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from abalo.questions.audit import audit, audit_questions
from abalo.questions.flags import RULES
from perturbations.families.choice.references import letters_named
from tests.rows import every
from tests.texts import TextWith


def rules(*options: str) -> list[tuple[str, tuple[int, ...]]]:
    return [(flag.rule, flag.options) for flag in audit(options)]


@every(
    ("one", "other"),
    [
        ("x = –4", "x = 4"),
        ("BB × Bb", "Bb × Bb"),
        ("5 mL", "5 ML"),
        ("Mg", "mg"),
        ("x²", "x2"),
        ("H2O", "H₂O"),
        ("Wrong, Not wrong", "Not wrong, Wrong"),
        ("True, False", "False, True"),
        ("2 over 3", "3 over 2"),
        ("exports exceed imports", "imports exceed exports"),
        ("–3 ≤ y ≤ 3", "3 ≤ y ≤ 3"),
        ("(x-1)(x+1)^3", "(x-1)^3(x+1)"),
        ("[a, b]", "(a, b)"),
        ("é lícita, acarretando multa", "é lícita, não acarretando multa"),
        ("10 %", "10"),
        ("it's", "its"),
        ("AIDS", "aids"),
        ("P(a)", "p(a)"),
    ],
)
def test_options_that_differ_in_a_sign_a_capital_or_their_order_are_different(one, other):
    assert rules(one, other, "something else") == []
    assert audit([one, other]) == ()


@every(
    ("one", "other"),
    [
        ("Employee rights", "Employee rights"),
        ("The Sun", "the  sun."),
        ("A dog", "a dog"),
        ("x = –4", "x = −4"),
        ("x=4", "x = 4"),
        ("10%", "10 %"),
        ("Kant’s view", "Kant's view"),
        ("?", "?"),
    ],
)
def test_options_that_are_written_alike_are_the_same(one, other):
    assert rules(one, other, "something else") == [("duplicate", (0, 1))]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("heavenly bodies", "a heavenly body"),
        ("the first-degree murder", "first degree murder"),
        ("red, white and blue", "red white, and blue"),
        ("as nações unidas", "nações unidas"),
    ],
)
def test_options_that_differ_in_articles_plurals_or_commas_are_nearly_the_same(one, other):
    (flag,) = audit([one, other, "something else"])
    assert (flag.rule, flag.options, flag.measured) == ("near_duplicate", (0, 1), None)
    assert flag.reason == TextWith(f"{one!r} and {other!r} differ ", "articles, plurals or")


@every(
    ("options", "places"),
    [
        ("iron|gold|lead|All of the above", (3,)),
        ("iron|gold|lead|None of these.", (3,)),
        ("iron|gold|lead|Any of them", (3,)),
        ("iron|gold|Both of these|Neither of these", (2, 3)),
        ("iron|gold|Both A & B|Neither A nor B", (2, 3)),
        ("iron|gold|lead|A, B, and C", (3,)),
        ("ferro|ouro|chumbo|Nenhuma delas", (3,)),
        ("ferro|ouro|chumbo|As alternativas A e C estão corretas", (3,)),
        ("iron|gold|lead|I don't know", (3,)),
        ("iron|gold|lead|Cannot be determined", (3,)),
    ],
)
def test_options_about_others_are_flagged(options, places):
    assert rules(*options.split("|")) == [("meta_option", (place,)) for place in places]


@every(
    "options",
    [
        "A and C|B6 and B12|B6 and D|B12 and E",  # vitamins
        "I only|II only|I and II only|I, II and III",  # statements of the question
        "(i) and (iii) only|(ii) only|(i) only|(iv) only",
        "A only|B only|both A and B|neither A nor B",  # letters that name something of the question
        "None|One|Two|Three",
        "Both parties|Neither party|The buyer|The seller",
    ],
)
def test_options_that_name_something_else_are_not(options):
    assert rules(*options.split("|")) == []


def test_yes_and_no_are_flagged_but_not_answers_to_two_statements():
    assert rules("Yes", "Yes, because it rains", "No, because it is dry", "It depends on where") == [
        ("boolean_like", (0,))
    ]
    assert rules("True, True", "False, False", "True, False", "False, True") == []


@every(
    ("options", "crowded"),
    [
        ("10.0|10.05|20|30", True),
        ("5.00 g|5.01 g|8 g|9 g", True),
        ("301 m/s|302 m/s|400 m/s|500 m/s", True),
        ("1865|1867|1914|1939", False),  # years
        ("44 BC|45 BC|46 BC|4400 BC", False),
        ("1990s|1980s|1970s|1950s", False),
        ("899|900|999|1000", False),  # counts
        ("$24,000|$24,200|$22,000|$4,000", False),  # sums of money
        ("10.0|10.5|20|30", False),
    ],
)
def test_measured_numbers_crowd_and_exact_ones_do_not(options, crowded):
    assert [rule for rule, _ in rules(*options.split("|"))] == (["numeric_crowding"] if crowded else [])


def test_the_published_rules_are_kept():
    options = ("x = –4", "x = 4", "1990", "1991")
    assert audit(options) == ()
    assert [flag.rule for flag in audit(options, as_published=True)] == ["duplicate"]
    assert list(audit_questions({"q": options, "r": ("a", "b")}, as_published=True)) == ["q"]


def test_only_flagged_questions_are_listed():
    found = audit_questions({"good": ("Paris", "Rome"), "bad": ("Paris", "paris")})
    assert [(name, [flag.rule for flag in flags]) for name, flags in found.items()] == [("bad", ["duplicate"])]


OPTIONS = st.lists(st.text(max_size=8) | st.from_regex(r"-?\d{1,4}([.,]\d{1,3})?( km)?", fullmatch=True), max_size=6)


@given(OPTIONS)
def test_flags_name_places_in_order_by_rule(options):
    flags = audit(options)
    assert [flag.rule for flag in flags] == sorted((flag.rule for flag in flags), key=RULES.index)
    for flag in flags:
        assert list(flag.options) == sorted(set(flag.options))
        assert set(flag.options) <= set(range(len(options)))


@example(["5000", "5000.", "5000.1"])
@given(OPTIONS)
def test_the_order_of_options_does_not_matter(options):
    def told(given):
        return sorted((flag.rule, sorted(given[place] for place in flag.options)) for flag in audit(given))

    def about_none(given):
        return [option for option in given if not letters_named(option, len(given))]

    plain = about_none(options)
    assert told(plain) == told(plain[::-1])


def test_options_that_begin_with_their_own_letters_are_flagged_and_read_without_them():
    assert rules("A) red", "B) green", "C) blue") == [("own_letter", (0, 1, 2))]
    assert rules("(a) red", "(b) Red", "(c) blue") == [("duplicate", (0, 1)), ("own_letter", (0, 1, 2))]
    assert rules("A. red", "B. none of the above") == [("meta_option", (1,)), ("own_letter", (0, 1))]
    assert rules("A", "B", "AB", "O") == []
