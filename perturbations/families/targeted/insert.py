"""Clutter right before and right after targets."""

from perturbations.catalogue import target_level
from perturbations.families.word.insertion import FILLERS, single_words


@target_level(
    rate=0.5, where="slots", kind="pragmatics", example=("a [Ana PESSOA] saiu", "a xxx [Ana PESSOA] lorem saiu")
)
def insert(_gap: str, *, distractors: tuple[str, ...] = FILLERS) -> tuple[str, ...]:
    """A distractor in the gap before or after a target; one that two targets share counts once [stage 4, "insert"]."""
    return single_words(distractors, "distractors")
