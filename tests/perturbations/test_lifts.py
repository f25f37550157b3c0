"""Functions become perturbations, and mistakes in them are told."""

from __future__ import annotations

import re
import subprocess
import sys
import textwrap
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Literal

import pytest

from perturbations import (
    Edit,
    Pipeline,
    Sentence,
    UnknownPerturbation,
    apply,
    character_level,
    entity_level,
    find,
    members,
    parse,
    render,
    sentence_level,
    word_level,
)
from perturbations.levels import OneWordOff
from tests.rows import every

if TYPE_CHECKING:
    from perturbations import Span

NOTHING = ("a", "a")


def all_variants(perturbation, text: str) -> list[list[str]]:
    """Site by site, the options in bracket notation."""
    sentence = parse(text)
    return [[render(apply(sentence, [edit]).sentence) for edit in site] for site in perturbation.sites(sentence)]


def sampled(perturbation, text: str) -> str | None:
    perturbed = perturbation.sample(parse(text), seed=1)
    return None if perturbed is None else render(perturbed.sentence)


def test_a_function_on_characters():
    @character_level(example=("bar", "b4r"))
    def leet(char: str) -> list[str]:
        """Digits that look alike."""
        return {"a": ["4", "@"], "e": ["3"]}.get(char, [])

    assert leet.name == "leet"
    assert leet.level == "character"
    assert leet.rate == 1
    assert leet.summary == "Digits that look alike."
    assert all_variants(leet, "[bar PER] e") == [["[b4r PER] e", "[b@r PER] e"], ["[bar PER] 3"]]
    assert sampled(leet, "ee") == "33"
    assert sampled(leet, "xyz") is None


def test_a_function_on_words_that_replaces_them():
    @word_level(example=("do", "de o"))
    def expand(word: str):
        return [("de", "o"), "dO", ()] if word == "do" else []

    assert all_variants(expand, "x [fim do mundo LOC]") == [
        ["x [fim de o mundo LOC]", "x [fim dO mundo LOC]", "x [fim mundo LOC]"]
    ]


def test_a_function_on_words_that_follows_them():
    @word_level(place="after", example=("a", "a a"))
    def stutter(word: str):
        return (word, ())

    assert all_variants(stutter, "[a b PER]") == [["[a a b PER]"], ["[a b PER] b"]]


@pytest.mark.parametrize("lift", [character_level, word_level])
def test_entities_stay_as_they_are_where_asked(lift):
    @lift(example=("a", "x"))
    def crossed(text: str):
        return ["x"]

    outside = crossed.configured(inside_entities=False)
    text = "e [A B PER] [C PER] i"
    assert all_variants(outside, text) == [["x [A B PER] [C PER] i"], ["e [A B PER] [C PER] x"]]
    assert sampled(outside, text) == "x [A B PER] [C PER] x"
    assert sampled(crossed, text) == "x [x x PER] [x PER] x"
    assert sampled(outside, "[A PER]") is None
    assert outside.sample(Sentence(("A", "b")), seed=1).sentence.tokens == ("x", "x")


@pytest.mark.parametrize("lift", [character_level, word_level])
def test_all_else_stays_as_it_is_where_asked(lift):
    @lift(example=("a", "x"))
    def crossed(text: str):
        return ["x"]

    inside = crossed.configured(inside_entities="only")
    assert all_variants(inside, "e [A B PER] i") == [["e [x B PER] i"], ["e [A x PER] i"]]
    assert sampled(inside, "e [A B PER] [C PER] i") == "e [x x PER] [x PER] i"
    assert sampled(inside, "e i") is None
    assert inside.sample(Sentence(("A", "b")), seed=1) is None


def test_entities_are_hit_or_not_or_only_they_are():
    with pytest.raises(TypeError, match="typos: inside_entities is 'no'; expected true or false or one of 'only'"):
        find("typos").configured(inside_entities="no")


def test_what_follows_the_last_word_of_an_entity_is_not_inside_it():
    @word_level(place="after", example=("a", "a x"))
    def filled(word: str):
        return ["x"]

    inside = filled.configured(inside_entities="only")
    assert sampled(inside, "e [A B PER] [C PER] i") == "e [A x B PER] [C PER] i"

    outside = filled.configured(inside_entities=False)
    assert sampled(outside, "e [A B PER] [C PER] i") == "e x [A B PER] x [C PER] x i x"


