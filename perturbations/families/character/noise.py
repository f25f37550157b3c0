"""Characters hit by noise, as from typing errors and optical character recognition."""

from perturbations.catalogue import character_level
from perturbations.scripts import letters_of


@character_level(rate=0.1, kind="morphology", alphabetic=True, example=("[Ana PESSOA]", "[kXq PESSOA]"))
def character_noise(char: str) -> tuple[str, ...]:
    """Any other letter of the script, each equally likely [stage 2, "Character noise"].

    For Latin letters, digits and signs they are the ASCII letters. Marks stay.
    """
    return tuple(letters_of(char))
