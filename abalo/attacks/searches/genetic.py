"""A genetic search [Alzantot et al., 2018].

M. Alzantot, Y. Sharma, A. Elgohary, B.-J. Ho, M. Srivastava and K.-W. Chang, Generating Natural Language Adversarial
Examples, EMNLP 2018.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from math import exp
from random import Random

from abalo.attacks.parts import Options, Ranking, SearchMethod, Tuning, made, matched
from abalo.attacks.search import Answer, Ask, Found, Search
from abalo.attacks.searches.beam import Changes, badness
from abalo.core.targets import Reading, Target
from perturbations import Edit

TEMPERATURE = 0.3
"""The fall of the score that makes a parent e times as likely, as in TextAttack; in the released code it is 3."""

_DECIMALS = 6
"""Weights are rounded, so that the last bit of an exponential, which differs between machines, chooses nobody."""

Key = frozenset[tuple[int, Edit]]

Known = Mapping[Key, tuple[Answer, Reading]]


def search(target: Target, options: Options, _ranking: Ranking, tuning: Tuning) -> Search:
    """A population of ``width`` states over ``generations``, crossed and changed, until the target is lost.

    The first are the original with one word changed each. Then the best stays, and of two parents at a time, the
    likelier the better they are, a child has each change of either by a coin; in it one more word is changed. A word is
    drawn by how many candidates it has, and of these the best is taken, where it helps. Of those that break the target
    the one most alike to the original. Words are not ranked.
    """
    draws, known = tuning.draws, dict[Key, tuple[Answer, Reading]]()
    clean = target.read(target.clean)
    population: list[Changes] = [{}] * tuning.width
    for generation in range(1 + tuning.generations):
        if generation == 0:
            children = population
        else:
            children = [crossed(*_parents(population, clean, known, draws), draws) for _ in population[1:]]
        families = [[child, *_grown(child, options, draws, tuning.steps)] for child in children]
        asked = {key: each for family in families for each in family if (key := _key(each)) and key not in known}
        changes = [(key, made(target, each.values())) for key, each in asked.items()]
        answers = matched(changes, (yield Ask(target, [change for _, change in changes])))
        known |= {key: (each, target.read(each.prediction, each.perturbed)) for key, each in answers}
        broken = [known[key][0] for key, _ in answers if known[key][1].broken]
        if broken:
            return _found(max(broken, key=lambda answer: answer.similarity))
        survivors = [_best(family, clean, known) for family in families]
        elite = [_best(population, clean, known)] if generation else []
        population = [*elite, *survivors]
    best = known.get(_key(_best(population, clean, known)))
    return Found(None, target.clean) if best is None else _found(best[0])


def crossed(first: Changes, second: Changes, draws: Random) -> Changes:
    """Of every word what the one or the other parent has there, each equally likely."""
    places = sorted({*first, *second})
    chosen = {place: first if draws.random() < 0.5 else second for place in places}
    return {place: parent[place] for place, parent in chosen.items() if place in parent}


def drawn(weights: Sequence[float], draws: Random) -> int:
    """A place in the list, as likely as its weight; one draw. Some weight is above 0."""
    sums = list(accumulate(weights))
    lot = draws.random() * sums[-1]
    return next(k for k, total in enumerate(sums) if lot < total)


def _grown(state: Changes, options: Options, draws: Random, steps: int) -> list[Changes]:
    """The state with every candidate of one more word that is drawn; none where all words are changed already."""
    places = [place for place, edits in options.items() if edits and place not in state]
    if not places or (steps and len(state) >= steps):
        return []
    place = places[drawn([len(options[each]) for each in places], draws)]
    return [{**state, place: edit} for edit in options[place]]


def _parents(population: Sequence[Changes], clean: Reading, known: Known, draws: Random) -> tuple[Changes, Changes]:
    """Two of the population, the likelier the further the scores have fallen; a parent can be both."""
    falls = [_total(clean) - _total(_reading(each, clean, known)) for each in population]
    top = max(falls)
    weights = [round(exp((fall - top) / TEMPERATURE), _DECIMALS) for fall in falls]
    return population[drawn(weights, draws)], population[drawn(weights, draws)]


def _best(family: Sequence[Changes], clean: Reading, known: Known) -> Changes:
    """The state that hurts the model most, of those that it was shown and the original; of equals the first."""
    shown = [each for each in family if not each or _key(each) in known]
    return max(shown, key=lambda each: badness(_reading(each, clean, known)), default={})


def _reading(state: Changes, clean: Reading, known: Known) -> Reading:
    return known[_key(state)][1] if state else clean


def _total(reading: Reading) -> float:
    return reading.total(range(len(reading.scores)))


def _key(state: Changes) -> Key:
    return frozenset(state.items())


def _found(answer: Answer) -> Found:
    return Found(answer.perturbed, answer.prediction, answer.similarity)


SEARCH = SearchMethod("genetic", search, ranks=False, drawn=True)
