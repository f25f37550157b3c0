"""Names that a text shares with its translations, exchanged for an invented word in all of them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from perturbations.catalogue import sentence_level
from perturbations.languages import with_parts
from perturbations.lexicons import pairs, words
from perturbations.numbered import OnDemand
from perturbations.parallel import shared_places
from perturbations.streams import pick, stream
from perturbations.text import Edit, Sentence

_LETTERS = ("bdfklmnprstvz", "aeiou")
"""Those of invented words: consonants and vowels take turns."""

_FEWEST = 3
"""Letters of a name; two may be an abbreviation."""

_SHORTEST, _WORDS = 5, 1000
"""Letters of an invented word at least, and how many there are for each name."""


@sentence_level(
    title="Shared names exchanged on both sides",
    kind="lexis",
    aliases=("SwapParallelSameWord",),
    scheme="parallel",
    relation="parallel",
    renews=True,
    example=("ontem Sadako viu o mar", "ontem Mazube viu o mar"),
)
def swap_parallel_same_word(sentence: Sentence) -> list[Sequence[Edit]]:
    """Replaces a name in a text and in its translations by an invented word [TextFlint, "SwapParallelSameWord"].

    The name is written alike on all sides, once on each: three letters or more, the first a capital, the others small.
    A word that a list of any language has, and that is no given name, stays: Portuguese *No* and English *No* differ.
    """
    found = shared_places(sentence, is_name)
    return [OnDemand(_WORDS, _Renaming(place, sentence.tokens[place])) for place, _ in found]


class _Renaming:
    """The edits that rename the word at a place."""

    def __init__(self, place: int, word: str) -> None:
        self._place, self._word = place, word

    def __call__(self, number: int) -> Edit:
        """Edit number ``number``, from 0."""
        return Edit(self._place, self._place + 1, (invent_word(self._word, number),))


def is_name(token: str) -> bool:
    """Whether a word is written as a name is, and no list of words has it unless as a given name."""
    is_title = len(token) >= _FEWEST and token.isalpha() and token[0].isupper() and token[1:].islower()
    lowered = token.lower()
    return is_title and (lowered in _given_names() or lowered not in _known_words())


def invent_word(name: str, number: int) -> str:
    """The invented word of that ``number``, from 0, for a name: as long, at least five letters, and in no list."""
    draws = stream(number, "swap_parallel_same_word", name)
    while True:
        length = max(_SHORTEST, len(name))
        word = "".join(pick(draws, _LETTERS[k % 2]) for k in range(length))
        if word not in _known_words() and word != name.lower():
            return word.capitalize()


@cache
def _known_words() -> frozenset[str]:
    """The words of all languages that have a list of them."""
    listed = [pairs(f"word_classes_{code}") for code in with_parts("word_classes")]
    return frozenset().union(*listed, *(words(f"stop_words_{code}") for code in with_parts("stop_words")))


@cache
def _given_names() -> frozenset[str]:
    return frozenset().union(*(pairs(f"given_names_{code}") for code in with_parts("given_names")))
