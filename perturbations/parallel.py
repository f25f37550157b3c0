"""A text and its translations: the words that say the same in both by the same signs, and edits made in both."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from perturbations.layers import Partner
from perturbations.text import Edit, Sentence

_NUMBER = re.compile(r"[0-9]+(?:[.,][0-9]+)*")


def translations_of(sentence: Sentence) -> tuple[tuple[str, ...], ...]:
    """The tokens of each text that translates the sentence; its own for a sentence that stands alone."""
    found = tuple(layer.tokens for layer in sentence.layers if isinstance(layer, Partner))
    return found or (sentence.tokens,)


def sign_of(token: str) -> str:
    """What a token has in common with its like in another language: digits of a number, all characters of a word.

    Portuguese *1.500* and English *1,500* have the same digits.
    """
    return re.sub("[.,]", "", token) if _NUMBER.fullmatch(token) else token


def shared_places(sentence: Sentence, wanted: Callable[[str], bool]) -> Iterator[tuple[int, Sequence[str]]]:
    """The places of ``wanted`` tokens whose sign stands once in the sentence and once in each of its translations.

    With each place comes the token before it on every side where there is one.
    """
    sides: list[tuple[Sequence[str], dict[str, list[int]]]] = []
    for tokens in (sentence.tokens, *translations_of(sentence)):
        places: dict[str, list[int]] = {}
        for place, token in enumerate(tokens):
            places.setdefault(sign_of(token), []).append(place)
        sides.append((tokens, places))
    for place, token in enumerate(sentence.tokens):
        sign = sign_of(token)
        if wanted(token) and all(len(places.get(sign, ())) == 1 for _, places in sides):
            yield place, [tokens[at - 1] for tokens, places in sides if (at := places[sign][0])]


def follow_edits(sentence: Sentence, edits: Iterable[Edit], translation: Sentence) -> list[Edit]:
    """The edits of a sentence as edits of its translation: of the token with the same sign, or at the same end.

    A number keeps the marks between its digits. Raises ValueError for an edit that has no such place.
    """
    signs = [*map(sign_of, translation.tokens)]
    made: list[Edit] = []
    for edit in edits:
        old, new = sentence.tokens[edit.start : edit.stop], edit.tokens
        if not old and edit.start in (0, len(sentence)):
            end = len(translation) if edit.start else 0
            made.append(Edit(end, end, new))
            continue
        changed = [(one, other) for one, other in zip(old, new, strict=False) if one != other]
        if edit.chars is not None or len(old) != len(new) or any(signs.count(sign_of(one)) != 1 for one, _ in changed):
            raise ValueError(f"{edit} has no place in the translation {translation.text!r}")
        for one, other in changed:
            place = signs.index(sign_of(one))
            there = translation.tokens[place]
            written = write_digits(sign_of(other), there) if _NUMBER.fullmatch(there) else other
            made.append(Edit(place, place + 1, (written,)))
    return made


def write_digits(digits: str, like: str) -> str:
    """The digits with the marks that stand between as many digits of another number."""
    taken = iter(digits)
    return "".join(next(taken) if char.isdigit() else char for char in like)
