"""The genetic search, with draws that are written down."""

from random import Random

import pytest

from abalo.attacks import attacks
from abalo.attacks.attack import Aims
from abalo.attacks.parts import Tuning, methods
from abalo.attacks.populations import draw_place
from abalo.attacks.searches.genetic import cross, search
from perturbations import Edit, stream
from tests.attacks.scripted import Texts, ended, options
from tests.attacks.test_parts import CROSSED
from tests.attacks.test_recipes import target


class Written(Random):
    """Draws these numbers, and no more."""

    def __init__(self, *numbers: float) -> None:
        super().__init__(0)
        self.numbers = list(numbers)

    def random(self) -> float:
        return self.numbers.pop(0)


def bred(model: Texts, text: str, own, draws: Random, **tuning):
    return ended(search(model.target(text), own, None, Tuning(draws, **tuning)), model)


def text(end) -> str:
    made = end.found.perturbed
    return "" if made is None else " ".join(made.sentence.tokens)


def test_a_child_of_two_finds_what_the_best_first_step_hides():
    model = Texts(**CROSSED)
    draws = Written(
        *(0.1, 0.9),  # of x with two candidates and y with one: x, then y
        *(0.0, 0.9),  # parents: a y, whose score fell by 0.3, weighs 1, x c weighs 0.717
        *(0.9, 0.9),  # of both words the child has what the second parent has: x c
        0.0,  # of the words of the child that are left: x
    )
    end = bred(model, "x y", options(p0="a b", p1="c"), draws, width=2, generations=1)
    assert model.asked == ["a y", "b y", "x c", "a c", "b c"]
    assert (text(end), end.queries, draws.numbers) == ("b c", 5, [])


def test_a_change_that_does_not_help_is_not_made_and_the_best_stays():
    model = Texts(x_y=0.9, a_y=0.95, x_c=0.7, a_c=0.8)
    end = bred(model, "x y", options(p0="a", p1="c"), Written(0.1, 0.9, *[0.0] * 40), width=2, generations=3)
    assert text(end) == "x c"
    worse = Texts(x_y=0.9, a_y=0.95)
    assert text(bred(worse, "x y", options(p0="a"), Random(1), width=3, generations=2)) == ""


def test_of_states_that_break_it_the_most_similar_wins():
    model = Texts(x_y=0.9, a_y=0.2, b_y=0.1)
    own = search(model.target("x y"), options(p0="a b"), None, Tuning(Random(1), width=2))
    assert text(ended(own, model, {"a y": 0.85, "b y": 0.95})) == "b y"


def test_no_more_words_are_changed_than_steps_and_what_is_refused_has_no_children():
    model = Texts(x_y=0.9, a_y=0.8, x_b=0.7, a_b=0.3)
    own = options(p0="a", p1="b")
    assert text(bred(model, "x y", own, Random(1), width=8, generations=5, steps=1)) == "x b"
    assert text(bred(model, "x y", own, Random(1), width=8, generations=5)) == "a b"
    refused = search(model.target("x y"), own, None, Tuning(Random(1), width=8, generations=5))
    assert text(ended(refused, model, {"x b": 0.1, "a b": 0.1})) == "a y"


def test_of_every_word_a_child_has_the_change_of_one_parent():
    first, second, third = (Edit(place, place + 1, ("a",)) for place in range(3))
    other = Edit(0, 1, ("b",))
    mother, father = {0: first, 1: second}, {0: other, 2: third}
    assert cross(mother, father, Written(0.4, 0.4, 0.4)) == {0: first, 1: second}
    assert cross(mother, father, Written(0.6, 0.4, 0.6)) == {0: other, 1: second, 2: third}
    assert cross(mother, father, Written(0.6, 0.6, 0.4)) == {0: other}


@pytest.mark.parametrize(("lot", "place"), [(0.0, 0), (0.24, 0), (0.25, 2), (0.99, 2)])
def test_a_place_is_drawn_by_its_weight(lot, place):
    assert draw_place([1, 0, 3], Written(lot)) == place


def test_the_recipe_draws_by_the_seed_and_keeps_to_a_fifth_of_the_words(tmp_path):
    file = tmp_path / "vectors.txt"
    file.write_text("fine 1 0\ngrand 0.9 0.1\nmild 0.6 0.8\nfilm 0 1\nmovie 0.1 0.9\n", "utf-8")
    attack = attacks()["genetic_attack"]
    settings = attack.configured(synonyms=f"vectors:{file}", stop_words="")
    own = target("the fine film of a year or so this day")
    started = attack.start(Aims([own], None, 3), settings)
    assert started.places == [(1, 2)]
    assert started.sources["search"] == "genetic"
    (limit,) = settings.limits()
    assert limit is not None
    assert attack.seeded(settings)
    assert not attacks()["pwws"].seeded(attacks()["pwws"].configured())
    assert attacks()["pwws"].seeded(attacks()["pwws"].configured(search="genetic"))
    assert methods()["genetic"].drawn
    assert attack.lacks({}, "en").startswith("genetic_attack needs synonyms")


def test_equal_streams_breed_equal_texts():
    model = Texts(**CROSSED)
    own = options(p0="a b", p1="c")
    found = [bred(model, "x y", own, stream(seed, "x"), width=2, generations=2) for seed in (1, 1, 2, 3, 4, 5)]
    outlines = [(text(each), each.queries) for each in found]
    assert outlines[0] == outlines[1]
    assert len(set(outlines)) > 1
