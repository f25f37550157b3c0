"""Words by their best single edit."""

from __future__ import annotations

from abalo.attacks.parts import DECIMALS, EditOptions, Ranking, RankingSteps, Tuning, match_answers, score_loss
from abalo.attacks.search import Ask
from abalo.core.records.targets import Target
from perturbations import Edit, apply


def rank(target: Target, options: EditOptions, _tuning: Tuning) -> RankingSteps:
    """Ranks words by the cost of their best edit and drops words without any cost [Li et al., 2021, algorithm 1].

    Ties go from left to right.
    """
    single = [((place, edit), apply(target.sentence, [edit])) for place in options for edit in options[place]]
    answers = yield Ask(target, [made for _, made in single])
    best: dict[int, tuple[float, Edit]] = {}
    for (place, edit), answer in match_answers(single, answers):
        cost = round(score_loss(target, answer), DECIMALS)
        if cost > 0 and (place not in best or cost > best[place][0]):
            best[place] = cost, edit
    return {place: [best[place][1]] for place in sorted(best, key=lambda place: (-best[place][0], place))}


RANKING = Ranking("best_edit", rank)
