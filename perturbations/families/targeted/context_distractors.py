"""Tokens beside targets replaced by words without content."""

from perturbations.catalogue import target_level
from perturbations.families.word.insertion import fillers_of, single_words


@target_level(
    title="Distractors in place of the words beside a target",
    where="beside",
    kind="pragmatics",
    renews=True,
    knows=("fillers",),
    scripts=("LATIN",),
    example=("doutora [Ana PESSOA] saiu .", "xxx [Ana PESSOA] lorem ."),
)
def context_distractors(
    _word: str, *, distractors: tuple[str, ...] | None = None, language: str = "pt"
) -> tuple[str, ...]:
    """Replaces the token before or after a target with a distractor [stage 4, "context_distractors"].

    ``distractors`` default to the fillers of the ``language``, as in `word_insertion`.
    """
    return fillers_of(language) if distractors is None else single_words(distractors, "distractors")
