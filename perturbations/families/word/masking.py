"""Words missing, as by redaction or truncation."""

from perturbations.catalogue import word_level


@word_level(rate=0.15, example=("[Ana PESSOA] saiu", r"[\[MASK\] PESSOA] \[MASK\]"))
def token_masking(_word: str, *, mask_token: str = "[MASK]") -> tuple[str, ...]:  # noqa: S107 - no password
    """The tokenizer's own mask token in place of the word [stage 2, "Token masking"]."""
    return (mask_token,)
