"""Letters of another script that look the same."""

from collections.abc import Mapping
from functools import cache
from typing import Literal

from perturbations.catalogue import character_level
from perturbations.lexicons import pairs
from perturbations.scripts import script


@character_level(
    title="Homoglyphs",
    kind="morphology",
    rate=0.1,
    alphabetic=True,
    scripts=("LATIN", "GREEK", "CYRILLIC", "ARMENIAN"),
    example=("[Abc PESSOA]", "[Аbс PESSOA]"),
)
def homoglyph(char: str, *, into: Literal["any", "latin", "greek", "cyrillic", "armenian"] = "any") -> tuple[str, ...]:
    """Replaces a letter with one that looks alike in another script, by Unicode's confusables.

    ``into`` names the script of the new letter; "any" chooses uniformly among all. Labels hold.
    """
    found = look_alikes().get(char, ())
    return found if into == "any" else tuple(each for each in found if script(each) == into.upper())


@cache
def look_alikes() -> Mapping[str, tuple[str, ...]]:
    """By letter those of other scripts that look alike, in the order of their code points."""
    return {letter: tuple(others.split("|")) for letter, others in pairs("homoglyphs").items()}
