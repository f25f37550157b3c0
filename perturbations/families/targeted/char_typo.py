"""Slips of the finger within targets, where models find what they hold on to."""

from functools import lru_cache

from perturbations.catalogue import target_level
from perturbations.scripts import letters, letters_of


@target_level(
    title="Typos in a target",
    rate=0.5,
    where="inside",
    kind="morphology",
    alphabetic=True,
    example=("[Ana PESSOA] saiu", "[nAa PESSOA] saiu"),
)
def char_typo(word: str) -> tuple[tuple[str, ...], ...]:
    """Swaps, replaces or deletes a character in a token of a target [stage 4, "char_typo"].

    Chooses uniformly among the operations that change the token. Replacements are other letters of the script, ASCII
    letters for Latin ones. Characters keep their combining marks.
    """
    return slips(word)


@lru_cache(2**14)
def slips(word: str) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """The results of one typing error in a word: two neighbours swapped, one character replaced, one left out."""
    chars = letters(word)
    parts = [("".join(chars[:i]), char, "".join(chars[i + 1 :])) for i, char in enumerate(chars)]
    of_word = next(filter(str.isalpha, word), "a")
    swapped = tuple("".join((*chars[:i], chars[i + 1], chars[i], *chars[i + 2 :])) for i in range(len(chars) - 1))
    replaced = tuple(
        before + letter + char[1:] + behind
        for before, char, behind in parts
        for letter in letters_of(char[0] if char[0].isalpha() else of_word)
        if letter != char[0]
    )
    deleted = tuple(before + behind for before, _, behind in parts)
    return swapped, replaced, deleted
