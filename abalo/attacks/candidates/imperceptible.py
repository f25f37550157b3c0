"""Character changes that no reader sees; see `abalo.attacks.recipes.bad_characters`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random

from abalo.attacks.parts import TargetSite
from perturbations import Edit, Sentence, sentence_id, stream
from perturbations.families.character.homoglyph import look_alikes
from perturbations.families.character.invisible import invisible as invisibles
from perturbations.graphemes import borders, clusters, exchanges
from perturbations.streams import pick

_BACKSPACE = "\b"

_SHOWING = "".join(map(chr, range(ord("!"), ord("~") + 1)))

_ISOLATE, _LEFT, _RIGHT, _END_ISOLATE, _END_OVERRIDE = "\u2066", "\u202d", "\u202e", "\u2069", "\u202c"
"""Bidirectional controls [Unicode Standard Annex 9]."""


class Imperceptible:
    """Changes one character of a word by one of the `KINDS`, ``draws`` times."""

    def __init__(self, kind: str, seed: int, draws: int = 1) -> None:
        self._change = KINDS[kind]
        self._kind = kind
        self._seed = seed
        self._draws = draws
        self.name = kind

    def of(self, sites: Sequence[TargetSite]) -> list[Sequence[Edit]]:
        return [self._of(target.sentence, place) for target, place in sites]

    def _of(self, sentence: Sentence, place: int) -> list[Edit]:
        word = sentence.tokens[place]
        drawn = stream(self._seed, "imperceptible", self._kind, sentence_id(sentence), place)
        found = (self._change(word, drawn) for _ in range(self._draws))
        return [Edit(place, place + 1, (other,)) for other in dict.fromkeys(found) if other != word]


def invisible(word: str, draws: Random) -> str:
    """Inserts a zero-width character behind a letter or digit."""
    found = invisibles.function(word, sort="zero_width")
    return str(found.picked(draws)) if found else word


def homoglyph(word: str, draws: Random) -> str:
    """Replaces a letter by a look-alike from another script, if one exists."""
    known = look_alikes()
    found = [(k, new) for k, options in enumerate(exchanges(word, lambda char: known.get(char, ()))) for new in options]
    if not found:
        return word
    k, new = pick(draws, found)
    return word[:k] + new + word[k + 1 :]


def reordering(word: str, draws: Random) -> str:
    """Swaps two different neighbours, with controls that display the old order."""
    chars = clusters(word)
    places = [k for k in range(len(chars) - 1) if chars[k] != chars[k + 1]]
    if not places:
        return word
    k = pick(draws, places)
    return "".join((*chars[:k], _swap_display(chars[k + 1], chars[k]), *chars[k + 2 :]))


def deletion(word: str, draws: Random) -> str:
    """Inserts a character and a backspace."""
    k = pick(draws, borders(word))
    return word[:k] + pick(draws, _SHOWING) + _BACKSPACE + word[k:]


def _swap_display(first: str, second: str) -> str:
    inner = f"{_ISOLATE}{first}{_END_ISOLATE}{_ISOLATE}{second}{_END_ISOLATE}"
    turned = f"{_RIGHT}{inner}{_END_OVERRIDE}"
    return f"{_LEFT}{_ISOLATE}{turned}{_END_ISOLATE}{_END_OVERRIDE}"


KINDS: Mapping[str, Callable[[str, Random], str]] = {
    "invisible": invisible,
    "homoglyph": homoglyph,
    "reordering": reordering,
    "deletion": deletion,
}
