"""Slips of the finger within targets, where models find what they hold on to."""

from functools import lru_cache
from string import ascii_letters

from perturbations.catalogue import target_level


@target_level(
    rate=0.5,
    where="inside",
    kind="morphology",
    alphabetic=True,
    example=("[Ana PESSOA] saiu", "[nAa PESSOA] saiu"),
)
def char_typo(word: str) -> tuple[tuple[str, ...], ...]:
    """One slip in a token of a target: neighbours swapped, a character replaced or deleted [stage 4, "char_typo"].

    Each operation that would change the token is equally likely; letters put in are the other ASCII letters.
    """
    return slips(word)


@lru_cache(2**14)
def slips(word: str) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """The results of one typing error in a word: two neighbours swapped, one character replaced, one left out."""
    every = range(len(word))
    swapped = tuple(word[:i] + word[i + 1] + word[i] + word[i + 2 :] for i in every[:-1])
    replaced = tuple(word[:i] + letter + word[i + 1 :] for i in every for letter in ascii_letters if letter != word[i])
    deleted = tuple(word[:i] + word[i + 1 :] for i in every)
    return swapped, replaced, deleted
