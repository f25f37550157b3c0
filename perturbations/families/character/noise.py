"""Characters hit by noise, as from typing errors and optical character recognition."""

from string import ascii_letters

from perturbations.catalogue import character_level


@character_level(rate=0.1, kind="morphology", alphabetic=True, example=("[Ana PESSOA]", "[kXq PESSOA]"))
def character_noise(_char: str) -> tuple[str, ...]:
    """Any other ASCII letter, each equally likely [stage 2, "Character noise"]."""
    return tuple(ascii_letters)