def test_words_outside_become_the_same_whether_entities_are_hit_or_not():
    typos = find("typos").configured(rate=0.5)
    sentence = parse("o réu [Rui Gonçalves PER] apelou da sentença do [Tribunal de Justiça ORG] em tempo")
    for seed in range(20):
        both = typos.sample(sentence, seed=seed).sentence
        outside = typos.configured(inside_entities=False).sample(sentence, seed=seed)
        expected = [
            new if tag == "O" else old for old, new, tag in zip(sentence.tokens, both.tokens, both.tags, strict=True)
        ]
        assert list(sentence.tokens if outside is None else outside.sentence.tokens) == expected


@pytest.mark.parametrize("lift", [word_level, character_level])
def test_with_at_least_one_a_sentence_is_hit_at_one_site_where_chance_hits_none(lift):
    @lift(rate=0.0, example=("de", "DE"))
    def capitals(text: str) -> tuple[str, ...]:
        return (text.upper(),)

    one = capitals.configured(at_least=1)
    made = {render(one.sample(parse("[a b PER] c 1"), seed=seed).sentence) for seed in range(30)}
    assert made == {"[A b PER] c 1", "[a B PER] c 1", "[a b PER] C 1"}
    assert one.sample(parse("1 2"), seed=1) is None
    outside = one.configured(inside_entities=False)
    assert {render(outside.sample(parse("[a b PER] c 1"), seed=seed).sentence) for seed in range(9)} == {
        "[a b PER] C 1"
    }
    assert capitals.sample(parse("a b"), seed=1) is None


def test_with_at_least_one_a_sentence_that_chance_hits_stays_as_it_was():
    drawn, ensured = find("typos"), find("typos").configured(at_least=1)
    sentence = parse("o juiz negou o recurso do réu ontem")
    for seed in range(20):
        found = drawn.sample(sentence, seed=seed)
        assert ensured.sample(sentence, seed=seed) == found or found is None
    assert None in [drawn.sample(sentence, seed=seed) for seed in range(99)]
    assert None not in [ensured.sample(sentence, seed=seed) for seed in range(99)]


def test_whether_something_fits_is_known_apart_from_chance():
    never = find("accents").configured(rate=0)
    assert (never.fits(parse("é")), never.fits(parse("e")), never.may_miss) == (True, False, True)
    assert not find("accents").may_miss
    assert not never.configured(at_least=1).may_miss
    pipeline = Pipeline((find("number"), never))
    assert (pipeline.fits(parse("é")), pipeline.fits(parse("e")), pipeline.may_miss) == (True, False, True)


def test_a_function_on_entities():
    @entity_level(example=("[Ana PER]", "[Eva Reis PER]"))
    def rename(sentence: Sentence, span):
        return [["Eva", "Reis"], ("Ana",)] if span.type == "PER" else []

    assert all_variants(rename, "[Ana Sá PER] [Ana PER] em [Rio LOC]") == [
        ["[Eva Reis PER] [Ana PER] em [Rio LOC]", "[Ana PER] [Ana PER] em [Rio LOC]"],
        ["[Ana Sá PER] [Eva Reis PER] em [Rio LOC]"],
    ]
    assert rename.sample(Sentence(("Ana",)), seed=1) is None


def test_entities_in_groups_are_drawn_by_group_first():
    @entity_level(example=("[Ana PER]", "[Eva PER]"))
    def rename(sentence: Sentence, span):
        return [[("Ana",), ("Eva",)], [], [[f"Rui{i}"] for i in range(99)]]

    assert len(all_variants(rename, "[Ana PER]")[0]) == 100
    eva = sum(sampled(rename, f"[Ana PER] {i}").startswith("[Eva PER]") for i in range(1000))
    assert 420 < eva < 580


def test_a_sentence_without_sites_starts_no_stream():
    def start():
        raise AssertionError("started")

    assert find("swap_named_ent").draw(parse("ninguém saiu"), start) == []
    with pytest.raises(AssertionError, match="started"):
        find("swap_named_ent").draw(parse("[Ana PESSOA] saiu"), start)


def test_entities_with_one_word_off_are_made_when_asked_for():
    @entity_level(example=("[Ana Sá PER]", "[Ana Paz PER]"))
    def other_surname(sentence: Sentence, span):
        entity = sentence.tokens[span.start : span.stop]
        return OneWordOff(entity, [(place, lambda: ("Paz", "Reis")) for place in range(1, len(entity))])

    assert all_variants(other_surname, "[Ana Sá Luz PER] [Rui PER]") == [
        [
            "[Ana Paz Luz PER] [Rui PER]",
            "[Ana Reis Luz PER] [Rui PER]",
            "[Ana Sá Paz PER] [Rui PER]",
            "[Ana Sá Reis PER] [Rui PER]",
        ]
    ]
    assert sampled(other_surname, "[Rui PER]") is None


