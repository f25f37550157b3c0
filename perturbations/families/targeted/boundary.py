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
    """Replaces punctuation next to a target with the mask token of the tokenizer [stage 4, "boundary"].

    A token is punctuation if all its characters are in the Unicode categories P.
    """
    masks = single_words((mask_token,), "mask_token")
    return masks if all(unicodedata.category(char)[0] == "P" for char in word) else ()
