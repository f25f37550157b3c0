"""Search with a beam: at every step each word that is left is tried after each of the best states so far."""

from __future__ import annotations

from collections.abc import Mapping

from abalo.attacks.parts import DECIMALS, Options, Ranking, SearchMethod, Tuning, made, matched
from abalo.attacks.search import Answer, Ask, Found, Search
from abalo.core.targets import Reading, Target
from perturbations import Edit

Changes = Mapping[int, Edit]
"""A state: the edit that was chosen for each place that is changed."""


def search(target: Target, options: Options, _ranking: Ranking, tuning: Tuning) -> Search:
    """The ``width`` best states of every step, until the target is lost or no further word hurts it more.

    Of those that break the target, the one most alike to the original. A state is the better the more parts of the
    target are wrong, then the lower the scores of the parts that are right; of equals the first. Words are not ranked.
    """
    return (yield from widened(target, options, tuning.width, tuning.steps))


def widened(target: Target, options: Options, width: int, steps: int = 0) -> Search:
    """A search with a beam of ``width`` states, of at most ``steps`` words; 0 for any number."""
    states: list[Changes] = [{}]
    before = badness(target.read(target.clean))
    last: Answer | None = None
    for _ in range(min(steps or len(options), len(options))):
        asked = [(state, made(target, state.values())) for state in grown(states, options)]
        answers = matched(asked, (yield Ask(target, [each for _, each in asked])))
        read = [(state, answer, target.read(answer.prediction, answer.perturbed)) for state, answer in answers]
        broken = [answer for _, answer, reading in read if reading.broken]
        if broken:
            last = max(broken, key=lambda answer: answer.similarity)
            break
        ranked = sorted(read, key=lambda each: badness(each[2]), reverse=True)
        if not ranked or badness(ranked[0][2]) <= before:
            break
        before, last = badness(ranked[0][2]), ranked[0][1]
        states = [state for state, *_ in ranked[:width]]
    return Found(None, target.clean) if last is None else Found(last.perturbed, last.prediction, last.similarity)


def grown(states: list[Changes], options: Options) -> list[Changes]:
    """Every state with one more word changed, each once; those of the first state first."""
    found: dict[frozenset[tuple[int, Edit]], Changes] = {}
    for state in states:
        for place, edits in options.items():
            for edit in edits if place not in state else ():
                further = {**state, place: edit}
                found.setdefault(frozenset(further.items()), further)
    return list(found.values())


def badness(reading: Reading) -> tuple[int, float]:
    """The larger the worse for the model: the parts that are wrong, then the falling score of those that are right."""
    return sum(reading.turned), -round(reading.total(reading.open_parts()), DECIMALS)


SEARCH = SearchMethod("beam", search, ranks=False)
