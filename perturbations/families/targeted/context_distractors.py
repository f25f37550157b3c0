"""Tokens beside targets replaced by words without content."""

from perturbations.catalogue import target_level
from perturbations.families.word.insertion import FILLERS, single_words


@target_level(
    where="beside", kind="pragmatics", renews=True, example=("doutora [Ana PESSOA] saiu .", "xxx [Ana PESSOA] lorem .")
)
def context_distractors(_word: str, *, distractors: tuple[str, ...] = FILLERS) -> tuple[str, ...]:
    """A distractor in place of the token right before or right after a target [stage 4, "context_distractors"]."""
    return single_words(distractors, "distractors")
