"""Beam search over words."""

from __future__ import annotations

from collections.abc import Mapping

from abalo.attacks.parts import (
    DECIMALS,
    EditOptions,
    Ranking,
    SearchMethod,
    Tuning,
    apply_edits,
    match_answers,
    overlaps,
)
from abalo.attacks.search import Answer, Ask, Found, Search
from abalo.core.records.targets import Effect, Target
from perturbations import Edit

Changes = Mapping[int, Edit]


def search(target: Target, options: EditOptions, _ranking: Ranking, tuning: Tuning) -> Search:
    """Keeps the ``width`` best states of every step until the target is lost or no further word hurts it more.

    States with more wrong parts are better, then states with lower scores of the right parts; ties go to the first.
    Among states that break the target, the most similar to the original wins. Words are not ranked.
    """
    return (yield from beam_search(target, options, tuning.width, tuning.steps))


def beam_search(target: Target, options: EditOptions, width: int, steps: int = 0) -> Search:
    """Beam search with ``width`` states and at most ``steps`` changed words; 0 for any number."""
    states: list[Changes] = [{}]
    before = badness(target.read(target.clean))
    last: Answer | None = None
    for _ in range(min(steps or len(options), len(options))):
        asked = [(state, apply_edits(target, state.values())) for state in grow_states(states, options)]
        answers = match_answers(asked, (yield Ask(target, [each for _, each in asked])))
        read = [(state, answer, target.read(answer.prediction, answer.perturbed)) for state, answer in answers]
        broken = [answer for _, answer, effect in read if effect.broken]
        if broken:
            last = max(broken, key=lambda answer: answer.similarity)
            break
        ranked = sorted(read, key=lambda each: badness(each[2]), reverse=True)
        if not ranked or badness(ranked[0][2]) <= before:
            break
        before, last = badness(ranked[0][2]), ranked[0][1]
        states = [state for state, *_ in ranked[:width]]
    return Found(None, target.clean) if last is None else Found(last.perturbed, last.prediction, last.similarity)


def grow_states(states: list[Changes], options: EditOptions) -> list[Changes]:
    """Every distinct state with one more changed word."""
    found: dict[frozenset[tuple[int, Edit]], Changes] = {}
    for state in states:
        for place, edits in options.items():
            for edit in edits if place not in state else ():
                if overlaps(edit, state.values()):
                    continue
                further = {**state, place: edit}
                found.setdefault(frozenset(further.items()), further)
    return list(found.values())


def badness(effect: Effect) -> tuple[int, float]:
    """Wrong parts, then the lost score of the right ones; larger is worse."""
    return sum(effect.turned), -round(effect.total(effect.open_parts()), DECIMALS)


SEARCH = SearchMethod("beam", search, ranks=False)
