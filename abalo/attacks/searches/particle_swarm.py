"""Particle swarm optimisation [Zang et al., 2020]; see `abalo.attacks.recipes.pso`.

Constants are from the released code (thunlp/SememePSO-Attack).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from random import Random

from abalo.attacks.parts import EditOptions, Ranking, SearchMethod, Tuning
from abalo.attacks.populations import ShownStates, draw_place, result_of
from abalo.attacks.search import Search
from abalo.attacks.searches.beam import Changes
from abalo.core.records.targets import Target

FASTEST = 3.0
"""Largest velocity: a word turns with probability 0.953; with the smallest, 0.047."""

HIGH, LOW = 0.8, 0.2
"""Inertia falls from the first to the second; the weight of the best of all rises."""

MOST_WEIGHT = 10

_DECIMALS = 6


def search(target: Target, options: EditOptions, _ranking: Ranking, tuning: Tuning) -> Search:
    """Moves a swarm of ``width`` states over ``generations`` towards their own best states and the best of all.

    Each first state changes one word. In each generation a state takes words from its own best state and the best of
    all; then, the likelier the fewer words are changed, one more word gets its best candidate. Words are drawn in
    proportion to their candidates, at most 10. Among states that break the target, the most similar to the original
    wins. Words are not ranked.
    """
    draws, shown = tuning.draws, ShownStates(target, tuning.steps)
    places = [place for place, edits in options.items() if edits]
    swarm: list[Changes] = [{}] * (tuning.width if places else 0)
    families = [_mutants(state, options, places, draws, tuning.steps) for state in swarm]
    lost = yield from shown.show(state for family in families for state in family)
    if lost is not None:
        return result_of(lost)
    swarm = [shown.worst(family) for family in families]
    own, best = list(swarm), shown.worst(swarm)
    velocities = [dict.fromkeys(places, FASTEST * (2 * draws.random() - 1)) for _ in swarm]
    for generation in range(tuning.generations if swarm else 0):
        done = generation / tuning.generations
        inertia, to_own, to_best = (LOW + (HIGH - LOW) * share for share in (1 - done, 1 - done, done))
        moved = []
        for k, state in enumerate(swarm):
            for place in places:
                pull = sum(_pull(state, elite, place) for elite in (own[k], best))
                velocities[k][place] = inertia * velocities[k][place] + (1 - inertia) * pull
            turns = {place: _sigmoid(velocities[k][place]) for place in places}
            for elite, chance in ((own[k], to_own), (best, to_best)):
                if draws.random() < chance:
                    state = _turn(state, elite, turns, draws)
            moved.append(state)
        lost = yield from shown.show(moved)
        if lost is not None:
            return result_of(lost)
        swarm = [new if shown.holds(new) else old for old, new in zip(swarm, moved, strict=True)]
        families = [
            _mutants(state, options, places, draws, tuning.steps)
            if draws.random() < 1 - 2 * len(state) / len(target.sentence)
            else [state]
            for state in swarm
        ]
        lost = yield from shown.show(state for family in families for state in family)
        if lost is not None:
            return result_of(lost)
        swarm = [shown.worst(family) for family in families]
        own = [shown.worst(pair) for pair in zip(own, swarm, strict=True)]
        best = shown.worst([best, *swarm])
    return shown.found(best)


def _mutants(state: Changes, options: EditOptions, places: Sequence[int], draws: Random, steps: int) -> list[Changes]:
    left = [place for place in places if place not in state] if not steps or len(state) < steps else []
    open_places = left or [place for place in places if place in state]
    if not open_places:
        return [state]
    place = open_places[draw_place([min(len(options[each]), MOST_WEIGHT) for each in open_places], draws)]
    return [state, *({**state, place: edit} for edit in options[place])]


def _turn(state: Changes, elite: Changes, turns: dict[int, float], draws: Random) -> Changes:
    taken = {place for place, chance in turns.items() if draws.random() < chance}
    kept = {place: edit for place, edit in state.items() if place not in taken}
    return dict(sorted({**kept, **{place: edit for place, edit in elite.items() if place in taken}}.items()))


def _pull(state: Changes, elite: Changes, place: int) -> float:
    return -FASTEST if state.get(place) == elite.get(place) else FASTEST


def _sigmoid(value: float) -> float:
    return round(1 / (1 + exp(-value)), _DECIMALS)


SEARCH = SearchMethod("particle_swarm", search, ranks=False, drawn=True)
