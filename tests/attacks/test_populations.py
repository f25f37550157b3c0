"""The improved genetic search and the particle swarm, with draws that are written down."""

from random import Random

import pytest

from abalo.attacks.parts import Tuning, methods
from tests.attacks.scripted import Texts, ended, options
from tests.attacks.test_genetic import Written
from tests.attacks.test_parts import CROSSED

BOTH = ("improved_genetic", "particle_swarm")


def searched(name: str, model: Texts, own, draws: Random, similarity=None, **tuning):
    search = methods()[name].search(model.target("x y"), own, None, Tuning(draws, **tuning))
    return ended(search, model, similarity)


def text(end) -> str:
    made = end.found.perturbed
    return "" if made is None else " ".join(made.sentence.tokens)


def test_parents_are_cut_in_two_and_a_word_changes_again():
    model = Texts(**CROSSED)
    draws = Written(
        *(0.0, 0.9),  # parents: a y, then x c
        0.9,  # of the two words the second is the first that comes from the second parent: a c
        0.0,  # of both words, with 4 replacements left each: the first, which is b now
    )
    end = searched("improved_genetic", model, options(p0="a b", p1="c"), draws, width=2, generations=1)
    assert model.asked == ["a y", "b y", "x c", "a c", "b c"]
    assert (text(end), draws.numbers) == ("b c", [])


def test_a_word_changes_no_more_often_than_it_may():
    model = Texts(**CROSSED)
    draws = Written(*(0.0, 0.9), 0.9)  # both words of a c were changed once: no place is drawn
    end = searched("improved_genetic", model, options(p0="a b", p1="c"), draws, width=2, generations=1, replacements=1)
    assert model.asked == ["a y", "b y", "x c", "a c"]
    assert (text(end), draws.numbers) == ("a y", [])


def test_the_first_states_are_as_many_as_the_population_has_places():
    model = Texts(x_y=0.9, a_y=0.8)
    searched("improved_genetic", model, options(p0="a", p1="c"), Random(1), width=1, generations=0)
    assert model.asked == ["a y"]


SWARM = (
    *(0.1, 0.9),  # of x with two candidates and y with one: x, then y
    *(0.5, 0.5),  # velocities: 0
    *(0.9, 0.9),  # the first state does not move: the chances are 0.8 and 0.2
    *(0.9, 0.1),  # the second does not move to its own best state, but to the best of all, a y
    *(0.4, 0.6),  # at a velocity of 0 words turn with 0.5: x becomes a, y stays c
)


def test_a_particle_takes_words_of_the_best_state():
    model = Texts(**{**CROSSED, "a_c": 0.4})
    draws = Written(*SWARM)
    end = searched("particle_swarm", model, options(p0="a b", p1="c"), draws, width=2, generations=1)
    assert model.asked == ["a y", "b y", "x c", "a c"]
    assert (text(end), draws.numbers) == ("a c", [])


def test_a_move_that_is_refused_is_not_made_and_a_changed_half_changes_no_further():
    model = Texts(**CROSSED)
    draws = Written(*SWARM, *(0.0, 0.0))  # 1 - 2 * 1 / 2 is no chance for either to change another word
    own = options(p0="a b", p1="c")
    end = searched("particle_swarm", model, own, draws, {"a c": 0.1}, width=2, generations=1)
    assert model.asked == ["a y", "b y", "x c"]
    assert (text(end), draws.numbers) == ("a y", [])


@pytest.mark.parametrize("name", BOTH)
def test_no_more_words_are_changed_than_steps(name):
    model = Texts(x_y=0.9, a_y=0.8, x_b=0.7, a_b=0.3)
    own = options(p0="a", p1="b")
    assert text(searched(name, model, own, Random(1), width=8, generations=5, steps=1)) == "x b"


@pytest.mark.parametrize("name", BOTH)
def test_of_states_that_break_it_the_most_similar_wins(name):
    model = Texts(x_y=0.9, a_y=0.2, b_y=0.1)
    known = {"a y": 0.85, "b y": 0.95}
    assert text(searched(name, model, options(p0="a b"), Random(1), known, width=2)) == "b y"


@pytest.mark.parametrize("name", BOTH)
def test_without_a_candidate_nothing_is_asked(name):
    model = Texts(x_y=0.9)
    assert text(searched(name, model, {}, Random(1), width=3)) == ""
    assert model.asked == []
