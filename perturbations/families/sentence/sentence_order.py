"""The sentences of a text in another order."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

from perturbations.catalogue import sentence_level
from perturbations.numbered import OnDemand
from perturbations.stops import ends_text, sentences_in
from perturbations.text import Edit, Sentence

_MOST = 4
"""Up to so many sentences all orders are possible; there are 120 of five."""

_Part = tuple[int, int]


@sentence_level(
    title="Sentences in another order",
    kind="syntax",
    labels="moves",
    monotone=False,
    aliases=("SentenceOrderSwap",),
    example=("Gostei . O final é bom .", "O final é bom . Gostei ."),
)
def sentence_order(sentence: Sentence) -> list[Sequence[Edit]]:
    """Puts the sentences of a text in another order [TextFlint, catalogue name "SentenceOrderSwap"].

    No token is lost or added. A sentence ends with a stop outside entities, quotation marks and brackets, and any
    closing marks after it. The full stop of an abbreviation, an initial or a cited number does not end a sentence, nor
    does an ellipsis. The last sentence must end too.

    For up to four sentences, all other orders are equally likely. For more, the orders are the reverse, those that
    exchange two neighbours, and those that move the first sentences behind the rest.
    """
    parts = sentences_in(sentence)
    if len(parts) < 2 or not ends_text(sentence):
        return []
    count = len(parts)
    if count <= _MOST:
        return [[_reorder(sentence, parts, order) for order in list(permutations(range(count)))[1:]]]
    return [OnDemand(2 * count - 1, lambda number: _reorder(sentence, parts, _order(count, number)))]


def _order(count: int, number: int) -> tuple[int, ...]:
    """One of the orders of more than a few sentences: the reverse is the first, then come exchanges, then moves."""
    usual = tuple(range(count))
    if number == 0:
        return usual[::-1]
    if number < count:
        return (*usual[: number - 1], number, number - 1, *usual[number + 1 :])
    first = number - count + 1
    return (*usual[first:], *usual[:first])


def _reorder(sentence: Sentence, parts: Sequence[_Part], order: Sequence[int]) -> Edit:
    """The edit of the whole text; what stood between two sentences stands between them still."""
    places = [i for k in order for i in range(*parts[k])]
    spaces = [sentence.spaces[i] for i in places]
    end = 0
    for k, (_, stop) in zip(order, parts, strict=True):
        end += parts[k][1] - parts[k][0]
        spaces[end - 1] = sentence.spaces[stop - 1]
    return Edit(
        0,
        len(sentence),
        tuple(sentence.tokens[i] for i in places),
        spaces=tuple(spaces),
        origins=tuple((i,) for i in places),
    )
