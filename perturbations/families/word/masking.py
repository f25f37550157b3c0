"""Words missing, as by redaction or truncation."""

from perturbations.catalogue import word_level
from perturbations.families.word.insertion import single_words

MASK = "[MASK]"
"""The mask token of BERT's tokenizers."""


@word_level(rate=0.15, example=("[Ana PESSOA] saiu", r"[\[MASK\] PESSOA] \[MASK\]"))
def token_masking(_word: str, *, mask_token: str = MASK) -> tuple[str, ...]:
    """Replaces a word with the mask token of the tokenizer [stage 2, "Token masking"]."""
    return single_words((mask_token,), "mask_token")
