"""Words by saliency and the gain of their best edit [Ren et al., 2019]; see `abalo.attacks.recipes.pwws`."""

from __future__ import annotations

from math import exp

from abalo.attacks.parts import DECIMALS, EditOptions, Ranking, RankingSteps, Tuning, match_answers, score_loss
from abalo.attacks.search import Answer, Ask
from abalo.core.records.targets import Target
from perturbations import Edit, apply


def rank(target: Target, options: EditOptions, tuning: Tuning) -> RankingSteps:
    """Ranks words by the softmax of saliency times the gain of the best edit; ties from left to right.

    Saliency is the score that the right answer loses to an unknown token [equation 7]; gain is the score that an edit
    costs [equation 4]. Each word keeps the first edit with the largest gain.
    """
    hidden = [(place, apply(target.sentence, [Edit(place, place + 1, (tuning.unknown,))])) for place in options]
    answers = yield Ask(target, [each for _, each in hidden], probe=True)
    saliency = {place: score_loss(target, answer) for place, answer in match_answers(hidden, answers)}
    single = [((place, edit), apply(target.sentence, [edit])) for place in saliency for edit in options[place]]
    answers = yield Ask(target, [each for _, each in single])
    best: dict[int, tuple[float, Edit]] = {}
    for (place, edit), answer in match_answers(single, answers):
        gain = _round_loss(target, answer)
        if place not in best or gain > best[place][0]:
            best[place] = gain, edit
    top = max(saliency.values(), default=0.0)
    weights = {place: exp(value - top) for place, value in saliency.items()}
    scale = sum(weights.values())
    worth = {place: weights[place] / scale * gain for place, (gain, _) in best.items()}
    return {place: [best[place][1]] for place in sorted(worth, key=lambda place: (-worth[place], place))}


def _round_loss(target: Target, answer: Answer) -> float:
    return round(score_loss(target, answer), DECIMALS)


RANKING = Ranking("weighted_saliency", rank)
