"""Rankings and searches against written-out probabilities, every choice worked out by hand."""

from random import Random

import pytest

from abalo.attacks.parts import Tuning, apply_edits, methods, overlaps, rankings
from perturbations import Edit
from perturbations.streams import sample
from tests.attacks.scripted import Texts, ended, options, searched_by


def text(end) -> str:
    made = end.found.perturbed
    return "" if made is None else " ".join(made.sentence.tokens)


def ranked(name: str, model: Texts, clean: str, own, seed: int = 0):
    """The options in the order of the ranking."""
    ranking = rankings()[name].rank(model.target(clean), own, Tuning(Random(seed), unknown="?"))
    found: list = []

    def search():
        found.append((yield from ranking))
        return None

    ended(search(), model)
    return found[0]


def test_each_part_is_a_module_and_there_is_no_other():
    assert sorted(rankings()) == ["best_edit", "deletion", "random", "unknown", "weighted_saliency"]
    populations = ["genetic", "improved_genetic", "particle_swarm"]
    assert sorted(methods()) == sorted(["beam", "greedy", "greedy_all", "hard_label", "reduction", *populations])


def test_the_best_edit_of_each_word_alone_ranks_the_words():
    model = Texts(x_y=0.9, a_y=0.8, b_y=0.7, x_c=0.6, x_d=0.95)
    found = ranked("best_edit", model, "x y", options(p0="a b", p1="d c"))
    assert {place: [edit.tokens for edit in edits] for place, edits in found.items()} == {1: [("c",)], 0: [("b",)]}
    assert list(found) == [1, 0]
    worthless = ranked("best_edit", Texts(x_y=0.9, a_y=0.9), "x y", options(p0="a"))
    assert worthless == {}  # it costs nothing


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ((0, 2), (1, 2), True),
        ((0, 1), (1, 2), False),
        ((0, 2), (1, 1), True),  # put in between the words that go
        ((0, 2), (2, 2), False),
        ((1, 1), (1, 1), False),  # two words put in at one place
    ],
)
def test_edits_of_the_same_words_are_never_made_together(first, second, expected):
    one, other = Edit(*first, ("v",)), Edit(*second, ("w",))
    assert overlaps(one, [other]) == overlaps(other, [one]) == expected
    made = apply_edits(Texts(x_y=0.9).target("x y"), [one, other])
    assert len(made.edits) == 2 - expected


@pytest.mark.parametrize(("name", "order"), [("deletion", [1, 0]), ("unknown", [0, 1])])
def test_a_word_counts_by_leaving_it_out_or_by_not_knowing_it(name, order):
    model = Texts(x_y=0.9, y=0.8, x=0.6, **{"? y": 0.6, "x ?": 0.7})
    assert list(ranked(name, model, "x y", options(p0="a", p1="b"))) == order


def test_a_random_order_is_drawn_and_asks_nothing():
    model = Texts(x_y_z=0.9)
    own = options(p0="a", p1="b", p2="c")
    assert list(ranked("random", model, "x y z", own, seed=5)) == sample(Random(5), [0, 1, 2], 3)
    assert model.asked == []
    assert rankings()["random"].drawn


def test_saliency_is_weighed_by_the_best_gain_and_only_the_best_edit_is_left():
    """Saliencies 0.3 and 0.1 are 0.55 and 0.45 as a softmax; gains 0.05 and 0.2 make of them 0.027 and 0.09."""
    model = Texts(x_y=0.9, a_y=0.85, x_b=0.75, x_c=0.7, **{"? y": 0.6, "x ?": 0.8})
    found = ranked("weighted_saliency", model, "x y", options(p0="a", p1="b c"))
    assert list(found.items()) == [(1, [Edit(1, 2, ("c",))]), (0, [Edit(0, 1, ("a",))])]


