"""Characters that no reader sees: invisible ones, homoglyphs, reordered and deleted ones [Boucher et al., 2022].

N. Boucher, I. Shumailov, R. Anderson and N. Papernot, Bad Characters: Imperceptible NLP Attacks, IEEE S&P 2022.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from random import Random

from abalo.attacks.parts import Site
from perturbations import Edit, Sentence, sentence_id, stream
from perturbations.lexicons import pairs
from perturbations.streams import pick

_INVISIBLE = ("\u200b", "\u200c", "\u200d")
"""Zero-width space, non-joiner and joiner."""

_BACKSPACE = "\b"

_SHOWING = "".join(map(chr, range(ord("!"), ord("~") + 1)))
"""The characters of ASCII that show."""

_ISOLATE, _LEFT, _RIGHT, _END_ISOLATE, _END_OVERRIDE = "\u2066", "\u202d", "\u202e", "\u2069", "\u202c"
"""Controls of the bidirectional algorithm [Unicode Standard Annex 9]."""


class Imperceptible:
    """A word with one character put in, replaced, hidden or moved so that it looks the same, of one of the `KINDS`.

    Each of ``draws`` draws chooses the place and the character; what is drawn twice is there once. A draw depends on
    the seed, the kind, the sentence and the place of the word alone.
    """

    def __init__(self, kind: str, seed: int, draws: int = 1) -> None:
        self._change = KINDS[kind]
        self._kind = kind
        self._seed = seed
        self._draws = draws
        self.name = kind

    def of(self, sites: Sequence[Site]) -> list[Sequence[Edit]]:
        """The changes of each word; none for a word in which there is nothing to change."""
        return [self._of(target.sentence, place) for target, place in sites]

    def _of(self, sentence: Sentence, place: int) -> list[Edit]:
        word = sentence.tokens[place]
        drawn = stream(self._seed, "imperceptible", self._kind, sentence_id(sentence), place)
        found = (self._change(word, drawn) for _ in range(self._draws))
        return [Edit(place, place + 1, (other,)) for other in dict.fromkeys(found) if other != word]


def invisible(word: str, draws: Random) -> str:
    """A character of no width somewhere before the end of the word."""
    k = int(draws.random() * len(word))
    return word[:k] + pick(draws, _INVISIBLE) + word[k:]


def homoglyph(word: str, draws: Random) -> str:
    """One letter of another script that looks the same; the word itself where none of its letters has one."""
    known = _homoglyphs()
    places = [k for k, char in enumerate(word) if char in known]
    if not places:
        return word
    k = pick(draws, places)
    return word[:k] + known[word[k]] + word[k + 1 :]


def reordering(word: str, draws: Random) -> str:
    """Two neighbours that differ, written in the other order and shown in theirs; a word without any stays."""
    places = [k for k in range(len(word) - 1) if word[k] != word[k + 1]]
    if not places:
        return word
    k = pick(draws, places)
    return word[:k] + _shown_swapped(word[k + 1], word[k]) + word[k + 2 :]


def deletion(word: str, draws: Random) -> str:
    """A character and the backspace that takes it away again, somewhere in the word."""
    k = int(draws.random() * (len(word) + 1))
    return word[:k] + pick(draws, _SHOWING) + _BACKSPACE + word[k:]


def _shown_swapped(first: str, second: str) -> str:
    """Both characters, with controls by which a screen shows the second before the first."""
    inner = f"{_ISOLATE}{first}{_END_ISOLATE}{_ISOLATE}{second}{_END_ISOLATE}"
    turned = f"{_RIGHT}{inner}{_END_OVERRIDE}"
    return f"{_LEFT}{_ISOLATE}{turned}{_END_ISOLATE}{_END_OVERRIDE}"


KINDS: Mapping[str, Callable[[str, Random], str]] = {
    "invisible": invisible,
    "homoglyph": homoglyph,
    "reordering": reordering,
    "deletion": deletion,
}
"""The kinds of changes by name."""


@cache
def _homoglyphs() -> Mapping[str, str]:
    return pairs("homoglyphs")
