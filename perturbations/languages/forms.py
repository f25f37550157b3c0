"""Forms of names of other types than persons, places and organisations, by which one can stand for another."""

from __future__ import annotations

import re
from collections.abc import Sequence

from perturbations.resources import Entity
from perturbations.text import Sentence, Span

_DIGITS = re.compile("[0-9]+")
_GOING_ON = re.compile(r"[0-9§].*|[ivxlc]+|n[.º°]*|nº|c/c|al[ií]neas?|incisos?|inc\.?|par[aá]grafos?|caput")
_LINKS = frozenset([",", ";", "e", "a", "ou", "and", "or", "to", "/", "-", "–", "c/c", ".", "("])
_DATED_WITHIN = 3
"""Tokens before a date among which is what it dates, such as the number of a law; and behind a law its date."""


def with_digits(name: Entity) -> str | None:
    """The form of a name with digits: its shape where it begins with one, else its first word; None without digits.

    So a date stands for a date and one article of a law for another.
    """
    if not any(char.isdigit() for token in name for char in token):
        return None
    if name[0][0].isdigit():
        return " ".join(_shape(token) for token in name)
    return f"{name[0].lower()} …" if name[0][-1].isalnum() or len(name[0]) > 1 else None


def _shape(word: str) -> str:
    """The word with 9 for its digits, 1 for the number one; of letters alone an x."""
    if word.isalpha():
        return "x"
    return "1" if word == "1" else _DIGITS.sub(lambda found: "9999" if len(found[0]) == 4 else "9", word.lower())


def is_lone(sentence: Sentence, spans: Sequence[Span], span: Span) -> bool:
    """Whether nothing beside the name is a part of it or must fit it.

    That may be the rest of a citation, the date of a law, the law of a date, the same number once more, and another
    date or amount, whose order could matter.
    """
    tokens = sentence.tokens
    before = [token.lower() for token in tokens[max(0, span.start - _DATED_WITHIN) : span.start]]
    after = [token.lower() for token in tokens[span.stop : span.stop + _DATED_WITHIN]]
    if before[-1:] and (before[-1] in _GLUED or before[-1] in ("§", "nº", "n.º") or _has_digit(before[-1])):
        return False
    if after and (after[0] in _GLUED or _GOING_ON.fullmatch(after[0])):
        return False
    if len(after) > 1 and after[0] in _LINKS and _GOING_ON.fullmatch(after[1]):
        return False
    name = tokens[span.start : span.stop]
    if not any(map(_has_digit, name)):
        return True
    beside = (*tokens[: span.start], *tokens[span.stop :])
    if any(_has_digit(token) and len(token) > 1 and token in beside for token in name):
        return False
    if not name[0][0].isdigit():
        return not any(map(_has_digit, after))
    dates = [each for each in spans if each.type == span.type and tokens[each.start][0].isdigit()]
    return len(dates) == 1 and not any(map(_has_digit, before))


def _has_digit(token: str) -> bool:
    return any(map(str.isdigit, token))


_GLUED = frozenset(["-", "/", "_", "&", "®", "#", "@", "º", "ª", "'"])
