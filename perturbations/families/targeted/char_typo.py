"""Slips of the finger within targets, where models find what they hold on to."""

from collections.abc import Sequence
from functools import lru_cache

from perturbations.catalogue import target_level
from perturbations.graphemes import clusters, exchanges
from perturbations.numbered import one_put_in
from perturbations.scripts import letters_of


@target_level(
    title="Typos in a target",
    rate=0.5,
    where="inside",
    kind="morphology",
    alphabetic=True,
    example=("[Ana PESSOA] saiu", "[nAa PESSOA] saiu"),
)
def char_typo(word: str) -> tuple[Sequence[str], ...]:
    """Swaps, replaces or deletes a character in a token of a target [stage 4, "char_typo"].

    Chooses uniformly among the operations that change the token. Replacements are other letters of the script, ASCII
    letters for Latin ones. Characters keep their combining marks.
    """
    return slips(word)


@lru_cache(2**14)
def slips(word: str) -> tuple[Sequence[str], Sequence[str], Sequence[str]]:
    """The results of one typing error in a word: two neighbours swapped, one character replaced, one left out.

    None is the word itself.
    """
    chars = clusters(word)
    of_word = next(filter(str.isalpha, word), "a")
    swapped = ("".join((*chars[:i], chars[i + 1], chars[i], *chars[i + 2 :])) for i in range(len(chars) - 1))
    others = exchanges(word, lambda char: _others(char, of_word))
    deleted = tuple("".join((*chars[:i], *chars[i + 1 :])) for i in range(len(chars)))
    return tuple(each for each in swapped if each != word), one_put_in(word, others), deleted


@lru_cache(2**12)
def _others(char: str, of_word: str) -> str:
    return letters_of(char if char.isalpha() else of_word).replace(char, "")
