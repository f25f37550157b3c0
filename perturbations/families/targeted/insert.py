"""Clutter right before and right after targets."""

from perturbations.catalogue import target_level
from perturbations.families.word.insertion import fillers_of, single_words


@target_level(
    title="Distractors beside a target",
    rate=0.5,
    where="slots",
    kind="pragmatics",
    knows=("fillers",),
    scripts=("LATIN",),
    example=("a [Ana PESSOA] saiu", "a xxx [Ana PESSOA] lorem saiu"),
)
def insert(_gap: str, *, distractors: tuple[str, ...] | None = None, language: str = "pt") -> tuple[str, ...]:
    """Inserts a distractor before or after a target [stage 4, "insert"].

    A gap between two targets counts once. ``distractors`` default to the fillers of the ``language``, as in
    `word_insertion`.
    """
    return fillers_of(language) if distractors is None else single_words(distractors, "distractors")
