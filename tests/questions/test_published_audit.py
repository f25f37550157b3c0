"""The audit of ambiguity as published, rule by rule, with every example of the seed."""

import json
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abalo.questions.audit import audit_questions
from abalo.questions.flags import RULES, Flag, Limits
from abalo.questions.published import boolean_like, jaccard, meta_option, normalise, published_flags, tokens
from abalo.questions.quantities import gap, quantities
from tests.rows import every
from tests.texts import TextWith

STRICT = Limits(gap=0.005)


def rules(*options: str, limits: Limits = Limits()) -> list[tuple[str, tuple[int, ...]]]:  # noqa: B008 - it is frozen
    return [(flag.rule, flag.options) for flag in published_flags(options, limits)]


@every(
    ("text", "expected"),
    [
        ("don't", "dont"),
        ("don’t", "dont"),
        ("snake_case  Word!", "snake case word"),
        ("(Good, option.)", "good option"),
        ("-5.0 %", "-5.0 %"),
        ("3-4", "3 4"),
        ("C#", "c#"),
        ("ﬁsh", "fish"),
        ("?!", ""),
    ],
)
def test_options_are_normalised(text, expected):
    assert normalise(text) == expected


@every(
    ("text", "expected"),
    [
        ("words", {"word"}),
        ("bodies", {"body"}),
        ("Boxes, glasses and churches", {"box", "glass", "and", "church"}),
        ("The gas is a virus", {"the", "gas", "is", "a", "virus"}),
        ("Nações", {"nação"}),
        ("...", set()),
    ],
)
def test_tokens_are_singular(text, expected):
    assert tokens(text) == expected


def test_jaccard_is_the_share_of_common_tokens_and_0_without_any():
    assert jaccard(frozenset("abc"), frozenset("bcd")) == 0.5
    assert jaccard(frozenset("ab"), frozenset("ab")) == 1.0
    assert jaccard(frozenset(), frozenset("a")) == jaccard(frozenset(), frozenset()) == 0.0


def test_duplicates_are_the_same_once_normalised():
    assert rules("The Sun", "the  sun.", "Moon") == [("duplicate", (0, 1))]
    assert rules("it's", "its", "Moon") == [("duplicate", (0, 1))]
    assert rules("?", "!") == []
    assert rules("?", "?") == [("duplicate", (0, 1))]
    assert rules("-5", "5") == rules("10 %", "10") == rules("C", "C#") == rules("1/2", "12") == []


def test_near_duplicates_share_most_of_their_words():
    (flag,) = published_flags(["two words", "two word", "one word"])
    assert flag == Flag(
        "near_duplicate", (0, 1), TextWith("'two words' and 'two word' ", "100% ", "from 90%"), 1.0, 0.9
    )
    assert rules("heavenly bodies", "heavenly body") == [("near_duplicate", (0, 1))]
    assert rules("body heavenly", "heavenly bodies") == [("near_duplicate", (0, 1))]


def test_the_similarity_of_near_duplicates_can_be_set_and_is_inclusive():
    nine, ten = "a b c d e f g h i", "a b c d e f g h i j"
    assert published_flags([nine, ten])[0].measured == 0.9
    assert rules(nine, ten, limits=Limits(jaccard=0.91)) == []
    assert rules("in the east", "in the west") == []
    assert rules("in the east", "in the west", limits=Limits(jaccard=0.5)) == [("near_duplicate", (0, 1))]


@every(
    ("option", "kind"),
    [
        ("All of the above", "all_of_the_above"),
        ("all_of_the_above", "all_of_the_above"),
        ("All of these are correct.", "all_of_the_above"),
        ("Todas as alternativas anteriores", "all_of_the_above"),
        ("Todas as alternativas estão corretas", "all_of_the_above"),
        ("None of the above", "none_of_the_above"),
        ("Nenhuma das anteriores", "none_of_the_above"),
        ("N.D.A.", "none_of_the_above"),
        ("Both A and B", "some_of_the_above"),
        ("A and C only", "some_of_the_above"),
        ("As alternativas a e b", "some_of_the_above"),
        ("I don't know", "dont_know"),
        ("I don’t know.", "dont_know"),
        ("Não sei", "dont_know"),
        ("Cannot be determined", "cannot_tell"),
        ("Não é possível determinar", "cannot_tell"),
        ("None", None),
        ("All of the planets", None),
        ("Todas as plantas", None),
        ("Vitamins A and C", None),
        ("It depends on temperature", None),
    ],
)
def test_meta_options_speak_of_the_others_or_of_not_knowing(option, kind):
    assert meta_option(option) == kind
    assert rules("Paris", option) == ([("meta_option", (1,))] if kind else [])


@every("option", ["Yes", "no.", "TRUE", "false", "maybe", "Yes, maybe", "Sim", "não", "Verdadeiro"])
def test_boolean_like_options_hold_words_of_a_closed_list(option):
    assert boolean_like(option)
    assert rules("Paris", option) == [("boolean_like", (1,))]


@every("option", ["Good option", "No option", "Yes yes yes", "True story", "certo", ""])
def test_other_options_are_not_boolean_like(option):
    assert not boolean_like(option)


def test_boolean_like_options_come_in_one_flag_and_their_length_can_be_set():
    assert rules("Yes", "No", "Maybe", "Paris") == [("boolean_like", (0, 1, 2))]
    assert boolean_like("yes yes yes", most=3)
    assert not boolean_like("yes yes", most=1)


