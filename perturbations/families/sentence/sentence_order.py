"""The sentences of a text in another order."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

from perturbations.catalogue import sentence_level
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
def sentence_order(sentence: Sentence) -> list[list[Edit]]:
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
    return [[_reorder(sentence, parts, order) for order in _orders(len(parts))]]


def _orders(count: int) -> list[tuple[int, ...]]:
    """The orders that are possible, other than the present one, each once."""
    usual = tuple(range(count))
    if count <= _MOST:
        return list(permutations(usual))[1:]
    swapped = [(*usual[:k], k + 1, k, *usual[k + 2 :]) for k in range(count - 1)]
    moved = [(*usual[k:], *usual[:k]) for k in range(1, count)]
    return list(dict.fromkeys([usual[::-1], *swapped, *moved]))


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
