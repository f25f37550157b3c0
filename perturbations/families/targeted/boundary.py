"""Punctuation lost at the ends of targets, where it says that a span ends."""

import unicodedata

from perturbations.catalogue import target_level
from perturbations.families.word.insertion import single_words
from perturbations.families.word.masking import MASK


@target_level(
    title="Mask token beside a target",
    where="beside",
    kind="pragmatics",
    example=("( [Ana PESSOA] ) saiu .", r"\[MASK\] [Ana PESSOA] \[MASK\] saiu ."),
)
def boundary(word: str, *, mask_token: str = MASK) -> tuple[str, ...]:
    """The tokenizer's own mask token in place of punctuation next to a target [stage 4, "boundary"].

    Punctuation is what has only characters of the Unicode categories P.
    """
    masks = single_words((mask_token,), "mask_token")
    return masks if all(unicodedata.category(char)[0] == "P" for char in word) else ()
