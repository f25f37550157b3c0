"""Reduction: deletes words while the prediction holds [Feng et al., 2018], `abalo.attacks.recipes.input_reduction`."""

from __future__ import annotations

from abalo.attacks.parts import DECIMALS, EditOptions, Ranking, SearchMethod, Tuning, apply_edits, match_answers, total
from abalo.attacks.search import Answer, Ask, Found, Search
from abalo.attacks.searches.beam import Changes, grow_states
from abalo.core.records.targets import Target


def search(target: Target, options: EditOptions, _ranking: Ranking, tuning: Tuning) -> Search:
    """Removes one word at every step, in a beam of ``width`` states, while everything right stays right.

    The beam keeps the highest scores of the right answer; ties go to the first. The search ends if only ``left``
    removable words remain. Words are not ranked.
    """
    states: list[Changes] = [{}]
    last: Answer | None = None
    for _ in range(len(options) - tuning.left):
        asked = [(state, apply_edits(target, state.values())) for state in grow_states(states, options)]
        answers = match_answers(asked, (yield Ask(target, [each for _, each in asked])))
        read = [(state, answer, target.read(answer.prediction, answer.perturbed)) for state, answer in answers]
        holding = [each for each in read if not any(each[2].turned)]
        ranked = sorted(holding, key=lambda each: round(total(each[2]), DECIMALS), reverse=True)
        if not ranked:
            break
        last = ranked[0][1]
        states = [state for state, *_ in ranked[: tuning.width]]
    return Found(None, target.clean) if last is None else Found(last.perturbed, last.prediction, last.similarity)


SEARCH = SearchMethod("reduction", search, ranks=False)
