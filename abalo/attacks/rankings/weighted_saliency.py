"""Words by their saliency and by the best that can be put there [Ren et al., 2019].

S. Ren, Y. Deng, K. He and W. Che, Generating Natural Language Adversarial Examples through Probability Weighted Word
Saliency, ACL 2019.
"""

from __future__ import annotations

from math import exp

from abalo.attacks.parts import DECIMALS, Options, Ranked, Ranking, Tuning, lost, matched
from abalo.attacks.search import Answer, Ask
from abalo.core.targets import Target
from perturbations import Edit, apply


def rank(target: Target, options: Options, tuning: Tuning) -> Ranked:
    """The softmax of the saliencies times the gain of the best edit, the largest first; of equals the leftmost.

    The saliency of a word is the score that what is right loses by an unknown token in its place [equation 7], the gain
    of an edit the score that it loses by that edit [equation 4]. Of each word the edit with the largest gain is left,
    of equals the first; words of which no edit may be shown are left out.
    """
    hidden = [(place, apply(target.sentence, [Edit(place, place + 1, (tuning.unknown,))])) for place in options]
    answers = yield Ask(target, [each for _, each in hidden], probe=True)
    saliency = {place: lost(target, answer) for place, answer in matched(hidden, answers)}
    single = [((place, edit), apply(target.sentence, [edit])) for place in saliency for edit in options[place]]
    answers = yield Ask(target, [each for _, each in single])
    best: dict[int, tuple[float, Edit]] = {}
    for (place, edit), answer in matched(single, answers):
        gain = _rounded(target, answer)
        if place not in best or gain > best[place][0]:
            best[place] = gain, edit
    top = max(saliency.values(), default=0.0)
    weights = {place: exp(value - top) for place, value in saliency.items()}
    scale = sum(weights.values())
    worth = {place: weights[place] / scale * gain for place, (gain, _) in best.items()}
    return {place: [best[place][1]] for place in sorted(worth, key=lambda place: (-worth[place], place))}


def _rounded(target: Target, answer: Answer) -> float:
    return round(lost(target, answer), DECIMALS)


RANKING = Ranking("weighted_saliency", rank)
