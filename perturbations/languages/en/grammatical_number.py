"""The number of English words, by their endings."""

from __future__ import annotations

from perturbations.languages.parts import BOTH, PLURAL, SINGULAR, Number
from perturbations.lexicons import pairs


def numbers_of(word: str, kind: str) -> frozenset[Number]:
    """The numbers that the word, in lower case, can have; adjectives and adverbs go with both.

    Of verbs the third person singular of the present is singular, and every other form is plural.
    """
    if kind == "NOUN":
        said = pairs("irregular_numbers_en").get(word, pairs("nouns_en").get(word))
        if said is not None:
            return {"singular": SINGULAR, "plural": PLURAL, "either": BOTH}[said]
        return PLURAL if _ends_in_s(word) else SINGULAR
    if kind in ("VERB", "AUX"):
        third = word == "is" or (_ends_in_s(word) and word not in _BASES)
        return SINGULAR if third else PLURAL
    return BOTH


_BASES = frozenset(["bias", "canvas", "gas"])
"""Verbs that end as third persons do."""


def _ends_in_s(word: str) -> bool:
    """Whether an s was put to the word: not in *boss*, *virus* or *crisis*, but in *plateaus*."""
    return word.endswith("s") and not word.endswith(("ss", "is")) and (not word.endswith("us") or word.endswith("aus"))
