"""Characters as readers see them: a letter with its marks, an emoji with its joiners, a flag of two halves.

`regex` cuts text into grapheme clusters [Unicode Standard Annex 29]. A cluster is cut once more behind a virama that
shows, since the consonant behind it has a key of its own; one that only stacks letters, as in Khmer, or a joiner
behind it, keeps both together.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import accumulate, pairwise

import regex

from perturbations.scripts import script

_PLAIN = regex.compile(
    r"[\p{L}\p{N}\p{P}\p{Z}\p{Sm}\p{Sc}--[\u0e33\u0eb3\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff]]*", regex.V1
)
"""Text of which each character is a cluster, as far as a glance tells."""

_STACKED = r"[\p{InSC=Invisible_Stacker}\u200d]"
_CLUSTER = regex.compile(rf"\X(?:(?:(?<={_STACKED})|(?=\p{{M}}))\X)*")
_BEHIND_VIRAMA = regex.compile(rf"(?<=\p{{ccc=Virama}})(?<!{_STACKED})(?=\p{{L}})", regex.V1)
_MARKED_LETTER = regex.compile(r"\p{L}[\p{M}\p{Lo}\u200c--\p{Variation_Selector}]+", regex.V1)
_TONED = regex.compile(r"(\p{Emoji_Modifier_Base})(?:\ufe0f|\p{Emoji_Modifier})?")
_INHERITED = regex.compile(r"[\p{sc=Inherited}\p{sc=Common}]*")


@lru_cache(2**14)
def clusters(text: str) -> Sequence[str]:
    """The characters of a text as readers see them, in order; joined they are the text."""
    if (text.isascii() and "\r" not in text) or _PLAIN.fullmatch(text):
        return text
    return tuple(part for cluster in _CLUSTER.findall(text) for part in _BEHIND_VIRAMA.split(cluster))


def borders(text: str) -> list[int]:
    """Where clusters begin, and the end of the text: the places where something can be put in."""
    return list(accumulate(map(len, clusters(text)), initial=0))


def cluster_at(text: str, place: int) -> tuple[int, int]:
    """Where the cluster of that character begins and ends."""
    if type(clusters(text)) is str:
        return place, place + 1
    return next((start, stop) for start, stop in pairwise(borders(text)) if place < stop)


def takes_marks(string: str, cluster: str) -> bool:
    """Whether what comes in the place of the first character of a cluster can bear the marks behind that.

    Only letters can, and no letter those of another script. An emoji, a flag and a letter with a variation selector
    change whole.
    """
    if len(cluster) == 1:
        return True
    if not string[-1:].isalpha() or not _MARKED_LETTER.fullmatch(cluster):
        return False
    return bool(_INHERITED.fullmatch(cluster[1:])) or script(string[-1]) == script(cluster[0])


def exchanges(word: str, options: Callable[[str], Sequence[str]]) -> list[Sequence[str]]:
    """For each character of the word the strings that can take its place, of those that ``options`` gives for it.

    Marks stay, and so do characters whose cluster would lose its base.
    """
    found = clusters(word)
    if type(found) is str:
        return list(map(options, word))
    return [
        given for cluster in found for given in (_bearing(options(cluster[0]), cluster), *((),) * (len(cluster) - 1))
    ]


def _bearing(strings: Sequence[str], cluster: str) -> Sequence[str]:
    return strings if len(cluster) == 1 else [string for string in strings if takes_marks(string, cluster)]


def with_tone(text: str, tone: str) -> str:
    """The text with that skin tone on its first hand or person; the same if it has none."""
    return text if text.isascii() else _TONED.sub(rf"\1{tone}", text, count=1)
