"""Searches and rankings of extensions that yield or return nonsense are named."""

import pytest

from abalo.attacks.attack import Started
from abalo.attacks.checking import checked_ranking, checked_start
from abalo.attacks.parts import Ranking, SearchMethod, Tuning, apply_edits, rankings
from abalo.attacks.search import Ask, Found, lock_step
from abalo.errors import AbaloError
from perturbations import Edit
from tests.attacks.scripted import Texts
from tests.rows import every

MODEL = Texts(so_good=0.9, so_bad=0.1)
TARGET = MODEL.target("so good")
OTHER = MODEL.target("so good")
OPTIONS = {1: [Edit(1, 2, ("bad",))]}
MADE = apply_edits(TARGET, OPTIONS[1])


def run(search):
    started = checked_start("mine", [TARGET], Started([search], [1], {"search": "own"}))
    return lock_step(started.searches, MODEL, lambda pairs: [1.0] * len(pairs), 10)


def yielding(*asks, found=None):
    yield from asks
    return found


def test_a_search_that_asks_and_finds_is_left_alone():
    def search():
        (answer,) = yield Ask(TARGET, [MADE])
        return Found(answer.perturbed, answer.prediction, answer.similarity)

    (end,) = run(search())
    assert (end.found.perturbed, end.queries) == (MADE, 1)


@every(
    ("search", "told"),
    [
        (Found(None, None), "is a function without yield, and returned Found"),
        (yielding(found=5), "returned 5; expected Found"),
        (yielding(found=Found(5, None)), "returned Found"),
        (yielding(found=Found(None, None, best=5)), "returned best = 5"),
        (yielding(7), "yielded 7; expected Ask"),
        (yielding(Ask(OTHER, [MADE])), "yielded an Ask of"),
        (yielding(Ask(TARGET, ["so bad"])), "yielded the candidate 'so bad'"),
    ],
)
def test_a_search_that_makes_nonsense_is_named(search, told):
    with pytest.raises(AbaloError) as error:
        run(search)
    assert str(error.value).startswith(
        f"attack mine (search own) {told}".replace("(search own) a", "(search own) is a")
    )


@every(
    ("started", "told"),
    [
        (5, "attack mine returned 5; expected Started"),
        (Started([], [], {}), "searches and choices: (0, 0); expected 1"),
    ],
)
def test_a_plan_that_is_none_is_named(started, told):
    with pytest.raises(AbaloError) as error:
        checked_start("mine", [TARGET], started)
    assert told in str(error.value)


@every(
    ("ranked", "told"),
    [
        ([1], "returned [1]; expected a dict"),
        ({7: OPTIONS[1]}, "returned {7: "),
        ({1: 5}, "returned a place with 5"),
        ({1: ["bad"]}, "returned a place with ['bad']"),
    ],
)
def test_a_ranking_that_makes_nonsense_is_named(ranked, told):
    ranking = checked_ranking(Ranking("own", lambda target, options, tuning: yielding(found=ranked)))
    with pytest.raises(AbaloError) as error:
        next(ranking.rank(TARGET, OPTIONS, Tuning(None)))
    assert str(error.value).startswith(f"ranking own {told}")


def test_a_ranking_without_yield_is_named():
    ranking = checked_ranking(Ranking("own", lambda target, options, tuning: options))
    with pytest.raises(AbaloError, match="ranking own is a function without yield"):
        next(ranking.rank(TARGET, OPTIONS, Tuning(None)))


def test_rankings_of_the_house_pass():
    for each in rankings().values():
        assert isinstance(checked_ranking(each), Ranking)
    assert SearchMethod("own", lambda *_: yielding()).ranks
