"""A search for models without useful scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Sequence

from abalo.attacks.parts import EditOptions, Ranking, SearchMethod, Tuning, apply_edits
from abalo.attacks.search import Answer, Ask, Found, Search
from abalo.attacks.searches.beam import Changes
from abalo.core.records.targets import Target
from perturbations import Edit, Perturbed, apply
from perturbations.streams import pick, sample

ORDERS = 3

DRAWS = 8


def search(target: Target, options: EditOptions, _ranking: Ranking, tuning: Tuning) -> Search:
    """Changes more and more important words until the target is lost, then as few as keep it lost.

    Deleting words measures importance, without scores. One edit per word is drawn, at most 8 times; each time the most
    important word changes, then 2, 3, 4, 6, 8, ….
    """
    order = yield from rank_by_answers(target, list(options), tuning)
    most = min(tuning.steps or len(order), len(order))
    known = set[frozenset[Edit]]()
    for _ in range(DRAWS):
        edits = {place: pick(tuning.draws, options[place]) for place in order}
        states = [{place: edits[place] for place in order[:size]} for size in sizes(most)]
        fresh = [state for state in states if frozenset(state.values()) not in known]
        known |= {frozenset(state.values()) for state in fresh}
        made = [apply_edits(target, state.values()) for state in fresh]
        shown = {id(each): state for each, state in zip(made, fresh, strict=True)}
        answers = yield Ask(target, made, enough=lambda answer: is_lost(target, answer))
        lost = [answer for answer in answers if is_lost(target, answer)]
        if lost:
            first = max(lost, key=lambda answer: answer.similarity)
            last = yield from shrink(target, shown[id(first.perturbed)], first)
            return Found(last.perturbed, last.prediction, last.similarity)
    return Found(None, target.clean)


def rank_by_answers(
    target: Target, places: Sequence[int], tuning: Tuning
) -> Generator[Ask, Sequence[Answer], list[int]]:
    """Ranks words: first those whose single deletion changes the answer.

    The others follow by how often they change it in drawn orders of deletion.
    """
    single = [delete(target, [place]) for place in places]
    answers = yield Ask(target, single, probe=True)
    turned = {id(answer.perturbed) for answer in answers if is_turned(target, answer)}
    weights = Counter({place: (1 + ORDERS) * (id(made) in turned) for place, made in zip(places, single, strict=True)})
    orders = [sample(tuning.draws, list(places), len(places)) for _ in range(ORDERS)]
    for order in orders:
        low, high = 0, len(order) + 1  # the answer stands with so many words gone, and is turned with so many
        while high - low > 1:
            middle = (low + high) // 2
            answers = yield Ask(target, [delete(target, order[:middle])], probe=True)
            if any(is_turned(target, answer) for answer in answers):
                high = middle
            else:
                low = middle
        if low < len(order):
            weights[order[low]] += 1
    return sorted(orders[0], key=lambda place: -weights[place])


def shrink(target: Target, state: Changes, answer: Answer) -> Generator[Ask, Sequence[Answer], Answer]:
    """Drops edits until none can be dropped, or the budget ends."""
    size = max(1, len(state) // 2)
    while len(state) > 1:
        found = None
        for gone in _runs(list(state)[::-1], size):
            fewer = {place: edit for place, edit in state.items() if place not in gone}
            answers = yield Ask(target, [apply_edits(target, fewer.values())])
            found = next(((fewer, each) for each in answers if is_lost(target, each)), None)
            if found is not None:
                break
        if found is not None:
            state, answer = found
        elif size == 1:
            break
        size = max(1, min(size if found is not None else size // 2, len(state) // 2))
    return answer


def sizes(most: int) -> list[int]:
    """Numbers of words to change: 1, 2, 3, 4, 6, 8, 12, … up to ``most``."""
    found, size = [], 1
    while size < most:
        found.append(size)
        size = max(size + 1, size + size // 2 if size & (size - 1) == 0 else size + size // 3)
    return [*found, most] if most else []


def delete(target: Target, places: Sequence[int]) -> Perturbed:
    """The target's sentence without these words."""
    return apply(target.sentence, [Edit(place, place + 1, ()) for place in sorted(places)])


def is_lost(target: Target, answer: Answer) -> bool:
    """Whether the whole target is wrong."""
    return target.read(answer.prediction, answer.perturbed).broken


def is_turned(target: Target, answer: Answer) -> bool:
    """Whether any part of the target is wrong."""
    return any(target.read(answer.prediction, answer.perturbed).turned)


def _runs(places: Sequence[int], size: int) -> list[frozenset[int]]:
    return [frozenset(places[start : start + size]) for start in range(0, len(places), size)]


SEARCH = SearchMethod("hard_label", search, ranks=False, drawn=True)