@every(
    ("options", "limits", "crowded"),
    [
        # the examples of the seed
        (("10.0", "10.05", "20", "30"), Limits(), True),  # 0.5 %, four numbers
        (("10.0", "10.01", "20"), Limits(), True),  # 0.1 %, three
        (("10.0", "10.02", "20"), Limits(), False),  # 0.2 %, three
        (("10.0", "10.02", "20"), STRICT, True),  # the same under a stricter setting
        # and around them
        (("10.0", "10.05", "20"), Limits(), False),
        (("10.0", "10.05", "20"), STRICT, False),
        (("10.0", "10.05", "20", "30"), STRICT, True),
        (("10.0", "10.06", "20", "30"), STRICT, False),
        (("10.0", "10.05", "20", "30", "forty"), Limits(), True),
        (("10.0", "10.05", "20", "thirty"), Limits(), False),
        (("10.0", "10.05"), Limits(), False),
        (("99", "100", "200", "300"), Limits(), True),  # exactly 1 %
        (("98.99", "100", "200", "300"), Limits(), False),
        (("99.85", "100", "200"), Limits(), True),  # exactly 0.15 %
        (("99.84", "100", "200"), Limits(), False),
        (("99.8", "100", "200"), STRICT, True),  # exactly 0.20 %
        (("99.79", "100", "200"), STRICT, False),
        (("99.8", "100", "200"), Limits(gap=0.02), False),  # looser is not stricter
        (("97", "98.5", "200", "300"), Limits(gap=0.02), True),
    ],
)
def test_numbers_crowd(options, limits, crowded):
    found = rules(*options, limits=limits)
    assert found == ([("numeric_crowding", (0, 1))] if crowded else [])


def test_a_flag_says_the_numbers():
    (flag,) = published_flags(["20", "10.05", "30", "10.0"])
    assert (flag.options, flag.limit) == ((1, 3), 0.01)
    assert flag.measured == pytest.approx(0.05 / 10.05)
    assert flag.reason == TextWith("'10.0' and '10.05' are 0.50% apart, ", "4 numbers", "1.00%")
    assert json.loads(json.dumps(flag.to_json())) == flag.to_json()


def test_only_neighbours_in_size_and_of_one_unit_are_compared():
    assert rules("3 km", "3 m", "3 kg", "3 s") == []
    assert rules("30 m", "10 m", "30.1 m", "20 m") == [("numeric_crowding", (0, 2))]
    assert rules("100", "100.5", "101", "200") == [("numeric_crowding", (0, 1)), ("numeric_crowding", (1, 2))]


@every(
    ("option", "value", "unit"),
    [
        ("10.05", "10.05", ""),
        ("10,05", "10.05", ""),
        ("1,000", "1000", ""),
        ("-3 °C", "-3", "°c"),
        ("−3", "-3", ""),
        ("$1,234.50", "1234.5", "$"),
        ("R$ 10,50", "10.5", "r$"),
        ("50%", "50", "%"),
        ("6e23", "6e23", ""),
        ("5 km/h.", "5", "km/h"),
    ],
)
def test_a_number_is_read(option, value, unit):
    (found,) = quantities([option])
    assert (found.value, found.unit) == (Fraction(value), unit)


@every("option", ["ten", "10–20", "1.2.3", "in 1999 or so", "", "1e999999999", "5 very long units"])
def test_what_is_no_number_is_none(option):
    assert quantities([option]) == [None]


def test_points_group_thousands_where_one_option_says_so():
    assert [each.value for each in quantities(["1.234.567", "1.500", "2,5"])] == [1234567, 1500, Fraction("2.5")]
    assert [each.value for each in quantities(["1.500", "2.5"])] == [Fraction("1.5"), Fraction("2.5")]


def test_the_gap_is_relative_to_the_larger_size():
    assert gap(Fraction(10), Fraction("10.05")) == Fraction(5, 1005)
    assert gap(Fraction(0), Fraction(0)) == 0
    assert gap(Fraction(-10), Fraction(10)) == 2
    assert rules("0", "0.0", "5") == [("numeric_crowding", (0, 1))]


def test_only_flagged_questions_are_listed():
    found = audit_questions({"good": ("Paris", "Rome"), "bad": ("True, True", "No")}, as_published=True)
    assert [(name, [flag.rule for flag in flags]) for name, flags in found.items()] == [("bad", ["boolean_like"])]


@pytest.mark.parametrize("wrong", [{"jaccard": 0}, {"jaccard": 1.1}, {"gap": -0.1}, {"boolean_tokens": 0}])
def test_limits_out_of_range_are_an_error(wrong):
    with pytest.raises(ValueError, match=f"{next(iter(wrong))} is .*; expected a number from"):
        Limits(**wrong)


OPTIONS = st.lists(st.text(max_size=8) | st.from_regex(r"-?\d{1,4}([.,]\d{1,3})?( km)?", fullmatch=True), max_size=6)


@given(OPTIONS)
def test_flags_name_places_in_order_by_rule(options):
    flags = published_flags(options)
    assert [flag.rule for flag in flags] == sorted((flag.rule for flag in flags), key=RULES.index)
    for flag in flags:
        assert list(flag.options) == sorted(set(flag.options))
        assert set(flag.options) <= set(range(len(options)))
        assert (flag.measured is None) == (flag.limit is None)


@given(OPTIONS)
def test_the_order_of_options_does_not_matter(options):
    def told(given):
        return sorted((flag.rule, sorted(given[place] for place in flag.options)) for flag in published_flags(given))

    assert told(options) == told(options[::-1])