def test_of_entities_with_one_word_off_only_the_group_that_is_drawn_is_made():
    asked = []

    def surnames():
        asked.append("surnames")
        return ("Paz", "Reis")

    choices = OneWordOff(("Ana", "Sá", "Luz"), [(1, surnames), (2, surnames)])
    drawn = choices.picked(Random(1))
    assert len(asked) == 1
    assert drawn in [entity for group in choices for entity in group]


def test_an_option_for_an_entity_that_is_no_list_of_words_is_refused():
    @entity_level(example=NOTHING)
    def misnamed(sentence: Sentence, span):
        return ["Eva"]

    with pytest.raises(TypeError, match="gave the option 'Eva'; expected a list or tuple of words"):
        sampled(misnamed, "[Ana PER]")


def test_a_function_on_sentences():
    @sentence_level(example=("a b", "b a"), labels="moves", monotone=False)
    def swap(sentence: Sentence):
        a, b = sentence.tokens[:2]
        yield [Edit(0, 2, (b, a), origins=((1,), (0,)))]
        yield [Edit(2, 2, ("fim",)), Edit(2, 2, ())]
        yield []

    assert all_variants(swap, "[a PER] b") == [["b [a PER]"], ["[a PER] b fim"]]


def test_an_option_that_changes_nothing_is_not_one():
    @character_level(example=NOTHING)
    def same_character(char: str):
        return [char]

    @word_level(example=NOTHING)
    def same_word(word: str):
        return [word, (word,), [word]]

    @entity_level(example=NOTHING)
    def same_entity(sentence, span):
        return [sentence.tokens[span.start : span.stop]]

    @sentence_level(example=NOTHING)
    def same_sentence(sentence):
        yield [Edit(0, 1, sentence.tokens[:1]), Edit(0, 0, ()), Edit(0, 1, (sentence.tokens[0][:1],), chars=(0, 1))]
        yield [Edit(0, 1, sentence.tokens[:1], tags=("O",))]

    for perturbation in (same_character, same_word, same_entity, same_sentence):
        assert list(perturbation.sites(parse("[Ana PER]"))) == []
        assert perturbation.sample(parse("[Ana PER]"), seed=1) is None


def test_a_change_of_white_space_is_a_change():
    @sentence_level(example=NOTHING)
    def glue(sentence):
        yield [Edit(0, 1, sentence.tokens[:1], spaces=("",))]

    assert glue.sample(parse("a b"), seed=1).sentence.text == "ab"


def test_what_takes_long_to_find_is_asked_for_only_at_the_sites_that_are_hit():
    asked = []

    @sentence_level(example=NOTHING)
    def slow(sentence):
        def options(place):
            asked.append(place)
            return [Edit(place, place + 1, (sentence.tokens[place] + "x",))] if place % 2 else []

        return [partial(options, place) for place in range(len(sentence))]

    sentence = parse(" ".join("abcdefghij"))
    hit = slow.configured(rate=0.5).sample(sentence, seed=1)
    assert 0 < len(asked) < 10
    assert [edit.start for edit in hit.edits] == [place for place in asked if place % 2]
    assert [[edit.start for edit in site] for site in slow.sites(sentence)] == [[1], [3], [5], [7], [9]]


def test_the_sites_of_a_sentence_are_found_once_for_all_seeds():
    asked = []

    @sentence_level(example=NOTHING)
    def counted(sentence):
        """Puts Eva or Rui in front."""
        asked.append(sentence)
        return [[Edit(0, 0, ("Eva",)), Edit(0, 0, ("Rui",))]]

    first, second = parse("o réu saiu"), parse("a ré saiu")
    for sentence in (first, second):
        made = {counted.sample(sentence, seed=seed).sentence.tokens[0] for seed in range(9)}
        assert made == {"Eva", "Rui"}
    assert asked == [first, second]