def test_a_word_without_an_edit_that_may_be_shown_has_no_weight():
    model = Texts(x_y=0.9, a_y=0.85, **{"? y": 0.6, "x ?": 0.8})
    ranking = rankings()["weighted_saliency"].rank(
        model.target("x y"), options(p0="a", p1="b"), Tuning(Random(0), unknown="?")
    )
    kept: list = []

    def search():
        kept.extend((yield from ranking))
        return None

    ended(search(), model, {"x b": 0.1})
    assert kept == [0]


CROSSED = {"x_y": 0.9, "a_y": 0.6, "b_y": 0.8, "x_c": 0.7, "a_c": 0.65, "b_c": 0.4}
"""The best first step, a, leads nowhere; the second best, c, leads to b c."""


@pytest.mark.parametrize(
    ("name", "width", "found", "queries"),
    [
        ("greedy_all", 1, "a y", 3 + 1),
        ("beam", 1, "a y", 3 + 1),
        ("beam", 2, "b c", 3 + 2),  # a c comes from both states, and is asked once
    ],
)
def test_a_wider_beam_finds_what_the_best_first_step_hides(name, width, found, queries):
    model = Texts(**CROSSED)
    end = ended(searched_by(name, model.target("x y"), options(p0="a b", p1="c"), width=width), model)
    assert (text(end), end.queries) == (found, queries)


def test_of_states_that_break_it_the_most_similar_wins():
    model = Texts(x_y=0.9, a_y=0.2, x_b=0.1)
    end = ended(
        searched_by("greedy_all", model.target("x y"), options(p0="a", p1="b")), model, {"a y": 0.95, "x b": 0.85}
    )
    assert text(end) == "a y"


@pytest.mark.parametrize("name", ["greedy", "greedy_all", "beam"])
def test_no_more_words_are_changed_than_steps(name):
    model = Texts(x_y=0.9, y=0.8, x=0.8, a_y=0.8, x_b=0.7, a_b=0.3)
    end = ended(searched_by(name, model.target("x y"), options(p0="a", p1="b"), steps=1), model)
    assert len(end.found.perturbed.edits) == 1
    whole = ended(searched_by(name, model.target("x y"), options(p0="a", p1="b")), model)
    assert text(whole) == "a b"


def test_nothing_that_helps_is_nothing_done():
    model = Texts(x_y=0.9, a_y=0.95, x_b=0.9)
    end = ended(searched_by("greedy_all", model.target("x y"), options(p0="a", p1="b")), model)
    assert (end.found.perturbed, end.found.prediction.labels) == (None, ("good",))


def test_insertions_and_replacements_are_made_together():
    model = Texts(x_y=0.9, a_y=0.8, x_y_b=0.7, a_y_b=0.1)
    own = {0: [Edit(0, 1, ("a",))], 1: [Edit(2, 2, ("b",))]}
    assert text(ended(searched_by("greedy_all", model.target("x y"), own), model)) == "a y b"


SHORTER = {"x_y_z": 0.9, "y_z": 0.8, "x_z": 0.4, "x_y": 0.7, "z": 0.3, "y": 0.6, "x": 0.95}
WITHOUT = {place: [Edit(place, place + 1, ())] for place in range(3)}


@pytest.mark.parametrize(
    ("width", "left", "found", "asked"),
    [
        (1, 1, "y", ["y z", "x z", "x y", "z", "y"]),
        (2, 1, "x", ["y z", "x z", "x y", "z", "y", "x"]),
        (1, 2, "y z", ["y z", "x z", "x y"]),
    ],
)
def test_words_go_for_as_long_as_the_prediction_holds(width, left, found, asked):
    model = Texts(**SHORTER)
    end = ended(searched_by("reduction", model.target("x y z"), WITHOUT, width=width, left=left), model)
    assert (text(end), model.asked) == (found, asked)
    assert end.found.prediction.labels == ("good",)


def test_a_text_that_needs_every_word_stays():
    model = Texts(x_y=0.9, x=0.4, y=0.3)
    end = ended(searched_by("reduction", model.target("x y"), {k: WITHOUT[k] for k in range(2)}), model)
    assert end.found.perturbed is None
