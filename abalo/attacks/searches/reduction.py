"""Reduction: words taken away for as long as the prediction holds [Feng et al., 2018].

S. Feng, E. Wallace, A. Grissom II, M. Iyyer, P. Rodriguez and J. Boyd-Graber, Pathologies of Neural Models Make
Interpretations Difficult, EMNLP 2018.
"""

from __future__ import annotations

from abalo.attacks.parts import DECIMALS, Options, Ranking, SearchMethod, Tuning, made, matched, total
from abalo.attacks.search import Answer, Ask, Found, Search
from abalo.attacks.searches.beam import Changes, grown
from abalo.core.targets import Target


def search(target: Target, options: Options, _ranking: Ranking, tuning: Tuning) -> Search:
    """One word less at every step, in a beam of ``width`` states, while all that is right stays so.

    States are those of which the model is surest: the highest score of what is right; of equals the first. It ends
    where no word can go, or ``left`` of the words that may go are left. Words are not ranked: scores do that at every
    step.
    """
    states: list[Changes] = [{}]
    last: Answer | None = None
    for _ in range(len(options) - tuning.left):
        asked = [(state, made(target, state.values())) for state in grown(states, options)]
        answers = matched(asked, (yield Ask(target, [each for _, each in asked])))
        read = [(state, answer, target.read(answer.prediction, answer.perturbed)) for state, answer in answers]
        holding = [each for each in read if not any(each[2].turned)]
        ranked = sorted(holding, key=lambda each: round(total(each[2]), DECIMALS), reverse=True)
        if not ranked:
            break
        last = ranked[0][1]
        states = [state for state, *_ in ranked[: tuning.width]]
    return Found(None, target.clean) if last is None else Found(last.perturbed, last.prediction, last.similarity)


SEARCH = SearchMethod("reduction", search, ranks=False)
