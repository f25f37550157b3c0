"""Characters hit by noise, as from typing errors and optical character recognition."""

from perturbations.catalogue import character_level
from perturbations.scripts import is_mark, letters_of, script
from perturbations.text import Sentence


def _with_script(sentence: Sentence, char: str) -> str:
    """A character; a digit or a sign with the first letter of a sentence that does not begin with a Latin one."""
    if char.isalpha() or is_mark(char):
        return char
    first = next((letter for token in sentence.tokens for letter in token if letter.isalpha()), "")
    return char if not first or script(first) == "LATIN" else char + first


@character_level(
    rate=0.1,
    kind="morphology",
    alphabetic=True,
    asked_as=_with_script,
    example=("[Ana PESSOA]", "[kXq PESSOA]"),
)
def character_noise(char: str) -> tuple[str, ...]:
    """Replaces a character with another letter of its script, chosen uniformly [stage 2, "Character noise"].

    Latin letters become other ASCII letters. Digits and signs become letters of the script that the sentence begins in.
    Combining marks stay.
    """
    return tuple(letters_of(char[-1]))
