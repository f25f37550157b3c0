"""Greedy search over single words.

A. Dirkson, S. Verberne and W. Kraaij, Breaking BERT: Understanding its Vulnerabilities for Named Entity Recognition
through Adversarial Attack, 2021, 3.1.2, after D. Jin et al., Is BERT Really Robust? (TextFooler), 2020.
"""

from __future__ import annotations

from collections.abc import Sequence

from abalo.attacks.parts import DECIMALS, EditOptions, Ranking, SearchMethod, Tuning, overlaps
from abalo.attacks.search import Answer, Ask, Found, Search, SearchState
from abalo.core.records.targets import Effect, Target
from perturbations import Edit, apply


def search(target: Target, options: EditOptions, ranking: Ranking, tuning: Tuning) -> Search:
    """Changes one word after the other, in the order of the ranking, until the target is lost or no word is left."""
    ranked = yield from ranking.rank(target, options, tuning)
    return (yield from in_order(target, ranked, tuning.steps))


def in_order(target: Target, options: EditOptions, steps: int = 0) -> Search:
    """Changes words in the order of the options, at most ``steps``; 0 for any number."""
    edits: list[Edit] = []
    now = target.read(target.clean)
    last: Answer | None = None
    hardest: tuple[Answer, Effect] | None = None
    for own in options.values():
        fitting = [edit for edit in own if not overlaps(edit, edits)]
        answers = yield Ask(target, [apply(target.sentence, [*edits, edit]) for edit in fitting])
        chosen = best(now, [(answer, target.read(answer.prediction, answer.perturbed)) for answer in answers])
        if chosen is None:
            continue
        last, now = chosen
        edits = list(last.perturbed.edits)
        if hardest is None or now.damage >= hardest[1].damage:
            hardest = chosen
        if now.broken or len(edits) == steps:
            break
    if last is None or hardest is None:
        return Found(None, target.clean)
    reached = None if hardest[0] is last else SearchState(hardest[0].perturbed, hardest[0].prediction)
    return Found(last.perturbed, last.prediction, last.similarity, reached)


def best(now: Effect, answers: Sequence[tuple[Answer, Effect]]) -> tuple[Answer, Effect] | None:
    """The best answer to continue from; None if none helps [Dirkson et al., 3.1.2, step 4].

    Among answers that break the target, the most similar to the original wins. Otherwise the answer with most newly
    wrong parts wins, then the one that lowers the other scores most; ties go to the first.
    """
    broken = [pair for pair in answers if pair[1].broken]
    if broken:
        return max(broken, key=lambda pair: pair[0].similarity)
    still_right = now.open_parts()
    turned = [sum(effect.turned[k] for k in still_right) for _, effect in answers]
    most = max(turned, default=0)

    def reduction(pair: tuple[Answer, Effect]) -> float:
        left = [k for k in still_right if not pair[1].turned[k]]
        return round(now.total(left) - pair[1].total(left), DECIMALS)

    candidates = [pair for pair, count in zip(answers, turned, strict=True) if count == most]
    chosen = max(candidates, key=reduction, default=None)
    return chosen if chosen is not None and (most or reduction(chosen) > 0) else None


SEARCH = SearchMethod("greedy", search)
