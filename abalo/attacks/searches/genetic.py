"""A genetic search [Alzantot et al., 2018]; see `abalo.attacks.recipes.genetic_attack`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import exp
from random import Random

from abalo.attacks.parts import EditOptions, Ranking, SearchMethod, Tuning
from abalo.attacks.populations import ShownStates, draw_place, result_of
from abalo.attacks.search import Search
from abalo.attacks.searches.beam import Changes
from abalo.core.records.targets import Target

TEMPERATURE = 0.3
"""Score loss that makes a parent e times as likely, as in TextAttack; 3 in the released code."""

_DECIMALS = 6
"""Exponentials differ in the last bit between machines."""


@dataclass(frozen=True, slots=True)
class PopulationMember:
    """A state; ``times`` counts the changes of each place, if limited."""

    changes: Changes
    times: Mapping[int, int] = field(default_factory=dict)


Family = Sequence[PopulationMember]
"""A state and its possible successors."""


def search(target: Target, options: EditOptions, _ranking: Ranking, tuning: Tuning) -> Search:
    """Crosses and mutates a population of ``width`` states over ``generations`` until the target is lost.

    Each first state changes one word; the best state always stays. A child takes each change of either parent by a coin
    toss, and one more word changes if that helps, drawn in proportion to its candidates. Among states that break the
    target, the most similar to the original wins. Words are not ranked.
    """
    draws = tuning.draws

    def grow(member: PopulationMember) -> Family:
        return [member, *map(PopulationMember, _grow(member.changes, options, draws, tuning.steps))]

    def mate(first: PopulationMember, second: PopulationMember) -> PopulationMember:
        return PopulationMember(cross(first.changes, second.changes, draws))

    first = [grow(PopulationMember({})) for _ in range(tuning.width)]
    return (yield from breed(target, tuning, first, mate, grow))


def breed(
    target: Target,
    tuning: Tuning,
    first: Sequence[Family],
    mate: Callable[[PopulationMember, PopulationMember], PopulationMember],
    grow: Callable[[PopulationMember], Family],
) -> Search:
    """Genetic search from a first generation; ``mate`` makes a child, ``grow`` its family."""
    shown = ShownStates(target, tuning.steps)
    population: list[PopulationMember] = []
    for generation in range(1 + tuning.generations):
        if generation == 0:
            families = first
        else:
            children = [mate(*_parents(population, shown, tuning.draws)) for _ in range(tuning.width - 1)]
            families = [grow(child) for child in children]
        lost = yield from shown.show(each.changes for family in families for each in family)
        if lost is not None:
            return result_of(lost)
        elite = [_worst(population, shown)] if generation else []
        population = [*elite, *(_worst(family, shown) for family in families)]
        if not population:
            break
    return shown.found(_worst(population, shown).changes)


def cross(first: Changes, second: Changes, draws: Random) -> Changes:
    """Takes each word from either parent with equal probability."""
    places = sorted({*first, *second})
    chosen = {place: first if draws.random() < 0.5 else second for place in places}
    return {place: parent[place] for place, parent in chosen.items() if place in parent}


def _grow(state: Changes, options: EditOptions, draws: Random, steps: int) -> list[Changes]:
    places = [place for place, edits in options.items() if edits and place not in state]
    if not places or (steps and len(state) >= steps):
        return []
    place = places[draw_place([len(options[each]) for each in places], draws)]
    return [{**state, place: edit} for edit in options[place]]


def _parents(
    population: Sequence[PopulationMember], shown: ShownStates, draws: Random
) -> tuple[PopulationMember, PopulationMember]:
    falls = [shown.fall(each.changes) for each in population]
    top = max(falls)
    weights = [round(exp((fall - top) / TEMPERATURE), _DECIMALS) for fall in falls]
    return population[draw_place(weights, draws)], population[draw_place(weights, draws)]


def _worst(family: Sequence[PopulationMember], shown: ShownStates) -> PopulationMember:
    changes = shown.worst([each.changes for each in family])
    return next((each for each in family if each.changes is changes), PopulationMember({}))


SEARCH = SearchMethod("genetic", search, ranks=False, drawn=True)
