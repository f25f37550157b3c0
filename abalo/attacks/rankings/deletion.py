"""Words by the effect of deleting them."""

from __future__ import annotations

from abalo.attacks.parts import DECIMALS, EditOptions, Ranking, RankingSteps, Tuning
from abalo.attacks.search import Ask
from abalo.core.records.targets import Target
from perturbations import Edit, apply


def rank(target: Target, options: EditOptions, _tuning: Tuning) -> RankingSteps:
    """The most important word first; ties from left to right [D. Jin et al., Is BERT Really Robust?, AAAI 2020]."""
    return (yield from by_importance(target, options, ()))


def by_importance(target: Target, options: EditOptions, instead: tuple[str, ...]) -> RankingSteps:
    """Ranks words by the effect of these tokens in their place; ties from left to right."""
    places = list(options)
    probes = [apply(target.sentence, [Edit(place, place + 1, instead)]) for place in places]
    answers = yield Ask(target, probes, probe=True)
    found = {
        place: target.importance(answer.prediction, answer.perturbed)
        for place, answer in zip(places, answers, strict=False)
    }
    return {place: options[place] for place in sorted(found, key=lambda place: (-round(found[place], DECIMALS), place))}


RANKING = Ranking("deletion", rank)
