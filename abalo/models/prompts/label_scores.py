"""Scores of labels, by the alternatives that a language model had for the tokens of its reply."""

from __future__ import annotations

import re
from collections.abc import Sequence

from abalo.models.prompts.protocol import Token
from abalo.models.prompts.replies import after_thoughts


def label_scores(reply: str, tokens: Sequence[Token], names: Sequence[str], said: str) -> tuple[float, ...]:
    """The share of each label in the probability of all, in the order of ``names``; () if unknown.

    The tokens are followed from where the label ``said`` begins until they leave no other label. What a token that the
    reply did not take shares among several labels counts for each alike. Labels beyond the alternatives have 0. The
    scores are unknown unless the reply has the label in one place.

    Args:
        reply: The reply.
        tokens: Its tokens, which together hold the reply, with their alternatives.
        names: All labels as the model knows them.
        said: The label that was read.
    """
    whole = "".join(each.text for each in tokens)
    answer = (after_thoughts(reply) or "").strip()
    begin = whole.rfind(answer) if answer else -1
    if begin < 0:
        return ()
    places = [found.start() for found in re.finditer(rf"(?<!\w){re.escape(said)}(?!\w)", whole[begin:], re.IGNORECASE)]
    if len(places) != 1:
        return ()
    shares = _followed(tokens, begin + places[0], [_folded(name) for name in names])
    total = sum(shares)
    return tuple(each / total for each in shares) if total > 0 else ()


def _followed(tokens: Sequence[Token], start: int, labels: Sequence[str]) -> list[float]:
    """The probability of each label from the character ``start``; [] if the tokens never leave one."""
    shares, weight, taken, at = [0.0] * len(labels), 1.0, "", 0
    for token in tokens:
        lead = max(0, start - at)
        at += len(token.text)
        if at <= start:
            continue
        own: list[int] = []
        follows = weight
        for text, share in token.alternatives:
            behind = _behind(text, token.text[:lead])
            fits = [] if behind is None else _fitting(taken + _folded(behind), labels)
            if text == token.text:
                own, follows = fits, weight * share
            else:
                for place in fits:
                    shares[place] += weight * share / len(fits)
        if len(own) == 1:
            shares[own[0]] += follows
            return shares
        if not own:
            return []
        taken, weight = taken + _folded(token.text[lead:]), follows
    return []


def _behind(text: str, lead: str) -> str | None:
    """The part of an alternative where the label would begin; None if it begins otherwise."""
    if text.startswith(lead):
        found = text[len(lead) :]
    elif not lead.strip():
        found = text.lstrip()
    else:
        return None
    return found or None


def _fitting(text: str, labels: Sequence[str]) -> list[int]:
    """The places of labels that the text begins, or that it ends behind."""
    if not text.strip():
        return []
    return [
        place
        for place, label in enumerate(labels)
        if label.startswith(text) or (text.startswith(label) and not text[len(label)].isalnum())
    ]


def _folded(text: str) -> str:
    return text.casefold()