def test_characters_may_go_but_never_all_of_a_word():
    @character_level(example=("ab", "b"))
    def drop(char: str):
        return ["", "\u00a0"]

    assert [len(site) for site in drop.sites(Sentence(("a", "bc", "d\u00a0")))] == [2, 2, 1]
    for seed in range(50):
        perturbed = drop.sample(Sentence(("a", "bc", "d\u00a0")), seed=seed)
        assert all(map(str.strip, perturbed.sentence.tokens))


def test_a_word_of_one_character_has_only_the_options_that_leave_something():
    @character_level(example=("a", "x"))
    def drop_or_cross(char: str):
        return ["", "x"]

    for seed in range(20):
        assert drop_or_cross.sample(parse("a b"), seed=seed).sentence.tokens == ("x", "x")


def test_edits_that_make_up_for_each_other_are_no_variant():
    @character_level(example=("a", "b"))
    def shift(char: str):
        return {"a": ["ab"], "b": [""]}.get(char, [])

    assert sampled(shift, "ab") is None


def test_a_variant_with_no_words_left_is_none():
    @word_level(example=("a b", "a"))
    def drop_words(word: str):
        return [()]

    assert sampled(drop_words, "a b") is None


def test_parameters_are_what_stands_behind_the_star():
    @word_level(example=("a", "a!"), rate=0.5)
    def shout(word: str, *, mark: str = "!", times: int = 1, kind: Literal["end", "both"] = "end"):
        return [(mark * times if kind == "both" else "") + word + mark * times]

    assert dict(shout.own_params) == {"mark": "!", "times": 1, "kind": "end"}
    assert list(shout.parameters()) == ["mark", "times", "kind", "at_least", "inside_entities"]
    assert sampled(shout.configured(rate=1, times=2, kind="both"), "a b") == "!!a!! !!b!!"
    assert shout.configured(times=2).configured(mark="?").own_params == {"mark": "?", "times": 2, "kind": "end"}
    assert shout.rate == 0.5
    assert shout.configured(times=2).rate == 0.5


@every(
    ("given", "message"),
    [
        ({"mark": 3}, "shout: mark is 3; expected a string"),
        ({"times": True}, "shout: times is True; expected a whole number"),
        ({"times": 1.5}, "shout: times is 1.5; expected a whole number"),
        ({"share": "x"}, "shout: share is 'x'; expected a number"),
        ({"share": False}, "shout: share is False; expected a number"),
        ({"loud": 1}, "shout: loud is 1; expected true or false"),
        ({"kind": "ends"}, "shout: kind is 'ends'; expected one of 'end', 'both'"),
        ({"words": "abc"}, "shout: words is 'abc'; expected a list, each item a string"),
        ({"words": ["a", 1]}, "shout: words is ['a', 1]; expected a list, each item a string"),
        ({"limit": "3"}, "shout: limit is '3'; expected a whole number or nothing"),
        ({"tmes": 2}, "shout: no parameter 'tmes'; did you mean 'times'?"),
        ({"plain": "3"}, "shout: plain is '3'; expected a whole number"),
    ],
)
def test_a_parameter_that_does_not_fit_is_an_error(given, message):
    @word_level(example=NOTHING)
    def shout(
        word: str,
        *,
        mark: str = "!",
        times: int = 1,
        share: float = 0.5,
        loud: bool = True,
        kind: Literal["end", "both"] = "end",
        words: tuple[str, ...] = ("x",),
        limit: int | None = None,
        plain=3,
    ):
        return [word + mark]

    with pytest.raises(TypeError, match=re.escape(message)):
        shout.configured(**given)


def test_a_list_becomes_a_tuple_and_a_whole_number_a_float():
    @word_level(example=NOTHING)
    def fill(word: str, *, words: tuple[str, ...] = ("x",), share: float = 1):
        return words

    given = ["a", "b"]
    configured = fill.configured(words=given, share=0)
    given.append("c")
    assert configured.own_params == {"words": ("a", "b"), "share": 0.0}
    assert isinstance(configured.params["share"], float)
    assert isinstance(fill.params["share"], float)
    with pytest.raises(TypeError):
        configured.params["words"] = ()


def test_a_parameter_of_any_other_type_takes_every_value():
    class Translator:
        pass

    @word_level(example=NOTHING, cost="model")
    def translate(word: str, *, translator: object = None):
        return []

    translator = Translator()
    assert translate.configured(translator=translator).params["translator"] is translator


@every("rate", [True, -0.1, 1.1, float("nan"), "0.1", [0.1]])
def test_a_rate_is_a_number_from_0_to_1(rate):
    with pytest.raises(ValueError, match=r"accents: rate is .*; expected a number from 0 to 1"):
        find("accents").configured(rate=rate)


def test_a_declared_rate_is_checked_too():
    with pytest.raises(ValueError, match="loud: rate is 2"):

        @word_level(example=NOTHING, rate=2)
        def loud(word: str):
            return []


@every(
    ("given", "shown"),
    [
        ("corte", "'corte'"),
        ({"a", "b"}, "{"),
        (None, "None"),
        ((word for word in "ab"), "<generator"),
        (Edit(0, 1, ("x",)), "Edit"),
    ],
)
def test_options_that_are_no_list_are_an_error(given, shown):
    @word_level(example=NOTHING)
    def wrong(word: str):
        return given

    with pytest.raises(
        TypeError, match=re.escape("wrong('Ana') gave ") + re.escape(shown) + ".*; expected a list or tuple"
    ):
        wrong.sample(parse("Ana"), seed=1)


def test_an_option_of_another_kind_is_an_error():
    @character_level(example=NOTHING)
    def wrong_character(char: str):
        return [1]

    @word_level(example=NOTHING)
    def wrong_word(word: str):
        return [("a", 1)]

    @entity_level(example=NOTHING)
    def wrong_entity(sentence, span):
        return ["Eva"]

    @sentence_level(example=NOTHING)
    def wrong_site(sentence):
        yield Edit(0, 1, ("x",))

    @sentence_level(example=NOTHING)
    def wrong_sentence(sentence):
        yield ["x"]

    @sentence_level(example=NOTHING)
    def wrong_result(sentence):
        return None

    for perturbation, message in [
        (wrong_character, r"wrong_character\('A'\) gave the option 1; expected a string"),
        (wrong_word, r"wrong_word\('Ana'\) gave the option \('a', 1\); expected a list or tuple of words"),
        (wrong_entity, r"wrong_entity\(Span\(.*\) gave the option 'Eva'; expected a list or tuple of words"),
        (wrong_site, r"wrong_site\(.*\) gave Edit\(.*; expected a list or tuple of options"),
        (wrong_sentence, r"wrong_sentence gave the option 'x'; expected an Edit"),
        (wrong_result, r"wrong_result gave None; expected sites, each a list or tuple of edits"),
    ]:
        with pytest.raises(TypeError, match=message):
            perturbation.sample(parse("[Ana PER]"), seed=1)


def test_an_edit_that_does_not_fit_is_an_error_that_names_the_perturbation():
    @word_level(example=NOTHING)
    def blank(word: str):
        return [" "]

    @sentence_level(example=NOTHING)
    def beyond(sentence):
        yield [Edit(5, 6, ("x",))]

    for perturbation, message in [(blank, "blank: token 0 is ' '"), (beyond, "beyond: .* lies outside the 1 tokens")]:
        with pytest.raises(ValueError, match=message):
            perturbation.sample(parse("Ana"), seed=1)


def without_star(word, mark="!"):
    return []


def with_rest(*words):
    return []


def without_default(word, *, mark):
    return []


def with_rate(word, *, rate=1):
    return []


def with_what_the_level_has(word, *, inside_entities=True):
    return []


def with_list(word, *, marks: list[str] = ["!"]):  # noqa: B006
    return []


def with_wrong_default(word, *, times: int = "1"):
    return []


def with_unknown_annotation(sentence, span: Span):
    return []


@every(
    ("lift", "function", "message"),
    [
        (word_level, without_star, r"without_star takes (word, mark='!'); word_level wants a function of (word), with"),
        (word_level, with_rest, "with_rest takes (*words); word_level wants a function of (word)"),
        (
            entity_level,
            without_default,
            "without_default takes (word); entity_level wants a function of (sentence, span)",
        ),
        (word_level, without_default, "without_default: parameter 'mark' needs a default"),
        (word_level, with_rate, "'rate' belongs to all"),
        (
            word_level,
            with_what_the_level_has,
            "with_what_the_level_has: 'inside_entities' belongs to all of word_level",
        ),
        (word_level, with_list, "marks is ['!']; its annotation list[str] allows values that can change"),
        (word_level, with_wrong_default, "times is '1'; expected a whole number"),
        (entity_level, with_unknown_annotation, "name 'Span' is not defined: import what annotations name"),
        (word_level, lambda word: [], "'<lambda>' cannot name a perturbation"),
    ],
)
def test_a_function_that_cannot_be_one_is_an_error(lift, function, message):
    with pytest.raises(TypeError, match=re.escape(message)):
        lift(example=NOTHING)(function)


@every(
    ("declared", "message"),
    [
        ({"plce": "after"}, "misdeclared: nothing to declare as 'plce'; did you mean 'place'?"),
        ({"place": "before"}, "misdeclared: place is 'before'; expected one of 'instead', 'after'"),
        ({"labels": "kept"}, "misdeclared: labels is 'kept'; expected one of 'keeps', 'moves', 'changes'"),
        (
            {"kind": "lexics"},
            "misdeclared: kind is 'lexics'; expected one of 'morphology', 'lexis', 'syntax', 'pragmatics'",
        ),
        ({"cost": "high"}, "misdeclared: cost is 'high'; expected one of 'text', 'model'"),
        ({"aliases": "wrong"}, "misdeclared: aliases is 'wrong'; expected a list, each item a string"),
        ({"rate": "0.1"}, "misdeclared: rate is '0.1'; expected a number"),
    ],
)
def test_a_declaration_that_does_not_fit_is_an_error(declared, message):
    with pytest.raises(TypeError, match=re.escape(message)):

        @word_level(example=NOTHING, **declared)
        def misdeclared(word: str):
            return []


def test_only_words_have_a_place():
    with pytest.raises(TypeError, match="place"):

        @character_level(example=NOTHING, place="after")
        def misplaced(char: str):
            return []


def test_an_example_that_cannot_be_read_is_an_error():
    with pytest.raises(ValueError, match="never closed"):

        @word_level(example=("[Ana PER", "Ana"))
        def unclosed(word: str):
            return []


def test_two_perturbations_of_one_name_are_an_error_that_shows_both_places():
    with pytest.raises(
        ValueError,
        match=r"two perturbations are called 'accents': accents in .*accents\.py and .*test_lifts\.py; rename one",
    ):

        @word_level(example=NOTHING)
        def accents(word: str):
            return []


def test_an_alias_must_not_be_taken_either():
    with pytest.raises(ValueError, match="two perturbations are called 'synonyms'"):

        @word_level(example=NOTHING, aliases=("synonyms",))
        def other_words(word: str):
            return []


def test_a_module_may_be_loaded_twice():
    def declared():
        def twice(word: str):
            return []

        return word_level(example=NOTHING)(twice)

    assert declared().name == declared().name == "twice"


def test_in_main_the_last_definition_wins_by_name_and_by_alias():
    """A cell of a notebook that runs again, edited."""

    def defined(name: str, gives: str, module: str = "__main__"):
        def function(word: str):
            return [gives]

        function.__name__, function.__qualname__, function.__module__ = name, f"{module}.{gives}", module
        return word_level(example=NOTHING, aliases=("said_again",))(function)

    defined("again", "first")
    defined("again", "second")
    assert find("again").function("x") == ["second"]
    defined("renamed", "third")
    assert find("said_again").function("x") == ["third"]
    assert "again" not in members()
    with pytest.raises(ValueError, match="two perturbations are called"):
        defined("renamed", "fourth", module="a_module")
    assert find("renamed").function("x") == ["third"]


def test_one_is_found_by_name_or_alias():
    @word_level(example=NOTHING, aliases=("louder", "loudest"))
    def loud(word: str):
        return []

    assert find("loud") is find("louder") is find("loudest") is loud
    assert members()["loud"] is loud
    assert "louder" not in members()


def test_a_misspelt_name_is_an_error_with_the_nearest():
    with pytest.raises(UnknownPerturbation, match="no perturbation 'character_nose'; did you mean 'character_noise'"):
        find("character_nose")


def test_those_of_stage_2_are_there():
    assert {"accents", "character_noise", "word_insertion", "token_masking", "synonyms"} <= set(members())


def test_importing_the_library_loads_no_family():
    program = textwrap.dedent(
        """
        import sys, perturbations
        assert not [name for name in sys.modules if name.startswith("perturbations.families")]
        """
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_where_nothing_is_left_to_chance_no_stream_is_started():
    def start():
        raise AssertionError("a stream is started")

    joined = find("concat_sent")
    assert joined.draw(parse("[Ana PESSOA] saiu"), start) == [
        edits[0] for edits in joined.sites(parse("[Ana PESSOA] saiu"))
    ]
    with pytest.raises(AssertionError, match="a stream is started"):
        joined.configured(rate=0.5).draw(parse("[Ana PESSOA] saiu"), start)
